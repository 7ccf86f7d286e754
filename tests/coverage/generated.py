"""Recipes of what is alike by the hundred: ufuncs and their methods, and whole modules called by templates.

A template is a list of arguments; a function takes the first that plain NumPy accepts for doubles, so that a
function which a new NumPy brings is called, too.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import numpy.lib.recfunctions
import numpy.ma
import numpy.testing.overrides
import scipy.special  # type: ignore[import-untyped]

from tests.coverage.pools import pool

HEADER = """\
import copy
import io
import operator
import os
import tempfile

import numpy as np
import numpy.lib.recfunctions
import numpy.ma
import scipy.special
"""

_CORE = {
    "matmul": "x, w", "vecdot": "x, y", "matvec": "x, y", "vecmat": "v, x", "clip": "x, q, q + q",
}  # fmt: skip
_KINDS = {**dict.fromkeys("bBhHiIlLqQ", "i"), **dict.fromkeys("efdg", "f"), **dict.fromkeys("FDG", "z"),
          "?": "b", "m": "l", "M": "e"}  # fmt: skip
WRITTEN = {
    "np.errstate": ["with np.errstate(divide='ignore'):\n    out = x / q\nout"],
    "np.printoptions": ["with np.printoptions(precision=2):\n    out = x + q\nout"],
    **{f"np.polynomial.{name}": [f"np.polynomial.{name}(v)(x)", f"np.polynomial.{name}(v).coef"]
       for name in ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre")},
    "np.ma.put": ["np.ma.put(np.ma.array(x, mask=b), [0, 2], 1); x"],
    "np.ma.putmask": ["np.ma.putmask(np.ma.array(x), b, q); x"],
    "np.ma.ids": [],
    **{f"np.random.{name}": [] for name in ("set_state", "RandomState.set_state", "Generator.spawn", "SeedSequence")},
    **{f"np.random.{name}": [f"drawn = np.random.Generator(np.random.{name}(0)).normal(); (c, drawn)"]
       for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")},
    "np.random.Generator": ["drawn = np.random.Generator(np.random.PCG64(0)).normal(); (c, drawn)"],
    "np.random.RandomState": ["drawn = np.random.RandomState(0).normal(); (c, drawn)"],
    "np.random.default_rng": ["drawn = np.random.default_rng().normal(); (c, drawn)"],
    "np.ma.empty": ["np.ma.empty(x.shape).shape"],
    "np.ma.empty_like": ["np.ma.empty_like(x).shape"],
    "np.ma.ndenumerate": ["list(np.ma.ndenumerate(np.ma.array(x, mask=b)))"],
    "np.polynomial.set_default_printstyle": ["np.polynomial.set_default_printstyle('unicode')"],
}  # fmt: skip
_ROLES = "xqxqxqxqxqxqxqx"


def recipes() -> dict[str, list[str]]:
    """Everything that is generated."""
    return {
        **{f"np.{name}": calls(f"np.{name}", ufunc) for name, ufunc in ufuncs_of(np)},
        **{f"scipy.special.{name}": special(name, ufunc) for name, ufunc in ufuncs_of(scipy.special)},
        **methods_of_ufuncs(),
        **dict(masked()),
        **dict(random()),
        **dict(polynomials()),
        **WRITTEN,
    }


# ---- ufuncs ----------------------------------------------------------------------------------------


def ufuncs_of(module: ModuleType) -> list[tuple[str, np.ufunc]]:
    """The ufuncs of a module by their public names."""
    return [(n, u) for n, u in sorted(vars(module).items()) if isinstance(u, np.ufunc) and not n.startswith("_")]


def calls(name: str, ufunc: np.ufunc) -> list[str]:
    """A ufunc called, called for each mixture of kinds that it takes, and told where to put its results."""
    if ufunc.signature is not None:
        return [f"{name}({_CORE[ufunc.__name__]})"]
    args = ", ".join(_ROLES[: ufunc.nin])
    found = [f"{name}({args})", *(f"{name}({mixed})" for mixed in mixtures(ufunc))]
    if ufunc.nout == 1:
        found.append(f"out = {name}({args}); {name}({args}, out=out, where=b); out")
    return found


def mixtures(ufunc: np.ufunc) -> Iterator[str]:
    """Operands of different kinds, for each mixture among the ufunc's types; the first kind is the pool's dtype."""
    seen = set()
    for types in ufunc.types:
        kinds = [_KINDS.get(char) for char in types.split("->")[0]]
        if None in kinds or len(set(kinds)) == 1:
            continue
        roles = [kind if kind in "ieblz" or n else "x" for n, kind in enumerate(map(str, kinds))]
        if tuple(roles) not in seen:
            seen.add(tuple(roles))
            yield ", ".join(roles)


def inside() -> dict[str, str]:
    """Ufuncs that NumPy keeps to itself, by the function whose calls they do (their results need room made first)."""
    own = [u.__name__ for u in numpy.testing.overrides.get_overridable_numpy_ufuncs() if u.__name__.startswith("_")]
    made = {name: re.sub("_(chars|whitespace|index|length)$", "", name[1:]) for name in own}
    return {f"np.strings.{n}": "np.ones_like" if outer == "ones_like" else f"np.strings.{outer}"
            for n, outer in made.items()}  # fmt: skip


def special(name: str, ufunc: np.ufunc) -> list[str]:
    """A ufunc of SciPy; where its types say integers only, it gets integers."""
    kinds = [{types[n] in "bBhHiIlLqQ" for types in ufunc.types} for n in range(ufunc.nin)]
    args = ", ".join("abs(i)" if kind == {True} else role for kind, role in zip(kinds, "qqqqqqqqqqqq", strict=False))
    if name.startswith(("pro_", "obl_")):  # of whole orders and |x| < 1, else SciPy searches for ever
        args = ", ".join(("1", "2", "abs(i) + 1", "q / 9", "q / 9")[: ufunc.nin])
    if ufunc.signature is not None or name.startswith(("pro_", "obl_")):
        return [f"scipy.special.{name}({args})"]
    first = args.replace("q", "x", 1)
    return [f"scipy.special.{name}({a})" for a in dict.fromkeys((args, first))]


def methods_of_ufuncs() -> dict[str, list[str]]:
    """The methods of every ufunc of two operands and one result."""
    made: dict[str, list[str]] = {f"np.ufunc.{m}": [] for m in ("reduce", "accumulate", "outer", "reduceat", "at")}
    for name, ufunc in ufuncs_of(np):
        if name != ufunc.__name__ or ufunc.signature is not None:
            continue
        if ufunc.nin == 1 and ufunc.nout == 1:
            made["np.ufunc.at"].append(f"np.{name}.at(x, k); x")
        if (ufunc.nin, ufunc.nout) != (2, 1):
            continue
        made["np.ufunc.reduce"] += [f"np.{name}.reduce(x)", f"np.{name}.reduce(x, axis=1, keepdims=True)"]
        made["np.ufunc.accumulate"].append(f"np.{name}.accumulate(x, axis=1)")
        made["np.ufunc.outer"].append(f"np.{name}.outer(x, p)")
        made["np.ufunc.reduceat"].append(f"np.{name}.reduceat(x, [0, 1], axis=1)")
        made["np.ufunc.at"].append(f"np.{name}.at(x, k, c); x")
    made["np.ufunc.at"].append("np.add.at(x, (k, k), p); x")
    return made


# ---- modules by templates --------------------------------------------------------------------------


def masked() -> Iterator[tuple[str, list[str]]]:
    """Functions of numpy.ma on a masked array."""
    array = "np.ma.array(x, mask=b)"
    row, square = "np.ma.array(v, mask=g)", "np.ma.array(s)"
    templates = (
        array, f"{array}, {array}", f"{array}, 2", row, f"{row}, {row}", f"{array}, 0.5, 1.5", f"b, {array}", "b, b",
        "x.shape", "3", "x, b", f"{array}, 0, 1", f"np.sum, 1, {array}", f"np.ma.sum, {array}, [0]",
        f"({array}, {array})",
        f"{row}, {row}, 1", f"{array}, [1]", f"k % 2, ({row}, {row})", f"g, {array}, 0", f"{array}, k, p",
        f"{array}, b, x",
        square, "b'abcdefgh'", "x.dtype", "x.dtype, 0", "lambda a: a, (3,)", f"{array}, x.shape", "(2, 2)",
        f"{array}, 'f8'",
        "np.ma.array(d)",
    )  # fmt: skip
    yield from by_template("np.ma", np.ma, templates)


def random() -> Iterator[tuple[str, list[str]]]:
    """Functions of numpy.random, and methods of its two generators."""
    templates = (
        "", "2", "0.5", "2, 0.5", "2.0, 3.0", "1, 2, 3", "5, 4, 6", "5", "[0.25, 0.75]", "3, [0.25, 0.75]",
        "[0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]", "v", "np.random.get_state()", "[3, 4], 2", "1.0, 2.0, 3.0",
    )  # fmt: skip
    before = np.random.get_state()
    owners = {"np.random": np.random, "np.random.default_rng(0)": np.random.default_rng(0),
              "np.random.RandomState(0)": np.random.RandomState(0)}  # fmt: skip
    for owner, of in owners.items():
        for name, drawn in by_template(owner, of, templates):
            public_name = name.replace("default_rng(0)", "Generator").replace("RandomState(0)", "RandomState")
            yield public_name, [f"drawn = {call}; (c, drawn)" for call in drawn]
    np.random.set_state(before)


def polynomials() -> Iterator[tuple[str, list[str]]]:
    """Functions of the modules of numpy.polynomial, and their classes."""
    templates = (
        "v", "v, p", "x, v", "v, p, 2", "v, 2", "3", "h, h, 2", "v, p, s", "v, p, v, t", "v, v, v, t", "v, p, [1, 2]",
        "v, p, v, [1, 1, 1]", "0.5, 1.5", "[-1, 1], [0, 1]", "v, [-1, 1], [0, 1]", "v, [-1, 1]", "lambda a: a * a, 2",
        "", "3, [-1, 1]",
    )  # fmt: skip
    for module in ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre", "polyutils"):
        yield from by_template(f"np.polynomial.{module}", getattr(np.polynomial, module), templates)


def by_template(owner: str, of: Any, templates: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The public callables of a module or object, each with the first arguments that it accepts."""
    for name in public(of):
        accepted = next((a for a in templates if runs(f"{owner}.{name}({a})")), None)
        yield f"{owner}.{name}", [] if accepted is None else [f"{owner}.{name}({accepted})"]


def public(of: Any) -> list[str]:
    """The names of what one can call in a module or object, exceptions aside."""
    names = sorted(getattr(of, "__all__", None) or [name for name in dir(of) if not name.startswith("_")])
    names = [name for name in names if not name.startswith("_") or name.startswith("__")]
    found: list[tuple[str, Any]] = [(name, getattr(of, name, None)) for name in names]
    return [n for n, f in found if callable(f) and not (isinstance(f, type) and issubclass(f, BaseException))]


def runs(code: str, dtype: str = "d") -> bool:
    """Whether plain NumPy can do this with the arrays of a pool."""
    return plain(code, pool(dtype, 3, 4)) is not None


def plain(code: str, arrays: dict[str, Any]) -> Callable[[], Any] | None:
    """What `code` gives, as a function; None where it raises."""
    names: dict[str, Any] = {"np": np, "scipy": scipy, **arrays}
    with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            result = eval(code, names)
        except Exception:
            return None
    return lambda: result
