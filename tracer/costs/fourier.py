"""Operations of Fourier transforms: 5 n log2 n for n complex numbers, and half of it where one side is real.

It is the convention of the authors of FFTW (fftw.org/speed: "mflops = 5 N log2(N) / time", 2.5 for real data) and what
the radix-2 algorithm of Cooley and Tukey takes; transforms along several axes count N as the product of their sizes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..shapes.dims import axes_of, axis_of, dims, product, shape_of
from ..shapes.registry import present
from .counts import log2, ratio
from .elementwise import each
from .operands import across, elements
from .rule import Rule


def _complex(result: Any, /, a: Any, n: Any = None, axis: Any = -1, *more: Any, **named: Any) -> Any:
    shape = shape_of(result)
    return 5 * elements(result) * log2(shape[axis_of(axis, len(shape))])


def _from_real(result: Any, /, a: Any, n: Any = None, axis: Any = -1, *more: Any, **named: Any) -> Any:
    """N is how many real numbers go in: those of the array, or as many as are asked for."""
    shape = shape_of(a)
    size = shape[axis_of(axis, len(shape))] if n is None else dims(n)[0]
    return ratio(5, 2) * (across(shape, (axis,)) * size) * log2(size)


def _to_real(result: Any, /, a: Any, n: Any = None, axis: Any = -1, *more: Any, **named: Any) -> Any:
    """N is how many real numbers come out."""
    shape = shape_of(result)
    return ratio(5, 2) * elements(result) * log2(shape[axis_of(axis, len(shape))])


def _several(factor: Any, axes_given: Any, *, real_input: bool = False) -> Rule:
    def rule(result: Any, /, a: Any, s: Any = None, axes: Any = axes_given, *more: Any, **named: Any) -> Any:
        shape = list(shape_of(a if real_input else result))
        places = _places(axes, s, len(shape))
        for axis, size in zip(places, dims(s) if s is not None and real_input else (), strict=False):
            shape[axis] = size
        return factor * product(shape) * log2(product([shape[axis] for axis in places]))

    return rule


def _places(axes: Any, s: Any, ndim: int) -> tuple[int, ...]:
    """The axes that are transformed: those given, else as many of the last ones as there are sizes, else all."""
    if axes is not None:
        return axes_of(tuple(axes), ndim)
    return tuple(range(0 if s is None else ndim - len(dims(s)), ndim))


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    fft = np.fft
    half, last = ratio(5, 2), (-2, -1)
    made: dict[Any, Rule] = {
        fft.fft: _complex, fft.ifft: _complex, fft.rfft: _from_real, fft.ihfft: _from_real, fft.irfft: _to_real,
        fft.hfft: _to_real, fft.fftn: _several(5, None), fft.ifftn: _several(5, None), fft.fft2: _several(5, last),
        fft.ifft2: _several(5, last), fft.irfftn: _several(half, None), fft.irfft2: _several(half, last),
        fft.rfftn: _several(half, None, real_input=True), fft.rfft2: _several(half, last, real_input=True),
    }  # fmt: skip
    made.update(dict.fromkeys(present(fft, "fftfreq rfftfreq"), each(2)))
    return made
