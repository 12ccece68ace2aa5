"""What `check` and `models` share: options, settings, progress, and where the output goes."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from fxlint.cli.app import CLOSED_PIPE
from fxlint.findings import Crash
from fxlint.model.config import Config
from fxlint.report.paint import Paint
from fxlint.settings import SettingsError, codes_of, find_settings, load_settings

Command = TypeVar("Command", bound=Callable[..., Any])

_PATHS = click.argument("paths", nargs=-1, metavar="[PATHS | -]...")
_OPTIONS = (
    click.option("--config", "config_file", metavar="FILE", help="Read the settings from this file."),
    click.option("--isolated", is_flag=True, help="Read no settings file."),
    click.option("--python", metavar="EXE", help="Interpreter whose packages imports lead to (read, never run)."),
    click.option("--no-cache", is_flag=True, help="Neither read nor write a cache."),
    click.option("--output-file", "-o", metavar="FILE", help="Write the report here instead of printing it."),
    click.option("--quiet", "-q", is_flag=True, help="Print the findings and nothing else."),
    click.option("--verbose", "-v", is_flag=True, help="Print more: progress, tracebacks of internal errors."),
)


def shared_options(command: Command) -> Command:
    """Give a command the paths and the options that all analysing commands have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return _PATHS(command)


def read_settings(
    paths: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    python: str | None,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    extend_select: tuple[str, ...] = (),
) -> tuple[Config, Path | None]:
    """The settings of a run, options before files, and the folder that its patterns are relative to."""
    try:
        found = _settings_file(paths, config_file, isolated)
        config = load_settings(found) if found is not None else Config()
        if select:
            config = dataclasses.replace(config, select=codes_of(split(select), "--select"))
        if extend_select:
            config = dataclasses.replace(
                config, select=(*config.select, *codes_of(split(extend_select), "--extend-select"))
            )
        if ignore:
            config = dataclasses.replace(config, ignore=(*config.ignore, *codes_of(split(ignore), "--ignore")))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    if python is not None:
        config = dataclasses.replace(config, python=python)
    return config, found.parent if found is not None else None


def _settings_file(paths: tuple[str, ...], config_file: str | None, isolated: bool) -> Path | None:
    if isolated:
        if config_file is not None:
            raise click.UsageError("--config and --isolated exclude each other")
        return None
    if config_file is not None:
        return Path(config_file)
    first = next((path for path in paths if path != "-"), ".")
    return find_settings(Path(first))


def split(values: Iterable[str]) -> tuple[str, ...]:
    """`FX1,FX203` given once or several times as single codes."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def painter(output_file: str | None) -> Paint:
    """Colours where a person looks: a terminal, unless NO_COLOR or a dumb terminal says otherwise."""
    if output_file is not None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return Paint(False)
    return Paint(bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty())


def write(text: str, output_file: str | None) -> None:
    """Print a report, or put it into a file."""
    if output_file is None:
        # A path or a line of source may hold what the terminal's encoding cannot say.
        encoding = sys.stdout.encoding or "utf-8"
        try:
            sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough. Python would complain when it flushes at exit, so give it a place to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        return
    try:
        Path(output_file).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise click.ClickException(f"{output_file}: cannot be written: {error.strerror or error}") from None


def ticker(quiet: bool, verbose: bool) -> Callable[[str], None] | None:
    """Progress on the error stream: a line that rewrites itself on a terminal, plain lines when asked for."""
    if quiet or not (verbose or sys.stderr.isatty()):
        return None
    live = sys.stderr.isatty()

    def tick(what: str) -> None:
        click.echo(f"\r\x1b[K{what[:100]}" if live else what, err=True, nl=not live)

    return tick


def end_ticks(tick: Callable[[str], None] | None) -> None:
    """Take the progress line away."""
    if tick is not None and sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)


def tell(problems: Iterable[str], crashes: Iterable[Crash], verbose: bool) -> None:
    """Say on the error stream what could not be looked at, and what broke."""
    for problem in problems:
        click.echo(f"error: {problem}", err=True)
    for crash in crashes:
        place = f" in {crash.path}" if crash.path else ""
        last = crash.detail.strip().splitlines()[-1] if crash.detail.strip() else ""
        click.echo(f"internal error: {crash.what}{place}: {last}", err=True)
        if verbose:
            click.echo(crash.detail, err=True)
