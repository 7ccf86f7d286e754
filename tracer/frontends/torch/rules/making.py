"""Shapes of what makes tensors: of sizes, of data, of what they are to be as large as."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ....shapes import Abstract, Reason, Unknown, infer
from ....shapes.dims import dims, product, shape_of
from .operands import Rule, in_numpy, like, named, sizes

_COUNTS = torch.int64


def _made(*size: Any, dtype: Any = None, **more: Any) -> Abstract:
    return Abstract(dims(sizes(size) if size else more.get("size", ())), dtype or torch.get_default_dtype())


def _filled(size: Any, fill_value: Any = 0, **more: Any) -> Abstract:
    return Abstract(dims(size), torch.get_default_dtype())


def _made_by(x: Abstract, *size: Any, **more: Any) -> Abstract:
    """`x.new_zeros(2, 3)`."""
    return like(x, dims(sizes(size) if size else more["size"]))


def _filled_by(x: Abstract, size: Any, fill_value: Any = 0, **more: Any) -> Abstract:
    return like(x, dims(size))


def _counted(*bounds: Any, **more: Any) -> Abstract:
    given = tuple(more[name] for name in ("start", "end", "step") if name in more)
    return Abstract(infer(np.arange, (*bounds, *given)).shape, _COUNTS)


def _spaced(start: Any, end: Any, steps: Any, *more: Any, **named: Any) -> Abstract:
    return Abstract(dims(steps), torch.get_default_dtype())


def _unit(n: Any, m: Any = None, **more: Any) -> Abstract:
    return Abstract((dims(n)[0], dims(n if m is None else m)[0]), torch.get_default_dtype())


def _drawn(*bounds: Any, **more: Any) -> Abstract:
    """`randint(low, high, size)`: the size is the last one."""
    return Abstract(dims(more.get("size", bounds[-1])), _COUNTS)


def _permutation(n: Any, **more: Any) -> Abstract:
    return Abstract(dims(n), _COUNTS)


def _of_data(data: Any, dtype: Any = None, **more: Any) -> Abstract:
    kind = dtype if isinstance(dtype, torch.dtype) else getattr(data, "dtype", torch.get_default_dtype())
    return Abstract(shape_of(in_numpy(data)), kind)


def _picks(x: Abstract, num_samples: Any, *more: Any, **named: Any) -> Abstract:
    return Abstract((*x.shape[:-1], dims(num_samples)[0]), _COUNTS)


def _grid(*given: Any, indexing: Any = "ij") -> tuple[Abstract, ...]:
    parts = sizes(given)
    lengths = tuple([part.shape[0] if part.shape else 1 for part in parts])
    shape = (lengths[1], lengths[0], *lengths[2:]) if indexing == "xy" and len(lengths) > 1 else lengths
    return tuple(like(part, shape) for part in parts)


def _product_of_all(*given: Any) -> Abstract:
    parts = sizes(given)
    if len(parts) == 1:
        return like(parts[0], parts[0].shape)
    return like(parts[0], (product([part.shape[0] for part in parts]), len(parts)))


def _coded(tensor: Abstract, num_classes: Any = -1) -> Abstract:
    if type(num_classes) is int and num_classes < 0:
        raise Unknown(Reason.CONTENTS, "as many classes as the largest says")
    return like(tensor, (*tensor.shape, dims(num_classes)[0]))


def _histogram(x: Abstract, bins: Any = 100, *more: Any, **named: Any) -> Abstract:
    return like(x, dims(bins))


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "zeros ones empty rand randn": _made, "full": _filled, "new_zeros new_ones new_empty": _made_by,
        "new_full": _filled_by, "arange": _counted, "linspace logspace": _spaced, "eye": _unit, "randint": _drawn,
        "randperm": _permutation, "tensor as_tensor asarray from_numpy": _of_data, "multinomial": _picks,
        "meshgrid": _grid, "cartesian_prod": _product_of_all, "one_hot": _coded, "histc": _histogram,
    }  # fmt: skip
    return {function: rule for names, rule in table.items() for function in named(names)}
