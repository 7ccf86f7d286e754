"""Tensors of PyTorch as Python text, by the rules of `arrays.py`: a few contents are spelled out, others made alike.

PyTorch is handed in, as it is the user's, with the name that the module has for it.  Only what lies dense in main
memory is told.  Whoever listens to operations on tensors (a mode, a trace of `torch.jit`) would hear of ours, so that
nothing is told then.
"""

from __future__ import annotations

from typing import Any

from .arrays import FEW, LONGEST, MOST, is_constant, is_counted, nested, power_of_ten, scalar_text

_USUAL = ("float32", "int64", "bool")
"""The dtypes that `torch.tensor` takes by itself."""


def tensor_kind(tensor: Any) -> str:
    """`torch.float32[2, 3]`."""
    return f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]"


def tensor_text(tensor: Any, torch: Any, name: str) -> str | None:
    """The text that makes a tensor like this one, where PyTorch is called `name`; None for one that is not told."""
    if _listened(torch) or tensor.layout is not torch.strided or tensor.device.type != "cpu" or tensor.is_quantized:
        return None
    shape, dtype = tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
    if tensor.numel() > MOST:
        return f'spec({shape}, "{dtype}")'
    contents = tensor.detach().resolve_conj().resolve_neg()
    is_narrow = tensor.dtype.is_floating_point and tensor.element_size() < 4  # some of these are none of NumPy's
    array = (contents.float() if is_narrow else contents).numpy()
    kept = "" if dtype in _USUAL else f", dtype={name}.{dtype}"
    text = _spelled(array, shape, name, kept) or _alike(array, shape, name, dtype)
    if not tensor.requires_grad:
        return text
    return f"({text}).requires_grad_()" if " * " in text else f"{text}.requires_grad_()"


def _listened(torch: Any) -> bool:
    inside = torch._C
    modes = inside._len_torch_dispatch_stack() + inside._len_torch_function_stack()
    return bool(modes) or inside._get_tracing_state() is not None


def _spelled(array: Any, shape: tuple[int, ...], name: str, kept: str) -> str | None:
    """Constant and counted contents, and all of a few elements that are short."""
    if not array.size:
        return f"{name}.zeros({_sizes(shape)}{kept})"
    number = array.dtype.kind in "iuf"
    if array.size > 2 and array.ndim and is_constant(array):
        first = array.flat[0]
        if number and first in (0, 1):
            return f"{name}.{'ones' if first else 'zeros'}({_sizes(shape)}{kept or _unless_float(array, name)})"
        return f"{name}.full({shape}, {scalar_text(first)}{kept})"
    if is_counted(array):
        return f"{name}.arange({scalar_text(array[0])}, {scalar_text(array[-1] + 1)}{kept})"
    if array.size > FEW or any(len(scalar_text(one)) > LONGEST for one in array.flat):
        return None
    return f"{name}.tensor({nested(array)}{kept})"


def _sizes(shape: tuple[int, ...]) -> str:
    return ", ".join(map(str, shape)) or "()"


def _unless_float(array: Any, name: str) -> str:
    return "" if array.dtype.kind == "f" else f", dtype={name}.{array.dtype.name}"


def _alike(array: Any, shape: tuple[int, ...], name: str, dtype: str) -> str:
    """Random contents within the bounds of these."""
    if array.dtype.kind == "b":
        return f"{name}.randint(2, {shape}, dtype={name}.bool)"
    if array.dtype.kind in "iu":
        kept = "" if dtype == "int64" else f", dtype={name}.{dtype}"
        return f"{name}.randint({int(array.min())}, {int(array.max()) + 1}, {shape}{kept})"
    kept = "" if dtype == "float32" else f", dtype={name}.{dtype}"
    if array.dtype.kind == "c":
        return f"{name}.randn({_sizes(shape)}{kept})"
    finite = array[abs(array) < float("inf")]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    drawn = f"{name}.{'randn' if low < 0 else 'rand'}({_sizes(shape)}{kept})"
    scale = power_of_ten(max(-low, high) / 3 if low < 0 else high)
    return drawn if scale == 1 else f"{scale:g} * {drawn}"
