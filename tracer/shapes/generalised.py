"""Generalised universal functions, by their signature: `(n?,k),(k,m?)->(n?,m?)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from .abstract import Abstract, Shape
from .dims import axis_of, broadcast, flag, matched, shape_of, stretched
from .probe import Rule, dressed, listed, probe
from .size import Dim

Names = tuple[str, ...]


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
        outs = args[ufunc.nin :] or kwargs.get("out")
        for position, out in enumerate(outs if isinstance(outs, tuple) else (outs,)):
            if isinstance(out, (Abstract, np.ndarray)):
                shapes[position] = stretched(shapes[position], out.shape, "output operand")
        return dressed(like, shapes[0] if ufunc.nout == 1 else shapes)

    return rule


def applied(signature: Signature, shapes: list[Shape], kwargs: dict[str, Any]) -> list[Shape]:
    """The shapes of the outputs; raises ValueError where core dimensions do not fit."""
    cores, outputs, fixed = _present(signature, tuple([len(s) for s in shapes]))
    axes = _axes(kwargs, cores, outputs, [len(s) for s in shapes]) if kwargs else None
    sizes: dict[str, Dim] = dict(fixed)
    loops: list[Shape] = []
    for position, (shape, core) in enumerate(zip(shapes, cores, strict=True)):
        ends, loop = _taken(shape, core, axes[position] if axes is not None else None)
        loops.append(loop)
        for name, size in zip(core, ends, strict=True):
            known = sizes.get(name)
            sizes[name] = size if known is None else matched(known, size, f"mismatch in core dimension {name}")
    together = broadcast(*loops)
    found = [tuple([sizes[n] for n in core]) for core in outputs]
    if axes is None:
        return [together + core for core in found]
    kept = flag(kwargs.get("keepdims", False))
    places = axes[len(shapes) :]
    return [_placed(together, list(c), p, kept, len(cores[0])) for c, p in zip(found, places, strict=True)]


def _taken(shape: Shape, core: Names, places: tuple[int, ...] | None) -> tuple[Shape, Shape]:
    """The core dimensions of an operand, which are the last ones where nothing else is said, and all others."""
    if places is None:
        at = len(shape) - len(core)
        return shape[at:], shape[:at]
    where = [axis_of(a, len(shape)) for a in places]
    return tuple([shape[a] for a in where]), tuple([d for i, d in enumerate(shape) if i not in where])


@lru_cache(maxsize=1024)
def _present(signature: Signature, ranks: tuple[int, ...]) -> tuple[list[Names], list[Names], dict[str, int]]:
    """The core dimensions that operands of these ranks have, and the sizes that the signature itself says."""
    missing = _missing(signature, ranks)
    cores, outputs = (
        [tuple(name for name in core if name not in missing) for core in side]
        for side in (signature.inputs, signature.outputs)
    )
    return cores, outputs, {name: int(name) for core in (*cores, *outputs) for name in core if name.isdigit()}


def _missing(signature: Signature, ranks: tuple[int, ...]) -> set[str]:
    """The optional core dimensions that operands of so few dimensions do not have."""
    missing: set[str] = set()
    for core, rank in zip(signature.inputs, ranks, strict=False):
        for name in core:
            if name in signature.optional and rank < len([n for n in core if n not in missing]):
                missing.add(name)
    for core, rank in zip(signature.inputs, ranks, strict=False):
        if rank < len([n for n in core if n not in missing]):
            raise ValueError("input operand does not have enough dimensions")
    return missing


def _axes(kwargs: dict[str, Any], cores: list[Names], outputs: list[Names], ranks: list[int]) -> list[tuple[int, ...]]:
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
