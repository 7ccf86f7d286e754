"""Generalised universal functions, by their signature: `(n?,k),(k,m?)->(n?,m?)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from .abstract import Abstract, Shape
from .dims import axis_of, broadcast, flag, matched, shape_of, stretched
from .probe import Rule, dressed, listed, probe
from .size import Dim


@dataclass(frozen=True, slots=True)
class Signature:
    """The core dimensions of inputs and outputs; those in `optional` may be missing."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]
    optional: frozenset[str]


def parsed(text: str) -> Signature:
    """A signature as NumPy writes it."""
    sides = [re.findall(r"\(([^)]*)\)", side) for side in text.split("->")]
    names = [[tuple(w.strip() for w in core.split(",") if w.strip()) for core in side] for side in sides]
    optional = frozenset(name[:-1] for side in names for core in side for name in core if name.endswith("?"))
    inputs, outputs = (tuple(tuple(n.rstrip("?") for n in core) for core in side) for side in names)
    return Signature(inputs, outputs, optional)


def generalised(ufunc: np.ufunc) -> Rule:
    """The rule of a universal function that works on core dimensions."""
    signature = parsed(ufunc.signature or "")

    def rule(*args: Any, **kwargs: Any) -> Any:
        args = tuple([listed(a) for a in args])
        like = probe(ufunc, args, kwargs)
        shapes = applied(signature, [shape_of(a) for a in args[: ufunc.nin]], kwargs)
        outs = args[ufunc.nin :] or kwargs.get("out") or ()
        for position, out in enumerate(outs if isinstance(outs, tuple) else (outs,)):
            if isinstance(out, (Abstract, np.ndarray)):
                shapes[position] = stretched(shapes[position], out.shape, "output operand")
        return dressed(like, shapes[0] if ufunc.nout == 1 else shapes)

    return rule


def applied(signature: Signature, shapes: list[Shape], kwargs: dict[str, Any]) -> list[Shape]:
    """The shapes of the outputs; raises ValueError where core dimensions do not fit."""
    cores = [list(core) for core in signature.inputs]
    missing = _missing(signature, shapes)
    cores = [[name for name in core if name not in missing] for core in cores]
    outputs = [[name for name in core if name not in missing] for core in signature.outputs]
    axes = _axes(kwargs, cores, outputs, [len(s) for s in shapes])
    sizes: dict[str, Dim] = {name: int(name) for core in (*cores, *outputs) for name in core if name.isdigit()}
    loops: list[Shape] = []
    for shape, core, places in zip(shapes, cores, axes, strict=False):
        where = [axis_of(a, len(shape)) for a in places]
        for name, axis in zip(core, where, strict=False):
            sizes[name] = matched(sizes.get(name, shape[axis]), shape[axis], f"mismatch in core dimension {name}")
        loops.append(tuple([d for i, d in enumerate(shape) if i not in where]))
    loop = broadcast(*loops)
    kept = flag(kwargs.get("keepdims", False))
    return [_placed(loop, [sizes[n] for n in core], places, kept, len(cores[0]))
            for core, places in zip(outputs, axes[len(shapes) :], strict=False)]  # fmt: skip


def _missing(signature: Signature, shapes: list[Shape]) -> set[str]:
    """The optional core dimensions that operands of so few dimensions do not have."""
    missing: set[str] = set()
    for core, shape in zip(signature.inputs, shapes, strict=False):
        for name in core:
            if name in signature.optional and len(shape) < len([n for n in core if n not in missing]):
                missing.add(name)
    for core, shape in zip(signature.inputs, shapes, strict=False):
        if len(shape) < len([n for n in core if n not in missing]):
            raise ValueError("input operand does not have enough dimensions")
    return missing


def _axes(
    kwargs: dict[str, Any], cores: list[list[str]], outputs: list[list[str]], ranks: list[int]
) -> list[tuple[int, ...]]:
    """Where the core dimensions of each operand stand; the last axes where nothing else is said."""
    last = [tuple(range(-len(core), 0)) for core in (*cores, *outputs)]
    given, axis = kwargs.get("axes"), kwargs.get("axis")
    if axis is not None:
        if max((abs(axis + (axis >= 0)) for _ in ranks), default=0) > min(ranks, default=0):
            raise AxisError(axis, min(ranks))
        return [(axis,) if core else () for core in (*cores, *outputs)]
    if given is None:
        return last
    listed = [(a,) if isinstance(a, int) else tuple(a) for a in given]
    return listed + last[len(listed) :]


def _placed(loop: Shape, core: list[Dim], places: tuple[int, ...], kept: bool, reduced: int) -> Shape:
    """The loop's dimensions with the core ones among them."""
    if kept and not core:
        core = [1] * reduced
        places = places or tuple(range(-reduced, 0))
    ndim = len(loop) + len(core)
    where = dict(zip([axis_of(a, ndim) for a in places], core, strict=False))
    rest = iter(loop)
    return tuple([where[i] if i in where else next(rest) for i in range(ndim)])
