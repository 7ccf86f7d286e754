"""Operations of products: vectors, matrices, tensors, `einsum`, convolution.

A product that is summed is two operations, a multiplication and an addition: 2mnk for matrices, which is what
`torch.utils.flop_counter`, XLA and LAPACK Working Note 41 (xGEMM) count.  fvcore counts the pair as one.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np

from ..shapes import Dim, Reason, Shape, Size, Unknown, hint, largest, smallest
from ..shapes.dims import axis_of, joint, product, shape_of
from ..shapes.products import read_einsum
from ..shapes.registry import present
from .elementwise import each
from .operands import elements, operand
from .rule import Rule

# ---- vectors and matrices --------------------------------------------------------------------------


def multiplied(result: Any, /, a: Any, b: Any, *more: Any, **named: Any) -> Any:
    """2mnk for each pair of matrices: for each element of the result two operations, as often as the axis is long."""
    if "axes" in named:
        raise Unknown(Reason.RULE, "axes that are not the last ones")
    shape = shape_of(a)
    if not shape or not shape_of(b):
        return elements(result)
    return 2 * elements(result) * shape[axis_of(named.get("axis", -1), len(shape))]


def _all_summed(result: Any, /, a: Any, b: Any, *more: Any) -> Any:
    return 2 * operand(a)


def _tensordot(result: Any, /, a: Any, b: Any, axes: Any = 2) -> Any:
    """Two operations for each element of the result and of the axes that are summed; one where none is."""
    shape = shape_of(a)
    if hasattr(axes, "__iter__"):
        first = next(iter(axes))
        summed = [shape[axis] for axis in (first if hasattr(first, "__iter__") else [first])]
    else:
        summed = list(shape[len(shape) - axes :])
    return (2 * product(summed) if summed else 1) * elements(result)


def _chain(result: Any, /, arrays: Any, **named: Any) -> Any:
    """The fewest operations of any order (`multi_dot` finds it): where there is a choice, the example's sizes tell."""
    shapes = [shape_of(a) for a in arrays]
    sizes = _chained(shapes)
    if len(shapes) == 2:
        return 2 * product(sizes)
    best = 2 * _cheapest(tuple(map(hint, sizes)))
    return Size.unknown(best) if any(isinstance(size, Size) for size in sizes) else best


def _chained(shapes: list[Shape]) -> list[Dim]:
    """The sizes between the factors of a chain: the first may be a row, the last a column."""
    first, last = shapes[0], shapes[-1]
    inner = [shape[0] for shape in shapes[1:]]
    return [first[0] if len(first) == 2 else 1, *inner, last[1] if len(last) == 2 else 1]


def _cheapest(sizes: tuple[int, ...]) -> int:
    """The fewest multiplications for a chain of matrices (Cormen et al., Introduction to Algorithms, 14.2)."""

    @cache
    def between(i: int, j: int) -> int:
        ways = (between(i, k) + between(k, j) + sizes[i] * sizes[k] * sizes[j] for k in range(i + 1, j))
        return min(ways, default=0)

    return between(0, len(sizes) - 1)


def _crossed(result: Any, /, *args: Any, **named: Any) -> Any:
    """Two products and a difference for each component."""
    return 3 * elements(result)


# ---- einsum ----------------------------------------------------------------------------------------

Labels = tuple[Any, ...]


def _einsum(result: Any, /, *operands: Any, out: Any = None, optimize: Any = False, **named: Any) -> Any:
    """As often as the product of all index sizes: a multiplication for each further operand, an addition for a sum.

    It is opt_einsum's `flop_count`.  With `optimize` it is counted for each pair on the way that NumPy finds; of three
    operands and more the example's sizes decide it.
    """
    inputs, output, sizes = _labelled(operands)
    if optimize is False or len(inputs) < 3:
        return _contraction(inputs, output, sizes)
    found: Any = 0
    left = list(inputs)
    for step in _path(inputs, output, sizes, optimize):
        taken = [left.pop(i) for i in sorted(step, reverse=True)]
        needed = {label for labels in (*left, output) for label in labels}
        kept = tuple(label for label in dict.fromkeys(sum(taken, ())) if label in needed)
        found = found + _contraction(taken, kept if left else output, sizes)
        left.append(kept)
    given = not isinstance(optimize, (bool, str)) and any(isinstance(step, tuple) for step in optimize)
    symbolic = any(isinstance(size, Size) for size in sizes.values())
    return Size.unknown(hint(found)) if symbolic and not given else found


def _contraction(inputs: list[Labels], output: Labels, sizes: dict[Any, Dim]) -> Any:
    labels = dict.fromkeys(sum(inputs, ()))
    summed = any(label not in output for label in labels)
    return (len(inputs) - 1 + summed) * product([sizes[label] for label in labels])


def _path(inputs: list[Labels], output: Labels, sizes: dict[Any, Dim], optimize: Any) -> list[tuple[int, ...]]:
    """The pairs that NumPy contracts, asked of it with arrays that have no contents."""
    shapes = [tuple(max(hint(sizes[label]), 1) for label in labels) for labels in inputs]
    stand_ins = [np.broadcast_to(np.zeros(()), shape) for shape in shapes]
    letters: dict[Any, int] = {}
    pairs: list[Any] = []
    for array, labels in zip(stand_ins, inputs, strict=True):
        pairs += [array, [letters.setdefault(label, len(letters)) for label in labels]]
    path = np.einsum_path(*pairs, [letters[label] for label in output], optimize=optimize)[0]
    return list(path[1:])


def _labelled(operands: tuple[Any, ...]) -> tuple[list[Labels], Labels, dict[Any, Dim]]:
    """The labels of the operands and of the result, and their sizes; axes under an ellipsis get labels of their own."""
    read, written, arrays = read_einsum(operands)
    shapes = [shape_of(array) for array in arrays]
    inputs = [_filled(labels, len(shape)) for labels, shape in zip(read, shapes, strict=True)]
    loops = [[label for label in labels if _is_loop(label)] for labels in inputs]
    loop = max(loops, key=len)
    if written is None:
        flat = [label for labels in inputs for label in labels if not _is_loop(label)]
        written = [Ellipsis, *sorted(label for label in set(flat) if flat.count(label) == 1)]
    output = tuple(label for given in written for label in (loop if given is Ellipsis else [given]))
    sizes: dict[Any, Dim] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            sizes[label] = joint(sizes[label], size) if label in sizes else size
    return inputs, output, sizes


def _filled(labels: list[Any], ndim: int) -> Labels:
    """Labels with one for each axis that the ellipsis stands for, counted from the last."""
    spare = ndim - sum(label is not Ellipsis for label in labels)
    loop = [("…", -position) for position in range(spare, 0, -1)]
    return tuple(label for given in labels for label in (loop if given is Ellipsis else [given]))


def _is_loop(label: Any) -> bool:
    return isinstance(label, tuple)


# ---- convolution -----------------------------------------------------------------------------------


def _convolved(default: str) -> Rule:
    """Two operations for each product: all mn of them where the result is full, and those that fall into it elsewhere.

    For `same` the first and last elements are made of fewer (`_pyarray_correlate` in NumPy's `multiarraymodule.c`).
    """

    def rule(result: Any, /, a: Any, v: Any, mode: Any = default) -> Any:
        n, m = largest(operand(a), operand(v)), smallest(operand(a), operand(v))
        if mode == "full":
            return 2 * n * m
        if mode == "valid":
            return 2 * (n - m + 1) * m
        left = m // 2
        right = m - left - 1
        missing = left * (left + 1) // 2 + right * (right + 1) // 2
        return 2 * (n * m - missing)

    return rule


def _polyval(result: Any, /, p: Any, x: Any) -> Any:
    """Horner's rule as NumPy writes it: a multiplication and an addition for each coefficient."""
    return 2 * operand(p) * elements(result)


def _multiplied_out(result: Any, /, a1: Any, a2: Any) -> Any:
    """Two operations for each pair of coefficients: a full convolution."""
    return 2 * operand(a1) * operand(a2)


def _derived(result: Any, /, p: Any, m: Any = 1, *more: Any, **named: Any) -> Any:
    """A product for each coefficient."""
    if m != 1:
        raise Unknown(Reason.RULE, "more than once")
    return elements(result)


def _covariance(result: Any, /, m: Any, *more: Any, **named: Any) -> Any:
    """Means and differences of p variables with n observations, a product of matrices, a scaling of its elements."""
    if more or set(named) - {"rowvar", "ddof", "bias"}:
        raise Unknown(Reason.RULE, "weights, or variables in two arrays")
    p = shape_of(result)[0] if shape_of(result) else 1
    return 2 * operand(m) + 2 * p * operand(m) + elements(result)


def _correlation(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
    """The covariance, p square roots, two divisions and two bounds for each element."""
    p = shape_of(result)[0] if shape_of(result) else 1
    return _covariance(result, x, *more, **named) + p + 4 * elements(result)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    ufuncs = present(np, "matmul vecdot matvec vecmat")
    made: dict[Any, Rule] = dict.fromkeys([*ufuncs, np.dot, np.inner, np.ndarray.dot], multiplied)
    made.update(dict.fromkeys(present(np.linalg, "matmul vecdot"), multiplied))
    made.update(dict.fromkeys((operator.matmul, operator.imatmul), multiplied))
    made.update(dict.fromkeys([np.outer, *present(np.linalg, "outer")], each(1)))
    made.update(dict.fromkeys([np.tensordot, *present(np.linalg, "tensordot")], _tensordot))
    made.update(dict.fromkeys([np.cross, *present(np.linalg, "cross")], _crossed))
    made.update({np.vdot: _all_summed, np.linalg.multi_dot: _chain, np.einsum: _einsum, np.polyval: _polyval})
    made.update({np.polyder: _derived, np.polyint: _derived, np.polymul: _multiplied_out})
    made.update({np.convolve: _convolved("full"), np.correlate: _convolved("valid")})
    made.update({np.cov: _covariance, np.corrcoef: _correlation, np.vander: _powers})
    return made


def _powers(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
    """A product for each power but the first, which is 1."""
    return elements(result) - operand(x)
