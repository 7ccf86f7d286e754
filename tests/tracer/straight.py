"""Random straight-line programs and loops: carried values, in-place writes, varying indices, lists, odd iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

HEAD = """\
import numpy as np

TABLE = [3, 1, 4, 1, 5, 9, 2, 6]
WEIGHTS = [np.arange(6) % 3, np.arange(6) + 1, np.arange(6) * 2, np.arange(6) - 4, np.arange(6) % 2]

def helper(a, b):
    c = a * 3
    return c - b

"""
NAMES = ("a", "b", "c", "d")


@dataclass
class Writer:
    """Draws the lines of one function; what it may use is what is certain to be there."""

    draw: Any
    lines: list[str] = field(default_factory=list)
    counters: list[tuple[str, int]] = field(default_factory=list)
    """The loops around: the counter's name, and below what it stays."""
    budget: int = 160
    """How many operations may still be recorded."""
    times: int = 1

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def put(self, text: str) -> None:
        self.lines.append("    " * (len(self.counters) + 1) + text)
        self.budget -= 2 * self.times

    def name(self) -> Any:
        return self.pick(*NAMES)

    def index(self, size: int) -> Any:
        """An index below `size`."""
        fitting = [name for name, stop in self.counters if stop <= size]
        texts = [str(self.draw(st.integers(0, size - 1)))]
        texts += [*fitting, *[f"-{name} - 1" for name in fitting], *[f"({name} * 5 + 2) % {size}" for name in fitting]]
        if len(fitting) > 1:
            texts.append(f"({fitting[0]} + {fitting[1]}) % {size}")
        return self.pick(*texts)

    def number(self) -> Any:
        names = [name for name, _ in self.counters]
        texts = [str(self.draw(st.integers(-3, 3)))]
        texts += [*names, *[f"TABLE[{name} % 8]" for name in names], *[f"{name} * 2 + 1" for name in names]]
        return self.pick(*texts)

    # ---- statements ------------------------------------------------------------------------------

    def statement(self) -> None:
        kinds = [self.operation] * 3 + [self.call, self.swap, self.write, self.element, self.list_item, self.odd]
        kinds += [self.number_of, self.weight, self.window, self.join]
        if len(self.counters) < 3 and self.budget > 12:
            kinds += [self.loop] * 3
        self.pick(*kinds)()

    def operation(self) -> None:
        self.put(f"{self.name()} = {self.name()} {self.pick('+', '-', '*')} {self.pick(self.name(), self.number())}")

    def call(self) -> None:
        self.put(f"{self.name()} = helper({self.name()}, {self.name()})")

    def swap(self) -> None:
        first, second = self.name(), self.name()
        self.put(f"{first}, {second} = {second}, {self.name()} + {first}")

    def write(self) -> None:
        """Every name can be the same array as another here."""
        self.put(f"{self.name()} {self.pick('+=', '-=')} {self.name()}")

    def element(self) -> None:
        self.put(f"u[{self.index(8)}] = u[{self.index(8)}] + {self.name()}[{self.index(6)}]")

    def window(self) -> None:
        start = self.pick("0", "1", "2", *[name for name, stop in self.counters if stop <= 3])
        self.put(f"{self.name()} = u[{start}:{start} + 6] + {self.name()}")

    def weight(self) -> None:
        fitting = [name for name, stop in self.counters if stop <= 5]
        at = self.pick("0", "4", *fitting)
        self.put(f"{self.name()} = {self.name()} + {self.pick('WEIGHTS', 'more')}[{at}]")

    def number_of(self) -> None:
        self.put(f"{self.name()} = {self.name()} * (u.shape[0] - {self.number()})")

    def list_item(self) -> None:
        self.put(self.pick(f"kept.append({self.name()})", f"kept = [{self.name()}, {self.name()}]"))

    def join(self) -> None:
        text = self.pick("np.stack(kept).sum(axis=0)", "sum(kept)", "kept[-1] + kept[0]", "kept[len(kept) // 2] * 2")
        self.put(f"{self.name()} = {text}")
        if self.pick(True, False):
            self.put(f"kept = [item + {self.name()} for item in kept]")

    def odd(self) -> None:
        """A line that some iterations leave out."""
        if not self.counters:
            return self.operation()
        name, stop = self.pick(*self.counters)
        at = self.draw(st.integers(0, stop - 1))
        condition = self.pick(f"{name} == {at}", f"{name} != {at}", f"{name} % 2 == 0", f"{name} > 0")
        self.lines.append("    " * (len(self.counters) + 1) + f"if {condition}:")
        self.put(f"    {self.name()} = {self.name()} + {self.name()}")
        return None

    def loop(self) -> None:
        counter = f"i{len(self.counters)}"
        count = min(self.draw(st.integers(1, 8)), max(self.budget // self.times // 2, 1))
        outer = [name for name, stop in self.counters if stop <= 8]
        over, stop = f"range({count})", count
        form = self.pick("up", "up", "down", "steps", "outer")
        if form == "down":
            over = f"range({count - 1}, -1, -1)"
        elif form == "steps":
            over, stop = f"range(0, {2 * count}, 2)", 2 * count - 1
        elif form == "outer" and outer:
            over, stop = f"range({self.pick(*outer)} + 1)", 8
            count = 4
        self.put(f"for {counter} in {over}:")
        self.counters.append((counter, stop))
        self.times *= count
        for _ in range(self.draw(st.integers(1, 4))):
            self.statement()
        self.times //= count
        self.counters.pop()


@st.composite
def programs(draw) -> str:
    """The text of a module with a function `f(a, b, u, more)` of small arrays of whole numbers."""
    writer = Writer(draw)
    writer.put("c = a")
    writer.put("d = np.zeros(6, dtype=np.int64)")
    writer.put("kept = [b]")
    for _ in range(draw(st.integers(1, 5))):
        writer.statement()
    results = draw(st.sampled_from(["(a, b, c, d)", "kept", "(a, kept)", "d", "{'a': a, 'kept': (kept[0], kept[-1])}"]))
    writer.put(f"return {results}")
    return HEAD + "def f(a, b, u, more):\n" + "\n".join(writer.lines) + "\n"
