"""What differs between the versions of torch that are supported, 2.6 and later: asked here, and nowhere else.

Everything is looked up by what is there rather than by the version's number, so that builds between releases work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch.export import Dim

from .call import CannotBeAskedError

OLDEST = (2, 6)


def check() -> None:
    """Raises CannotBeAskedError for a torch that is too old."""
    numbers = re.match(r"(\d+)\.(\d+)", torch.__version__)
    if numbers is not None and (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise CannotBeAskedError(f"torch {torch.__version__} is too old: its tracers are asked from torch 2.6 on")


def draft_export(module: torch.nn.Module, args: tuple[Any, ...], dynamic_shapes: Any) -> tuple[Any, Any]:
    """The exported program and its report; public, and one thing, from 2.7 on."""
    public = getattr(torch.export, "draft_export", None)
    if public is not None:
        program = public(module, args, dynamic_shapes=dynamic_shapes)
        return program, program._report
    from torch.export._draft_export import draft_export as draft

    program, report = draft(module, args, dynamic_shapes=dynamic_shapes)
    return program, report


def any_size() -> Any:
    """The wish that a size be dynamic: told where it cannot be; of 2.6, which cannot tell it, the wish to try."""
    return Dim.DYNAMIC if hasattr(torch.export, "draft_export") else Dim.AUTO


def guard_name(guard: Any) -> str:
    """The source that a guard of Dynamo's is about, as `L['x'].attribute`; a property since 2.10."""
    return _text(guard.name)


def guard_kind(guard: Any) -> str:
    """What kind of guard it is (`TENSOR_MATCH`), which has a method of its own since 2.7."""
    if hasattr(guard, "create_fn_name"):
        return str(guard.create_fn_name())
    return str(guard.inner_create_fn().__name__)


def source_name(source: Any) -> str:
    """The same of a Source."""
    return _text(source.name)


def _text(name: Any) -> str:
    return str(name() if callable(name) else name)


def symbol_sources(shape_env: Any) -> Mapping[Any, list[Any]]:
    """The sources of each symbol of a ShapeEnv: `var_to_sources` was another's name before."""
    found = getattr(shape_env, "var_to_sources", None)
    return found if found is not None else shape_env.source_to_var
