"""The lists of NumPy and SciPy, read from the libraries themselves: every name that the table has to speak of."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.lib.recfunctions
import numpy.ma
import numpy.testing.overrides
import scipy.special  # type: ignore[import-untyped]

from tests.coverage.generated import public


@dataclass(frozen=True, slots=True)
class Family:
    """Names that stand in one table, by what they are."""

    title: str
    names: tuple[str, ...]


def families() -> list[Family]:
    """Every list, in the order of the table; a name is in the first list that has it."""
    lists = {
        "Ufuncs": ufuncs(),
        "Functions": functions(),
        "Methods and attributes of arrays": members(np.ndarray, "np.ndarray"),
        "Methods and attributes of scalars": members(np.generic, "np.generic"),
        "Methods of ufuncs": [f"np.ufunc.{m}" for m in ("reduce", "accumulate", "outer", "reduceat", "at")],
        "Index objects": [f"np.{n}" for n in ("mgrid", "ogrid", "r_", "c_", "s_", "index_exp", "ix_")],
        "Fourier transforms": [f"np.fft.{n}" for n in public(np.fft)],
        "Strings": [f"np.{m}.{n}" for m in ("strings", "char") if hasattr(np, m) for n in public(getattr(np, m))],
        "The rest of NumPy's namespace": [f"np.{n}" for n in public_names(np)],
        "Strides": [f"np.lib.stride_tricks.{n}" for n in public_names(np.lib.stride_tricks)],
        "Records": [
            *(f"np.lib.recfunctions.{n}" for n in public(numpy.lib.recfunctions)),
            *(f"np.rec.{n}" for n in public(np.rec)),
        ],
        "Polynomials": polynomials(),
        "Random numbers": random(),
        "Masked arrays": [f"np.ma.{n}" for n in public(np.ma)],
        "Ufuncs of scipy.special": [f"scipy.special.{n}" for n in public_ufuncs(scipy.special)],
        "Python's operators": [f"operator.{n}" for n in operator.__all__],
    }
    seen: set[str] = set()
    made = []
    for title, names in lists.items():
        made.append(Family(title, tuple(sorted(set(names) - seen, key=lambda n: (n.lower(), n)))))
        seen.update(names)
    return made


def ufuncs() -> list[str]:
    """The ufuncs of NumPy's own list; those that only other functions call are named by their module."""
    return [ufunc_name(ufunc) for ufunc in numpy.testing.overrides.get_overridable_numpy_ufuncs()]


def functions() -> list[str]:
    """The functions of NumPy's own list.

    Modules that NumPy loads only when they are asked for add theirs as they are loaded; those have tables of their own.
    """
    return [spelled(f) for f in overridable()]


def overridable() -> list[Any]:
    listed = numpy.testing.overrides.get_overridable_numpy_array_functions()
    own_tables = re.compile(r"numpy\.(fft|strings|char|ma|rec|polynomial|_core\.\w*str)")
    return [f for f in listed if not own_tables.match(f.__module__)]


def ufunc_name(ufunc: np.ufunc) -> str:
    name = ufunc.__name__
    for module in ("", "strings."):
        if getattr(getattr(np, "strings", np) if module else np, name, None) is ufunc:
            return f"np.{module}{name}"
    return f"np.strings.{name}" if name != "clip" else "np.clip"


def spelled(function: Any) -> str:
    """A function's public dotted name."""
    module = function.__module__.removeprefix("numpy").replace("._", ".").removesuffix("_impl").removeprefix(".")
    name: str = function.__name__
    return f"np.{module}.{name}" if module else f"np.{name}"


def members(kind: type, name: str) -> list[str]:
    """The public methods and attributes of a class, and its special ones that Python's object has not."""
    special = {n for n in dir(kind) if n.startswith("__") and n not in dir(object)}
    asked = {f"__{n}__" for n in ("eq", "ne", "lt", "le", "gt", "ge", "str", "repr", "format", "hash")}
    return [f"{name}.{n}" for n in dir(kind) if not n.startswith("_") or n in special | asked]


def public_names(module: Any) -> Iterable[str]:
    """What a module says is public, without its modules, constants and exceptions."""
    names = set(getattr(module, "__all__", None) or dir(module)) & set(dir(module))
    return sorted(names & set(public(module)))


def public_ufuncs(module: Any) -> list[str]:
    return sorted(n for n in dir(module) if not n.startswith("_") and isinstance(getattr(module, n), np.ufunc))


def polynomials() -> list[str]:
    modules = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre", "polyutils")
    own = [f"np.polynomial.{m}.{n}" for m in modules for n in public(getattr(np.polynomial, m))]
    return own + [f"np.polynomial.{n}" for n in public(np.polynomial)]


def random() -> list[str]:
    own = [f"np.random.{n}" for n in public(np.random)]
    for kind in (np.random.Generator, np.random.RandomState):
        own += [f"np.random.{kind.__name__}.{n}" for n in public(kind)]
    return own


def known(name: str) -> bool:
    """Whether this NumPy (or SciPy) has it."""
    value: Any = {"np": np, "scipy": scipy, "operator": operator}[name.split(".")[0]]
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value is not None
