"""What is said of a name besides that it is a node: the rule that reports it, or why there is nothing to trace.

A name in none of these tables must be a node of the graph.  GAPS are faults that are known: a test that fails, and
an entry that must go on the day it does not.
"""

from __future__ import annotations

import re

import numpy as np

_SCALARS_REFUSE = "NumPy has the name but raises for every scalar"
_KIND = "a kind of dtype: `isinstance` and `issubdtype` ask for it, and it makes no array"
_SETTING = "a setting of the process: it runs while tracing, and there is no array in it"
_PROTOCOL = "called by NumPy itself, never by name in user code"
_MEMORY = "how an array lies in memory is no part of its value: it is the example's"

_GONE = (
    "ndarray.__array_prepare__ add_docstring add_newdoc add_newdoc_ufunc deprecate_with_doc fastCopyAndTranspose "
    "format_parser get_array_wrap geterrobj set_numeric_ops set_string_function seterrobj byte_bounds DataSource "
    "deprecate disp lookfor maximum_sctype obj2sctype recfromcsv recfromtxt source who safe_eval"
)

EXPLAINED: dict[str, str] = {
    **dict.fromkeys(("np.show_config", "np.show_runtime", "np.test"), "prints, or tests NumPy: no array is in it"),
    **dict.fromkeys(
        ("np.character", "np.complexfloating", "np.flatiter", "np.flexible", "np.floating", "np.generic", "np.inexact",
         "np.integer", "np.number", "np.recarray", "np.record", "np.rec.record", "np.signedinteger",
         "np.unsignedinteger"),
        _KIND,
    ),
    **dict.fromkeys(
        ("np.errstate", "np.printoptions", "np.get_printoptions", "np.set_printoptions", "np.geterr", "np.seterr",
         "np.geterrcall", "np.seterrcall", "np.getbufsize", "np.setbufsize", "np.get_include", "np.info",
         "np.polynomial.set_default_printstyle", "np.ma.set_fill_value", "np.__array_namespace_info__",
         "np.rec.format_parser"),
        _SETTING,
    ),
    **dict.fromkeys(
        ("np.ndarray.__array_finalize__", "np.ndarray.__array_function__", "np.ndarray.__array_ufunc__",
         "np.ndarray.__setstate__", "np.generic.__setstate__", "np.ndarray.__delitem__"),
        _PROTOCOL,
    ),
    **dict.fromkeys(("np.ndarray.__class_getitem__", "np.generic.__class_getitem__"), "a type annotation"),
    **dict.fromkeys(("np.ndarray.__buffer__", "np.generic.__buffer__"), "what memoryview asks, which is NST401"),
    **dict.fromkeys(("np.strings.imag", "np.strings.real"), "in NumPy's list of overridable functions only"),
    **dict.fromkeys(
        ("np.ndarray.device", "np.generic.base",
         "np.generic.flags", "np.generic.strides", "np.generic.device", "np.generic.shape", "np.generic.setflags",
         "np.generic.resize", "np.generic.put", "np.generic.fill"),
        _MEMORY,
    ),
    **dict.fromkeys(
        ("np.random.BitGenerator", "np.random.SeedSequence", "np.random.set_state", "np.random.RandomState.set_state",
         "np.random.Generator.spawn"),
        "makes or sets a generator: what is drawn from it is NST206",
    ),
    **dict.fromkeys(
        (f"np.{name}" for name in _GONE.split()), "out of use, and gone since NumPy 2.0: no arrays, or their functions",
    ),
    "np.ma.fromflex": "takes what only `MaskedArray.toflex` makes",
    "np.ma.ids": "gives addresses in memory",
    "np.ndarray.__hash__": "an array has no hash",
    **dict.fromkeys(
        ("operator.concat", "operator.iconcat", "operator.delitem"),
        "works on Python's lists and dictionaries, which hold traced arrays as any others",
    ),
    **dict.fromkeys(("operator.is_", "operator.is_not"), "identity: traced arrays are one where plain ones are"),
    **{f"np.generic.{name}": _SCALARS_REFUSE for name in
       ("diagonal", "nonzero", "searchsorted", "setfield", "sort", "swapaxes", "trace")},
}  # fmt: skip

REMOVED = {
    f"np.{kind}.{name}" for kind in ("ndarray", "generic") for name in ("itemset", "newbyteorder", "ptp", "tostring")
}
"""What some NumPy has only to say that it is gone."""

_DRAWN = re.compile(r"np\.random\.")
_SHAPED_BY_CONTENTS = (
    "argwhere nonzero flatnonzero unique unique_all unique_counts unique_inverse unique_values extract compress "
    "union1d intersect1d setdiff1d setxor1d trim_zeros bincount repeat where ndarray.__getitem__ ndarray.nonzero "
    "ndarray.compress"
)

REPORTED: dict[str, str] = {
    **{f"np.{name}": "NST404" for name in _SHAPED_BY_CONTENTS.split()},
    **dict.fromkeys(("np.ndarray.ctypes", "np.ndarray.data", "np.ndarray.__array_interface__", "np.ndarray.__dlpack__",
                     "np.ndarray.__array_struct__", "np.generic.data", "np.generic.__array_interface__",
                     "np.generic.__array_struct__"), "NST401"),
    **dict.fromkeys(("np.save", "np.savetxt", "np.savez", "np.savez_compressed", "np.ndarray.tofile", "np.ndarray.dump",
                     "np.generic.tofile", "np.generic.dump"), "NST301"),
    **dict.fromkeys(("np.load", "np.fromfile", "np.fromregex", "np.genfromtxt", "np.loadtxt", "np.memmap",
                     "np.rec.fromfile"), "NST207"),
    **dict.fromkeys(("np.broadcast", "np.nditer", "np.poly1d"), "NST405"),
    **{f"np.polynomial.{module}{name}": "NST405" for module, name in (
        ("", "Polynomial"), ("", "Chebyshev"), ("", "Legendre"), ("", "Hermite"), ("", "HermiteE"), ("", "Laguerre"),
        ("polynomial.", "Polynomial"), ("chebyshev.", "Chebyshev"), ("legendre.", "Legendre"), ("hermite.", "Hermite"),
        ("hermite_e.", "HermiteE"), ("laguerre.", "Laguerre"))},
    **dict.fromkeys(("np.ndarray.tobytes", "np.ndarray.tolist", "np.ndarray.dumps", "np.ndarray.tostring",
                     "np.generic.tobytes", "np.generic.dumps", "np.generic.__hash__", "np.generic.tostring",
                     "np.generic.__str__", "np.generic.__repr__", "np.generic.__format__", "np.ndarray.__str__",
                     "np.ndarray.__format__", "np.ndarray.__index__", "operator.index", "np.nested_iters",
                     "np.ndarray.__repr__", "np.ma.clump_masked", "np.ma.clump_unmasked", "np.ma.ndenumerate",
                     "np.ma.flatnotmasked_contiguous", "np.ma.notmasked_contiguous"), "NST201"),
    **dict.fromkeys(("np.common_type", "np.lib.recfunctions.get_fieldstructure", "np.ndarray.base", "np.ndarray.flags",
                     "np.ndarray.strides"), "NST208"),
    **dict.fromkeys(("np.ndarray.__contains__", "operator.contains", "operator.not_", "operator.truth",
                     "operator.countOf", "operator.indexOf"), "NST101"),
    **dict.fromkeys(("np.ndarray.__iter__", "np.ndindex", "np.ndenumerate", "np.fromiter"), "NST106"),
    "operator.length_hint": "NST203",
    "np.random.seed": "NST304",
    "np.random.RandomState.seed": "NST304",
}  # fmt: skip

_TEXT = "an element of a string array has not all that a NumPy string has"
_LAYOUT = "how an argument lies in memory is a constant without a finding"

GAPS: dict[str, str] = {
    **{f"np.generic.{name}": _TEXT for name in (
        "__array__", "__array_interface__", "__array_namespace__", "__array_priority__", "__array_struct__",
        "__array_wrap__", "__copy__", "__deepcopy__", "__repr__", "byteswap")},
    **{f"np.ma.{name}": "an empty list, or None, is a constant without a finding" for name in (
        "clump_unmasked", "flatnotmasked_contiguous", "flatnotmasked_edges", "notmasked_contiguous",
        "notmasked_edges")},
    **{f"np.{name}": "bytes that were drawn have no origin"
       for name in ("random.bytes", "random.Generator.bytes", "random.RandomState.bytes")},
    "np.ndarray.tolist": "an empty list is a constant without a finding",
    "np.generic.tolist": "a date taken out is a constant without a finding",
    **{f"np.ndarray.{name}": _LAYOUT for name in ("base", "flags", "strides")},
    "np.rec.fromfile": "the class of what was read is lost",
}  # fmt: skip

_NUMPY = np.lib.NumpyVersion(np.__version__)
if _NUMPY < "2.0.0":
    GAPS["np.generic.newbyteorder"] = _TEXT
    del GAPS["np.generic.__repr__"]  # the text of both kinds of string is the same there


def reported(name: str) -> str | None:
    """The rule that says what a trace makes of this name, where it is not just a node."""
    if name in EXPLAINED:
        return None
    return REPORTED.get(name) or ("NST206" if _DRAWN.match(name) else None)
