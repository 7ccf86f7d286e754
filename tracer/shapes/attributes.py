"""Attributes of arrays and functions that answer from shape and dtype alone: plain values, and views."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Unknown
from .creation import counted
from .dims import as_abstract, product, replaced, shape_of
from .manipulation import matrix_transposed, reshaped
from .probe import Rule, dressed, probe
from .registry import present
from .size import Dim, hint


def attribute(owner: Any, name: str, *default: Any) -> Any:
    """`getattr(array, name)`."""
    if not isinstance(owner, (Abstract, np.ndarray)):
        return getattr(owner, name, *default)
    known = as_abstract(owner)
    if name in _PLAIN:
        return _PLAIN[name](known)
    if name == "flat":
        return Abstract((known.size,), known.dtype)
    like = probe(getattr, (Abstract(known.shape, known.dtype, known.scalar), name, *default), {})
    if name in ("real", "imag"):
        return dressed(like, known.shape)
    if callable(like) or not isinstance(like, Abstract):
        raise Unknown(Reason.RULE, f"the attribute {name}")
    if name == "T":
        return Abstract(known.shape[::-1], known.dtype, like.scalar)
    if name == "mT":
        return Abstract(matrix_transposed(known.shape), known.dtype)
    raise Unknown(Reason.RULE, f"the attribute {name}")


_PLAIN: dict[str, Any] = {
    "shape": lambda a: a.shape,
    "dtype": lambda a: a.dtype,
    "size": lambda a: a.size,
    "ndim": lambda a: a.ndim,
    "itemsize": lambda a: a.dtype.itemsize,
    "nbytes": lambda a: a.size * a.dtype.itemsize,
}


def _size_of(array: Any, axis: Any) -> Dim:
    return shape_of(array)[operator.index(axis)]


def _size(a: Any, axis: Any = None) -> Dim:
    shape = shape_of(a)
    if axis is None:
        return product(shape)
    if isinstance(axis, (tuple, list)):
        return product([shape[x] for x in axis])
    return shape[operator.index(axis)]


def _set_shape(array: Any, shape: Any) -> None:
    reshaped(shape_of(array), tuple(shape) if isinstance(shape, (tuple, list)) else (shape,))


# ---- answered by the function itself, from arrays of one element -----------------------------------


def _by_dtype(function: Any) -> Rule:
    """A plain value that follows from ranks and dtypes: `np.iscomplexobj`, `np.result_type`."""

    def rule(*args: Any, **kwargs: Any) -> Any:
        found = probe(function, args, kwargs)
        if isinstance(found, Abstract):
            raise Unknown(Reason.CONTENTS)
        return found

    return rule


def _value_decides(function: Any) -> Rule:
    """`np.min_scalar_type` and `np.can_cast` look at a number's value, and at an array's dtype."""
    asked = _by_dtype(function)

    def rule(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(a, Abstract) and not a.shape for a in args):
            raise Unknown(Reason.CONTENTS)
        return asked(*args, **kwargs)

    return rule


# ---- views -----------------------------------------------------------------------------------------


def _view(function: Any) -> Rule:
    def rule(a: Any, *args: Any, **kwargs: Any) -> Any:
        known = as_abstract(a)
        dtype = kwargs.get("dtype", args[0] if args else None)
        if dtype is None or (isinstance(dtype, type) and issubclass(dtype, np.ndarray)):
            return known
        wanted = np.dtype(dtype)
        old, new = known.dtype.itemsize, wanted.itemsize
        if known.scalar or not known.shape or old == new:
            like = probe(function, (known, *args), kwargs)
            return dressed(like, known.shape)
        last = known.shape[-1]
        if old > new and old % new == 0:
            return Abstract(replaced(known.shape, known.ndim - 1, last * (old // new)), wanted)
        if hint(last) * old % new:
            raise ValueError("its size must be a divisor of the total size in bytes of the last axis of the array")
        return Abstract(replaced(known.shape, known.ndim - 1, last * old // new), wanted)

    return rule


def _same(function: Any) -> Rule:
    """The same shape, and the dtype that the function gives."""
    return lambda a, *args, **kwargs: dressed(probe(function, (a, *args), kwargs), shape_of(a))


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def _contents(*args: Any, **kwargs: Any) -> Any:
    raise Unknown(Reason.CONTENTS)


def _scalar_type(kind: Any) -> Rule:
    """`np.float32(x)`: of a number a scalar, of an array an array."""

    def rule(*args: Any, **kwargs: Any) -> Any:
        if not args:
            return Abstract((), np.dtype(kind), True)
        if issubclass(kind, (np.flexible, np.object_)):
            raise Unknown(Reason.CONTENTS)
        return dressed(probe(kind, args, kwargs), shape_of(args[0]))

    return rule


def _byteswap(a: Any, inplace: Any = False) -> Any:
    return a


def rules(steps: Any) -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves; `steps` is the module of the graph's own steps."""
    made: dict[Any, Rule] = {getattr: attribute, steps.size_of: _size_of, steps.set_shape: _set_shape}
    made[steps.copy_of] = lambda array: Abstract(shape_of(array), as_abstract(array).dtype)
    made[steps.count_of_range] = lambda *args: _range_count(args)
    made.update({np.shape: shape_of, np.ndim: lambda a: len(shape_of(a)), np.size: _size})
    names = (
        "iscomplexobj isrealobj result_type common_type issubdtype isscalar promote_types dtype finfo iinfo isdtype "
        "iterable typename mintypecode datetime_data base_repr binary_repr"
    )
    made.update({f: _by_dtype(f) for f in present(np, names)})
    made.update({f: _value_decides(f) for f in (np.min_scalar_type, np.can_cast)})
    for kind in (np.ndarray, np.generic):
        made[kind.view] = _view(kind.view)
        made.update({f: _same(f) for f in present(kind, "byteswap conj conjugate round getfield to_device")})
        made.update({f: _by_dtype(f) for f in present(kind, "__dlpack_device__")})
        made.update(dict.fromkeys(present(kind, "item tolist tobytes tostring dumps nonzero"), _contents))
        made.update(dict.fromkeys(present(kind, "fill dump tofile setflags setfield itemset put resize"), _nothing))
    made.update({f: _same(f) for f in present(np, "real imag")})
    for kind in {t for t in vars(np).values() if isinstance(t, type) and issubclass(t, np.generic)}:
        made[kind] = _scalar_type(kind)
    made.update(dict.fromkeys(present(np, "copyto put place putmask fill_diagonal put_along_axis"), _nothing))
    return made


def _range_count(args: tuple[Any, ...]) -> Dim:
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    return counted(start, stop, step)
