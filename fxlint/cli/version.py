"""`fxlint version`: which fxlint this is, and on which Python it runs."""

from __future__ import annotations

import platform

import click

from fxlint import __version__
from fxlint.cli.app import CLEAN


@click.command("version", short_help="Show the version.")
def command() -> int:
    """Show the version."""
    click.echo(f"fxlint {__version__} (Python {platform.python_version()})")
    return CLEAN
