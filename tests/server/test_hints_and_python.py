"""Inlay hints beside what Python itself sees: no name has a shape at its line but those that hints tell."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from nst_lsp.analysis.hints import hints
from nst_lsp.analysis.traced import Traced, advance, begin
from nst_lsp.pool import WorkerPool
from nst_lsp.settings import HINTS, Settings
from tests.server.messages import File
from tracer.worker.wire import Options, Span, TraceFile

PROGRAMS = 40
HEAD = """\
import numpy as np
def h(a):
    q = a + 1
    return q
def k(y):
    y = y[:2]
    return np.concatenate([y, y])
# nst: example(np.ones(5), 2)
def f(x, c):
    y = z = u = v = x
"""
EXPRESSIONS = (
    "{} + 1", "{} * 2", "{}", "np.concatenate([{}, {}])", "h({})", "{}[1:]", "-{}", "{} if c > 1 else {}",
    "k({})", "np.exp(-{})", "{}.astype(np.float32)", "h({}) if c > 2 else {} * 2",
)  # fmt: skip
CONDITIONS = ("c > 1", "c > 2", "x.shape[0] > 3", "x.sum() > 100")


def program(seed: int) -> str:
    choose = random.Random(seed)
    names = ["x", "y", "z", "u", "v"]

    def block(indent: int) -> list[str]:
        return [line for _ in range(choose.randint(2, 4)) for line in statement(indent)]

    def statement(indent: int) -> list[str]:
        space, kind = "    " * indent, choose.random()
        if kind < 0.6 or indent > 2:
            value = choose.choice(EXPRESSIONS).format(choose.choice(names), choose.choice(names))
            return [f"{space}{choose.choice(names[1:])} = {value}"]
        if kind < 0.75:
            test = choose.choice(CONDITIONS)
            return [f"{space}if {test}:", *block(indent + 1), f"{space}else:", *block(indent + 1)]
        if kind < 0.9:
            return [f"{space}for i in range({choose.randint(0, 2)}):", *block(indent + 1)]
        return [f"{space}{choose.choice(names[1:])} += 1"]

    return HEAD + "\n".join([*block(1), f"    return {choose.choice(names)}"]) + "\n"


def shapes(source: str) -> dict[int, set[str]]:
    """Dtype and shape of what each line assigned or returned when the function ran."""
    found: dict[int, set[str]] = {}
    lines, names = source.split("\n"), dict[str, Any]()
    exec(compile(source, "program", "exec"), names)

    def note(line: int, value: Any) -> None:
        if isinstance(value, np.ndarray):
            found.setdefault(line, set()).add(f"{value.dtype}{list(value.shape)}")

    def follow(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "program":
            return None
        before = 0

        def step(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal before
            assigned = re.match(r"\s*(\w+) \+?= ", lines[before - 1]) if before else None
            if assigned:
                note(before, frame.f_locals.get(assigned[1]))
            if event == "return":
                note(frame.f_lineno, argument)
            before = frame.f_lineno
            return step

        return step

    earlier = sys.gettrace()
    sys.settrace(follow)
    try:
        names["f"](np.ones(5), 2)
    finally:
        sys.settrace(earlier)
    return found


@pytest.fixture
async def pool(tmp_path: Path):
    one = WorkerPool(sys.executable, str(tmp_path))
    yield one
    await one.close()


async def test_no_hint_tells_what_was_not_there(pool: WorkerPool, tmp_path: Path) -> None:
    told = 0
    for seed in range(PROGRAMS):
        source = program(seed)
        file = File(source, Settings(inlay_hints=HINTS))
        path = file.document.path
        file.traced = begin(Traced(path), "")
        async for message in pool.trace(TraceFile(1, path, source, str(tmp_path), Options(verify=False))):
            file.traced = advance(file.traced, message, file.basis)
        assert file.traced.functions, file.traced.findings
        seen = shapes(source)
        for hint in hints(file.view, Span(1, 1, 10**6, 1)):
            if hint.kind.value in ("shapes", "returns"):
                told += 1
                line = source.split("\n")[hint.line - 1]
                unseen = {*hint.text.split(" | ")} - seen.get(hint.line, set()) - {"…"}
                assert not unseen, f"{line.strip()!r} (line {hint.line}) was never {unseen}:\n{source}"
    assert told > 3 * PROGRAMS
