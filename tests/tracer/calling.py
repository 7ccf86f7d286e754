"""Random programs of functions that call each other, in loops, branches, generators and lambdas.

Each operation is announced by `mark()`, which notes where the interpreter stands: the oracle for what a trace says of
calls.  The result needs every one of them.  Functions call only such as stand above them, so that every program ends.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, TypeVar

from hypothesis import strategies as st

HEAD = """\
from tests.tracer.calling import mark

"""
_T = TypeVar("_T")
_COMPREHENSIONS = frozenset({"<listcomp>", "<genexpr>"})

Stand = tuple[tuple[str, int], ...]
"""The calls under way, outermost first: the function that was called, and the line of the call."""

stands: list[Stand] = []


def mark() -> None:
    """Note the calls under way in the program that calls this, which is the one to have it among its globals."""
    frame, found = _of_program(sys._getframe(1)), []
    while frame is not None and (caller := _of_program(frame.f_back)) is not None:
        if frame.f_code.co_name not in _COMPREHENSIONS:
            found.append((frame.f_code.co_name, caller.f_lineno))
        frame = caller
    stands.append(tuple(reversed(found)))


def _of_program(frame: FrameType | None) -> FrameType | None:
    while frame is not None and frame.f_globals.get("mark") is not mark:
        frame = frame.f_back
    return frame


@dataclass
class Writer:
    """Draws the lines of one function after the other."""

    draw: Any
    lines: list[str] = field(default_factory=list)
    costs: dict[str, int] = field(default_factory=dict)
    """How many operations a call of each function makes, at most."""

    def pick(self, *options: _T) -> _T:
        found: _T = self.draw(st.sampled_from(options))
        return found

    def function(self, name: str, budget: int) -> None:
        generator = name != "f" and self.pick(False, False, True)
        self.lines += [f"def {name}(x):", "    mark(); x = x + 1.0"]
        spent = 1 + self._block("    ", budget, 0, generator)
        self.lines += ["    yield x" if generator else "    return x", ""]
        self.costs[f"*{name}" if generator else name] = spent

    def _block(self, margin: str, budget: int, depth: int, generator: bool) -> int:
        """Write some lines; how many operations they make."""
        spent = 0
        for _ in range(self.draw(st.integers(1, 3))):
            spent += self._statement(margin, (budget - spent) // 2, depth, generator)
        return spent

    def _statement(self, margin: str, budget: int, depth: int, generator: bool) -> int:
        fitting = [name for name, cost in self.costs.items() if cost < budget]
        kind = self.pick("operation", "call", "call", "loop", "loop", "yield" if generator else "operation")
        if kind == "loop" and depth < 2 and budget > 8:
            times = self.pick(2, 4, 5, 6)
            self.lines.append(f"{margin}for i{depth} in range({times}):")
            return times * int(self._block(margin + "    ", budget // times, depth + 1, generator))
        if kind == "call" and fitting:
            name = self.pick(*fitting)
            self.lines += [margin + line for line in self._call(name)]
            return self.costs[name] + 1
        self.lines.append(f"{margin}mark(); x = x * {self.draw(st.integers(2, 4))}.0")
        if kind == "yield":
            self.lines.append(f"{margin}yield x")
        return 1

    def _call(self, name: str) -> list[str]:
        if name.startswith("*"):
            call = f"{name[1:]}(x)"
            return self.pick(
                [f"for y in {call}:", "    mark(); x = x - y"], [f"x = list({call})[-1]"], [f"x = next({call})"]
            )
        return self.pick(
            [f"x = {name}(x)"],
            [f"x = list(map({name}, [x]))[0]"],
            [f"x = [{name}(y) for y in (x,)][0]"],
            [f"x = next({name}(y) for y in (x,))"],
            [f"x = (lambda y: {name}(y))(x)"],
        )


@st.composite
def programs(draw: Any) -> str:
    """The text of a module whose `f` takes an array."""
    writer = Writer(draw)
    for name in ("a", "b", "c"):
        writer.function(name, 60)
    writer.function("f", 300)
    return HEAD + "\n".join(writer.lines)
