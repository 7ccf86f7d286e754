"""Tensors as values: their memory, copies, equality, contents, and the Python that makes them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from ...spelling import dtype_text
from ...traced import TracedArray

_SAME_MEMORY = 1 << 20
_SMALL = 64
"""Tensors of more elements than this are made from their bytes."""
_READ_AS = {torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
"""dtypes that NumPy has not, and those as which their contents are read; those of 8 bits are floats, too."""
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_DEFAULTS = {"f": torch.float32, "i": torch.int64, "b": torch.bool, "c": torch.complex64}


def refusal(tensor: torch.Tensor) -> str | None:
    """Why a tensor cannot be traced: quantized, or of a subclass that has operations of its own."""
    if tensor.is_quantized:
        return "a quantized tensor, which is not followed: give the function its `dequantize()`"
    kind = type(tensor)
    plain = (torch.Tensor.__torch_function__.__func__, torch._C._disabled_torch_function_impl)
    own = getattr(kind.__torch_function__, "__func__", kind.__torch_function__) not in plain
    dispatches = kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__
    if not (own or dispatches) or kind.__module__.startswith("torch."):
        return None
    return f"a {kind.__name__}, a subclass of tensors with operations of its own, which are not followed"


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """The tensors in arguments or a result."""
    if type(value) is TracedArray:
        raise TypeError("a traced tensor must not reach PyTorch's own code")  # which would take it for a tensor
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)


# ---- memory ----------------------------------------------------------------------------------------


def memory(tensor: torch.Tensor) -> Any:
    """What two tensors share if a write into one can change the other."""
    try:
        return "storage", tensor.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):  # a sparse tensor has none
        return "tensor", id(tensor)


def shares(a: Any, b: Any) -> bool:
    """Whether two arrays, tensors or NumPy's, lie in the same memory."""
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return bool(memory(a) == memory(b))
    first, second = _interval(a), _interval(b)
    return first is not None and second is not None and first[0] < second[1] and second[0] < first[1]


def _interval(array: Any) -> tuple[int, int] | None:
    """The addresses between which an array's memory lies."""
    if isinstance(array, np.ndarray):
        return np.lib.array_utils.byte_bounds(array) if array.size else None
    try:
        storage = array.untyped_storage()
        start = storage.data_ptr()
        return (start, start + storage.nbytes()) if start else None
    except (NotImplementedError, RuntimeError):
        return None


def copy(tensor: Any, owners: dict[Any, Any]) -> Any:
    """A copy; tensors of one memory have copies of one memory (kept in `owners` by the memory).

    One tensor has one copy.  A leaf that needs its gradient stays one, a parameter a parameter; what a tensor was
    computed from is let go.
    """
    own = ("copy", id(tensor))
    if own not in owners:
        owners[own] = _copied(tensor, owners)
    return owners[own]


def _copied(tensor: Any, owners: dict[Any, Any]) -> Any:
    key = memory(tensor)
    is_plain = key[0] == "storage" and tensor.layout is torch.strided and not tensor.is_quantized
    if not is_plain or _is_window(tensor):
        made = tensor.detach().clone()
    else:
        if key not in owners:
            storage = tensor.untyped_storage()
            owners[key] = storage.clone()
        made = torch.empty((), dtype=tensor.dtype, device=tensor.device)
        made.set_(owners[key], tensor.storage_offset(), tensor.size(), tensor.stride())
        if tensor.is_conj() or tensor.is_neg():
            made = tensor.detach().clone()
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(made, requires_grad=tensor.requires_grad)
    return made.requires_grad_() if tensor.requires_grad else made


def _is_window(tensor: torch.Tensor) -> bool:
    """Whether a tensor is a small part of a large memory, which need not be copied whole."""
    own = tensor.numel() * tensor.element_size()
    return tensor.untyped_storage().nbytes() > max(_SAME_MEMORY, 16 * own)


def settled(tensor: torch.Tensor) -> torch.Tensor:
    """A result without the history of its gradient; the tensor itself where it has none."""
    return tensor.detach() if tensor.requires_grad else tensor


# ---- contents --------------------------------------------------------------------------------------


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are equal bit for bit (every NaN is the same NaN), in dtype, shape, layout and device."""
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return False
    kinds = [(t.dtype, t.shape, t.layout, t.device) for t in (a, b)]
    if kinds[0] != kinds[1]:
        return False
    with torch.no_grad(), torch._C.DisableTorchFunction():
        if a.layout is not torch.strided:
            a, b = a.to_dense(), b.to_dense()
        if a.is_quantized:
            return bool(torch.equal(a, b))
        left, right = _bits(a), _bits(b)
        return bool(torch.equal(left, right))


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous().cpu()
    if plain.is_complex():
        plain = torch.view_as_real(plain) if plain.dtype is not torch.complex32 else plain.to(torch.complex64)
        plain = torch.view_as_real(plain) if plain.is_complex() else plain
    if plain.is_floating_point():
        plain = torch.where(plain.isnan(), torch.full((), torch.nan, dtype=plain.dtype), plain)
    return (plain if plain.dim() else plain.reshape(1)).view(_BITS[plain.element_size()])


def array(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    """The contents as a NumPy array, for reading."""
    with torch.no_grad(), torch._C.DisableTorchFunction():
        plain = tensor.detach()
        if plain.is_quantized:
            plain = plain.dequantize()
        if plain.layout is not torch.strided:
            plain = plain.to_dense()
        plain = plain.resolve_conj().resolve_neg().cpu()
        if plain.is_floating_point() and plain.element_size() == 1:
            plain = plain.to(torch.float32)
        return np.array(plain.to(_READ_AS.get(plain.dtype, plain.dtype)).numpy())


def like(tensor: torch.Tensor, contents: np.ndarray[Any, Any], dtype: Any = None) -> torch.Tensor:
    """A tensor with other contents on the same device; `dtype` is NumPy's (default: the tensor's own)."""
    with torch.no_grad(), torch._C.DisableTorchFunction():
        plain = torch.from_numpy(np.array(contents))
        kind = tensor.dtype if dtype is None else plain.dtype
        made = plain.to(device=tensor.device, dtype=kind)
        can = made.is_floating_point() or made.is_complex()
        return made.requires_grad_() if tensor.requires_grad and can else made


# ---- text ------------------------------------------------------------------------------------------


def described(tensor: torch.Tensor) -> str:
    """`float32[4, 3]`; with symbolic sizes, their symbols."""
    return f"{dtype_text(tensor.dtype)}[{', '.join(map(str, tensor.shape))}]"


def text(tensor: torch.Tensor) -> str:
    """A tensor as Python that makes it, short where its contents follow a rule."""
    contents = array(tensor)
    kind = "" if _DEFAULTS.get(contents.dtype.kind) is tensor.dtype else f", dtype={tensor.dtype}"
    shape = ", ".join(map(str, tensor.shape))
    if tensor.numel() > 16 or not tensor.numel():
        if not contents.any():
            return f"torch.zeros({shape or '()'}{_dtype(tensor)})"
        if (contents == contents.flat[0]).all():
            return f"torch.full(({shape},), {_number(contents.flat[0].item())}{_dtype(tensor)})"
        ramp = np.arange(1, contents.size + 1).reshape(contents.shape).astype(contents.dtype)
        for sign, values in (("", ramp), ("-", -ramp if contents.dtype.kind in "if" else ramp)):
            if contents.dtype.kind in "if" and np.array_equal(values, contents):
                dot = "." if contents.dtype.kind == "f" else ""
                whole = f"{sign}torch.arange(1{dot}, {contents.size + 1}{dot}{kind})"
                return whole if tensor.dim() == 1 else f"{whole}.reshape({shape})"
    return f"torch.tensor({_nested(contents)}{kind})"


def _dtype(tensor: torch.Tensor) -> str:
    return "" if tensor.dtype is torch.float32 else f", dtype={tensor.dtype}"


def _nested(contents: Any) -> str:
    """Nested lists with floats in their shortest form (`1.` for `1.0`)."""
    if contents.ndim == 0:
        number = _number(contents.item())
        return number[:-1] if number.endswith(".0") else number
    return "[" + ", ".join(_nested(np.asarray(row)) for row in contents) + "]"


def _number(value: Any) -> str:
    return re.sub(r"\b(nan|inf)\b", r"torch.\1", repr(value))


def exact(tensor: torch.Tensor) -> tuple[str, tuple[str, ...]]:
    """A tensor as Python that makes it bit for bit: a template over the names of modules, and these modules."""
    contents = tensor.detach().resolve_conj().resolve_neg().cpu()
    if contents.layout is not torch.strided or contents.is_quantized:
        return "...  # a tensor whose layout has no literal", ()
    dtype = dtype_text(tensor.dtype)
    finite = contents.is_complex() or bool(torch.isfinite(contents.to(torch.float64)).all())
    if contents.numel() <= _SMALL and finite and not contents.is_complex() and contents.element_size() > 0:
        values = contents.tolist()
        made = f"{{0}}.tensor({values!r}, dtype={{0}}.{dtype})"
        return (made if contents.numel() else f"{made}.reshape({tuple(contents.shape)})"), ("torch",)
    raw = contents.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    data = base64.b85encode(raw).decode().replace("{", "{{").replace("}", "}}")
    made = f"{{0}}.frombuffer(bytearray({{1}}.b85decode({data!r})), dtype={{0}}.{dtype})"
    return f"{made}.reshape({tuple(contents.shape)})", ("torch", "base64")
