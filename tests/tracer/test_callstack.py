"""Calls as they are recorded: a node knows the calls that led to it, and no frame is kept for longer than needed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from tracer import load_module, trace
from tracer.callstack import Call, common, from_one_place
from tracer.nodes import Kind

X = np.linspace(0.1, 0.4, 4)


def recorded(folder: Path, source: str) -> list[Call | None]:
    """The call of each operation of `f`, in order."""
    path = folder / f"calls_{len(list(folder.iterdir()))}.py"
    path.write_text(source, encoding="utf-8")
    made = trace(load_module(path).f, X)
    assert made.error is None, made.error
    return [node.call for node in made.graph.nodes if node.kind is Kind.CALL]


def names(call: Call | None) -> list[str]:
    """The functions called, outermost first."""
    return [] if call is None else [*names(call.parent), call.code.co_name]


def test_operations_of_one_call_share_it(tmp_path: Path):
    source = "def g(x):\n    x = x * 2\n    return x + 1\n\ndef f(x):\n    return g(x) - g(x)\n"
    first, again, second, _, last = recorded(tmp_path, source)
    assert names(first) == names(second) == ["g"]
    assert first is again is not second
    assert last is None
    assert first is not None
    assert (first.parent, first.depth) == (None, 1)
    assert first.caller is not None
    assert first.caller.co_name == "f"


def test_the_same_expression_is_the_same_place(tmp_path: Path):
    source = (
        "def h(x):\n    return x * 2\n\ndef g(x):\n    return h(x)\n\n"
        "def f(x):\n    for i in range(40):\n        x = g(x)\n    return h(x) + 1\n"
    )
    *calls, once, last = recorded(tmp_path, source)
    assert len({id(call) for call in calls}) == 40
    assert all(from_one_place(call, calls[0]) for call in calls)  # though CPython changes the instruction on the way
    assert not from_one_place(once, calls[0])
    assert not from_one_place(last, once)
    assert from_one_place(None, None)


def test_what_two_calls_have_in_common(tmp_path: Path):
    source = (
        "def k(x):\n    return x * 2\n\ndef h(x):\n    return k(x) + k(x)\n\ndef g(x):\n    return h(k(x))\n\n"
        "def f(x):\n    return g(x) - k(x)\n"
    )
    before, first, second, both, alone, root = recorded(tmp_path, source)
    assert [names(call) for call in (before, first, both, alone, root)] == [
        ["g", "k"],
        ["g", "h", "k"],
        ["g", "h"],
        ["k"],
        [],
    ]
    assert common(first, second) is both
    assert common(first, both) is both
    assert names(common(before, second)) == ["g"]
    assert common(first, alone) is common(first, None) is None


def test_a_frame_is_let_go_of_with_the_next_operation(tmp_path: Path):
    class Local:
        pass

    path = tmp_path / "local.py"
    path.write_text(
        "def g(x):\n    local = Local()\n    note(local)\n    return x * 2\n\n"
        "def f(x):\n    x = g(x)\n    x = x + 1\n    look()\n    return x\n",
        encoding="utf-8",
    )
    module = load_module(path)
    kept: list[weakref.ref[Any]] = []
    alive: list[bool] = []
    scope: dict[str, Any] = vars(module)
    scope.update(
        Local=Local,
        note=lambda local: kept.append(weakref.ref(local)),
        look=lambda: alive.append(kept[0]() is not None),
    )
    made = trace(module.f, X)
    assert made.error is None
    assert alive == [False]
    del made
    gc.collect()
    assert not [frame for frame in _frames() if frame.f_code.co_filename == str(path)]


def _frames() -> Iterator[FrameType]:
    return (each for each in gc.get_objects() if isinstance(each, FrameType))


def test_a_trace_that_fails_keeps_only_the_frames_of_its_exception(tmp_path: Path):
    path = tmp_path / "failing.py"
    path.write_text("def g(x):\n    return (x * 2) @ x[:2]\n\ndef f(x):\n    return g(x)\n", encoding="utf-8")
    made = trace(load_module(path).f, X)
    assert isinstance(made.error, ValueError)
    assert names(next(node.call for node in made.graph.nodes if node.kind is Kind.CALL)) == ["g"]
    made.error.with_traceback(None)
    gc.collect()
    assert not [frame for frame in _frames() if frame.f_code.co_filename == str(path)]


def test_another_thread_has_no_calls_and_takes_none_away(tmp_path: Path):
    source = (
        "import contextvars, threading\n\ndef g(x, into):\n    into.append(x * 2)\n\ndef h(x):\n    into = []\n"
        "    context = contextvars.copy_context()\n    x = x + 1\n"
        "    thread = threading.Thread(target=context.run, args=(g, x, into))\n    thread.start()\n    thread.join()\n"
        "    return into[0] - x\n\ndef f(x):\n    return h(x)\n"
    )
    assert [names(call) for call in recorded(tmp_path, source)] == [["h"], [], ["h"]]


def test_a_deep_recursion_is_followed(tmp_path: Path):
    source = "def g(x, n):\n    return x * 2 if n == 0 else g(x, n - 1)\n\ndef f(x):\n    return g(x, 200)\n"
    (call,) = recorded(tmp_path, source)
    assert call is not None
    assert call.depth == 201
