"""Which of the functions and modules of a table this version of NumPy has."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


def present(owner: Any, names: str) -> list[Any]:
    """The functions of a module or class with these names, those that it does not have left out."""
    found = [getattr(owner, name, None) for name in names.split()]
    return [function for function in found if function is not None]


def modules(*names: str) -> list[ModuleType]:
    """The modules with these names, those that are not there left out."""
    found = []
    for name in names:
        try:
            found.append(importlib.import_module(name))
        except ImportError:
            continue
    return found
