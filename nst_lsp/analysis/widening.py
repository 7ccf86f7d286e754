"""Where arithmetic gave a wider dtype than an array had that went into it.

Of two arrays of different kinds the result has the more general one, as everybody expects (`int64 * float64`); told
are a wider dtype of the same kind, and another kind that none of the arrays had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tracer.worker.wire import NodeInfo, Span

from .nodes import Nodes


@dataclass(frozen=True, slots=True)
class Widened:
    span: Span
    narrow: str
    wide: str
    node: NodeInfo


def widened(nodes: Nodes) -> Iterator[Widened]:
    """Each expression once, however often a loop came to it."""
    by_name = {node.name: node for node in nodes.known}
    for span, here in nodes.by_span.items():
        for node in here:
            given = [_dtype(by_name[name]) for name in node.inputs if name in by_name]
            narrow = _narrow(_dtype(node), [dtype for dtype in given if dtype]) if _widens(node) else None
            if narrow:
                yield Widened(span, narrow, _dtype(node), node)
                break


def _narrow(wide: str, given: list[str]) -> str | None:
    """The dtype among those given that the result is wider than."""
    kind, bits = _parts(wide)
    for dtype in given:
        its_kind, its_bits = _parts(dtype)
        if its_kind == kind and its_bits < bits:
            return dtype
        if its_kind and kind and its_kind != kind and its_kind < kind and wide not in given:
            return dtype
    return None


_KINDS = {"uint": 1, "int": 1, "float": 2, "complex": 3}
"""By generality; a truth value becomes a number without anybody's wonder."""


def _parts(dtype: str) -> tuple[int, int]:
    found = re.fullmatch(r"([a-z]+?)(\d+)", dtype)
    return (_KINDS.get(found[1], 0), int(found[2])) if found else (0, 0)


def _dtype(node: NodeInfo) -> str:
    """The dtype of an array (`float64` of `float64[3, 4]`); nothing for all else."""
    return node.shape.partition("[")[0] if node.shape.endswith("]") else ""


def _widens(node: NodeInfo) -> bool:
    return node.operation.rpartition(".")[2] in _ARITHMETIC and "dtype=" not in node.code


_ARITHMETIC = frozenset({
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "iadd", "isub", "imul", "itruediv",
    "ifloordiv", "imod", "ipow", "imatmul", "neg", "pos", "subtract", "multiply", "divide", "true_divide",
    "floor_divide", "remainder", "power", "float_power", "dot", "vdot", "inner", "outer", "einsum",
    "tensordot", "kron", "convolve", "correlate", "sum", "prod", "mean", "std", "var", "median", "average",
    "nansum", "nanmean", "cumsum", "cumprod", "trapezoid", "exp", "exp2", "expm1", "log", "log2", "log10",
    "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan",
    "arctan2", "hypot", "maximum", "minimum", "fmax", "fmin", "where", "concatenate", "stack", "vstack",
    "hstack", "interp",
})  # fmt: skip
"""Operations that choose the dtype of their result by that of what they compute with."""
