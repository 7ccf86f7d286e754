"""The operators of Python, by the functions that stand for them in a graph."""

from __future__ import annotations

import operator

INFIX = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.pow: "**", operator.matmul: "@", operator.and_: "&", operator.or_: "|",
    operator.xor: "^", operator.lshift: "<<", operator.rshift: ">>", operator.lt: "<", operator.le: "<=",
    operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
    operator.is_: "is", operator.is_not: "is not",
}  # fmt: skip
INPLACE = {
    operator.iadd: "+=", operator.isub: "-=", operator.imul: "*=", operator.itruediv: "/=", operator.ifloordiv: "//=",
    operator.imod: "%=", operator.ipow: "**=", operator.imatmul: "@=", operator.iand: "&=", operator.ior: "|=",
    operator.ixor: "^=", operator.ilshift: "<<=", operator.irshift: ">>=",
}  # fmt: skip
PREFIX = {operator.neg: "-", operator.pos: "+", operator.invert: "~"}
STORES = frozenset({operator.setitem, *INPLACE})
"""Calls that are statements in Python; the array that they write into says all about their result."""
