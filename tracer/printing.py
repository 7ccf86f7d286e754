"""A graph as Python text that can be executed and gives the same results, one node a line.

Sizes and other pure numbers stand inside the expressions that use them.  A comment gives each line's dtype
and shape on the example and the source line it came from.
"""

from __future__ import annotations

import ast
import base64
import builtins
import cmath
import math
import operator
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .events import Instruction
from .graph import Graph
from .naming import names_of
from .nodes import Kind, Node
from .positions import FILES, instruction_range
from .steps import copy_of, count_of_range, flat_item, set_flat_item, set_part, set_shape, size_of
from .trees import Leaf, children, is_record, spell
from .values import INDEX_TRICKS

_INFIX = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.pow: "**", operator.matmul: "@", operator.and_: "&", operator.or_: "|",
    operator.xor: "^", operator.lshift: "<<", operator.rshift: ">>", operator.lt: "<", operator.le: "<=",
    operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
}  # fmt: skip
_INPLACE = {
    operator.iadd: "+=", operator.isub: "-=", operator.imul: "*=", operator.itruediv: "/=", operator.ifloordiv: "//=",
    operator.imod: "%=", operator.ipow: "**=", operator.imatmul: "@=", operator.iand: "&=", operator.ior: "|=",
    operator.ixor: "^=", operator.ilshift: "<<=", operator.irshift: ">>=",
}  # fmt: skip
_PREFIX = {operator.neg: "-", operator.pos: "+", operator.invert: "~"}
_UFUNC_HOMES = ("numpy", "numpy.strings", "scipy.special", "numpy.linalg")
_ELIDED = 4096
"""Captured arrays of more bytes than this are left out where the text is only to be read."""


@dataclass
class Printer:
    """The state of one printing: names given and imports needed."""

    graph: Graph
    names: dict[Node, str] = field(init=False)
    aliases: dict[str, str] = field(default_factory=dict)
    inlined: set[Node] = field(default_factory=set)
    functions: dict[str, Any] = field(default_factory=dict)
    memories: dict[int, str] = field(default_factory=dict)
    """The names of memories that captured arrays share, by id of the array that owns one."""

    def __post_init__(self) -> None:
        self.names = names_of(self.graph.nodes, self.graph.signature, ("np", "math", "numpy", self.graph.name))
        self.inlined = {n for n in self.graph.nodes if _is_number(n)}

    # ---- text of one node ------------------------------------------------------------------------

    def statement(self, node: Node) -> str:
        """The line of one node, without comment."""
        name, args = self.names[node], node.args
        if node.kind is Kind.INPUT:
            return f"{name} = {spell(args[0])}"
        if node.kind is Kind.CONSTANT:
            return f"{name} = {self.array(args[0])}"
        if node.function is operator.setitem:
            return f"{self.operand(args[0], True)}[{self.index(args[1])}] = {self.operand(args[2])}"
        if node.function in _INPLACE:
            return f"{self.operand(args[0])} {_INPLACE[node.function]} {self.operand(args[1])}"
        if node.function is set_flat_item:
            return f"{self.operand(args[0], True)}.flat[{self.index(args[1])}] = {self.operand(args[2])}"
        if node.function is set_part:
            return f"{self.operand(args[0], True)}.{args[1]} = {self.operand(args[2])}"
        if node.function is set_shape:
            return f"{self.operand(args[0], True)}.shape = {self.operand(args[1])}"
        if node.writes and not self.used(node):
            return self.expression(node)
        return f"{name} = {self.expression(node)}"

    def used(self, node: Node) -> bool:
        return node in self._used

    @cached_property
    def _used(self) -> set[Node]:
        return {o for n in self.graph.nodes for o in n.operands()} | set(self.graph.results())

    def expression(self, node: Node) -> str:
        """The call of a node as Python, operators and methods as the user writes them."""
        function: Any = node.function
        args = node.args
        if function in _INFIX and len(args) == 2:
            return f"{self.operand(args[0], True)} {_INFIX[function]} {self.operand(args[1], True)}"
        if function in _PREFIX:
            return f"{_PREFIX[function]}{self.operand(args[0], True)}"
        if function is operator.getitem:
            return f"{self.operand(args[0], True)}[{self.index(args[1])}]"
        if function is operator.contains:
            return f"{self.operand(args[1], True)} in {self.operand(args[0], True)}"
        if function is getattr:
            return f"{self.operand(args[0], True)}.{args[1]}"
        if function is size_of:
            return f"{self.operand(args[0], True)}.shape[{args[1]}]"
        if function is flat_item:
            return f"{self.operand(args[0], True)}.flat[{self.index(args[1])}]"
        if function is count_of_range:
            return f"{self.name_of(len)}({self.name_of(range)}({self.arguments(args)}))"
        if _is_method(function):
            return f"{self.operand(args[0], True)}.{_name(function)}({self.arguments(args[1:], node.kwargs)})"
        if function is copy_of:
            return f"{self.operand(args[0], True)}.copy()"
        return f"{self.name_of(function)}({self.arguments(args, node.kwargs)})"

    def arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> str:
        parts = [self.operand(a) for a in args] + [f"{k}={self.operand(v)}" for k, v in (kwargs or {}).items()]
        return ", ".join(parts)

    def operand(self, value: Any, tight: bool = False) -> str:
        """An argument: a node's name, an inlined number, or a literal; `tight` where an operator binds it."""
        if isinstance(value, Node):
            if value in self.inlined:
                text = self.expression(value)
                return f"({text})" if tight and (value.function in _INFIX or value.function in _PREFIX) else text
            return self.names[value]
        text = self.literal(value)
        loose = text.startswith("-") or type(value) is complex
        return f"({text})" if tight and loose and isinstance(value, (int, float, complex)) else text

    def index(self, key: Any) -> str:
        if isinstance(key, slice):
            parts = ["" if p is None else self.operand(p) for p in (key.start, key.stop)]
            return ":".join(parts) + ("" if key.step is None else f":{self.operand(key.step)}")
        if type(key) is tuple:
            inside = ", ".join(self.index(k) for k in key)
            return inside + "," if len(key) == 1 else inside or "()"
        return self.operand(key)

    def operation(self, node: Node) -> str:
        """The dotted name of what a node calls (`numpy.add`, `operator.add`, `numpy.ndarray.sum`)."""
        function: Any = getattr(node.function, "function", node.function)
        if function is size_of:
            return "shape"
        owner = getattr(function, "__objclass__", None)
        if owner is not None:
            return f"{owner.__module__}.{owner.__qualname__}.{function.__name__}"
        if getattr(function, "__module__", None) in ("operator", "_operator"):
            return f"operator.{function.__name__}"
        named = self.name_of(function)
        if isinstance(function, np.ufunc) or named.startswith(f"{self.module('numpy')}."):
            return "numpy" + named[len(self.module("numpy")) :]
        return f"builtins.{named}" if getattr(function, "__module__", None) == "builtins" else named

    def visible_operands(self, node: Node) -> Iterator[Node]:
        """The operands that have lines of their own; those of inlined numbers in their stead."""
        for operand in node.operands():
            if operand in self.inlined:
                yield from self.visible_operands(operand)
            else:
                yield operand

    def outputs(self) -> Iterator[Node]:
        yield from self.graph.results()

    # ---- literals --------------------------------------------------------------------------------

    def literal(self, value: Any) -> str:
        """A value as Python text that gives it back, whatever the function's parameters are called."""
        if isinstance(value, slice):
            parts = ", ".join(self.operand(v) for v in (value.start, value.stop, value.step))
            return f"{self.name_of(slice)}({parts})"
        if type(value) is tuple:
            inside = ", ".join(self.operand(v) for v in value)
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        if type(value) is list:
            return f"[{', '.join(self.operand(v) for v in value)}]"
        if type(value) is dict:
            return "{" + ", ".join(f"{self.literal(k)}: {self.operand(v)}" for k, v in value.items()) + "}"
        if isinstance(value, np.generic):
            return self.scalar(value)
        if isinstance(value, float) and not math.isfinite(value):
            return self.np("nan") if value != value else self.np("inf") if value > 0 else f"-{self.np('inf')}"
        if isinstance(value, complex) and not cmath.isfinite(value):
            return f"{self.name_of(complex)}({self.literal(value.real)}, {self.literal(value.imag)})"
        if isinstance(value, np.dtype):
            return (
                f"{self.np('dtype')}({value.str!r})" if value.names is None else f"{self.np('dtype')}({value.descr!r})"
            )
        if value is np.newaxis or value is Ellipsis:
            return "None" if value is None else "..."
        if isinstance(value, range):
            return f"{self.name_of(range)}({value.start}, {value.stop}, {value.step})"
        if type(value) in INDEX_TRICKS:
            return self.np(next(n for n in ("mgrid", "ogrid", "r_", "c_") if getattr(np, n) is value))
        if isinstance(value, type) or callable(value):
            return self.name_of(value)
        return repr(value)

    def scalar(self, value: np.generic) -> str:
        name = type(value).__name__
        if isinstance(value, (np.datetime64, np.timedelta64)):
            unit, count = np.datetime_data(value.dtype)
            number = (
                "'NaT'"
                if np.isnat(value)
                else repr(str(value))
                if isinstance(value, np.datetime64)
                else str(int(value.astype(np.int64)))
            )
            return f"{self.np(name)}({number}, {(unit if count == 1 else f'{count}{unit}')!r})"
        if isinstance(value, np.floating) and value.dtype.itemsize > 8:
            return f"{self.np('longdouble')}({str(value)!r})"
        if isinstance(value, np.void):
            return f"{self.array(np.asarray(value))}[()]"
        public = "bool_" if isinstance(value, np.bool_) else name.rstrip("_")
        return f"{self.np(public)}({self.literal(value.item())})"

    def memory(self, array: np.ndarray[Any, Any]) -> list[str]:
        """The line that makes the memory which several captured arrays share, before the first of them."""
        owner = array.base
        if not isinstance(owner, np.ndarray) or id(owner) in self.memories or id(owner) not in self._shared:
            return []
        known = {id(n.args[0]): name for n, name in self.names.items() if n.kind is Kind.CONSTANT}
        self.memories[id(owner)] = known.get(id(owner), f"memory_{len(self.memories) + 1}")
        return [f"{self.memories[id(owner)]} = {self.array(owner)}"]

    def captured(self, array: np.ndarray[Any, Any], *, elide: bool = False) -> str:
        """A captured array, as a view where its memory is shared with another."""
        name = self.memories.get(id(array.base))
        if name is None or array.base is None:
            return self.array(array, elide=elide)
        offset = array.__array_interface__["data"][0] - array.base.__array_interface__["data"][0]
        return f"{self.np('ndarray')}({array.shape}, {self.literal(array.dtype)}, {name}, {offset}, {array.strides})"

    @cached_property
    def _shared(self) -> set[int]:
        """The ids of arrays whose memory more than one captured array lies in."""
        arrays = {id(n.args[0]): n.args[0] for n in self.graph.nodes if n.kind is Kind.CONSTANT}
        owners = Counter(id(a.base) if isinstance(a.base, np.ndarray) else i for i, a in arrays.items())
        return {i for i, count in owners.items() if count > 1}

    def array(self, array: np.ndarray[Any, Any], *, elide: bool = False) -> str:
        """A captured array: readable where it is small, else its bytes."""
        if elide and array.nbytes > _ELIDED:
            return f"...  # captured, {array.nbytes:,} bytes"
        plain = (
            array.dtype.kind in "biufc"
            and array.dtype.itemsize <= 16
            and array.dtype.kind + str(array.dtype.itemsize) not in ("f16", "c32")
        )
        if plain and array.size <= 64:
            kind = f", dtype={array.dtype.name!r}" if array.dtype.isnative else f", dtype={array.dtype.str!r}"
            text = f"{self.np('array')}({self.literal(array.tolist())}{kind})"
            return text if array.size else f"{text}.reshape({array.shape!r})"
        if array.dtype.hasobject:
            return f"{self.np('array')}({array.tolist()!r}, dtype=object)"
        data = base64.b85encode(array.tobytes()).decode()
        decode = f"{self.module('base64')}.b85decode({data!r})"
        return f"{self.np('frombuffer')}({decode}, {self.literal(array.dtype)}).reshape({array.shape!r}).copy()"

    # ---- names of functions and modules ----------------------------------------------------------

    def np(self, name: str) -> str:
        return f"{self.module('numpy')}.{name}"

    def module(self, name: str) -> str:
        """The name a module is imported as: the usual one, unless something of the user's has it."""
        if name not in self.aliases:
            usual = "np" if name == "numpy" else name
            taken = {*self.graph.signature.parameters, *self.names.values()}
            top = usual.split(".")[0]
            self.aliases[name] = usual if top not in taken else f"{top}_module"
        return self.aliases[name]

    def name_of(self, function: Any) -> str:
        """A dotted name that reaches a function or class."""
        function = getattr(function, "function", function)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            return f"{self.name_of(owner)}.{function.__name__}"
        name, module = (
            getattr(function, "__qualname__", None) or function.__name__,
            getattr(function, "__module__", None),
        )
        if isinstance(function, np.ufunc):
            module = next((m for m in _UFUNC_HOMES if getattr(sys.modules.get(m), name, None) is function), None)
        if isinstance(function, np.vectorize):
            module = None
        if module == "builtins" or (module is None and hasattr(builtins, name)):
            shadowed = name in {*self.graph.signature.parameters, *self.names.values()}
            return f"{self.module('builtins')}.{name}" if shadowed else name
        if module and module.split(".")[0] == "numpy" and "<" not in name:
            return f"{self.module('numpy')}{_numpy_path(function, module, name)}"
        if not module or "<" in name:
            known = {id(f): n for n, f in self.functions.items()}
            unique = known.get(id(function), f"callback_{len(self.functions) + 1}")
            self.functions[unique] = function
            return unique
        return f"{self.module(module)}.{name}"


def code(graph: Graph, printer: Printer | None = None, *, elide: bool = False) -> str:
    """The graph as a module's text: imports and one function of the graph's name and parameters."""
    printer = printer or Printer(graph)
    rows: list[tuple[str, str]] = []
    seen: set[str] = set()
    for node in graph.nodes:
        if node in printer.inlined or (node.kind is Kind.INPUT and len(node.args[0]) == 1):
            continue
        if node.kind is Kind.CONSTANT:
            if printer.names[node] in seen:
                continue
            seen.add(printer.names[node])
            if printer.names[node] in printer.memories.values():
                continue
            rows += [(row, "") for row in printer.memory(node.args[0])]
            text = f"{printer.names[node]} = {printer.captured(node.args[0], elide=elide)}"
        else:
            text = printer.statement(node)
        rows.append((text, _comment(node)))
    rows.append((f"return {_output(printer, graph.output)}", ""))
    width = min(max(len(text) for text, _ in rows), 60)
    body = [f"    {text.ljust(width)}  # {comment}" if comment else f"    {text}" for text, comment in rows]
    head = [f"def {graph.name if graph.name.isidentifier() else 'graph'}({_parameters(printer, graph)}):"]
    imports = [
        f"import {n}" if n == alias else f"import {n} as {alias}" for n, alias in sorted(printer.aliases.items())
    ]
    callbacks = [f"{name} = {_lambda_text(function)}" for name, function in printer.functions.items()]
    before = [*imports, *callbacks]
    return "\n".join([*before, *([""] if before else []), *head, *body]) + "\n"


_UNNAMED = "...  # a function that has no name of its own"


def _lambda_text(function: Any) -> str:
    """The text of a lambda without variables of its surroundings; `...` for what cannot be spelled."""
    if isinstance(function, np.vectorize):
        return f"np.vectorize({_lambda_text(function.pyfunc)})" if function.pyfunc.__name__ == "<lambda>" else _UNNAMED
    code = getattr(function, "__code__", None)
    file = FILES.get(code.co_filename) if code is not None else None
    if code is None or file is None or code.co_freevars:
        return _UNNAMED
    lambdas = [n for n in ast.walk(file.tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    return ast.unparse(lambdas[0]) if len(lambdas) == 1 else "...  # one of several lambdas of a line"


def line_of(printer: Printer, node: Node) -> str:
    """One node's line for people: captured arrays are not spelled out."""
    if node.kind is Kind.CONSTANT:
        return f"{printer.names[node]} = {printer.array(node.args[0], elide=True)}"
    return printer.statement(node)


def describe(node: Node) -> str:
    """Dtype and shape of a node's result: `float64[3, 4]`, or the Python type of a number."""
    if node.shape is None:
        return getattr(node.dtype, "__name__", str(node.dtype))
    return f"{node.dtype}[{', '.join(map(str, node.shape))}]"


def _comment(node: Node) -> str:
    what = "" if node.writes and node.function in {operator.setitem, *_INPLACE} else describe(node)
    where = instruction_range(Instruction(node.code, node.lasti)) if node.code is not None else None
    line = f"line {where[0]}" if where else ""
    return "  ".join(part for part in (what, line) if part)


def _parameters(printer: Printer, graph: Graph) -> str:
    """The function's parameters, with their defaults where these are literals."""
    parts, star = [], False
    parameters = list(graph.signature.parameters.values())
    for i, p in enumerate(parameters):
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        prefix = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        star |= p.kind is p.VAR_POSITIONAL
        default = (
            f"={printer.literal(p.default) if _is_literal(p.default) else 'None'}" if p.default is not p.empty else ""
        )
        parts.append(f"{prefix}{p.name}{default}")
        if p.kind is p.POSITIONAL_ONLY and (
            i + 1 == len(parameters) or parameters[i + 1].kind is not p.POSITIONAL_ONLY
        ):
            parts.append("/")
    return ", ".join(parts)


def _is_literal(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, complex, str, np.generic))


def _output(printer: Printer, tree: Any) -> str:
    if isinstance(tree, Leaf):
        return printer.operand(tree.value) if isinstance(tree.value, Node) else _returned(printer, tree.value)
    parts = [(step, _output(printer, child)) for step, child in children(tree)]
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{printer.literal(k)}: {v}" for k, v in parts) + "}"
    if type(tree) is list:
        return f"[{', '.join(v for _, v in parts)}]"
    if type(tree) is tuple:
        return f"({', '.join(v for _, v in parts)}{',' if len(parts) == 1 else ''})"
    if is_record(tree):
        return f"{printer.name_of(type(tree))}({', '.join(f'{k}={v}' for k, v in parts)})"
    return f"{printer.name_of(type(tree))}({', '.join(v for _, v in parts)})"


def _returned(printer: Printer, value: Any) -> str:
    return printer.array(value) if isinstance(value, np.ndarray) else printer.literal(value)


_NUMBER_FUNCTIONS: frozenset[Any] = frozenset(
    [size_of, len, count_of_range, abs, int, float, round, max, min, divmod, *_INFIX, *_PREFIX]
    + [f for f in vars(math).values() if callable(f)]
)


def _is_number(node: Node) -> bool:
    """Whether a node is pure arithmetic on sizes and types, to be written where it is used."""
    if node.kind is not Kind.CALL or node.shape is not None or node.writes or node.kwargs:
        return False
    if node.function in (size_of, len) or (
        node.function is getattr and node.args[1] in ("dtype", "ndim", "size", "nbytes")
    ):
        return all(o.shape is not None for o in node.operands())
    return node.function in _NUMBER_FUNCTIONS and all(_is_number(o) for o in node.operands())


def _name(function: Any) -> str:
    return str(function.__name__)


def _is_method(function: Any) -> bool:
    owner = getattr(function, "__objclass__", None)
    return owner is not None and issubclass(owner, (np.ndarray, np.generic, int, float, complex, str))


def _numpy_path(function: Any, module: str, name: str) -> str:
    """The public path to a NumPy function, below `numpy`."""
    for public in ("", ".linalg", ".fft", ".random", ".strings", ".char", ".ma", ".polynomial"):
        space: Any = np
        for step in public.split(".")[1:]:
            space = getattr(space, step, None)
        if getattr(space, name.split(".", maxsplit=1)[0], None) is not None and _resolve(space, name) == function:
            return f"{public}.{name}"
    return module[len("numpy") :] + f".{name}"


def _resolve(space: Any, name: str) -> Any:
    for step in name.split("."):
        space = getattr(space, step, None)
    return space
