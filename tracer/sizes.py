"""Which sizes follow an input and which are written in the program: by the shapes of a few common operations.

Conservative: an axis is `literal` only where it is certain that no input's size can change it.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .nodes import Kind, Node

_ELEMENTWISE: frozenset[Any] = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.and_, operator.or_,
    operator.xor, operator.neg, operator.pos, operator.invert, abs, np.ndarray.copy, np.ndarray.astype,
    np.copy, np.where, np.clip, np.zeros_like, np.ones_like, np.empty_like,
})  # fmt: skip
_OF_SHAPE: tuple[Any, ...] = (np.zeros, np.ones, np.empty, np.full)


def literal_axis(node: Node, axis: int) -> bool:
    """Whether the size of an axis is the same whatever the inputs' sizes are."""
    if node.kind is not Kind.CALL or node.shape is None or not -len(node.shape) <= axis < len(node.shape):
        return False
    axis %= len(node.shape)
    function: Any = node.function
    if function in _ELEMENTWISE or (isinstance(function, np.ufunc) and function.signature is None):
        return _elementwise(node, axis)
    if function in (np.stack, np.array, np.asarray, np.concatenate):
        return _joined(node, axis)
    if function in (np.percentile, np.quantile, np.nanpercentile, np.nanquantile) and axis == 0:
        return len(node.args) > 1 and isinstance(node.args[1], (list, tuple))
    if function in _OF_SHAPE or function in (np.arange, np.linspace, np.eye, np.identity):
        return not node.operands()
    if function in (np.reshape, np.ndarray.reshape):
        return _reshaped(node, axis)
    return function is operator.getitem and isinstance(node.args[0], Node) and _sliced(node, axis)


def _elementwise(node: Node, axis: int) -> bool:
    assert node.shape is not None
    back = len(node.shape) - axis
    parts = [o for o in node.operands() if o.shape is not None and len(o.shape) >= back]
    return bool(parts) and all(literal_axis(o, len(o.shape or ()) - back) for o in parts)


def _joined(node: Node, axis: int) -> bool:
    parts = node.args[0]
    if not isinstance(parts, (list, tuple)):
        return isinstance(parts, Node) and literal_axis(parts, axis)
    along = (node.kwargs or {}).get("axis", node.args[1] if len(node.args) > 1 and node.function is not np.array else 0)
    if not isinstance(along, int):
        return False
    nodes = [p for p in parts if isinstance(p, Node)]
    if node.function is np.concatenate:
        return bool(nodes) and all(literal_axis(p, axis) for p in nodes)
    assert node.shape is not None
    along %= len(node.shape)
    if axis == along:
        return True
    return bool(nodes) and literal_axis(nodes[0], axis - (axis > along))


def _reshaped(node: Node, axis: int) -> bool:
    shape = node.args[1:] if node.function is np.ndarray.reshape else node.args[1:2]
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    return axis < len(sizes) and type(sizes[axis]) is int and sizes[axis] >= 0


def _sliced(node: Node, axis: int) -> bool:
    """Basic slices keep what they take from a literal axis literal."""
    keys = node.args[1] if type(node.args[1]) is tuple else (node.args[1],)
    if sum(k is Ellipsis for k in keys) == 1:
        whole = (slice(None),) * (len(node.args[0].shape) - sum(k is not None for k in keys) + 1)
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        keys = (*keys[:at], *whole, *keys[at + 1 :])
    if any(k is not None and not isinstance(k, (slice, int)) for k in keys):
        return False
    position, kept = 0, -1
    for key in keys:
        kept += not isinstance(key, int)
        if kept == axis and key is None:
            return True
        if kept == axis and isinstance(key, slice):
            written = not any(isinstance(b, Node) for b in (key.start, key.stop, key.step))
            return written and literal_axis(node.args[0], position)
        position += key is not None
    return literal_axis(node.args[0], position + axis - kept - 1)
