"""Random programs: a NumPy function with its helpers, as people write them, and the faults planted in it.

`programs()` is the strategy.  A program without faults loses nothing in its graph; one with faults must be reported
for exactly these, at exactly their places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.marks import Mark

from .faults import CONFIG, FAULTS, Fault, fill, plant
from .forms import telling, with_axes, write_form
from .places import PLACES, Body
from .roots import definition, opened
from .scopes import Argument, Array, Draw, Leaf, Module, Root, Scope
from .text import unmarked

SIZES = {"n": 3, "m": 4}
"""The free sizes of the example."""

_IMPORTS = {
    "dataclass": "from dataclasses import dataclass", "NamedTuple": "from typing import NamedTuple", "functools": "import functools",
}  # fmt: skip
_WRAPPINGS = (
    "{e}", "(lambda u: {e})({a})", "[{e} for _ in (1, 2)][0]", "(lambda: {e})()", "sum({e} for _ in range(2))", 'dict(key={e})["key"]',
    "next(iter([{e}]))", "np.negative({e})", "1.0 + ({e})", "(found := ({e})) + found",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """A module's text, the function to trace, the expressions of its arguments, and what must be reported."""

    text: str
    target: str
    arguments: tuple[Argument, ...]
    expected: tuple[Mark, ...]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for argument in self.arguments for leaf in argument.leaves)


@st.composite
def programs(draw: Draw, turn: int = 0) -> Program:
    """A program with no fault, or with one or two; another `turn` makes others likely."""
    module = Module(draw, turn)
    root = opened(module)
    faults: list[Body] = [_faulty for _ in range(root.pick((1, 0, 2)))]
    plan = faults + [_pure for _ in range(root.pick((0, 1, 2, 3, 4)))]
    while plan:
        body = plan.pop(root.pick(range(len(plan))))
        root.pick(PLACES)(root, body) if body is _faulty or root.maybe() else body(root)
    return _assembled(root)


# ---- bodies ----------------------------------------------------------------------------------------


def _pure(scope: Scope) -> Array:
    """A few statements that lose nothing."""
    for _ in range(scope.pick((1, 2, 3))):
        write_form(scope)
    made = scope.array(telling, live=False)
    assert made is not None
    return made


def _faulty(scope: Scope) -> Array:
    """A fault, perhaps one function deeper, perhaps with a statement before it."""
    if scope.maybe() and _depth(scope) < 3:
        return scope.pick(PLACES)(scope, _faulty)
    if scope.maybe():
        write_form(scope)
    fitting = {code: [fault for fault in faults if _fits(fault, scope)] for code, faults in FAULTS.items()}
    fault = scope.pick(scope.pick([faults for faults in fitting.values() if faults]))
    if not fault.statements:
        return _expressed(fault, scope)
    if "{a}" not in fault.text:
        return plant(fault, scope, scope.ask_array(("n",)))
    a = scope.array(_sized if fault.axes else telling)
    assert a is not None
    return plant(fault, scope, a)


def _expressed(fault: Fault, scope: Scope) -> Array:
    """A fault in an expression, somewhere within another."""
    a = scope.array(telling)
    assert a is not None
    wrapping = scope.pick(_WRAPPINGS)
    operand = "u" if "lambda u" in wrapping else a.name
    text = wrapping.format(e=fill(fault.text, scope, a=operand), a=a.name)
    if ":=" in wrapping:
        text = text.replace("found", scope.name("found"))
    return scope.let(text, a.shape, tame=False)


def _fits(fault: Fault, scope: Scope) -> bool:
    if "nonlocal" in fault.text and (scope.around is None or scope.around.kind is not Root.MADE):
        return False
    return not fault.axes or any(map(_sized, scope.arrays))


def _sized(a: Array) -> bool:
    """Whether the first size of an array comes from an argument."""
    return with_axes(a) and a.telling and not a.shape[0].isdigit()


def _depth(scope: Scope) -> int:
    return 0 if scope.outer is None else 1 + _depth(scope.outer)


# ---- the text --------------------------------------------------------------------------------------


def _assembled(root: Scope) -> Program:
    module = root.module
    root.line(f"return {_returned(root)}")
    parts = ["\n".join(["import numpy as np", *sorted(_IMPORTS.get(i, f"import {i}") for i in module.imports)])]
    if root.kind is Root.METHOD:
        module.declare("Config", CONFIG)
    if CONFIG in module.blocks:
        module.blocks.remove(CONFIG)
        parts.append(CONFIG)
    parts += ["\n".join(f"{name} = {value}" for name, value in module.constants.items())] if module.constants else []
    parts += module.blocks
    arguments = tuple(root.arguments)
    parts.append(definition(root, _example(arguments)))
    source, expected = unmarked("\n\n".join(part.rstrip("\n") + "\n" for part in parts))
    target, first = ("Model.compute", (Argument("self", "Model()"),)) if root.kind is Root.METHOD else ("compute", ())
    return Program(source, target, (*first, *arguments), tuple(expected))


def _returned(root: Scope) -> str:
    """All that nothing else has used, in one of the forms of a result."""
    names = [a.name for a in (root.unread or {root.arrays[-1].name: root.arrays[-1]}).values()]
    if len(names) == 1:
        return names[0]
    listed = ", ".join(names)
    return root.pick(
        (
            listed,
            f"[{listed}]",
            "{" + ", ".join(f'"out{i}": {n}' for i, n in enumerate(names)) + "}",
            f"({names[0]}, [{', '.join(names[1:])}])",
        )
    )


def _example(arguments: tuple[Argument, ...]) -> str:
    texts, count = [], 0
    for argument in arguments:
        arrays = [array_text(contents(leaf, SIZES, count + i)) for i, leaf in enumerate(argument.leaves)]
        count += len(argument.leaves)
        texts.append((f"{argument.parameter}=" if argument.keyword else "") + argument.text.format(*arrays))
    return ", ".join(texts)


# ---- arrays ----------------------------------------------------------------------------------------


def contents(leaf: Leaf, sizes: dict[str, int], seed: int) -> Any:
    """An array for a leaf: small numbers of few digits, of both signs, none twice in a row."""
    shape = tuple(eval(size, {}, sizes) for size in leaf.shape)
    numbers = np.random.default_rng(seed).permutation(np.arange(max(1, int(np.prod(shape))))) - 1
    values = (numbers % 7) * 0.75 - 1.5
    made = {"f": values, "i": numbers % 5 - 1, "b": numbers % 2 == 0}[leaf.dtype[0]]
    return made.astype(leaf.dtype).reshape(shape)


def array_text(array: Any) -> str:
    dtype = "" if array.dtype.name in ("float64", "int64", "bool") else f", dtype=np.{array.dtype.name}"
    return f"np.array({array.tolist()}{dtype})"
