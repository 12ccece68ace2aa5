"""`fxlint models`: which module classes trace as shipped."""

from __future__ import annotations

import click

from fxlint import engine
from fxlint.cli import common
from fxlint.cli.app import CLEAN, INTERNAL, USAGE
from fxlint.report.jsons import render_models_json
from fxlint.report.models import models_summary, render_models


@click.command("models", short_help="Say of each module class whether it traces.")
@common.shared_options
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("--summary", "only_summary", is_flag=True, help="Print only how many classes have which verdict.")
def command(
    paths: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    python: str | None,
    no_cache: bool,
    output_file: str | None,
    quiet: bool,
    verbose: bool,
    output_format: str,
    only_summary: bool,
) -> int:
    """Say of each module class in PATHS whether symbolic_trace takes it, built with the defaults of its constructor.

    untraceable: tracing raises. conditional: it raises only under a test that depends on how the model is built.
    specialises: it traces, but the graph is not the whole program. traceable: neither. unknown: something that may
    matter could not be followed.
    """
    config, base = common.read_settings(paths, config_file, isolated, python)
    tick = common.ticker(quiet, verbose)
    try:
        result = engine.models(paths or (".",), config, base=base, tick=tick)
    finally:
        common.end_ticks(tick)
    if output_format == "json":
        text = render_models_json(result.reports)
    else:
        text = "" if only_summary else render_models(result.reports, common.painter(output_file), verbose=verbose)
        text += "" if quiet else models_summary(result.reports, result.files) + "\n"
    common.write(text, output_file)
    common.tell(result.problems, result.crashes, verbose)
    if result.crashes:
        return INTERNAL
    return USAGE if result.problems else CLEAN
