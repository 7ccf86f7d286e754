"""Functions that make arrays: of sizes, of ranges, of other arrays and numbers, and their conversion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, broadcast, dim, dims, product, shape_of, stretched
from .probe import Rule, dressed, dtype_of, probe
from .registry import present
from .size import Dim, Size, hint, largest

# ---- of a shape ------------------------------------------------------------------------------------


def _checked(shape: Shape) -> Shape:
    if any(hint(d) < 0 for d in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def _filled(shape: Any, dtype: Any = float, *more: Any, **named: Any) -> Any:
    return Abstract(_checked(dims(shape)), np.dtype(dtype))


def _full(shape: Any, fill_value: Any, dtype: Any = None, *more: Any, **named: Any) -> Any:
    wanted = _checked(dims(shape))
    stretched(shape_of(fill_value), wanted)
    return Abstract(wanted, as_abstract(fill_value).dtype if dtype is None else np.dtype(dtype))


def _like(a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, **named: Any) -> Any:
    known = as_abstract(a)
    return Abstract(
        known.shape if shape is None else dims(shape), known.dtype if dtype is None else _dtype(dtype, known)
    )


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *more: Any, **named: Any) -> Any:
    made = _like(a, dtype, *more, **named)
    stretched(shape_of(fill_value), made.shape)
    return made


def _dtype(dtype: Any, known: Abstract) -> np.dtype[Any]:
    """The dtype of an array of this one cast to `dtype`: `str` gets the length that it needs."""
    wanted: np.dtype[Any] = np.dtype(dtype)
    if wanted.itemsize == 0 and wanted.kind in "SUV" and wanted.names is None:
        return dtype_of(np.ndarray.astype, Abstract((1,), known.dtype), dtype)
    return wanted


def _eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *more: Any, **named: Any) -> Any:  # noqa: N803  # NumPy's names
    return Abstract(_checked((dim(N), dim(N if M is None else M))), np.dtype(dtype))


def _identity(n: Any, dtype: Any = None, **named: Any) -> Any:
    return Abstract((dim(n), dim(n)), np.dtype(float if dtype is None else dtype))


def _vander(function: Any) -> Rule:
    def rule(x: Any, N: Any = None, increasing: Any = False) -> Any:  # noqa: N803  # NumPy's names
        shape = shape_of(x)
        like = probe(function, (x,), {})
        return dressed(like, (shape[0], shape[0] if N is None else dim(N)))

    return rule


# ---- ranges ----------------------------------------------------------------------------------------


def counted(start: Any, stop: Any, step: Any) -> Dim:
    """How many numbers `np.arange` gives: ceil((stop - start) / step), at least 0."""
    numbers = (start, stop, step)
    if any(isinstance(v, Abstract) for v in numbers):
        raise Unknown(Reason.CONTENTS)
    if all(isinstance(v, (int, Size, np.integer)) and not isinstance(v, bool) for v in numbers):
        first, last, by = (dim(v) for v in numbers)
        if by == 0:
            raise ZeroDivisionError("division by zero")
        if type(first) is type(last) is type(by) is int:
            return max(math.ceil((last - first) / by), 0)
        return largest((last - first + by - 1) // by if by > 0 else (first - last - by - 1) // -by, 0)
    if not any(type(v) is Size for v in numbers):
        return len(np.arange(start, stop, step)) if _small(numbers) else max(math.ceil((stop - start) / step), 0)
    plain = [hint(v) if type(v) is Size else v for v in numbers]
    return Size.unknown(max(math.ceil((plain[1] - plain[0]) / plain[2]), 0))


def _small(numbers: tuple[Any, ...]) -> bool:
    """Whether the range can be made to see how long it is: dates and the like, of which it is not computed here."""
    return not all(isinstance(v, (int, float, np.number)) for v in numbers)


def _arange(function: Any) -> Rule:
    def rule(*args: Any, dtype: Any = None, device: Any = None, like: Any = None, **named: Any) -> Any:
        given = [*args, *[named[n] for n in ("start", "stop", "step") if n in named]]
        if len(given) == 4:
            dtype = given.pop()
        if not given:
            raise TypeError("arange() requires stop to be specified.")
        start, stop, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
        if len(given) == 2 and "step" in named and "start" not in named and len(args) == 1:
            start, stop, step = 0, args[0], named["step"]
        start, step = (0 if start is None else start), (1 if step is None else step)
        small = [_unit(v) for v in (start, stop, step)] if len(given) > 1 else [_unit(stop)]
        made = probe(function, tuple(small), {"dtype": dtype})
        return Abstract((counted(start, stop, step),), made.dtype)

    return rule


def _unit(value: Any) -> Any:
    """A small number of the same class: dtypes follow classes."""
    if type(value) is int or type(value) is Size:
        if hint(value) >= 2**63:
            raise Unknown(Reason.RULE, "a range of numbers beyond those of 64 bits")
        return 1
    if type(value) is float:
        return 1.0
    return value


_AXIS: dict[Any, int] = {np.linspace: 2, np.logspace: 2, np.geomspace: 1}
"""The place of `axis` among the arguments after `endpoint`."""


def _spaced(function: Any) -> Rule:
    """`linspace` and its kin: as many rows as are asked for, each with the shape of the ends."""

    def rule(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, *more: Any, **named: Any) -> Any:
        count = dim(num)
        if hint(count) < 0:
            raise ValueError(f"Number of samples, {count}, must be non-negative.")
        like = probe(function, (start, stop, min(hint(count), 3), endpoint, *more), named)
        base = named.get("base", more[0] if more and function is np.logspace else 10.0)
        ends = broadcast(shape_of(start), shape_of(stop), *([shape_of(base)] if function is np.logspace else []))
        place = named.get("axis", more[_AXIS[function]] if len(more) > _AXIS[function] else 0)
        along = place if place >= 0 else place + len(ends) + 1
        shape = (*ends[:along], count, *ends[along:])
        return dressed(like, [shape, ends] if isinstance(like, tuple) else shape)

    return rule


# ---- grids -----------------------------------------------------------------------------------------


def _meshgrid(function: Any) -> Rule:
    def rule(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
        like = probe(function, xi, {"copy": copy, "sparse": sparse, "indexing": indexing})
        sizes = [product(shape_of(x)) for x in xi]
        order = list(range(len(xi)))
        if indexing == "xy" and len(xi) > 1:
            order[0], order[1] = 1, 0
        whole = tuple([sizes[i] for i in order])
        if not sparse:
            return dressed(like, [whole] * len(xi))
        places = [order.index(i) for i in range(len(xi))]
        return dressed(
            like, [tuple([sizes[i] if at == p else 1 for at in range(len(xi))]) for i, p in enumerate(places)]
        )

    return rule


def _indices(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    shape, kind = dims(dimensions), np.dtype(dtype)
    if not sparse:
        return Abstract((len(shape), *shape), kind)
    return tuple(
        [Abstract(tuple([d if i == at else 1 for at in range(len(shape))]), kind) for i, d in enumerate(shape)]
    )


def _ix(function: Any) -> Rule:
    def rule(*args: Any) -> Any:
        if any(as_abstract(a).dtype.kind == "b" and isinstance(a, Abstract) for a in args):
            raise Unknown(Reason.CONTENTS)
        if any(as_abstract(a).dtype.kind == "b" for a in args):
            return tuple([Abstract(p.shape, p.dtype) for p in function(*args)])
        like = probe(function, args, {})
        count = len(args)
        return dressed(
            like, [tuple([shape_of(a)[0] if i == at else 1 for at in range(count)]) for i, a in enumerate(args)]
        )

    return rule


# ---- of arrays and numbers -------------------------------------------------------------------------


def _converted(function: Any) -> Rule:
    def rule(a: Any, dtype: Any = None, *more: Any, ndmin: Any = 0, **named: Any) -> Any:
        shape = shape_of(a)
        like = dtype if dtype is not None and np.dtype(dtype).itemsize else None
        kind = np.dtype(like) if like is not None else dtype_of(np.array, _shrunk(a), dtype=dtype)
        if ndmin > len(shape):
            shape = (1,) * (ndmin - len(shape)) + shape
        return Abstract(shape, kind)

    return rule


def _shrunk(value: Any) -> Any:
    """A nested list with each kind of element once: dtypes do not depend on how many there are."""
    if not isinstance(value, (list, tuple)) or len(value) < 8:
        return value
    kept: dict[Any, Any] = {}
    for item in value:
        kept.setdefault(
            (type(item), getattr(item, "dtype", None), abs(item) >= 2**31 if type(item) is int else 0), item
        )
    return type(value)(kept.values()) if all(not isinstance(v, (str, bytes, list, tuple)) for v in value) else value


def _at_least_vector(function: Any) -> Rule:
    convert = _converted(function)

    def rule(a: Any, dtype: Any = None, **named: Any) -> Any:
        made = convert(a, dtype)
        return made if made.shape else Abstract((1,), made.dtype)

    return rule


def _copied(a: Any, *more: Any, **named: Any) -> Any:
    known = as_abstract(a)
    return Abstract(known.shape, known.dtype)


def _of_scalar(function: Any) -> Rule:
    return lambda a, *more: dressed(probe(function, (a, *more), {}), shape_of(a))


def _require(a: Any, dtype: Any = None, requirements: Any = None, **named: Any) -> Any:
    known = as_abstract(a)
    return Abstract(known.shape, known.dtype if dtype is None else np.dtype(dtype))


def _cast(function: Any) -> Rule:
    def rule(a: Any, dtype: Any, *more: Any, **named: Any) -> Any:
        like = probe(function, (a, dtype, *more), named)
        return dressed(like, shape_of(a))

    return rule


def _tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **named: Any) -> Any:  # noqa: N803  # NumPy's names
    return Abstract((dim(N), dim(N if M is None else M)), np.dtype(dtype))


def _triangle(function: Any) -> Rule:
    def rule(m: Any, k: Any = 0) -> Any:
        shape = shape_of(m)
        return dressed(probe(function, (m,), {}), (shape[0], shape[0]) if len(shape) == 1 else shape)

    return rule


def _from_function(*args: Any, **kwargs: Any) -> Any:
    raise Unknown(Reason.RULE, "it calls a function of the user's")


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {np.zeros: _filled, np.ones: _filled, np.empty: _filled, np.ndarray: _filled}
    alike: list[Any] = [np.zeros_like, np.ones_like, np.empty_like]
    made.update(dict.fromkeys(alike, _like))
    made.update({f: _converted(f) for f in (np.array, np.asarray, np.asanyarray)})
    made.update({f: _at_least_vector(f) for f in (np.ascontiguousarray, np.asfortranarray)})
    made.update({f: _spaced(f) for f in (np.linspace, np.logspace, np.geomspace)})
    made.update({f: _triangle(f) for f in (np.tril, np.triu)})
    made.update({f: _cast(f) for f in (np.ndarray.astype, np.generic.astype, *present(np, "astype"))})
    made.update({
        np.full: _full, np.full_like: _full_like, np.eye: _eye, np.identity: _identity, np.tri: _tri,
        np.vander: _vander(np.vander), np.arange: _arange(np.arange), np.meshgrid: _meshgrid(np.meshgrid),
        np.indices: _indices, np.ix_: _ix(np.ix_), np.copy: _copied, np.ndarray.copy: _copied,
        np.generic.copy: _of_scalar(np.generic.copy), np.require: _require,
        np.asarray_chkfinite: _require,
    })  # fmt: skip
    return made
