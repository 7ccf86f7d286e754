"""By which names a printed graph reaches functions, classes and other objects that it calls or holds."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from . import libraries
from .positions import FILES

_UFUNC_HOMES = ("numpy", "numpy.strings", "scipy.special", "numpy.linalg")
_NUMPY = ("", ".linalg", ".fft", ".random", ".strings", ".char", ".ma", ".rec", ".polynomial", ".lib.stride_tricks")
"""The public parts of NumPy, below `numpy`: the first that has a function is its home."""
UNNAMED = "a function that has no name of its own"


def address(function: Any) -> tuple[str, str] | None:
    """The module and the dotted name in it that lead to a function or class; None where none do."""
    for library in libraries.LIBRARIES:
        found = library.address(function)
        if found is not None:
            return found
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    module = getattr(function, "__module__", None)
    if isinstance(function, np.ufunc):
        return _of_ufunc(function)
    if not isinstance(name, str):
        return _in_numpy(function, "", "")
    if module is None and getattr(builtins, name, None) is function:
        return "builtins", name
    if module is None or "<" in name or isinstance(function, np.vectorize):
        return None
    if module.split(".")[0] == "numpy":
        return _in_numpy(function, module, name)
    if isinstance(function, MethodType):
        return _of_method(function)
    wraps = isinstance(function, FunctionType) and function.__globals__.get("__name__") != module
    return None if wraps and _resolved(sys.modules.get(module), name) is not function else (module, name)


def _of_method(method: MethodType) -> tuple[str, str] | None:
    """The name of a class method, by the class that it is bound to; a method of another object has none."""
    owner: Any = method.__self__
    if isinstance(owner, ModuleType):
        return owner.__name__, method.__name__
    if not isinstance(owner, type) or "<" in owner.__qualname__:
        return None
    return owner.__module__, f"{owner.__qualname__}.{method.__name__}"


def _of_ufunc(function: np.ufunc) -> tuple[str, str] | None:
    """The module of a ufunc and its name there, which need not be its own."""
    homes = [(home, sys.modules[home]) for home in _UFUNC_HOMES if home in sys.modules]
    for home, module in homes:
        if getattr(module, function.__name__, None) is function:
            return home, function.__name__
    named = ((home, name) for home, module in homes for name, value in vars(module).items() if value is function)
    return next(named, None)


def _in_numpy(function: Any, module: str, name: str) -> tuple[str, str] | None:
    """The public path to one of NumPy's functions: by its name, or by what another name leads to."""
    for home, space in _spaces():
        if space is not None and _resolved(space, name) == function:
            return home, name
    for home, space in _spaces():
        for public, value in vars(space).items() if isinstance(space, ModuleType) else ():
            if public[0] != "_" and type(value) is type(function) and value == function:
                return home, public
    return (module, name) if _resolved(sys.modules.get(module), name) is function else None


def _spaces() -> Iterator[tuple[str, Any]]:
    """The public parts, each asked for only when those before it do not do: some are not loaded yet, and take long."""
    return ((f"numpy{part}", _space(part)) for part in _NUMPY)


def _space(part: str) -> Any:
    space: Any = np
    for step in part.split(".")[1:]:
        space = getattr(space, step, None)
    return space


def _resolved(space: Any, name: str) -> Any:
    for step in name.split("."):  # no name on its way out is asked for: NumPy would warn
        space = vars(space).get(step) if isinstance(space, ModuleType) else getattr(space, step, None)
    return space


def lambda_text(function: Any) -> str | None:
    """The source of a lambda without variables of its surroundings; None where it cannot be told."""
    code = getattr(function, "__code__", None)
    file = FILES.get(code.co_filename) if code is not None else None
    if code is None or file is None or code.co_freevars:
        return None
    found = [n for n in file.nodes if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    if len(found) > 1 and sys.version_info >= (3, 11):
        starts = {(line, column) for line, _, column, _ in code.co_positions() if line is not None}
        found = [n for n in found if any(_holds(n.body, line, column or 0) for line, column in starts)]
    return ast.unparse(found[0]) if len(found) == 1 else None


def _holds(node: ast.expr, line: int, column: int) -> bool:
    last = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return (node.lineno, node.col_offset) <= (line, column) < last
