"""`numpy.fft`: lengths, axes and the halves of real transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract
from .dims import as_abstract, axes_of, axis_of, dim, integer, replaced, shape_of
from .probe import Rule, dressed, probe
from .size import Dim, hint

HALVED, DOUBLED, WHOLE = "halved", "doubled", "whole"


def _length(size: Dim, count: Any, form: str) -> Dim:
    """The length of the result along an axis of that size, where the transform is told to take `count` points."""
    if form == DOUBLED:
        points = 2 * (size - 1) if count is None else dim(count)
    else:
        points = size if count is None else dim(count)
    if hint(points) < 1:
        raise ValueError(f"Invalid number of FFT data points ({points}) specified.")
    return points // 2 + 1 if form == HALVED else points


def _one(function: Any, form: str) -> Rule:
    def rule(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        like = probe(function, (a, None, axis, norm), {}, 3)
        shape = shape_of(a)
        along = axis_of(axis, len(shape))
        return dressed(like, replaced(shape, along, _length(shape[along], n, form)))

    return rule


def _several(function: Any, form: str, default: Any) -> Rule:
    def rule(a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None) -> Any:
        shape = shape_of(a)
        counts: Any = None if s is None else list(s)
        if axes is None:
            axes = range(len(shape)) if counts is None else range(-len(counts), 0)
        places = [axis_of(x, len(shape)) for x in axes]
        counts = [None] * len(places) if counts is None else [None if type(c) is int and c == -1 else c for c in counts]
        if len(counts) != len(places):
            raise ValueError("Shape and axes have different lengths.")
        like = probe(function, (a, None, tuple(places), norm), {}, 3)
        for position, (along, count) in enumerate(zip(places, counts, strict=False)):
            last = position == len(places) - 1
            shape = replaced(shape, along, _length(shape[along], count, form if last else WHOLE))
        return dressed(like, shape)

    return rule


def _shifted(x: Any, axes: Any = None) -> Any:
    known = as_abstract(x)
    if axes is not None:
        axes_of(axes, len(known.shape))
    return Abstract(known.shape, known.dtype)


def _frequencies(function: Any, form: str) -> Rule:
    def rule(n: Any, d: Any = 1.0, *more: Any, **named: Any) -> Any:
        like = probe(function, (4, d, *more), named)
        count = integer(n) if not hasattr(n, "terms") else n
        return dressed(like, (count // 2 + 1 if form == HALVED else count,))

    return rule


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    fft = np.fft
    made: dict[Any, Rule] = {
        fft.fft: _one(fft.fft, WHOLE), fft.ifft: _one(fft.ifft, WHOLE), fft.rfft: _one(fft.rfft, HALVED),
        fft.irfft: _one(fft.irfft, DOUBLED), fft.hfft: _one(fft.hfft, DOUBLED), fft.ihfft: _one(fft.ihfft, HALVED),
        fft.fftfreq: _frequencies(fft.fftfreq, WHOLE), fft.rfftfreq: _frequencies(fft.rfftfreq, HALVED),
        fft.fftshift: _shifted, fft.ifftshift: _shifted,
    }  # fmt: skip
    for function, form, default in (
        (fft.fftn, WHOLE, None), (fft.ifftn, WHOLE, None), (fft.rfftn, HALVED, None), (fft.irfftn, DOUBLED, None),
        (fft.fft2, WHOLE, (-2, -1)), (fft.ifft2, WHOLE, (-2, -1)), (fft.rfft2, HALVED, (-2, -1)),
        (fft.irfft2, DOUBLED, (-2, -1)),
    ):  # fmt: skip
        made[function] = _several(function, form, default)
    return made
