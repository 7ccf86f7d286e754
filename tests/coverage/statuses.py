"""What is said of a name besides that it is a node: the rule that reports it, or the reason why there is nothing to trace.

A name in none of these tables must be a node of the graph.  GAPS are faults that are known: a test that fails, and
an entry that must go on the day it does not.
"""

from __future__ import annotations

import re

_SCALARS_REFUSE = "NumPy has the name but raises for every scalar"
_KIND = "a kind of dtype: `isinstance` and `issubdtype` ask for it, and it makes no array"
_SETTING = "a setting of the process: it runs while tracing, and there is no array in it"
_PROTOCOL = "called by NumPy itself, never by name in user code"
_MEMORY = "how an array lies in memory is no part of its value: it is the example's"

EXPLAINED: dict[str, str] = {
    **dict.fromkeys(("np.show_config", "np.show_runtime", "np.test"), "prints, or tests NumPy: there is no array in it"),
    **dict.fromkeys(
        ("np.character", "np.complexfloating", "np.flatiter", "np.flexible", "np.floating", "np.generic", "np.inexact",
         "np.integer", "np.number", "np.recarray", "np.record", "np.rec.record", "np.signedinteger", "np.unsignedinteger"),
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
    **dict.fromkeys(
        ("np.ndarray.base", "np.ndarray.flags", "np.ndarray.strides", "np.ndarray.device", "np.generic.base",
         "np.generic.flags", "np.generic.strides", "np.generic.device", "np.generic.shape", "np.generic.setflags",
         "np.generic.resize", "np.generic.put", "np.generic.fill"),
        _MEMORY,
    ),
    **dict.fromkeys(
        ("np.random.BitGenerator", "np.random.Generator", "np.random.RandomState", "np.random.MT19937", "np.random.PCG64",
         "np.random.PCG64DXSM", "np.random.Philox", "np.random.SFC64", "np.random.SeedSequence", "np.random.default_rng",
         "np.random.set_state", "np.random.RandomState.set_state", "np.random.Generator.spawn"),
        "makes or sets a generator: what is drawn from it is NST206",
    ),
    "np.ma.fromflex": "takes what only `MaskedArray.toflex` makes",
    "np.ma.ids": "gives addresses in memory",
    **dict.fromkeys(
        ("operator.concat", "operator.iconcat", "operator.delitem"), "works on Python's lists and dictionaries, which hold traced arrays as any others"
    ),
    **dict.fromkeys(("operator.is_", "operator.is_not"), "identity: two traced arrays are the same exactly where the plain ones are"),
    **{f"np.generic.{name}": _SCALARS_REFUSE for name in
       ("diagonal", "nonzero", "searchsorted", "setfield", "sort", "swapaxes", "trace")},
}  # fmt: skip

_DRAWN = re.compile(r"np\.random\.")
_SHAPED_BY_CONTENTS = (
    "np.argwhere", "np.nonzero", "np.flatnonzero", "np.unique", "np.unique_all", "np.unique_counts", "np.unique_inverse",
    "np.unique_values", "np.extract", "np.compress", "np.union1d", "np.intersect1d", "np.setdiff1d", "np.setxor1d",
    "np.trim_zeros", "np.bincount", "np.repeat", "np.where", "np.ndarray.__getitem__", "np.ndarray.nonzero",
    "np.ndarray.compress",
)  # fmt: skip

REPORTED: dict[str, str] = {
    **dict.fromkeys(_SHAPED_BY_CONTENTS, "NST404"),
    **dict.fromkeys(("np.ndarray.ctypes", "np.ndarray.data", "np.ndarray.__array_interface__", "np.ndarray.__dlpack__",
                     "np.ndarray.__array_struct__", "np.generic.data", "np.generic.__array_interface__",
                     "np.generic.__array_struct__"), "NST401"),
    **dict.fromkeys(("np.save", "np.savetxt", "np.savez", "np.savez_compressed", "np.ndarray.tofile", "np.ndarray.dump",
                     "np.generic.tofile", "np.generic.dump"), "NST301"),
    **dict.fromkeys(("np.load", "np.fromfile", "np.fromregex", "np.genfromtxt", "np.loadtxt", "np.memmap",
                     "np.rec.fromfile"), "NST207"),
    **dict.fromkeys(("np.broadcast", "np.nditer", "np.nested_iters", "np.poly1d"), "NST405"),
    **{f"np.polynomial.{module}{name}": "NST405" for module, name in (
        ("", "Polynomial"), ("", "Chebyshev"), ("", "Legendre"), ("", "Hermite"), ("", "HermiteE"), ("", "Laguerre"),
        ("polynomial.", "Polynomial"), ("chebyshev.", "Chebyshev"), ("legendre.", "Legendre"), ("hermite.", "Hermite"),
        ("hermite_e.", "HermiteE"), ("laguerre.", "Laguerre"))},
    **dict.fromkeys(("np.ndarray.tobytes", "np.ndarray.tolist", "np.ndarray.dumps", "np.ndarray.tostring",
                     "np.generic.tobytes", "np.generic.dumps", "np.generic.__hash__", "np.generic.tostring",
                     "np.generic.__str__", "np.generic.__repr__", "np.generic.__format__", "np.ndarray.__str__",
                     "np.ndarray.__format__", "np.ndarray.__index__", "operator.index"), "NST201"),
    **dict.fromkeys(("np.ndarray.__contains__", "operator.contains", "operator.not_", "operator.truth",
                     "operator.countOf", "operator.indexOf"), "NST101"),
    **dict.fromkeys(("np.ndarray.__iter__", "np.ndindex", "np.ndenumerate", "np.fromiter"), "NST106"),
    "operator.length_hint": "NST203",
    "np.random.seed": "NST304",
    "np.random.RandomState.seed": "NST304",
}  # fmt: skip

GAPS: dict[str, str] = {}


def reported(name: str) -> str | None:
    """The rule that says what a trace makes of this name, where it is not just a node."""
    if name in EXPLAINED:
        return None
    return REPORTED.get(name) or ("NST206" if _DRAWN.match(name) else None)
