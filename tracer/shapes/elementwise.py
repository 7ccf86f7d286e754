"""Universal functions, called and by their methods, and Python's operators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import (
    axes_of,
    axis_of,
    broadcast,
    empty,
    flag,
    replaced,
    shape_of,
    stretched,
)
from .generalised import generalised
from .probe import Function, Rule, dressed, listed, probe
from .size import Size

# ---- universal functions ---------------------------------------------------------------------------


def called(ufunc: np.ufunc) -> Rule:
    """The rule of a universal function itself."""
    if ufunc.signature is not None:
        return generalised(ufunc)
    nin, nout = ufunc.nin, ufunc.nout
    short = {(1, 1): _single, (2, 1): _paired}.get((nin, nout))
    fast = None if short is None else short(ufunc)

    def rule(*args: Any, **kwargs: Any) -> Any:
        if fast is not None and not kwargs and len(args) == nin:
            found = fast(*args)
            if found is not None:
                return found
        like = probe(ufunc, args, kwargs)
        shape = broadcast(*[a.shape if type(a) is Abstract else shape_of(a) for a in args[:nin]])
        if kwargs or len(args) > nin:
            shape = _written(shape, args[nin:], kwargs)
        return dressed(like, shape if nout == 1 else [shape] * nout)

    return rule


_NUMBERS = frozenset({int, float, complex, bool})
_MOST = 4096


def _single(function: Function) -> Callable[..., Abstract | None]:
    """The short way for one array. None: not such."""
    known: dict[Any, np.dtype[Any]] = {}

    def fast(operand: Any) -> Abstract | None:
        if type(operand) is not Abstract or not operand.shape:
            return None
        dtype = known.get(operand.dtype)
        if dtype is None:
            dtype = known[operand.dtype] = probe(function, (operand,), {}).dtype
        return operand if dtype is operand.dtype else Abstract(operand.shape, dtype)

    return fast


def _paired(function: Function) -> Callable[..., Abstract | None]:
    """The short way for two arrays, or an array and a number: the dtype of the result is looked up. None: not such."""
    known: dict[Any, np.dtype[Any]] = {}

    def fast(left: Any, right: Any) -> Abstract | None:
        mine, its = type(left), type(right)
        if mine is Abstract and left.shape:
            if its is Abstract and right.shape:
                key: Any = (left.dtype, right.dtype)
                shape = left.shape if left.shape is right.shape else broadcast(left.shape, right.shape)
            elif its in _NUMBERS:
                key, shape = (left.dtype, its, right), left.shape
            else:
                return None
            known_as = left
        elif its is Abstract and right.shape and mine in _NUMBERS:
            key, shape, known_as = (mine, left, right.dtype), right.shape, right
        else:
            return None
        dtype = known.get(key)
        if dtype is None:
            if len(known) >= _MOST:
                known.clear()
            dtype = known[key] = probe(function, (left, right), {}).dtype
        return known_as if dtype is known_as.dtype and shape is known_as.shape else Abstract(shape, dtype)

    return fast


def _written(shape: Shape, outs: tuple[Any, ...], kwargs: dict[str, Any]) -> Shape:
    """The shape where outputs are given, or a mask."""
    where, out = kwargs.get("where", True), kwargs.get("out")
    if type(where) is not bool:
        shape = broadcast(shape, shape_of(where))
    for target in (*outs, *(out if isinstance(out, tuple) else (out,))):
        if isinstance(target, (Abstract, np.ndarray)):
            shape = stretched(shape, target.shape, "non-broadcastable output operand")
    return shape


def reduced(
    shape: Shape, axis: Any, keepdims: Any = False, needs_elements: bool = False, initial: Any = np._NoValue
) -> Shape:  # fmt: skip
    """The shape after a reduction; raises ValueError where one without identity has nothing to reduce."""
    axes = tuple(range(len(shape))) if axis is None else axes_of(axis, len(shape)) if shape else ()
    kept = tuple([d for i, d in enumerate(shape) if i not in axes])
    missing = initial is np._NoValue or initial is None
    if needs_elements and missing and empty(tuple([shape[a] for a in axes])) and not empty(kept):
        raise ValueError("zero-size array to reduction operation which has no identity")
    if flag(keepdims):
        return tuple([1 if i in axes else d for i, d in enumerate(shape)])
    return kept


def _reduce(method: Any) -> Rule:
    needs = method.__self__.identity is None

    def rule(
        array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: Any = False,
        initial: Any = np._NoValue, where: Any = True,
    ) -> Any:  # fmt: skip
        more = {"keepdims": keepdims, "initial": initial, "where": where}
        like = probe(method, (array, axis, dtype, out), {k: v for k, v in more.items() if v is not np._NoValue})
        return dressed(like, reduced(shape_of(array), axis, keepdims, needs, initial))

    return rule


def _accumulate(method: Any) -> Rule:
    def rule(array: Any, *args: Any, **kwargs: Any) -> Any:
        return dressed(probe(method, (array, *args), kwargs), shape_of(array))

    return rule


def _outer(method: Any) -> Rule:
    nout = method.__self__.nout

    def rule(left: Any, right: Any, **kwargs: Any) -> Any:
        shape = shape_of(left) + shape_of(right)
        return dressed(probe(method, (left, right), kwargs), shape if nout == 1 else [shape] * nout)

    return rule


def _reduceat(method: Any) -> Rule:
    def rule(array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        like = probe(method, (array, [0], axis, dtype, out), {})
        shape, count = shape_of(array), shape_of(indices)
        return dressed(like, replaced(shape, axis_of(axis, len(shape)), count[0]))

    return rule


def _at(method: Any) -> Rule:
    return lambda array, indices, *operand: None


METHODS: dict[str, Callable[[Any], Rule]] = {
    "reduce": _reduce, "accumulate": _accumulate, "outer": _outer, "reduceat": _reduceat, "at": _at,
}  # fmt: skip
"""The methods that every universal function has, with what makes their rules."""


def of_ufunc(function: Any) -> Rule | None:
    """The rule of a universal function or a method of one, also of those that other libraries define."""
    if isinstance(function, np.ufunc):
        return _of_python(function) if calls_python(function) else called(function)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc) and not calls_python(owner):
        for name, make in METHODS.items():
            if function == getattr(owner, name, None):
                return make(function)
    return None


def calls_python(ufunc: np.ufunc) -> bool:
    """Whether it was made by `np.frompyfunc`: asking it would call the user's function with made-up values."""
    return ufunc.types == ["O" * ufunc.nin + "->" + "O" * ufunc.nout]


def _of_python(ufunc: np.ufunc) -> Rule:
    def rule(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) > ufunc.nin:
            raise Unknown(Reason.RULE, "a function of Python's with outputs or a mask")
        shape = broadcast(*[shape_of(a) for a in args])
        if not shape:
            raise Unknown(Reason.CONTENTS, "what the function gives, as it is")
        made = Abstract(shape, np.dtype(object))
        return made if ufunc.nout == 1 else (made,) * ufunc.nout

    return rule


# ---- operators -------------------------------------------------------------------------------------

_ARRAYS = (Abstract, np.ndarray, np.generic)


def plain(args: tuple[Any, ...]) -> bool:
    """Whether there is no array among the arguments."""
    return not any(isinstance(a, _ARRAYS) or (isinstance(a, (list, tuple)) and not plain(tuple(a))) for a in args)


def on_sizes(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """A function of plain values, sizes among them."""
    try:
        return function(*args, **(kwargs or {}))
    except TypeError:
        if any(type(a) is Size for a in args):
            raise Unknown(Reason.RULE, "a number made from sizes that is not an integer") from None
        raise


def operation(function: Function) -> Rule:
    parts = 2 if function is divmod else 1
    paired = _paired(function)

    def rule(*args: Any) -> Any:
        if len(args) == 2 and parts == 1:
            found = paired(args[0], args[1])
            if found is not None:
                return found
        kinds = [type(a) for a in args]
        if Abstract not in kinds and plain(args):
            return on_sizes(function, args)
        like = probe(function, args, {})
        shape = broadcast(*[a.shape if type(a) is Abstract else shape_of(a) for a in args])
        return dressed(like, shape if parts == 1 else [shape] * parts)

    return rule


def _inplace(function: Function) -> Rule:
    def rule(target: Any, value: Any) -> Any:
        if plain((target, value)):
            return on_sizes(function, (target, value))
        like = probe(function, (target, value), {})
        if type(target) is Abstract and not target.scalar:
            return dressed(like, stretched(shape_of(value), target.shape))
        return dressed(like, broadcast(shape_of(target), shape_of(value)))

    return rule


def _matmul_operator(function: Function) -> Rule:
    multiply = generalised(np.matmul)

    def rule(left: Any, right: Any) -> Any:
        left, right = listed(left), listed(right)
        like = probe(function, (left, right), {})
        made = multiply(left, right)
        return made if function is operator.matmul else dressed(like, stretched(made.shape, shape_of(left)))

    return rule


_BINARY: list[Any] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.lt, operator.le, operator.gt,
    operator.ge, operator.eq, operator.ne, operator.neg, operator.pos, operator.invert, operator.abs, abs, divmod, pow,
]  # fmt: skip
_INPLACE: list[Any] = [
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow,
    operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift,
]  # fmt: skip


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {function: operation(function) for function in _BINARY}
    made.update({function: _inplace(function) for function in _INPLACE})
    made.update({function: _matmul_operator(function) for function in (operator.matmul, operator.imatmul)})
    for function in {f for f in vars(np).values() if isinstance(f, np.ufunc)}:
        made[function] = called(function)
        if function.signature is None:
            made.update({getattr(function, name): make(getattr(function, name)) for name, make in METHODS.items()})
    return made
