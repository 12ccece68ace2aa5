"""`python -m fxlint`: the command line, with the interpreter's own start-up errors kept out of the way."""

from __future__ import annotations


def run() -> None:
    """Start the command line (imported here, so that importing this module costs nothing)."""
    from fxlint.cli.app import main

    main()


if __name__ == "__main__":
    run()
