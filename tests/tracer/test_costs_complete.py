"""Every function that the tracer knows has a rule of costs, or stands here by name with the reason why it has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tracer.costs import RULES, TRAFFIC, rules_of
from tracer.shapes import RULES as SHAPES
from tracer.shapes import has_rule, reasons

MODULES = {
    "numpy.strings": "text: what an operation on it is, is not said in scalars",
    "numpy.char": "the same",
    "numpy._core.strings": "the same",
    "numpy.ma": "masked arrays: each operation works on contents and masks, and the masks decide",
    "numpy.rec": "records",
    "numpy.core.records": "records",
    "numpy._core.defchararray": "text, too",
    "numpy.core.overrides": "a helper",
    "numpy._core.overrides": "a helper",
    "numpy._utils": "a helper",
    "numpy.__config__": "a helper",
    "numpy.lib.recfunctions": "records",
    "numpy.polynomial": "series: loops in Python, in which leading zeros count",
    "numpy.lib.scimath": "the contents decide whether complex numbers come out",
    "numpy.emath": "the same",
    "numpy.lib._scimath_impl": "the same",
}
"""Modules without rules, and why."""
NAMES = {
    "it calls a function of the user's": "apply_along_axis apply_over_axes frompyfunc fromfunction piecewise vectorize",
    "contents decide how many elements it works on, or writes": (
        "place putmask reduceat trim_zeros real_if_close poly roots polydiv mask_indices"
    ),
    "it counts by bins, whose number or edges the contents decide": (
        "histogram histogram2d histogramdd histogram_bin_edges"
    ),
    "a fit: a matrix of powers, scaled, and least squares": "polyfit",
    "positions of a triangle: as many as a mask has": "tril_indices triu_indices tril_indices_from triu_indices_from",
    "dates": "busday_count busday_offset is_busday busdaycalendar datetime_as_string datetime_data",
    "text": (
        "array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific "
        "array_function_from_c_func_and_dispatcher"
    ),
    "it reads or writes what is no array": (
        "from_dlpack frombuffer fromfile fromiter fromregex fromstring genfromtxt load loadtxt memmap save savetxt "
        "savez savez_compressed dump dumps tofile DataSource recfromcsv recfromtxt"
    ),
    "a matrix, which has rules of its own": "asmatrix bmat matrix mat",
    "it makes an object that is no array, or tells of one": (
        "broadcast flatiter nditer nested_iters ndenumerate ndindex poly1d ufunc errstate printoptions ndarray "
        "recarray iterable may_share_memory shares_memory einsum_path AxisConcatenator"
    ),
    "a setting or a helper": (
        "seterr geterr seterrcall geterrcall setbufsize getbufsize set_printoptions get_printoptions get_include "
        "show_config show_runtime info test set_module _ureduce _is_string_like byte_bounds normalize_axis_index "
        "normalize_axis_tuple safe_eval source lookfor who disp deprecate deprecate_with_doc add_docstring add_newdoc "
        "add_newdoc_ufunc set_numeric_ops set_string_function find_common_type maximum_sctype obj2sctype sctype2char "
        "issubclass_ issctype issubsctype asfarray msort get_array_wrap fastCopyAndTranspose geterrobj seterrobj "
        "format_parser PytestTester _no_nep50_warning _add_newdoc_ufunc _get_legacy_print_mode"
    ),
    "gone from newer versions": "product alltrue sometrue cumproduct tostring chararray compare_chararrays",
    "NumPy's own machinery": (
        "__array__ __array_wrap__ __array_finalize__ __array_prepare__ __array_priority__ newbyteorder"
    ),
    "it writes a part of each element, or into a scalar": "generic.fill generic.put setfield itemset",
}
"""Functions and methods without rules, and why."""
LISTED = {name for names in NAMES.values() for name in names.split()}


def every() -> Iterator[Any]:
    """All functions of which shapes, or the reason why there are none, are known, but for those that programs make."""
    has_rule(np.strings.upper if hasattr(np, "strings") else np.char.upper)  # brings in what few programs import
    yield from (f for f in [*SHAPES, *reasons()] if not name_of(f).endswith("(vectorized)"))  # tests may have met some


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def is_listed(function: Any) -> bool:
    return name_of(function) in LISTED or getattr(function, "__qualname__", "") in LISTED


def home_of(function: Any) -> str:
    return str(
        getattr(function, "__module__", None) or getattr(getattr(function, "__objclass__", None), "__module__", "")
    )


def is_elsewhere(function: Any) -> bool:
    return any(home_of(function) == module or home_of(function).startswith(f"{module}.") for module in MODULES)


def test_what_has_no_rule_stands_in_the_list() -> None:
    missing = [f for f in every() if rules_of(f)[0] is None and not is_elsewhere(f) and not is_listed(f)]
    assert sorted(map(name_of, missing)) == []


def test_what_stands_in_the_list_has_none() -> None:
    assert [name_of(f) for f in every() if rules_of(f)[0] is not None and is_listed(f)] == []


def test_whoever_tells_bytes_tells_operations() -> None:
    assert [f for f in TRAFFIC if f not in RULES] == []


@pytest.mark.parametrize("method", ["reduce", "accumulate", "outer", "at"])
def test_methods_of_universal_functions_have_rules(method: str) -> None:
    ufuncs = [f for f in vars(np).values() if isinstance(f, np.ufunc) and f.signature is None]
    assert all(rules_of(getattr(f, method))[0] is not None for f in ufuncs)


def test_functions_of_the_users_have_none() -> None:
    assert rules_of(np.frompyfunc(lambda a: a + 1, 1, 1)) == (None, None)
    assert rules_of(lambda a: a) == (None, None)
    assert rules_of(np.add.reduceat) == (None, None)
