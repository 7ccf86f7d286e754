"""Functions of PyTorch that are NumPy's by another name: each call is told as the NumPy call that does the same.

So shapes and costs have the rules that NumPy's functions have (`shapes`, `costs`), with their sources.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ....shapes import Abstract, Reason, Unknown
from ....shapes.registry import present
from .operands import Call, named, sizes

AsCall = Callable[..., Call]


# ---- reductions ------------------------------------------------------------------------------------


def _reduced(function: Any) -> AsCall:
    def call(x: Any, dim: Any = None, keepdim: Any = False, **more: Any) -> Call:
        return Call(function, (x,), {"axis": _axes(dim), "keepdims": keepdim})

    return call


def _spread(function: Any) -> AsCall:
    """`var(x, unbiased)`, `var(x, dim, unbiased, keepdim)`, `var(x, dim, correction=1, keepdim=True)`."""

    def call(x: Any, dim: Any = None, unbiased: Any = True, keepdim: Any = False, **more: Any) -> Call:
        return Call(function, (x,), {"axis": None if type(dim) is bool else _axes(dim), "keepdims": keepdim})

    return call


def _extremum(function: Any) -> AsCall:
    """`max(x)`, `max(x, dim)`, which gives the places, too, and `max(x, y)` of each pair."""

    def call(x: Any, dim: Any = None, keepdim: Any = False, *, other: Any = None, **more: Any) -> Call:
        other = dim if type(dim) is Abstract else other
        if other is not None:
            return Call(np.maximum, (x, other))
        return Call(function, (x,), {"axis": dim, "keepdims": keepdim})

    return call


def _normed(x: Any, p: Any = 2, dim: Any = None, keepdim: Any = False, **more: Any) -> Call:
    if dim is None:  # of all elements, as one vector
        return Call(np.linalg.norm, (Call(np.ravel, (x,)).result(),), {"keepdims": False, "ord": _order(p)})
    return Call(np.linalg.norm, (x,), {"axis": _axes(dim), "keepdims": keepdim, "ord": _order(p)})


def _vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, **more: Any) -> Call:  # noqa: A002
    return _normed(x, ord, dim, keepdim)


def _order(p: Any) -> Any:
    return None if p in (2, 2.0, "fro") else p


def _axes(dim: Any) -> Any:
    """Axes as NumPy takes them: of none all are reduced."""
    if isinstance(dim, (tuple, list)):
        return tuple(dim) or None
    return dim


def _running(function: Any) -> AsCall:
    return lambda x, dim, **more: Call(function, (x, dim)) if x.shape else Call(np.positive, (x,))


# ---- products --------------------------------------------------------------------------------------


def _differences(x: Any, n: Any = 1, dim: Any = -1, **more: Any) -> Call:
    if any(given is not None for given in more.values()):
        raise Unknown(Reason.RULE, "what is put before or behind")
    return Call(np.diff, (x, n, dim))


def _product(function: Any) -> AsCall:
    def call(x: Any, other: Any, **more: Any) -> Call:
        return Call(function, (x, other))

    return call


def _einsum(equation: Any, *operands: Any) -> Call:
    return Call(np.einsum, (equation, *sizes(operands)))


def _tensordot(a: Any, b: Any, dims: Any = 2, **more: Any) -> Call:
    return Call(np.tensordot, (a, b, dims))


def _chain(*matrices: Any, **more: Any) -> Call:
    return Call(np.linalg.multi_dot, (list(sizes(matrices)),))


# ---- arranging -------------------------------------------------------------------------------------


def _reshaped(x: Any, *shape: Any, **more: Any) -> Call:
    if any(isinstance(part, torch.dtype) for part in shape) or "dtype" in more:
        raise Unknown(Reason.RULE, "a view of another dtype")
    return Call(np.reshape, (x, sizes(shape) or more.get("shape", more.get("size", ()))))


def _permuted(x: Any, *dims: Any, **more: Any) -> Call:
    return Call(np.transpose, (x, sizes(dims) or tuple(more["dims"])))


def _exchanged(x: Any, dim0: Any, dim1: Any, **more: Any) -> Call:
    return Call(np.swapaxes, (x, dim0, dim1))


def _moved(x: Any, source: Any, destination: Any) -> Call:
    return Call(np.moveaxis, (x, source, destination))


def _turned(x: Any) -> Call:
    return Call(np.transpose, (x,))


def _inserted(x: Any, dim: Any) -> Call:
    return Call(np.expand_dims, (x, dim))


def _joined(function: Any) -> AsCall:
    def call(tensors: Any, dim: Any = 0, **more: Any) -> Call:
        return Call(function, (list(tensors), dim))

    return call


def _stacked(function: Any) -> AsCall:
    return lambda tensors, **more: Call(function, (list(tensors),))


def _repeated(x: Any, *repeats: Any, **more: Any) -> Call:
    return Call(np.tile, (x, sizes(repeats) or tuple(more.get("repeats", more.get("dims", ())))))


def _interleaved(x: Any, repeats: Any, dim: Any = None, **more: Any) -> Call:
    return Call(np.repeat, (x, repeats), {"axis": dim})


def _diagonal(x: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Call:
    return Call(np.diagonal, (x, offset, dim1, dim2))


def _with_offset(function: Any) -> AsCall:
    return lambda x, diagonal=0, offset=0, **more: Call(function, (x, diagonal or offset))


def _parted(function: Any) -> AsCall:
    def call(x: Any, indices_or_sections: Any = None, dim: Any = 0, **more: Any) -> Call:
        given = more.get("indices", more.get("sections"))
        return Call(function, (x, indices_or_sections if given is None else given, dim))

    return call


def _parted_along(function: Any) -> AsCall:
    return lambda x, parts, **more: Call(function, (x, parts))


def _chosen(condition: Any, x: Any = None, other: Any = None, **more: Any) -> Call:
    if x is None:
        raise Unknown(Reason.CONTENTS)
    return Call(np.where, (condition, x, other))


def _sorted(function: Any) -> AsCall:
    return lambda x, dim=-1, *more, **named: Call(function, (x, dim))


def _searched(sorted_sequence: Any, x: Any, **more: Any) -> Call:
    return Call(np.searchsorted, (sorted_sequence, x))


# ---- transforms ------------------------------------------------------------------------------------


def _transform(function: Any) -> AsCall:
    def call(x: Any, n: Any = None, dim: Any = -1, norm: Any = None, **more: Any) -> Call:
        return Call(function, (x, n, dim))

    return call


def _transforms(function: Any, *, plane: bool) -> AsCall:
    def call(x: Any, s: Any = None, dim: Any = (-2, -1) if plane else None, norm: Any = None, **more: Any) -> Call:
        return Call(function, (x, *((given,) if type(given) is int else _axes(given) for given in (s, dim))))

    return call


def _solved(x: Any, other: Any, **more: Any) -> Call:
    """A vector is one where it has one axis; PyTorch takes more for vectors, by their sizes."""
    if len(other.shape) != len(x.shape) and (len(other.shape), len(x.shape)) != (1, 2):
        raise Unknown(Reason.RULE, "vectors, or matrices")
    return Call(np.linalg.solve, (x, other))


def _of_matrices(function: Any) -> AsCall:
    """A function of `linalg` that is called as NumPy's is, by position."""

    def call(*args: Any, **kwargs: Any) -> Call:
        return Call(
            function, args, {name: value for name, value in kwargs.items() if name in ("mode", "full_matrices")}
        )

    return call


def calls() -> dict[Any, AsCall]:
    """How a call is told, by the functions themselves."""
    table: list[tuple[str, AsCall]] = [
        *((name, _reduced(getattr(np, its))) for name, its in _REDUCTIONS.items()),
        *((name, _spread(getattr(np, name))) for name in ("std", "var")),
        *((name, _extremum(getattr(np, its))) for name, its in (("max", "argmax"), ("min", "argmin"))),
        *((name, _running(getattr(np, its))) for name, its in _RUNNING.items()),
        *((name, _product(getattr(np, its))) for name, its in _PRODUCTS.items()),
        ("norm", _normed), ("einsum", _einsum), ("tensordot", _tensordot), ("chain_matmul", _chain),
        ("reshape view", _reshaped), ("permute", _permuted), ("transpose swapaxes swapdims", _exchanged),
        ("movedim moveaxis", _moved), ("t", _turned), ("unsqueeze", _inserted),
        ("cat concat concatenate", _joined(np.concatenate)), ("stack", _joined(np.stack)),
        *((name, _stacked(getattr(np, name))) for name in ("hstack", "vstack", "dstack", "column_stack")),
        *((name, _parted_along(getattr(np, name))) for name in ("hsplit", "vsplit", "dsplit")),
        ("repeat tile", _repeated), ("repeat_interleave", _interleaved), ("diagonal", _diagonal),
        ("diag", _with_offset(np.diag)), ("diagflat", _with_offset(np.diagflat)), ("tril", _with_offset(np.tril)),
        ("triu", _with_offset(np.triu)), ("diff", _differences),
        ("logdet", _of_matrices(np.linalg.det)), ("tensor_split", _parted(np.array_split)), ("where", _chosen),
        ("argsort", _sorted(np.argsort)), ("msort", lambda x, **more: Call(np.sort, (x, 0))),
        ("sort", _sorted(np.sort)), ("searchsorted", _searched), ("trace", lambda x: Call(np.trace, (x,))),
        ("ravel", lambda x: Call(np.ravel, (x,))),
        ("bucketize", lambda x, boundaries, **more: Call(np.searchsorted, (boundaries, x))),
    ]  # fmt: skip
    made: dict[Any, AsCall] = {function: call for names, call in table for function in named(names)}
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        made[getattr(torch.fft, name)] = _transform(getattr(np.fft, name))
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
        made[getattr(torch.fft, name)] = _transforms(getattr(np.fft, name), plane=name.endswith("2"))
    for name in _LINALG:
        made.update({function: _of_matrices(getattr(np.linalg, name)) for function in present(torch.linalg, name)})
    made.update({torch.linalg.vector_norm: _vector_norm, torch.linalg.multi_dot: _chain, torch.linalg.solve: _solved})
    made.update(dict.fromkeys((torch.linalg.matmul, operator.matmul), _product(np.matmul)))
    return made


_REDUCTIONS = {
    "sum": "sum", "prod": "prod", "mean": "mean", "amax": "amax", "amin": "amin", "all": "all", "any": "any",
    "argmax": "argmax", "argmin": "argmin", "nansum": "nansum", "nanmean": "nanmean",
    "count_nonzero": "count_nonzero",
}  # fmt: skip
_RUNNING = {"cumsum": "cumsum", "cumprod": "cumprod", "cummax": "cumsum", "cummin": "cumsum"}
_PRODUCTS = {
    "matmul": "matmul", "mm": "matmul", "bmm": "matmul", "mv": "matmul", "dot": "dot", "vdot": "vdot", "inner": "inner",
    "outer": "outer", "ger": "outer", "kron": "kron", "__matmul__": "matmul",
}  # fmt: skip
_LINALG = ("cholesky", "vecdot", "det", "slogdet", "inv", "qr", "svd", "svdvals", "eigh", "eigvalsh", "eig", "eigvals",
           "matrix_power")  # fmt: skip
