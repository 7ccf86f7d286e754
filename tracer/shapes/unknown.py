"""Functions of NumPy of which the result is not known from shapes and dtypes, each with the reason: `reasons`.

A new function of NumPy that is neither here nor among the rules is a gap; a test names it.
"""

from __future__ import annotations

import warnings
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from .abstract import Reason
from .registry import modules, present
from .series import FAMILIES

_CONTENTS: dict[str, str] = {
    "nonzero argwhere flatnonzero extract trim_zeros": "as many elements as the contents choose",
    "unique unique_all unique_counts unique_inverse unique_values": "as many elements as there are different ones",
    "intersect1d union1d setdiff1d setxor1d": "as many elements as there are different ones",
    "bincount": "as many bins as the largest element says",
    "poly roots polymul polydiv": "leading zeros are taken off, and roots may be complex",
    "real_if_close": "real or complex, by the contents",
    "allclose may_share_memory shares_memory": "a plain truth value",
    "array2string array_repr array_str format_float_positional format_float_scientific": "a plain text",
    "fromstring fromiter frombuffer fromregex from_dlpack": "as many elements as what is read has",
}
_RULE: dict[str, str] = {
    "apply_along_axis apply_over_axes piecewise fromfunction frompyfunc vectorize mask_indices": (
        "it calls a function of the user's"
    ),
    "asmatrix bmat matrix mat": "it makes a matrix, which has rules of its own",
    "einsum_path": "a plan for the computation, not a result of it",
    "fromfile loadtxt genfromtxt load save savetxt savez savez_compressed memmap DataSource recfromcsv recfromtxt": (
        "it reads or writes files"
    ),
    "isfortran": "it tells how an array lies in memory",
    "nditer ndenumerate ndindex nested_iters broadcast flatiter poly1d busdaycalendar recarray errstate "
    "printoptions ufunc": "it makes an object that is no array",
    "seterr geterr seterrcall geterrcall setbufsize getbufsize set_printoptions get_printoptions get_include "
    "show_config show_runtime info test safe_eval source lookfor who disp deprecate deprecate_with_doc "
    "add_docstring add_newdoc add_newdoc_ufunc set_numeric_ops set_string_function byte_bounds "
    "find_common_type maximum_sctype obj2sctype sctype2char issubclass_ issctype issubsctype asfarray msort "
    "get_array_wrap fastCopyAndTranspose geterrobj seterrobj format_parser": "a setting, a text or a helper",
}
_METHODS: dict[str, str] = {
    "__array__ __array_wrap__ __array_finalize__ __array_prepare__ __array_priority__": "NumPy's own machinery",
    "newbyteorder": "gone from newer versions of NumPy",
}
_OF_SCALARS = "choose compress searchsorted sort"
_MODULES: dict[str, str] = {
    "numpy.char array asarray asanyarray chararray compare_chararrays": "arrays of strings have rules of their own",
    "numpy.lib.array_utils byte_bounds normalize_axis_index normalize_axis_tuple": "a helper",
    "numpy.polynomial.polyutils as_series trimseq trimcoef getdomain mapparms format_float": "a helper of series",
    "numpy.linalg test": "a helper",
    "numpy.fft test": "a helper",
}
_SERIES = "add sub mul div pow mulx companion roots fromroots line trim interpolate"
_WHOLE: list[tuple[Reason, str, str]] = [
    (Reason.CONTENTS, "real or complex, by the contents", "numpy.emath numpy.lib.scimath"),
    (Reason.RULE, "masked arrays have rules of their own", "numpy.ma numpy.ma.core numpy.ma.extras"),
    (Reason.RULE, "records have rules of their own", "numpy.lib.recfunctions numpy.rec"),
]


@cache
def reasons() -> dict[Any, tuple[Reason, str]]:
    """Why there is no rule, by the functions themselves.

    Collected when it is first asked for: masked arrays, records and strings are modules that few programs import.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # names that are on their way out warn when they are read
        return _collected()


def _collected() -> dict[Any, tuple[Reason, str]]:
    found: dict[Any, tuple[Reason, str]] = {}
    for reason, table in ((Reason.CONTENTS, _CONTENTS), (Reason.RULE, _RULE)):
        for words, text in table.items():
            found.update(dict.fromkeys(present(np, words), (reason, text)))
    for words, text in _METHODS.items():
        for kind in (np.ndarray, np.generic):
            found.update(dict.fromkeys(present(kind, words), (Reason.RULE, text)))
    found.update(dict.fromkeys(present(np.generic, _OF_SCALARS), (Reason.RULE, "an array's method, of a scalar")))
    found[np.linalg.lstsq] = (Reason.CONTENTS, "residuals are there only where the rank is full")
    for words, text in _MODULES.items():
        name, names = words.split(" ", 1)
        for module in modules(name):
            found.update(dict.fromkeys(present(module, names), (Reason.RULE, text)))
    for name, start in FAMILIES.items():
        for module in modules(f"numpy.polynomial.{name}"):
            names = " ".join(f"{start}{n}" for n in _SERIES.split()) + f" {start}2poly poly2{start}"
            found.update(dict.fromkeys(present(module, names), (Reason.CONTENTS, "leading zeros are taken off")))
    for reason, text, names in _WHOLE:
        for module in modules(*names.split()):
            found.update(_all_of(module, reason, text))
    return found


def _all_of(module: ModuleType, reason: Reason, text: str) -> dict[Any, tuple[Reason, str]]:
    """The functions that a module defines itself; those that it only hands on are judged where they are at home."""
    named = present(module, " ".join(dir(module)))
    own = [f for f in named if callable(f) and _hashable(f) and f not in _of_numpy() and _at_home(f)]
    return dict.fromkeys(own, (reason, text))


def _at_home(function: Any) -> bool:
    return str(getattr(function, "__module__", None)).startswith("numpy")


@cache
def _of_numpy() -> frozenset[Any]:
    return frozenset(f for f in vars(np).values() if callable(f) and _hashable(f))


def _hashable(value: Any) -> bool:
    return type(value).__hash__ is not None
