"""Write the torch model of the installed torch."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fxlint.interp.torch_model import generate


def main() -> int:
    """Generate and write."""
    from .build import build, file_name, render

    parser = argparse.ArgumentParser(prog="python -m fxlint.interp.torch_model.generate", description=main.__doc__)
    parser.add_argument("--output", type=Path, help="the file to write (default: beside the loader)")
    parser.add_argument("--without-modules", action="store_true", help="do not try which of torch's files import")
    parser.add_argument(
        "--share", type=int, default=1, help="call only one in so many of the functions, for a quick look"
    )
    options = parser.parse_args()

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    output = options.output or Path(generate.__file__).parent.parent / file_name()
    text = render(build(progress=say, modules=not options.without_modules, share=options.share))
    output.write_text(text, encoding="utf-8")
    print(f"{output}: {len(text) // 1024} KB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
