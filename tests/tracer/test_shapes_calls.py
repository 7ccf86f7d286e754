"""Calls that tables of expressions do not reach: pairs of dtypes, Python's numbers, outputs, and what does not fit."""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.tracer.shapes_oracle import Call, abstract, agrees, call, holds_elsewhere, mapped
from tracer.shapes import Abstract, Reason, Size, Unknown, assumptions, infer
from tracer.steps import copy_of, count_of_range, size_of

DTYPES = ["?", "b", "B", "q", "e", "f", "d", "g", "F", "D"]
NUMBERS: list[Any] = [True, 2, -1, 300, 2.5, 1j, np.float32(2), np.int8(3), np.float64(0.5), np.bool_(True)]


def array(dtype: str, *shape: int) -> Any:
    return np.ones(shape, dtype)


def check(calls: Iterator[Call], unknown: Reason | None = None) -> None:
    """Every call is inferred right; with `unknown`, none is inferred, for that reason."""
    count = 0
    for made in calls:
        assert agrees(made) is unknown, str(made)
        count += 1
    assert count


# ---- dtypes ----------------------------------------------------------------------------------------

LEGACY = np.lib.NumpyVersion(np.__version__) < "2.0.0"


def value_decides(made: Call) -> bool:
    """Whether NumPy looks at a scalar's value to choose a dtype: beside arrays before 2.0, and in powers."""
    ranks = [np.ndim(a) for a in made.args]
    return (LEGACY or made.function is operator.pow) and 0 in ranks and max(ranks) > 0


PAIRED: list[Any] = [
    operator.add, operator.truediv, operator.pow, operator.and_, operator.lt, operator.iadd, operator.ifloordiv,
    operator.lshift, np.multiply, np.arctan2, np.maximum, np.logical_or, np.copysign, np.left_shift, np.hypot,
    operator.matmul, np.dot, divmod,
]  # fmt: skip


@pytest.mark.parametrize("function", PAIRED, ids=lambda f: f.__name__)
def test_pairs_of_dtypes(function: Any) -> None:
    """Arrays, scalars and arrays without dimensions promote each in its way."""
    values = [array(d, 3) for d in DTYPES] + [array(d)[()] for d in DTYPES] + [array(d) for d in DTYPES]
    for left, right in itertools.product(values, values):
        made = call(function, left, right)
        assert agrees(made) is None or value_decides(made), str(made)


@pytest.mark.parametrize("function", PAIRED, ids=lambda f: f.__name__)
def test_numbers_of_python(function: Any) -> None:
    values = [array(d, 2, 3) for d in DTYPES] + [array(d)[()] for d in DTYPES]
    for made in (call(function, *p) for v, n in itertools.product(values, NUMBERS) for p in ((v, n), (n, v))):
        plainly_complex = [type(a) for a in made.args] == [complex, np.float64]  # a plain number comes out
        assert agrees(made) is None or plainly_complex or value_decides(made), str(made)


def test_dtypes_of_joined_arrays() -> None:
    pairs = list(itertools.product(DTYPES, DTYPES))
    check(call(np.concatenate, [array(a, 2), array(b, 3)]) for a, b in pairs)
    check(call(np.stack, [array(a, 2), array(b, 2)]) for a, b in pairs)
    check(call(np.where, array("?", 2), array(a, 2), array(b, 1)) for a, b in pairs)
    check(call(np.array, [array(a, 2), array(b, 2)]) for a, b in pairs)
    check(call(np.array, [array(a)[()], 1, 2.5, array(b)[()]]) for a, b in pairs)
    check(call(np.result_type, array(a, 2), array(b, 2)) for a, b in pairs)


REDUCTIONS = [np.sum, np.prod, np.mean, np.std, np.var, np.max, np.min, np.any, np.all, np.argmax, np.median, np.ptp,
              np.cumsum, np.nansum, np.nanmean, np.nanmax, np.ndarray.sum, np.ndarray.mean, np.ndarray.max,
              np.add.reduce, np.logical_and.reduce, np.maximum.accumulate]  # fmt: skip


@pytest.mark.parametrize("function", REDUCTIONS, ids=lambda f: f.__qualname__)
def test_reductions(function: Any) -> None:
    shapes: list[tuple[int, ...]] = [(), (3,), (2, 3), (1, 1), (2, 0), (0,)]
    for dtype, shape in itertools.product(DTYPES, shapes):
        for axis in (None, 0, -1, 1):
            agrees(call(function, array(dtype, *shape), axis=axis))
        holds_elsewhere(call(function, array(dtype, *shape), axis=0), 3, 4)


def test_reductions_with_everything() -> None:
    x = array("f", 2, 3, 4)
    check(
        call(np.sum, x, axis=a, keepdims=k, dtype=d)
        for a in (None, 1, (0, 2), (-1, 0), ()) for k in (False, True) for d in (None, "d", np.float16, int)
    )  # fmt: skip
    out = np.zeros((2, 4), "d")
    check(iter([
        call(np.sum, x, axis=1, out=out), call(np.add.reduce, x, 1, None, out), call(np.max, x, axis=1, out=out),
        call(np.sum, x, axis=0, where=x > 0, initial=2.0), call(np.std, x, axis=(0, 1), ddof=1, keepdims=True),
        call(np.quantile, x, [0.2, 0.3, 0.9], axis=1), call(np.quantile, x, 0.5, axis=(0, 1), keepdims=True),
        call(np.percentile, x, array("d", 2, 2), axis=None, keepdims=True), call(np.average, x, 1, returned=True),
        call(np.average, x, 1, array("d", 3)), call(np.add.reduceat, x, [0, 1, 2], axis=2),
        call(np.multiply.outer, x, array("d", 5)), call(np.add.at, x, 0, 1.0), call(np.count_nonzero, x, axis=1),
        call(np.divmod.outer, array("q", 2), array("q", 3)), call(np.frexp, x), call(np.modf, x),
    ]))  # fmt: skip


# ---- outputs, generalised functions ----------------------------------------------------------------


def test_outputs() -> None:
    x, y, out = array("f", 2, 3), array("f", 3), array("d", 2, 3)
    check(iter([
        call(np.add, x, y, out), call(np.add, x, y, out=out), call(np.add, y, y, out=(out,)),
        call(np.add, x, y, out=out, where=x > 0), call(np.exp, x, out=out), call(np.divmod, x, y, out=(out, out)),
        call(np.divmod, x, y, out), call(np.add, x, y, dtype="d"), call(np.add, x, y, where=array("?", 4, 1, 1)),
        call(np.matmul, x, array("f", 3, 2), out=array("d", 2, 2)), call(np.dot, x, y, out=array("f", 2)),
        call(np.concatenate, [x, x], out=array("d", 4, 3)), call(np.clip, x, 0, 1, out=out),
        call(np.take, x, [1, 0], 1, array("f", 2, 2)), call(np.cumsum, x, 1, None, out),
    ]))  # fmt: skip


@pytest.mark.skipif(not hasattr(np, "vecdot"), reason="came with NumPy 2.0")
def test_generalised_functions() -> None:
    x, y, z = array("d", 5, 2, 3), array("f", 3, 4), array("d", 3)
    functions: list[Any] = [np.matmul, np.vecdot]
    check(iter([
        call(np.matmul, x, y), call(np.matmul, z, y), call(np.matmul, x, z), call(np.matmul, z, z),
        call(functions[1], x, z),
        call(np.matmul, x, y, axes=[(-2, -1), (-2, -1), (0, 1)]), call(functions[1], x, x, axis=1),
        call(np.matmul, x, x, axes=[(-2, -1), (-1, -2), (-2, -1)]), call(functions[1], x, z, axes=[-1, 0]),
        *(call(getattr(np, n), *pair) for n, pair in (("matvec", (x, z)), ("vecmat", (z, y))) if hasattr(np, n)),
    ]))  # fmt: skip


# ---- what does not fit -----------------------------------------------------------------------------

x23, v3, v4 = array("d", 2, 3), array("d", 3), array("d", 4)
WRONG = [
    call(operator.add, x23, v4), call(np.add, x23, v4), call(operator.iadd, v3, x23), call(np.add, x23, v3, out=v3),
    call(np.sum, x23, axis=2), call(np.sum, x23, axis=(0, 0)), call(np.max, array("d", 0)),
    call(np.argmax, array("d", 0, 2)),
    call(operator.getitem, v3, 3), call(operator.getitem, v3, (0, 0)), call(operator.getitem, v3, 1.5),
    call(operator.getitem, v3, "a"), call(operator.getitem, x23, (..., 0, ...)), call(operator.getitem, x23, [2]),
    call(operator.getitem, x23, np.ones(3, bool)), call(operator.setitem, x23, 0, v4),
    call(operator.setitem, v3, 5, 1.0),
    call(operator.getitem, x23, ([0, 1], [0, 1, 2])), call(np.reshape, x23, (4, -1)), call(np.reshape, x23, (7,)),
    call(np.reshape, x23, (-1, -1)), call(np.transpose, x23, (0,)), call(np.concatenate, [x23, v3]),
    call(np.concatenate, [x23, array("d", 2, 4)]), call(np.concatenate, []), call(np.stack, [v3, v4]),
    call(np.split, v4, 3), call(np.matmul, x23, x23), call(np.dot, x23, v4), call(operator.matmul, x23, 2.0),
    call(np.einsum, "ij,j", x23, v4), call(np.einsum, "ijk", x23), call(np.tensordot, x23, v4, 1),
    call(np.linalg.inv, x23), call(np.linalg.det, v3), call(np.linalg.solve, np.eye(2), v3), call(np.cross, v4, v4),
    call(np.take, v3, 7), call(np.pad, v3, ((1, 2), (3, 4))), call(np.pad, v3, -1), call(np.repeat, v3, -1),
    call(np.broadcast_to, x23, (3,)), call(np.squeeze, x23, 0), call(np.expand_dims, x23, 5),
    call(np.swapaxes, x23, 0, 3),
    call(np.zeros, (-1, 2)), call(np.zeros, 2.5), call(np.fft.fft, array("d", 0)), call(np.invert, v3),
    call(operator.and_, v3, v3), call(np.convolve, array("d", 0), v3), call(np.interp, 0.5, v3, v4),
    call(np.select, [v3 > 0], [v3, v3]), call(np.where, v3 > 0, v3), call(len, array("d")), call(np.linspace, 0, 1, -2),
    call(np.linalg.cholesky, x23), call(np.vdot, v3, v4), call(np.rollaxis, x23, 3),
    call(np.moveaxis, x23, [0, 1], [0]),
    call(np.gradient, array("d", 1)), call(np.tril, array("d")), call(np.diag, array("d", 2, 2, 2)), call(np.trace, v3),
    call(np.lexsort, ()), call(np.histogram, v3, 0), call(np.ndarray.view, x23, "V7"),
]  # fmt: skip


@pytest.mark.parametrize("made", WRONG, ids=str)
def test_what_numpy_refuses_is_refused(made: Call) -> None:
    with np.errstate(all="ignore"), pytest.raises(Exception) as wanted:  # noqa: PT011  # NumPy says which
        made.function(*made.args, **made.kwargs)
    with pytest.raises(Exception) as found:  # noqa: PT011
        infer(made.function, mapped(made.args, abstract), made.kwargs)
    assert isinstance(found.value, type(wanted.value)) or isinstance(wanted.value, type(found.value)), (
        f"{found.value!r} instead of {wanted.value!r}"
    )


# ---- plain values ----------------------------------------------------------------------------------


def test_plain_values() -> None:
    n, f8 = Size.atom("x.shape[0]", 5), np.dtype(float)
    x = Abstract((n, 4), f8)
    assert infer(np.shape, (x,)) == (n, 4)
    assert infer(np.ndim, (x,)) == 2
    assert str(infer(np.size, (x,))) == "4*x.shape[0]"
    assert infer(np.iscomplexobj, (x,)) is False
    assert infer(np.result_type, (x, np.float32)) == f8
    assert infer(size_of, (x, -1)) == 4
    assert infer(size_of, (x, 0)) is n
    assert infer(len, (x,)) is n
    assert infer(copy_of, (x,)) == x
    assert str(infer(count_of_range, (0, n, 2))) == "(x.shape[0] + 1)//2"
    assert str(infer(max, (n, 3))) == "max(x.shape[0], 3)"
    assert str(infer(operator.floordiv, (n, 2))) == "x.shape[0]//2"
    assert infer(int, (n,)) is n
    assert infer(getattr, (x, "dtype")) == f8
    assert infer(np.array_equal, (x, Abstract((3,), f8))) is False


def test_what_contents_decide() -> None:
    x, mask = array("d", 3), array("?", 3)
    check(iter([
        call(operator.getitem, x, mask), call(np.nonzero, x), call(np.unique, x), call(np.repeat, x, array("q", 3)),
        call(np.allclose, x, x), call(np.array_equal, x, x), call(float, array("d")), call(np.ndarray.item, array("d")),
        call(np.linalg.eigvals, np.eye(2)), call(np.bincount, array("q", 3)), call(np.zeros, np.int64(3)),
        call(operator.contains, x, 1.0), call(np.compress, mask, x), call(np.ndarray.tolist, x),
        call(np.arange, np.float64(3)), call(np.histogram, x, "auto"), call(np.array_split, x, array("q", 2)),
    ]), Reason.CONTENTS)  # fmt: skip
    known = Abstract((3,), np.dtype(float))
    assert infer(operator.getitem, (known, np.array([True, False, True]))).shape == (2,)
    assert infer(np.compress, ([True, False], known)).shape == (1,)


def test_functions_of_python_are_not_called() -> None:
    """A ufunc made of the user's own function is not asked with made-up values."""

    def refuse(left: Any, right: Any) -> Any:
        raise AssertionError("called")

    made = np.frompyfunc(refuse, 2, 1)
    x = Abstract((2, 3), np.dtype(float))
    assert infer(made, (x, Abstract((3,), np.dtype(int)))) == Abstract((2, 3), np.dtype(object))
    for function, args in ((made, (1.0, Abstract((), np.dtype(float), True))), (made.reduce, (x,))):
        with pytest.raises(Unknown):
            infer(function, args)
    assert agrees(call(np.frompyfunc(max, 2, 1), array("d", 2, 3), array("q", 3))) is None


def test_no_cost_in_size() -> None:
    """Shapes far beyond any memory."""
    huge = Abstract((10**9, 10**9), np.dtype("f"))
    assert infer(operator.matmul, (huge, huge)).shape == (10**9, 10**9)
    assert infer(np.concatenate, ([huge, huge],)).shape == (2 * 10**9, 10**9)
    assert infer(np.zeros, ((10**12, 5),)).shape == (10**12, 5)
    assert infer(np.linspace, (0, 1, 10**12)).shape == (10**12,)
    assert infer(np.arange, (10**12,)).shape == (10**12,)
    assert infer(np.tile, (huge, 1000)).shape == (10**9, 10**12)
    assert infer(np.fft.rfft, (huge,)).shape == (10**9, 10**9 // 2 + 1)
    assert infer(np.histogram, (huge, 10**9))[1].shape == (10**9 + 1,)
    assert infer(np.eye, (10**9,)).shape == (10**9, 10**9)
    assert infer(np.indices, ((10**9, 10**9),)).shape == (2, 10**9, 10**9)


def test_sizes_of_creation() -> None:
    n = Size.atom("n", 5)
    texts: dict[Any, str] = {
        (np.zeros, ((n + 1, 2),)): "n + 1", (np.arange, (n,)): "n", (np.arange, (1, n)): "max(n - 1, 0)",
        (np.arange, (0, n, 2)): "(n + 1)//2", (np.arange, (n, 0, -1)): "n", (np.linspace, (0, 1, n)): "n",
        (np.full, (n, 1.0)): "n", (np.eye, (n,)): "n", (np.ones, (2 * n,)): "2*n", (np.hanning, (n,)): "n",
        (np.fft.fftfreq, (n,)): "n", (np.tri, (n,)): "n", (np.identity, (n,)): "n",
    }  # fmt: skip
    with assumptions() as assumed:
        for (function, args), text in texts.items():
            assert str(infer(function, args).shape[0]) == text
    assert not len(assumed)
    with pytest.raises(Unknown):
        infer(operator.truediv, (n, 2))


# ---- by name ---------------------------------------------------------------------------------------

x2, i2 = array("d", 2, 3), np.zeros((2, 1), int)
BY_POSITION = [
    call(np.sum, x2, 0, None, None, True), call(np.reshape, x2, (3, 2)), call(np.polyval, v3, x2),
    call(np.pad, x2, 1, "edge"), call(np.take, x2, 1, 0), call(np.take_along_axis, x2, i2, 1), call(np.roll, x2, 1, 0),
    call(np.flip, x2, 0), call(np.expand_dims, x2, 1), call(np.diff, x2, 1, 0), call(np.repeat, x2, 2, 1),
    call(np.tile, x2, (2, 1)), call(np.swapaxes, x2, 0, 1), call(np.moveaxis, x2, 0, 1), call(np.transpose, x2, (1, 0)),
    call(np.stack, [x2, x2], 1), call(np.split, x2, 3, 1), call(np.array_split, x2, 2, 1), call(np.append, x2, x2, 0),
    call(np.insert, x2, 1, 0.0, 1), call(np.delete, x2, 1, 1), call(np.linspace, 0, 1, 5), call(np.full, (2, 3), 1.5),
    call(np.logspace, 0, v3, 5, True, 10.0, None, 1), call(np.geomspace, 1, v3, 5, True, None, 1), call(np.eye, 3, 4),
    call(np.linspace, 0, v3, 5, True, True, None, -1), call(np.zeros, (2, 3), "f"), call(np.zeros_like, x2, "f"),
    call(np.full_like, x2, 2, "f"), call(np.quantile, x2, 0.5, 0), call(np.percentile, x2, [5, 9], 1),
    call(np.median, x2, 0), call(np.average, x2, 1), call(np.std, x2, 0, None, None, 1, True), call(np.argmax, x2, 0),
    call(np.sort, x2, 0), call(np.argsort, x2, None), call(np.partition, x2, 1, 1), call(np.searchsorted, v3, x2),
    call(np.digitize, x2, v3), call(np.clip, x2, 0, 1), call(np.isclose, x2, v3), call(np.tensordot, x2, x2, 2),
    call(np.trace, x2, 1), call(np.diagonal, x2, 1), call(np.diag, v3, 1), call(np.cross, x2, v3),
    call(np.kron, x2, v3),
    call(np.cov, x2, None, False), call(np.histogram, x2, 4), call(np.histogram2d, v3, v3, 4),
    call(np.interp, x2, v3, v3),
    call(np.polyfit, array("d", 4), array("d", 4), 2), call(np.vander, v3, 2), call(np.unwrap, x2),
    call(getattr(np, "trapezoid", np.trace), x2), call(np.select, [x2 > 0], [x2], 1),
    call(np.rot90, x2, 1), call(np.rollaxis, x2, 1), call(np.broadcast_to, v3, (2, 3)), call(np.resize, x2, (3, 3)),
    call(np.linalg.norm, x2, None, 1), call(np.linalg.svd, x2, False), call(np.linalg.qr, x2, "r"),
    call(np.fft.fft, x2, 4, 0), call(np.fft.irfft2, x2, (2, 4)), call(np.fft.fftshift, x2, 1), call(np.squeeze, x2),
    call(np.nanquantile, x2, 0.5, 1), call(np.packbits, x2 > 0, 1), call(np.convolve, v3, v3, "same"),
    call(np.tril, x2, 1), call(np.tri, 3, 4), call(np.indices, (2, 3)), call(np.outer, v3, v3), call(np.copy, x2),
    call(np.lib.stride_tricks.sliding_window_view, x2, 2, 1), call(np.cumsum, x2, 1), call(np.gradient, x2),
]  # fmt: skip


def by_name(made: Call) -> Call:
    """The call with all its arguments given by name, where the function lets them be."""
    try:
        parameters = list(inspect.signature(made.function).parameters.values())
    except ValueError:
        return made  # written in C, and of a version of NumPy that does not say
    first = next((i for i, p in enumerate(parameters) if p.kind is p.POSITIONAL_OR_KEYWORD), len(made.args))
    rest = zip(parameters[first:], made.args[first:], strict=False)
    return Call(made.function, made.args[:first], {**{p.name: a for p, a in rest}, **made.kwargs})


@pytest.mark.parametrize("made", BY_POSITION, ids=str)
def test_arguments_by_name(made: Call) -> None:
    assert agrees(made) is None
    named = by_name(made)
    assert agrees(named) is None
    for count in range(1, len(made.args)):
        names = dict(itertools.islice(named.kwargs.items(), max(count - len(named.args), 0), None))
        assert agrees(Call(made.function, made.args[:count], names)) is None
