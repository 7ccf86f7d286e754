"""Shapes as expressions: computed at other sizes they are NumPy's, wherever what was assumed is true."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tracer.shapes_oracle import agrees, call, holds_elsewhere
from tests.tracer.versions import NUMPY
from tracer.shapes import Abstract, Size, assumptions, infer

FEW = settings(max_examples=60, deadline=None)
sizes = st.integers(0, 6)
shapes = st.lists(sizes, min_size=0, max_size=4).map(tuple)
seeds = st.integers(0, 2**16)


def zeros(shape: Any, dtype: Any = float) -> Any:
    return np.zeros(shape, dtype)


# ---- slices ----------------------------------------------------------------------------------------

bound = st.none() | st.integers(-7, 7)
steps = st.none() | st.integers(-4, 4).filter(bool)
slices = st.builds(slice, bound, bound, steps)


@settings(max_examples=200, deadline=None)
@given(slices, st.lists(st.integers(0, 12), min_size=4, max_size=12))
def test_a_slice_at_every_size(key: slice, others: list[int]) -> None:
    size = Size.atom("n", others[0])
    with assumptions() as assumed:
        found = infer(operator.getitem, (Abstract((size,), np.dtype(float)), key)).shape[0]
    assert not len(assumed), "numbers in a slice need no assumption"
    for n in others:
        wanted = len(range(n)[key])
        assert (found.evaluate({"n": n}) if isinstance(found, Size) else found) == wanted, f"[{key}] of {n}: {found}"


@FEW
@given(st.integers(1, 3), st.data())
def test_slices_with_symbolic_bounds(step: int, data: Any) -> None:
    n, k = (data.draw(st.integers(0, 9)) for _ in range(2))
    lower, upper = Size.atom("k", k), Size.atom("n", n) - data.draw(st.integers(-2, 2))
    sign = data.draw(st.sampled_from([1, -1]))
    array = Abstract((Size.atom("n", n),), np.dtype(float))
    with assumptions() as assumed:
        found = infer(operator.getitem, (array, slice(lower, upper, step * sign))).shape[0]
    for other in range(10):
        for its in range(10):
            values = {"n": other, "k": its}
            if not all(a.holds(values) for a in assumed):
                continue
            stop = upper.evaluate(values) if isinstance(upper, Size) else upper
            wanted = len(range(other)[slice(its, stop, step * sign)])
            assert (found.evaluate(values) if isinstance(found, Size) else found) == wanted, f"{found} at {values}"


# ---- keys of all kinds -----------------------------------------------------------------------------

positions = st.integers(-2, 1)
index_arrays = st.sampled_from([(2,), (1,), (3, 1), (2, 3), (0,), ()]).map(lambda shape: np.zeros(shape, int))
items = st.one_of(
    slices, st.just(slice(None)), st.none(), st.just(Ellipsis), positions, index_arrays, st.just([0, 1]),
    st.sampled_from([True, False]), st.just(np.array([True, False])), st.just(np.int64(1)),
    st.just(np.ones((2, 2), bool)),
)  # fmt: skip
keys = st.lists(items, max_size=4).map(tuple) | items

BOUNDS_SINCE = (2, 3)
"""Before, NumPy did not look at the bounds of an index where the result has no elements anyway."""


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from([2, 2, 3, 0]), max_size=4).map(tuple), keys, seeds)
def test_a_key(shape: tuple[int, ...], key: Any, seed: int) -> None:
    assume(NUMPY >= BOUNDS_SINCE or 0 not in shape)
    made = call(operator.getitem, zeros(shape), key)
    agrees(made)
    holds_elsewhere(made, seed)


@FEW
@given(st.lists(st.sampled_from([2, 2, 3]), min_size=1, max_size=3).map(tuple), keys, seeds)
def test_a_key_written_to(shape: tuple[int, ...], key: Any, seed: int) -> None:
    agrees(call(operator.setitem, zeros(shape), key, 1.0))


# ---- broadcasting ----------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.sampled_from([1, 1, 3, 4]), max_size=3).map(tuple), min_size=2, max_size=3), seeds)
def test_broadcasting(operands: list[tuple[int, ...]], seed: int) -> None:
    arrays = [zeros(shape) for shape in operands]
    calls = call(np.broadcast_arrays, *arrays), call(np.add, *arrays[:2]), call(np.where, arrays[0] > 0, *arrays[:2])
    for made in calls:
        agrees(made)
        holds_elsewhere(made, seed)


def test_broadcasting_says_which_sizes_it_took_to_be_equal() -> None:
    x, y = (Abstract((Size.atom(f"{name}.shape[0]", 3),), np.dtype(float)) for name in "xy")
    with assumptions() as assumed:
        assert str(infer(operator.add, (x, y)).shape[0]) == "x.shape[0]"
    assert [a.text for a in assumed] == ["x.shape[0] == y.shape[0]"]
    with assumptions() as assumed:
        infer(operator.add, (x, x))
        infer(operator.add, (x, 1.0))
        infer(operator.add, (x, Abstract((2, 1), np.dtype(float))))
    assert not len(assumed)


# ---- reshape ---------------------------------------------------------------------------------------


@st.composite
def reshapes(draw: Any) -> tuple[tuple[int, ...], Any]:
    shape = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 4, 6]), min_size=1, max_size=3)))
    total = int(np.prod(shape))
    wanted: list[int] = []
    while draw(st.booleans()) and len(wanted) < 3:
        part = draw(st.sampled_from([d for d in range(1, total + 1) if total % d == 0]))
        wanted.append(part)
        total //= part
    wanted.insert(draw(st.integers(0, len(wanted))), draw(st.sampled_from([-1, total])))
    return shape, tuple(wanted)


@FEW
@given(reshapes(), seeds)
def test_reshape(case: tuple[tuple[int, ...], Any], seed: int) -> None:
    shape, wanted = case
    for made in (call(np.reshape, zeros(shape), wanted), call(np.ndarray.reshape, zeros(shape), *wanted)):
        agrees(made)
        holds_elsewhere(made, seed)


def test_reshape_divides_exactly() -> None:
    n, m = Size.atom("n", 4), Size.atom("m", 6)
    array = Abstract((n, m, 8), np.dtype(float))
    texts = {
        (-1,): "8*m*n", (n, -1): "8*m", (-1, 4): "2*m*n", (m, -1, 8): "n", (2 * n, -1): "4*m",
        (n * m, -1): "8", (3, -1): "(8*m*n)//3", (-1, 2, m): "4*n",
    }  # fmt: skip
    for shape, text in texts.items():
        assert str(infer(np.reshape, (array, shape)).shape[shape.index(-1)]) == text


# ---- einsum ----------------------------------------------------------------------------------------

LABELS = "abcd"


@st.composite
def contractions(draw: Any) -> tuple[str, list[tuple[int, ...]]]:
    extents = {label: draw(st.sampled_from([2, 3, 4])) for label in LABELS}
    inputs, operands = [], []
    dots = draw(st.booleans())
    for _ in range(draw(st.integers(1, 3))):
        labels = draw(st.lists(st.sampled_from(LABELS), max_size=3))
        loop = draw(st.sampled_from([(), (5,), (1,), (2, 5)])) if dots else ()
        at = draw(st.integers(0, len(labels)))
        inputs.append("".join(labels[:at]) + ("..." if dots else "") + "".join(labels[at:]))
        ends = [extents[label] for label in labels]
        operands.append((*ends[:at], *loop, *ends[at:]))
    text = ",".join(inputs)
    used = sorted({c for c in text if c in LABELS})
    if draw(st.booleans()):
        output = draw(st.permutations(used))[: draw(st.integers(0, len(used)))]
        text += "->" + ("..." if dots else "") + "".join(output)
    return text, operands


@FEW
@given(contractions(), seeds)
def test_einsum(case: tuple[str, list[tuple[int, ...]]], seed: int) -> None:
    text, operands = case
    made = call(np.einsum, text, *[zeros(shape) for shape in operands])
    agrees(made)
    holds_elsewhere(made, seed)


# ---- pad, concatenate, stack, repeat, split --------------------------------------------------------

MODES = [
    "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap", "empty",
]  # fmt: skip
width = st.integers(0, 3)


@FEW
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), st.sampled_from(MODES), st.data(), seeds
)  # fmt: skip
def test_pad(shape: tuple[int, ...], mode: str, data: Any, seed: int) -> None:
    rank = len(shape)
    pair = st.tuples(width, width)
    each = st.lists(pair, min_size=rank, max_size=rank).map(tuple)
    widths = data.draw(st.one_of(width, st.tuples(width), pair, st.tuples(pair), each))
    made = call(np.pad, zeros(shape), widths, mode)
    agrees(made)
    holds_elsewhere(made, seed)


@FEW
@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.integers(1, 3), st.data(), seeds)
def test_joining(shape: list[int], count: int, data: Any, seed: int) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    parts = []
    for _ in range(count):
        its = list(shape)
        its[axis] = data.draw(st.integers(0, 4))
        parts.append(zeros(its))
    alike = [zeros(shape) for _ in range(count)]
    for made in (
        call(np.concatenate, parts, axis), call(np.concatenate, parts, axis=None), call(np.stack, alike, axis=axis),
        call(np.vstack, alike), call(np.hstack, alike), call(np.dstack, alike), call(np.column_stack, alike),
        call(np.block, [alike, alike]), call(np.append, parts[0], parts[-1], axis),
    ):  # fmt: skip
        agrees(made)
        holds_elsewhere(made, seed)


@FEW
@given(st.lists(st.integers(0, 7), min_size=1, max_size=3).map(tuple), st.data(), seeds)
def test_parts_and_more(shape: tuple[int, ...], data: Any, seed: int) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    count = data.draw(st.integers(1, 4))
    edges = data.draw(st.lists(st.integers(-3, 8), max_size=3))
    cut = slice(min(edges, default=0), max(edges, default=1))
    array = zeros(shape)
    for made in (
        call(np.array_split, array, count, axis), call(np.array_split, array, edges, axis),
        call(np.split, array, count, axis), call(np.split, array, edges, axis), call(np.repeat, array, count, axis),
        call(np.repeat, array, count), call(np.tile, array, (count, 2)), call(np.diff, array, count, axis),
        call(np.diff, array, 1, axis, prepend=0.0), call(np.roll, array, 1, axis), call(np.flip, array, axis),
        call(np.delete, array, cut, axis), call(np.insert, array, 0, 1.0, axis),
        call(np.diagonal, array, count), call(np.diag, array, -count), call(np.trace, array, count),
        call(np.take, array, [0, 0], axis), call(np.expand_dims, array, axis), call(np.squeeze, array),
        call(np.packbits, array.astype(bool), axis), call(np.fft.rfft, array, axis=axis),
        call(np.fft.irfft, array, axis=axis), call(np.fft.fft, array, count, axis), call(np.cumsum, array, axis),
        call(np.argsort, array, axis), call(np.sum, array, axis, keepdims=True), call(np.meshgrid, array, array),
        call(np.atleast_3d, array), call(np.swapaxes, array, axis, 0), call(np.moveaxis, array, axis, -1),
    ):  # fmt: skip
        agrees(made)
        holds_elsewhere(made, seed, 6)


@FEW
@given(st.lists(st.integers(1, 5), min_size=3, max_size=3), st.data(), seeds)
def test_products(extents: list[int], data: Any, seed: int) -> None:
    n, k, m = extents
    batch = data.draw(st.sampled_from([(), (2,), (1,)]))
    x, y, v, w = zeros((*batch, n, k)), zeros((*batch, k, m)), zeros(k), zeros(n)
    for made in (
        call(operator.matmul, x, y), call(np.matmul, x, v), call(np.dot, x, y), call(np.dot, v, v),
        call(np.inner, x, v), call(np.outer, v, w), call(np.tensordot, x, y, ([-1], [-2])), call(np.kron, x, y),
        call(np.convolve, v, w), call(np.convolve, v, w, "same"), call(np.convolve, v, w, "valid"),
        call(np.correlate, v, w, "full"),
        call(np.vdot, v, v), call(np.linalg.pinv, x), call(np.linalg.svd, x), call(np.linalg.svd, x, False),
        call(np.linalg.qr, x), call(np.linalg.qr, x, "r"), call(np.linalg.norm, x, axis=-1),
        call(np.lib.stride_tricks.sliding_window_view, v, 1), call(np.add.outer, x, v), call(np.polyint, v, 2),
    ):  # fmt: skip
        agrees(made)
        holds_elsewhere(made, seed, 6)
