"""`fxlint check`: findings of files, folders or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fxlint import engine
from fxlint.cli import common
from fxlint.cli.app import CLEAN, FINDINGS, INTERNAL, USAGE
from fxlint.report.formats import FOR_PEOPLE, FORMATS, render, render_statistics
from fxlint.report.paint import summary
from fxlint.syntax.source import Source, UnreadableSourceError

STDIN = "-"
STDIN_NAME = "stdin.py"


@click.command("check", short_help="Report what torch.fx.symbolic_trace refuses or silently bakes.")
@common.shared_options
@click.option("--select", multiple=True, metavar="CODES", help="Rules to run: codes, prefixes or names, with commas.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Rules not to run.")
@click.option("--extend-select", multiple=True, metavar="CODES", help="Rules to run besides the selected ones.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True, help="How to report.")
@click.option("--statistics", is_flag=True, help="Count findings by rule instead of listing them.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@click.option("--stdin-filename", metavar="FILE", help="The name of the text on standard input (`-`).")
def command(
    paths: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    python: str | None,
    no_cache: bool,
    output_file: str | None,
    quiet: bool,
    verbose: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    output_format: str,
    statistics: bool,
    exit_zero: bool,
    stdin_filename: str | None,
) -> int:
    """Report what torch.fx.symbolic_trace refuses or silently bakes in PATHS (default: this folder).

    Nothing is imported or run. `-` reads standard input.
    """
    paths = paths or (".",)
    if stdin_filename is not None and STDIN not in paths:
        raise click.UsageError("--stdin-filename needs `-` among the paths")
    named = tuple(stdin_filename or "." if path == STDIN else path for path in paths)
    config, base = common.read_settings(named, config_file, isolated, python, select, ignore, extend_select)
    unsaved = [_stdin(stdin_filename or STDIN_NAME)] if STDIN in paths else []
    tick = common.ticker(quiet, verbose)
    try:
        result = engine.check([path for path in paths if path != STDIN], config, base=base, unsaved=unsaved, tick=tick)
    finally:
        common.end_ticks(tick)
    paint = common.painter(output_file)
    if statistics:
        text = render_statistics(result.findings, paint)
    else:
        text = render(output_format, result.findings, result.line_text, paint)
    if output_format in FOR_PEOPLE and not quiet:
        text += summary(result.findings, result.files, result.suppressed) + "\n"
    common.write(text, output_file)
    common.tell(result.problems, result.crashes, verbose)
    if result.crashes:
        return INTERNAL
    if result.problems:
        return USAGE
    return FINDINGS if result.findings and not exit_zero else CLEAN


def _stdin(name: str) -> Source:
    try:
        return Source.from_bytes(str(Path(name)), sys.stdin.buffer.read())
    except UnreadableSourceError as error:
        raise click.ClickException(str(error)) from None
