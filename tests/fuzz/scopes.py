"""What a program is written into: the module, and in it the functions, each with the arrays it can use.

A shape is a tuple of sizes, each a number or an expression of the free sizes `n` and `m`; two sizes are known to
be equal only where they are spelled the same.  So programs run for other sizes too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

Shape = tuple[str, ...]
Draw = Callable[[st.SearchStrategy[Any]], Any]
_T = TypeVar("_T")

_NAMES = (
    "scaled", "mixed", "level", "part", "total", "shifted", "value", "inner", "weighted", "folded", "rest", "outcome",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the program under way."""

    name: str
    shape: Shape
    kind: str = "f"
    """`f`, `i` or `b`, as NumPy's dtypes."""
    fresh: bool = False
    """Whether it owns memory that nothing outside the call sees, and can be written."""
    tame: bool = True
    """Whether it is small enough for a product to stay finite."""
    telling: bool = True
    """Whether contents and dtype are made from an argument's, not from sizes and literals alone."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array among the example's arguments."""

    shape: Shape
    dtype: str


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter and the expression of its argument, in which `{0}`, `{1}`, … stand for the leaves."""

    parameter: str
    text: str
    leaves: tuple[Leaf, ...] = ()
    keyword: bool = False
    """Whether it is passed by its name."""


class Root(Enum):
    """What the traced function is."""

    FUNCTION = "function"
    METHOD = "method"
    MADE = "made by another function"


@dataclass(slots=True)
class Module:
    """What the functions of one program share."""

    draw: Draw
    turn: int = 0
    """Which option is the first, that Hypothesis takes most often: turned, all get their chance."""
    imports: set[str] = field(default_factory=set)
    constants: dict[str, str] = field(default_factory=dict)
    """Module-level names and the text of their values."""
    blocks: list[str] = field(default_factory=list)
    """Functions and classes, in order."""
    names: set[str] = field(default_factory=set)

    def name(self, base: str) -> str:
        return _free(base, self.names)

    def define(self, base: str, value: str) -> str:
        """A module-level name with this value, the same for the same request."""
        if base not in self.constants:
            self.names.add(base)
            self.constants[base] = value
        return base

    def declare(self, name: str, block: str) -> None:
        """A class or function that others need, once."""
        if name not in self.names:
            self.names.add(name)
            self.blocks.insert(0, block)


@dataclass(slots=True)
class Scope:
    """One function under way."""

    module: Module
    outer: Scope | None = None
    """The function that calls this one; it passes on what this one asks for."""
    closure: bool = False
    """Whether `outer` is also the function around this one, whose names it can read."""
    arguments: list[Argument] = field(default_factory=list)
    """What was asked for besides the arrays: of the root parameters, of others what their callers pass."""
    arrays: list[Array] = field(default_factory=list)
    unread: dict[str, Array] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    indent: int = 1
    kind: Root = Root.FUNCTION
    """Of the traced function alone."""
    star: str = ""
    """The traced function's parameter that takes any number of arrays, if it has one."""
    cells: dict[str, str] = field(default_factory=dict)
    """The variables of the function that made the traced one, with their values."""

    # ---- choices ---------------------------------------------------------------------------------

    def pick(self, options: Sequence[_T]) -> _T:
        count = len(options)
        index: int = self.module.draw(_below(count)) + _first(self.module.turn, count)
        return options[index % count]

    def maybe(self) -> bool:
        return bool(self.module.draw(_BOOLEAN))

    def array(self, accept: Callable[[Array], bool], *, live: bool = True) -> Array | None:
        """One of the arrays, the latest first; `live` says that the result will depend on it."""
        options = [a for a in reversed(self.arrays) if accept(a)]
        if not options:
            return None
        chosen = self.pick(options)
        if live:
            self.unread.pop(chosen.name, None)
        return chosen

    # ---- text ------------------------------------------------------------------------------------

    def name(self, base: str) -> str:
        made = _free(base, self.module.names | self.visible)
        self.names.add(made)
        return made

    @property
    def visible(self) -> set[str]:
        """The names of this function and, for a closure, of those around it."""
        around = self.outer.visible if self.outer is not None and self.closure else set()
        return self.names | around

    def result_name(self) -> str:
        return self.name(next((n for n in _NAMES if n not in self.visible), "more"))

    def line(self, text: str) -> None:
        self.lines += ["    " * self.indent + line for line in text.split("\n")]

    def declare(self, text: str) -> None:
        """A `global` statement at the head of the function."""
        if f"    {text}" not in self.lines:
            self.lines.insert(0, f"    {text}")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self.indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    def add(self, array: Array) -> Array:
        self.arrays.append(array)
        self.unread[array.name] = array
        return array

    def let(
        self, text: str, shape: Shape, kind: str = "f", *, fresh: bool = False, tame: bool = True, telling: bool = True
    ) -> Array:
        """A new variable."""
        name = self.result_name()
        self.line(f"{name} = {text}")
        return self.add(Array(name, shape, kind, fresh, tame, telling))

    def overwritten(self, array: Array) -> None:
        """Note that an array was written in place: its contents may now be literals."""
        self.arrays[self.arrays.index(array)] = replace(array, telling=False)

    # ---- what comes from outside -----------------------------------------------------------------

    @property
    def around(self) -> Scope | None:
        """The traced function, if this is it or a closure in it."""
        if self.outer is None:
            return self
        return self.outer.around if self.closure else None

    def hidden(self, base: str, value: str, *, cell: bool = False) -> str:
        """What reads a hidden input with this value: a global, or a variable of the function that made this one."""
        root = self.around
        if root is not None and root.kind is Root.MADE and (cell or self.maybe()):
            root.names.add(base)
            root.cells[base] = value
        elif root is None or base not in root.cells:
            return self.module.define(base, value)
        return base

    def ask(self, base: str, text: str, leaves: tuple[Leaf, ...] = ()) -> str:
        """The name of an argument that the traced function is given, passed on to here."""
        if self.closure and self.outer is not None and not leaves:  # an array is written, so it must be bound here
            return self.outer.ask(base, text, leaves)
        passed = self.outer.ask(base, text, leaves) if self.outer is not None else text
        for argument in self.arguments:
            if not leaves and argument.text == passed:
                return argument.parameter
        parameter = self.name(base)
        self.arguments.append(Argument(parameter, passed, leaves if self.outer is None else (), bool(self.star)))
        return parameter

    def ask_array(self, shape: Shape) -> Array:
        """An array that is an argument of the traced function and of which nothing else knows."""
        return Array(self.ask("given", "{0}", (Leaf(shape, "float64"),)), shape)


_BOOLEAN = st.booleans()


@cache
def _first(turn: int, count: int) -> int:
    return random.Random(f"{turn} {count}").randrange(count) if turn else 0


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def _free(base: str, taken: set[str]) -> str:
    made = next(n for n in _numbered(base) if n not in taken)
    taken.add(made)
    return made


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}_{number}"
        number += 1


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape of `a + b`, None where it is not known to fit."""
    length = max(len(a), len(b))
    pairs = zip(("1",) * (length - len(a)) + a, ("1",) * (length - len(b)) + b, strict=True)
    made = tuple(p if q == "1" or p == q else q if p == "1" else "" for p, q in pairs)
    return None if "" in made else made
