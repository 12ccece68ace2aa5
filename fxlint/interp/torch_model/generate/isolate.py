"""Run risky questions in child processes, so that a crash or a hang is an answer and no call leaves traces in another.

Work is a list of (key, function without arguments that returns JSON data). Children are forked from this process, which
has torch loaded; one child runs a chunk of items and sends each result as a line. When a child dies or stops answering,
the item it was at gets the verdict, and a new child takes the rest.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

CHUNK = 24
SECONDS_PER_ITEM = 30.0

Work = Sequence[tuple[str, Callable[[], Any]]]


def run(work: Work, *, chunk: int = CHUNK, seconds: float = SECONDS_PER_ITEM) -> dict[str, Any]:
    """The results by key. An item that killed its child gives `{"dies": signal}`, one that hung `{"hangs": True}`."""
    results: dict[str, Any] = {}
    start = 0
    while start < len(work):
        part = work[start : start + chunk]
        done, verdict = _child(part, seconds)
        results.update(done)
        start += len(done)
        if verdict is not None and len(done) < len(part):
            results[part[len(done)][0]] = verdict
            start += 1
    return results


def _child(part: Work, seconds: float) -> tuple[dict[str, Any], Any]:
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _serve(part, read, write)
    os.close(write)
    done: dict[str, Any] = {}
    buffer = b""
    deadline = time.monotonic() + seconds
    verdict: Any = None
    while True:
        ready, _, _ = select.select([read], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            verdict = {"hangs": True}
            break
        data = os.read(read, 1 << 16)
        if not data:
            break
        buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            key, value = json.loads(line)
            done[key] = value
            deadline = time.monotonic() + seconds
    os.close(read)
    if verdict is not None:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if verdict is None and len(done) < len(part):
        code = os.waitstatus_to_exitcode(status)
        verdict = {"dies": signal.Signals(-code).name if code < 0 else f"exit {code}"}
    return done, verdict


def _serve(part: Work, read: int, write: int) -> None:
    """The child: never returns, prints nothing, and is not stopped by what the questions raise."""
    os.close(read)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    try:
        for key, function in part:
            try:
                value = function()
            except BaseException as error:
                value = {"failed": f"{type(error).__name__}: {error}"}
            data = json.dumps([key, value]).encode() + b"\n"
            while data:
                data = data[os.write(write, data) :]
    finally:
        os._exit(0)
