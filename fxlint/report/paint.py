"""Colours, and how wide text is on a terminal."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from fxlint.model.finding import Effect, Finding, ModelVerdict, Severity

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}
SEVERITY_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
VERDICT_COLOURS = {
    ModelVerdict.UNTRACEABLE: "red",
    ModelVerdict.CONDITIONAL: "yellow",
    ModelVerdict.SPECIALISES: "cyan",
    ModelVerdict.TRACEABLE: "green",
    ModelVerdict.UNKNOWN: "dim",
}
TAB_STOP = 4


@dataclass(frozen=True, slots=True)
class Paint:
    """Wraps text in terminal colours, or leaves it alone where nobody would see them."""

    colour: bool = False

    def __call__(self, text: str, *styles: str) -> str:
        """The text in the given styles."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def width(text: str) -> int:
    """How many columns of a terminal a text takes (tabs expanded before)."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def visible(text: str) -> str:
    """Source text as it can be shown: tabs as spaces, control characters (they could steer the terminal) as marks."""
    shown = text.expandtabs(TAB_STOP)
    return "".join(
        character if character >= " " and character != "\x7f" and not 0x80 <= ord(character) < 0xA0 else "\ufffd"
        for character in shown
    )


def summary(findings: tuple[Finding, ...], files: int, suppressed: int = 0) -> str:
    """The last line for people: how many findings of which effect, in how many files."""
    among = f"in {files} file{'' if files == 1 else 's'}"
    silenced = f" ({suppressed} suppressed)" if suppressed else ""
    if not findings:
        return f"no findings {among}{silenced}"
    counts = [(effect, sum(finding.effect is effect for finding in findings)) for effect in Effect]
    parts = [f"{count} {effect.value}" for effect, count in counts if count]
    words = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    return f"{words} finding{'' if len(findings) == 1 else 's'} {among}{silenced}"
