"""Every function of NumPy has a rule, or an entry that says why not: a new version shows what is new."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import numpy.testing.overrides as overrides
import pytest

from tracer.shapes import RULES, Unknown, has_rule, infer, reasons

MODULES = [
    np, np.linalg, np.fft, np.char, np.lib.stride_tricks, np.emath, np.ma, np.rec, np.polynomial.polynomial,
    np.polynomial.chebyshev, np.polynomial.legendre, np.polynomial.laguerre, np.polynomial.hermite,
    np.polynomial.hermite_e, np.polynomial.polyutils, *([np.strings] if hasattr(np, "strings") else []),
]  # fmt: skip
SERIES = {"ABCPolyBase", "Polynomial", "Chebyshev", "Legendre", "Laguerre", "Hermite", "HermiteE"}
"""Classes of series: objects of their own."""
PRIVATE = {np.testing, np.random}


def judged(function: Any) -> bool:
    return function in reasons() or has_rule(function)


def functions_of(module: types.ModuleType) -> dict[str, Any]:
    """The callables that a module offers, exceptions and modules left out."""
    named = {name: getattr(module, name) for name in getattr(module, "__all__", dir(module))}
    return {
        name: found
        for name, found in named.items()
        if callable(found)
        and not name.startswith("_")
        and not (isinstance(found, type) and issubclass(found, (BaseException, Warning)))
        and name not in SERIES
    }


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_function_is_judged(module: types.ModuleType) -> None:
    assert [name for name, function in functions_of(module).items() if not judged(function)] == []


def test_everything_that_can_be_overridden_is_judged() -> None:
    public = {f"{f.__module__}.{f.__name__}": f for f in overrides.get_overridable_numpy_array_functions()}
    missing = []
    for name, function in public.items():
        module, _, attribute = name.rpartition(".")
        owner = np if module == "numpy" else None
        seen = getattr(owner, attribute, function) if owner is not None else function
        if not judged(seen) and not judged(function):
            missing.append(name)
    assert missing == []
    assert [f for f in overrides.get_overridable_numpy_ufuncs() if not judged(f)] == []


@pytest.mark.parametrize("kind", [np.ndarray, np.generic])
def test_every_method_is_judged(kind: type) -> None:
    names = [n for n in dir(kind) if not n.startswith("_") and callable(getattr(kind, n))]
    assert [n for n in names if not judged(getattr(kind, n))] == []


def test_methods_of_universal_functions_are_judged() -> None:
    ufuncs = [f for f in vars(np).values() if isinstance(f, np.ufunc) and f.signature is None]
    assert all(has_rule(getattr(f, n)) for f in ufuncs for n in ("reduce", "accumulate", "outer", "reduceat", "at"))


def test_nothing_has_a_rule_and_a_reason() -> None:
    assert [f for f in reasons() if f in RULES] == []


def test_a_reason_is_what_infer_raises() -> None:
    for function, (reason, text) in reasons().items():
        with pytest.raises(Unknown) as raised:
            infer(function, ())
        assert (raised.value.reason, raised.value.text) == (reason, text)
