"""The command line as users meet it: output, error stream and exit code, with an analysis of our own behind it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from fxlint import __version__, engine
from fxlint.cli import app
from fxlint.index.project import Project
from fxlint.interp.analyze import RootRun
from fxlint.interp.events import Event, Hook, RawSpan
from fxlint.model.config import Config
from fxlint.model.finding import Effect

TEXT = "class Net:\n    def forward(self, x):\n        return len(x)\n"


def analysis(project: Project, config: Config, tick: object = None) -> Iterator[RootRun]:
    """An event at each `len(x)` of line 3."""
    for module in project.checked:
        if "BOOM" in module.source.text:
            raise RuntimeError("oops")
        if module.source.line_text(3).strip().startswith("return len(x)"):
            path = module.source.path
            at = RawSpan(path, 3, 15, 3, 21)
            event = Event(Hook.LEN, Effect.UNTRACEABLE, at, "x", via="len()", root="net.Net")
            yield RootRun("net.Net", RawSpan(path, 1, 6, 1, 9), (event,), (), frozenset(), frozenset())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "_run_check", lambda: analysis)
    monkeypatch.setattr(engine, "_run_models", lambda: analysis)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    (tmp_path / "net.py").write_text(TEXT)
    (tmp_path / "ok.py").write_text("x = 1\n")
    return tmp_path


class Shell:
    """Runs commands and gives their exit code, output and error stream."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, *args: str, stdin: bytes | None = None) -> SimpleNamespace:
        if stdin is not None:
            self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = app.run(list(args))
        captured = self.capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)


@pytest.fixture
def fxlint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)


CONCISE = "net.py:3:16: FX107 `len()` is asked of `x`, which is a Proxy (a traced tensor)\n"


def test_findings_exit_with_1(fxlint: Shell) -> None:
    done = fxlint("check", "--output-format", "concise")
    assert (done.code, done.err) == (1, "")
    assert done.out == CONCISE + "1 untraceable finding in 2 files\n"


def test_full_is_the_default(fxlint: Shell) -> None:
    done = fxlint("check", "net.py")
    assert "error[FX107]" in done.out
    assert "^^^^^^" in done.out


def test_clean_exits_with_0(fxlint: Shell) -> None:
    done = fxlint("check", "ok.py")
    assert (done.code, done.out, done.err) == (0, "no findings in 1 file\n", "")


def test_exit_zero_and_quiet(fxlint: Shell) -> None:
    done = fxlint("check", "--exit-zero", "-q", "--no-cache", "--output-format=concise", ".")
    assert (done.code, done.out) == (0, CONCISE)


def test_json_is_nothing_but_json(fxlint: Shell) -> None:
    done = fxlint("check", "--output-format", "json", ".")
    assert done.code == 1
    assert [entry["code"] for entry in json.loads(done.out)] == ["FX107"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--select", "FX2"], 0),
        (["--select", "FX2,FX107"], 1),
        (["--select", "FX2", "--extend-select", "len-of-proxy"], 1),
        (["--ignore", "FX1"], 0),
        (["--ignore", "FX1", "--select", "FX107"], 1),
    ],
)
def test_selection(fxlint: Shell, args: list[str], code: int) -> None:
    assert fxlint("check", *args).code == code


def test_statistics(fxlint: Shell) -> None:
    assert fxlint("check", "--statistics", "-q").out == "1  FX107  len-of-proxy  untraceable\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["check", "--select", "FX0"], "Error: --select: unknown rule `FX0`"),
        (["check", "--output-format", "jsn"], "Invalid value for '--output-format'"),
        (["check", "--no-such"], "No such option"),
        (["check", "--stdin-filename", "a.py"], "--stdin-filename needs `-`"),
        (["check", "--config", "none.toml"], "none.toml: cannot be read"),
        (["check", "--config", "a.toml", "--isolated"], "exclude each other"),
        (["check", "-o", "no/such/folder"], "no/such/folder: cannot be written"),
        (["chek"], "there is no command `chek`"),
        (["net.py"], "did you mean `fxlint check net.py`?"),
        (["rule", "FX17"], "unknown rule `FX17`"),
        (["rule"], "give the code of a rule, or --all"),
    ],
)
def test_mistakes_exit_with_2(fxlint: Shell, args: list[str], message: str) -> None:
    done = fxlint(*args)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_missing_path_is_told_and_the_rest_is_checked(fxlint: Shell) -> None:
    done = fxlint("check", "gone.py", "net.py", "-q", "--output-format=concise")
    assert (done.code, done.out) == (2, CONCISE)
    assert done.err == "error: gone.py: no such file or folder\n"


def test_settings_are_found_and_mistakes_in_them_exit_with_2(fxlint: Shell, folder: Path) -> None:
    (folder / "fxlint.toml").write_text('ignore = ["FX107"]\n')
    assert fxlint("check").code == 0
    assert fxlint("check", "--isolated").code == 1
    (folder / "fxlint.toml").write_text("ignored = []\n")
    done = fxlint("check")
    assert done.code == 2
    assert "unknown key `ignored` in the fxlint settings; did you mean `ignore`?" in done.err


def test_stdin(fxlint: Shell, folder: Path) -> None:
    done = fxlint("check", "-", "--output-format", "concise", "-q", stdin=TEXT.encode())
    assert (done.code, done.out) == (1, CONCISE.replace("net.py", "stdin.py"))
    (folder / "net.py").write_text("x = 1\n")
    done = fxlint("check", "-", "--stdin-filename", "net.py", "--output-format", "json", stdin=TEXT.encode())
    assert [entry["filename"] for entry in json.loads(done.out)] == ["net.py"]


def test_stdin_that_is_no_text(fxlint: Shell) -> None:
    done = fxlint("check", "-", stdin=b"x = '\xff'")
    assert done.code == 2
    assert "cannot be decoded" in done.err


def test_output_file(fxlint: Shell, folder: Path) -> None:
    done = fxlint("check", "-o", "report.json", "--output-format", "json")
    assert (done.code, done.out) == (1, "")
    assert len(json.loads((folder / "report.json").read_text())) == 1


def test_a_crash_exits_with_3_and_keeps_what_was_found(fxlint: Shell, folder: Path) -> None:
    (folder / "zoom.py").write_text("BOOM = 1\n")
    done = fxlint("check", "-q", "--output-format", "concise")
    assert (done.code, done.out) == (3, CONCISE)
    assert done.err == "internal error: the analysis after net.Net: RuntimeError: oops\n"
    assert "Traceback" in fxlint("check", "-v").err


def test_an_unexpected_failure_exits_with_3(fxlint: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(engine, "check", fail)
    done = fxlint("check")
    assert done.code == 3
    assert "This is a bug in fxlint." in done.err


def test_an_interrupt_exits_with_130(fxlint: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "check", interrupt)
    done = fxlint("check")
    assert (done.code, done.out, done.err.strip()) == (130, "", "interrupted")


def test_models(fxlint: Shell) -> None:
    done = fxlint("models")
    assert done.code == 0
    assert done.out.splitlines()[0] == "untraceable  net.Net  net.py:1:7"
    assert done.out.splitlines()[-1] == "1 module class in 2 files: 1 untraceable"
    (entry,) = json.loads(fxlint("models", "--output-format", "json", ".").out)
    assert (entry["class"], entry["verdict"]) == ("net.Net", "untraceable")
    assert fxlint("models", "--summary").out == "1 module class in 2 files: 1 untraceable\n"


def test_rule(fxlint: Shell) -> None:
    for name in ("FX107", "fx107", "len-of-proxy"):
        done = fxlint("rule", name)
        assert done.code == 0
        assert "len-of-proxy" in done.out
    listed = fxlint("rule", "--all").out.splitlines()
    assert [line.split()[0] for line in listed] == sorted(line.split()[0] for line in listed)
    assert json.loads(fxlint("rule", "FX107", "--output-format", "json").out)["effect"] == "untraceable"
    assert len(json.loads(fxlint("rule", "--all", "--output-format", "json").out)) == len(listed)


def test_version_and_help(fxlint: Shell) -> None:
    assert fxlint("--version").out == f"fxlint {__version__}\n"
    assert fxlint("version").out.startswith(f"fxlint {__version__} (Python 3.")
    done = fxlint("--help")
    assert done.code == 0
    assert "check" in done.out
    assert "--select" in fxlint("check", "--help").out


def test_colours_follow_the_environment(fxlint: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in fxlint("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in fxlint("check").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in fxlint("check").out


def test_python_dash_m_and_a_closed_pipe(folder: Path) -> None:
    command = [sys.executable, "-m", "fxlint", "check", "--isolated", "."]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        closed = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writer)
    assert (closed.returncode, closed.stderr) == (app.CLOSED_PIPE, "")
