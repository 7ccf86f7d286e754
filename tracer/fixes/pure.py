"""Which expressions have no effects, so that they may be evaluated though plain Python would not have done so.

By syntax alone: array functions and methods that are known by name, operators, conversions.  What is not known
is taken to have effects.
"""

from __future__ import annotations

import ast

_METHODS = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "conjugate", "copy", "cumprod", "cumsum",
    "diagonal", "dot", "flatten", "get", "item", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "reshape",
    "round", "squeeze", "std", "sum", "swapaxes", "take", "tolist", "trace", "transpose", "var", "view",
})  # fmt: skip
_BUILTINS = frozenset(
    {"abs", "bool", "complex", "float", "int", "len", "max", "min", "pow", "round", "sum", "all", "any"}
)
_WRITING = frozenset({
    "copyto", "fill_diagonal", "load", "place", "put", "put_along_axis", "putmask", "random", "save", "savetxt",
    "savez", "savez_compressed", "seterr", "seterrcall", "set_printoptions", "setbufsize", "memmap", "fromfile",
    "frompyfunc", "vectorize", "apply_along_axis", "apply_over_axes", "fromfunction", "piecewise", "nditer", "lib",
})  # fmt: skip
"""Names below NumPy that write, draw, or call what they are given."""


def is_pure(node: ast.AST, numpy: str | None) -> bool:
    """Whether evaluating an expression changes nothing; `numpy` is NumPy's name in the module."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(value=value) | ast.Starred(value=value):
            return is_pure(value, numpy)
        case ast.Subscript(value=value, slice=key):
            return is_pure(value, numpy) and is_pure(key, numpy)
        case ast.Call(func=function, args=args, keywords=keywords):
            given = [*args, *(k.value for k in keywords)]
            writes = any(k.arg in ("out", None) for k in keywords)
            return not writes and _is_known(function, numpy) and all(is_pure(a, numpy) for a in given)
        case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare() | ast.IfExp() | ast.Slice():
            parts = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
            return all(is_pure(part, numpy) for part in parts)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_pure(part, numpy) for part in parts)
    return False


def _is_known(function: ast.expr, numpy: str | None) -> bool:
    match function:
        case ast.Name(id=name):
            return name in _BUILTINS
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == numpy:
            return attribute not in _WRITING
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr=part)) if name == numpy:
            return part in ("linalg", "fft")
        case ast.Attribute(value=value, attr=attribute):
            return attribute in _METHODS and is_pure(value, numpy)
    return False
