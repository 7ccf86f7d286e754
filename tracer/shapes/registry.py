"""Which of the functions and modules of a table this version of NumPy has."""

from __future__ import annotations

import importlib
import sys
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
        except ImportError:  # or an attribute only: `numpy.char` before 2.0
            owner, _, attribute = name.rpartition(".")
            module = getattr(sys.modules.get(owner), attribute, None)
            found += [module] if isinstance(module, ModuleType) else []
    return found
