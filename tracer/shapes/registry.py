"""Which of the functions of a table this version of NumPy has."""

from __future__ import annotations

from typing import Any


def present(owner: Any, names: str) -> list[Any]:
    """The functions of a module or class with these names, those that it does not have left out."""
    found = [getattr(owner, name, None) for name in names.split()]
    return [function for function in found if function is not None]
