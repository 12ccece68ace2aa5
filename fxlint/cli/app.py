"""The door of the command line: commands are imported when they are asked for, and every way out has its exit code.

0 clean · 1 findings · 2 a mistake in the call or the settings · 3 a part of fxlint failed · 130 interrupted ·
141 nobody reads the output any more
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from fxlint import __version__

CLEAN, FINDINGS, USAGE, INTERNAL, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 130, 141

_COMMANDS = {
    "check": ("fxlint.cli.check", "Report what torch.fx.symbolic_trace refuses or silently bakes."),
    "models": ("fxlint.cli.models", "Say of each module class whether it traces."),
    "rule": ("fxlint.cli.rule", "Explain a rule."),
    "version": ("fxlint.cli.version", "Show the version."),
}


class Commands(click.Group):
    """The commands by name; only the one that runs is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        entry = _COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = importlib.import_module(entry[0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_text) for name, (_, help_text) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the command that may have been meant."""
        name = args[0] if args else ""
        if name and name not in _COMMANDS and not name.startswith("-"):
            hint = f"did you mean `fxlint check {name}`?" if os.path.exists(name) else f"try {', '.join(_COMMANDS)}"
            raise click.UsageError(f"there is no command `{name}`: {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="fxlint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find what torch.fx.symbolic_trace refuses, and what it gets silently wrong, without running the code.

    Exit codes: 0 clean, 1 findings, 2 a mistake in the call or the settings, 3 a part of fxlint failed.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    try:
        code = cli.main(args, prog_name="fxlint", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return USAGE
    except Exception as error:
        return _internal(error)
    return code if isinstance(code, int) else CLEAN


def _internal(error: Exception) -> int:
    import traceback

    traceback.print_exc()
    click.echo(f"fxlint failed: {type(error).__name__}: {error}. This is a bug in fxlint.", err=True)
    return INTERNAL
