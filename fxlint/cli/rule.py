"""`fxlint rule`: the page of a rule, or the list of all."""

from __future__ import annotations

import json
import sys

import click

from fxlint.cli.app import CLEAN
from fxlint.rules.define import Rule
from fxlint.rules.registry import UnknownRuleError, all_rules, rule


@click.command("rule", short_help="Explain a rule.")
@click.argument("code", required=False)
@click.option("--all", "show_all", is_flag=True, help="List every rule.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(code: str | None, show_all: bool, output_format: str) -> int:
    """Explain the rule CODE (or name): what it finds, why it matters, what to write instead."""
    if show_all == (code is not None):
        raise click.UsageError("give the code of a rule, or --all")
    if code is None:
        rules = all_rules()
    else:
        try:
            rules = (rule(code),)
        except UnknownRuleError as error:
            raise click.ClickException(str(error)) from None
    if output_format == "json":
        shown = [_json(each) for each in rules]
        click.echo(json.dumps(shown if show_all else shown[0], indent=2))
    elif show_all:
        wide = max(len(each.name) for each in rules)
        for each in rules:
            click.echo(f"{each.code}  {each.name:<{wide}}  {each.effect.value:<12}  {each.summary}")
    else:
        _page(rules[0])
    return CLEAN


def _page(about: Rule) -> None:
    text = about.documentation() if about.docs_path.is_file() else f"# {about.name} ({about.code})\n\n{about.why}\n"
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        click.echo(text)


def _json(about: Rule) -> dict[str, str | None]:
    return {
        "code": about.code,
        "name": about.name,
        "summary": about.summary,
        "severity": about.severity.value,
        "effect": about.effect.value,
        "since": about.since,
        "why": about.why,
        "says": about.says,
        "documentation": about.documentation() if about.docs_path.is_file() else None,
    }
