"""What a `spec` stands for: an array of NumPy's, or a tensor of the library that a function works with.

A dtype that is an object decides: `torch.float32` is a tensor's, `np.float32` an array's.  Where it is a word, or left
out, the parameter's annotation does; where that says nothing, a spec is a tensor in a file that has the library among
its names.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from . import libraries
from .libraries import Library
from .specs import Spec
from .trees import leaves, map_leaves

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def resolved(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
    """The arguments of a call, each spec among them with the dtype of what it stands for.

    Raises ValueError for a dtype that the library has not.
    """
    specs = [leaf for leaf, _ in leaves([list(args), kwargs]) if isinstance(leaf, Spec)]
    if not specs:
        return args, kwargs
    libraries.attend(function, *(spec.given for spec in specs))
    library = libraries.current()
    if library is None:
        return args, kwargs
    annotations = _annotations(function, args, kwargs)
    uses = libraries.is_among(library, vars(sys.modules.get(getattr(function, "__module__", None) or "", object)))
    placed = [_stood(library, arg, annotations.get(at), uses) for at, arg in enumerate(args)]
    named = {name: _stood(library, arg, annotations.get(name), uses) for name, arg in kwargs.items()}
    return tuple(placed), named


def _stood(library: Library, value: Any, annotation: str | None, uses: bool) -> Any:
    def stood(leaf: Any, _: Any) -> Any:
        if not isinstance(leaf, Spec) or not _is_tensor(library, leaf, annotation, uses):
            return leaf
        return replace(leaf, dtype=library.dtype(leaf.given))

    return map_leaves(value, stood)


def _is_tensor(library: Library, spec: Spec, annotation: str | None, uses: bool) -> bool:
    if not isinstance(spec.given, str) and spec.given is not None:
        return isinstance(spec.given, library.objects)
    if annotation is not None:
        return annotation == library.name
    return uses


def _annotations(function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]) -> dict[int | str, str]:
    """The libraries that the annotations of parameters speak of, by the places and names of arguments."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return {}
    found: dict[int | str, str] = {}
    for place, parameter in enumerate(parameters):
        text = parameter.annotation if isinstance(parameter.annotation, str) else repr(parameter.annotation)
        named = "numpy" if "ndarray" in text.lower() else "torch" if "Tensor" in text else None
        if named is not None:
            found[place] = found[parameter.name] = named
    return found
