"""Which results lie in the memory of an operand: asked of hollow arrays, whose memory does not tell.

Where NumPy decides by the layout of its operand (`reshape`, `ravel`) it is taken for a view, so that no write is lost.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .nodes import Node


def _known(space: Any, names: str) -> list[Any]:
    """The functions of these names, as far as this NumPy has them."""
    return [getattr(space, name) for name in names.split() if hasattr(space, name)]


VIEWS: frozenset[Any] = frozenset([
    *_known(np, "reshape ravel transpose permute_dims matrix_transpose swapaxes squeeze expand_dims moveaxis rollaxis"),
    *_known(np, "broadcast_to flip fliplr flipud rot90 diagonal split array_split hsplit vsplit dsplit unstack"),
    *_known(np, "real imag atleast_1d atleast_2d atleast_3d"),
    *_known(np.ndarray, "reshape ravel transpose swapaxes squeeze diagonal view getfield to_device __getitem__"),
    *_known(np.linalg, "diagonal matrix_transpose"),
    *_known(np.lib.stride_tricks, "sliding_window_view as_strided broadcast_to"),
])  # fmt: skip
"""Functions whose result is a view of their first argument, or may be."""
_UNLESS_CONVERTED: frozenset[Any] = frozenset(
    _known(np, "asarray asanyarray ascontiguousarray asfortranarray require asarray_chkfinite")
)
"""Functions whose result is their first argument, where it has the dtype already."""
_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat", "base"})
_EACH = frozenset({np.broadcast_arrays, np.meshgrid})
"""Functions that give a view of each of their arguments."""


def base_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], result: Any) -> Node | None:
    """The node in whose memory the result of an operation lies; `args` and `kwargs` are those of its node."""
    first = next((a for a in args if type(a) is Node), None)
    if first is None or first.shape is None:
        return None
    return first.owner if _is_view(function, args, kwargs, first, result) else None


def base_of_part(node: Node, index: int, part: Any) -> Node | None:
    """The node in whose memory one part of a result lies, which is a sequence."""
    assert node.function is not None
    if node.function not in _EACH:
        return base_of(node.function, node.args, node.kwargs or {}, part)
    copied = node.function is np.meshgrid and (node.kwargs or {}).get("copy") is not False
    arg = node.args[index] if index < len(node.args) and not copied else None
    return arg.owner if type(arg) is Node else None


def _is_view(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], first: Node, result: Any
) -> bool:
    if function in VIEWS:
        return True
    if function is getattr:
        return args[1] in _ATTRIBUTES
    if function is operator.getitem:
        return _is_basic(args[1])
    if function is np.diag:
        return len(first.shape or ()) == 2
    if function in (np.ndarray.conj, np.ndarray.conjugate):
        return bool(first.dtype.kind != "c")
    if function is np.einsum:
        return _only_turns(args)
    same = bool(getattr(result, "dtype", None) == first.dtype)
    if function in _UNLESS_CONVERTED:
        return same
    if function in (np.array, np.ndarray.astype, getattr(np, "astype", np.array)):
        copied = kwargs.get("copy", args[4] if function is np.ndarray.astype and len(args) > 4 else True)
        return same and not copied
    return False


def _is_basic(key: Any) -> bool:
    keys = key if type(key) is tuple else (key,)
    return all(
        k is None or k is Ellipsis or isinstance(k, (int, slice, str)) or (type(k) is Node and not k.shape)
        for k in keys
    )


def _only_turns(args: tuple[Any, ...]) -> bool:
    """Whether an `einsum` of one array sums nothing: it permutes axes, or takes a diagonal."""
    if not isinstance(args[0], str) or len(args) != 2:
        return False
    taken, arrow, given = args[0].replace(" ", "").partition("->")
    if not arrow:
        return len(set(taken)) == len(taken)
    return set(taken) == set(given)
