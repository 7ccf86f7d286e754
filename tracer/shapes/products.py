"""Products of vectors, matrices and tensors, einsum among them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract, Shape
from .dims import axis_of, broadcast, integer, joint, matched, product, removed, shape_of
from .probe import Rule, dressed, listed, probe, probed
from .registry import present
from .size import Dim

_MISMATCH = "shapes not aligned"


def dot(a: Any, b: Any, out: Any = None) -> Shape:
    left, right = shape_of(a), shape_of(b)
    if not left or not right:
        return left + right
    axis = max(len(right) - 2, 0)
    matched(left[-1], right[axis], _MISMATCH)
    return left[:-1] + removed(right, axis)


def _inner(a: Any, b: Any) -> Shape:
    left, right = shape_of(a), shape_of(b)
    if not left or not right:
        return left + right
    matched(left[-1], right[-1], _MISMATCH)
    return left[:-1] + right[:-1]


def _outer(a: Any, b: Any, out: Any = None) -> Shape:
    return (product(shape_of(a)), product(shape_of(b)))


def _vdot(a: Any, b: Any) -> Shape:
    matched(product(shape_of(a)), product(shape_of(b)), "cannot reshape")
    return ()


def _kron(a: Any, b: Any) -> Shape:
    left, right = shape_of(a), shape_of(b)
    if not left or not right:
        return left + right
    rank = max(len(left), len(right))
    left, right = (1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right
    return tuple([x * y for x, y in zip(left, right, strict=False)])


def tensordot(a: Any, b: Any, axes: Any = 2) -> Shape:
    left, right = shape_of(a), shape_of(b)
    if hasattr(axes, "__iter__"):
        first, second = axes
    else:
        count = integer(axes)
        first, second = list(range(-count, 0)), list(range(count))
    mine, its = (list(x) if hasattr(x, "__iter__") else [x] for x in (first, second))
    if len(mine) != len(its) or max(len(mine), 0) > min(len(left), len(right)):
        raise ValueError("shape-mismatch for sum")
    # an axis out of range is an IndexError here, as in NumPy, which indexes with it
    for x, y in zip(mine, its, strict=False):
        matched(left[x], right[y], "shape-mismatch for sum")
    mine, its = [x % len(left) for x in mine], [y % len(right) for y in its]
    rest = [d for i, d in enumerate(left) if i not in mine]
    return (*rest, *[d for i, d in enumerate(right) if i not in its])


def _cross(function: Any) -> Rule:
    def rule(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
        if axis is not None:
            axisa = axisb = axisc = axis
        return crossed(a, b, axisa, axisb, axisc)

    def crossed(a: Any, b: Any, axisa: Any, axisb: Any, axisc: Any) -> Any:
        left, right = shape_of(a), shape_of(b)
        one, other = axis_of(axisa, len(left)), axis_of(axisb, len(right))
        lengths = [integer(left[one]), integer(right[other])]
        if any(length not in (2, 3) for length in lengths) or (function is not np.cross and lengths != [3, 3]):
            raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
        small = [_vectors(v, n) for v, n in zip((a, b), lengths, strict=False)]
        loop = broadcast(removed(left, one), removed(right, other))
        like = probe(np.cross, tuple(small), {})
        if lengths == [2, 2]:
            return dressed(like, loop)
        place = axis_of(axisc, len(loop) + 1)
        return dressed(like, (*loop[:place], 3, *loop[place:]))

    return rule


def _vectors(value: Any, length: int) -> Any:
    """A nested list of the rank and dtype of an operand, with vectors of that length."""
    known = value if isinstance(value, Abstract) else Abstract(shape_of(value), np.asarray(value).dtype)
    items: Any = [known.dtype.type(1)] * length
    for _ in range(len(known.shape) - 1):
        items = [items]
    return items


def _cross_last(function: Any) -> Rule:
    inner = _cross(function)

    def rule(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
        return inner(x1, x2, axis=axis)

    return rule


def _multi_dot(arrays: Any, *, out: Any = None) -> Shape:
    parts = [shape_of(a) for a in arrays]
    if len(parts) < 2:
        raise ValueError("Expecting at least two arrays.")
    shape = parts[0]
    for part in parts[1:]:
        shape = dot(Abstract(shape, np.dtype(float)), Abstract(part, np.dtype(float)))
    return shape


# ---- einsum ----------------------------------------------------------------------------------------

Labels = list[Any]
"""One label for each axis; Ellipsis stands for those that have none."""


def _einsum(function: Any) -> Rule:
    def rule(*operands: Any, out: Any = None, **named: Any) -> Any:
        operands = tuple([listed(o) if isinstance(operands[0], str) else o for o in operands])
        like = probe(function, operands, named)
        inputs, output, arrays = read_einsum(operands)
        return dressed(like, _contracted(inputs, output, [shape_of(a) for a in arrays]))

    return rule


def read_einsum(operands: tuple[Any, ...]) -> tuple[list[Labels], Labels | None, list[Any]]:
    """The labels of the operands and of the result (None where these are not written), and the operands."""
    if isinstance(operands[0], str):
        sides = operands[0].replace(" ", "").split("->")
        output = _labels(sides[1]) if len(sides) > 1 else None
        return [_labels(part) for part in sides[0].split(",")], output, list(operands[1:])
    pairs = len(operands) // 2
    listed = [list(operands[2 * i + 1]) for i in range(pairs)]
    return listed, list(operands[-1]) if len(operands) % 2 else None, [operands[2 * i] for i in range(pairs)]


def _labels(text: str) -> Labels:
    found: Labels = []
    for part in text.replace("...", "\0"):
        found.append(Ellipsis if part == "\0" else part)
    return found


def _contracted(inputs: list[Labels], output: Labels | None, shapes: list[Shape]) -> Shape:
    sizes: dict[Any, Dim] = {}
    loops: list[Shape] = []
    for labels, shape in zip(inputs, shapes, strict=False):
        named = [label for label in labels if label is not Ellipsis]
        spare = len(shape) - len(named)
        at = labels.index(Ellipsis) if Ellipsis in labels else len(labels)
        loops.append(shape[at : at + spare])
        for label, size in zip(named, (*shape[:at], *shape[at + spare :]), strict=False):
            sizes[label] = joint(sizes[label], size, shape) if label in sizes else size
    loop = broadcast(*loops)
    if output is None:
        flat = [label for labels in inputs for label in labels if label is not Ellipsis]
        once = sorted(label for label in set(flat) if flat.count(label) == 1)
        output = [Ellipsis, *once]
    return tuple([d for label in output for d in (loop if label is Ellipsis else (sizes[label],))])


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {
        np.dot: probed(dot, 1, 2)(np.dot), np.ndarray.dot: probed(dot, 1, 2)(np.ndarray.dot),
        np.inner: probed(_inner, 1, 2)(np.inner),
        np.outer: probed(_outer)(np.outer), np.vdot: probed(_vdot, 1, 2)(np.vdot), np.kron: probed(_kron)(np.kron),
        np.tensordot: probed(tensordot, 1, 2)(np.tensordot), np.cross: _cross(np.cross), np.einsum: _einsum(np.einsum),
        np.linalg.multi_dot: probed(_multi_dot)(np.linalg.multi_dot),
    }  # fmt: skip
    made.update({f: _cross_last(f) for f in present(np.linalg, "cross")})
    made.update({f: probed(_outer)(f) for f in present(np.linalg, "outer")})
    made.update({f: probed(tensordot, 1, 2)(f) for f in present(np.linalg, "tensordot")})
    return made
