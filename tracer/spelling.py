"""How the parts of a graph's text are spelled: calls and operators, literals, captured arrays, names of functions."""

from __future__ import annotations

import base64
import cmath
import datetime as dt
import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import GenericAlias
from typing import Any

import numpy as np

from . import libraries
from .addresses import UNNAMED, address, lambda_text
from .attributes import INDEX_TRICKS
from .columns import Item, Places
from .dependencies import Dependencies
from .events import Instruction
from .folding import fold
from .graph import Graph
from .inlining import numbers_in
from .naming import names_of
from .nodes import Kind, Node
from .positions import instruction_range
from .steps import copy_of, count_of_range, flat_item, set_flat_item, set_part, set_shape, size_of
from .symbols import INFIX, INPLACE, PREFIX, STORES
from .trees import spell

_LITERAL = (int, float, complex, str, bytes, bytearray, type(None))
_ELIDED = 4096
"""Captured arrays of more bytes than this are left out where the text is only to be read."""


_READ_BY = {operator.setitem: operator.getitem, set_flat_item: flat_item, set_part: getattr}
"""Stores by what reads the place they write: the text of a store is that, and `=`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the text (several, where it is broken), indented by `depth`; the nodes that it stands for."""

    text: str
    comment: str = ""
    depth: int = 1
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What a node calls, on nodes or on anything else that a printer can spell."""

    function: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any] | None


@dataclass
class Printer:
    """The state of one printing: names given and imports needed."""

    graph: Graph
    aliases: dict[str, str] = field(default_factory=dict)
    functions: dict[str, Any] = field(default_factory=dict)
    memories: dict[int, str] = field(default_factory=dict)
    """The names of memories that captured arrays share, by id of the array that owns one."""
    _lines_of: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """The source line of each instruction, of which a loop has few."""
    _described: dict[tuple[Any, tuple[int, ...] | None], str] = field(default_factory=dict)
    _dtypes: dict[Any, str] = field(default_factory=dict)
    _operations: dict[int, str] = field(default_factory=dict)

    @cached_property
    def inlined(self) -> set[Node]:
        return numbers_in(self.graph.nodes)

    @cached_property
    def items(self) -> tuple[list[Item], Places]:
        """The nodes as statements and loops of alike iterations."""
        return fold(self.graph.nodes, self.inlined)

    @cached_property
    def names(self) -> dict[Node, str]:
        return names_of(self.graph.nodes, self.graph.signature, self.reserved)

    @property
    def reserved(self) -> tuple[str, ...]:
        """Names that no variable gets."""
        return ("np", "math", "numpy", self.graph.name)

    # ---- text of one node ------------------------------------------------------------------------

    def constant(self, node: Node, elide: bool) -> list[str]:
        """The lines of a captured array; none where an earlier line has made it along with another."""
        if self.names[node] in self.memories.values():
            return []
        memory = self.memory(node.args[0])
        return [*memory, f"{self.names[node]} = {self.captured(node.args[0], elide=elide)}"]

    def description(self, node: Node, varying: AbstractSet[int] = frozenset()) -> str:
        """What `describe` says; a dtype takes long to tell its name, and a graph has few."""
        if varying:
            return describe(node, varying)
        if node.shape and self.graph.sizes.named:
            return describe(node, sizes=self.graph.sizes.in_names(node))
        key = (node.dtype, node.shape)
        if key not in self._described:
            self._described[key] = describe(node)
        return self._described[key]

    def comment(self, node: Node, varying: AbstractSet[int] = frozenset()) -> str:
        """What stands behind a node's line: dtype and shape, and the line of the source."""
        what = "" if node.writes and node.function in STORES else self.description(node, varying)
        line = self.source_line(node)
        return f"{what}  line {line}".lstrip() if line is not None else what

    def source_line(self, node: Node) -> int | None:
        """The line of the source that a node comes from."""
        if node.code is None:
            return None
        key = (id(node.code), node.lasti)
        if key not in self._lines_of:
            where = instruction_range(Instruction(node.code, node.lasti))
            self._lines_of[key] = where[0] if where else None
        return self._lines_of[key]

    def dtype(self, node: Node) -> str:
        """The name of a node's dtype, or of the Python type of a number."""
        if node.shape is None:
            return getattr(node.dtype, "__name__", str(node.dtype))
        if node.dtype not in self._dtypes:
            self._dtypes[node.dtype] = dtype_text(node.dtype)
        return self._dtypes[node.dtype]

    def statement(self, node: Node) -> str:
        """The line of one node, without comment."""
        name, args = self.names[node], node.args
        if node.kind is Kind.INPUT:
            return f"{name} = {spell(args[0])}"
        if node.kind is Kind.CONSTANT:
            return f"{name} = {self.array(args[0])}"
        call = Call(node.function, args, node.kwargs)
        return self.step(call, None if node.writes and node not in self._used else name)

    def step(self, call: Call, name: str | None) -> str:
        """The line of one call, whose result gets a name, if it needs one."""
        function, args = call.function, call.args
        if function in _READ_BY:
            return f"{self.call(Call(_READ_BY[function], args[:2], None))} = {self.operand(args[2])}"
        if function in INPLACE:
            return f"{self.operand(args[0])} {INPLACE[function]} {self.operand(args[1])}"
        if function is set_shape:
            return f"{self.operand(args[0], True)}.shape = {self.operand(args[1])}"
        return self.call(call) if name is None else f"{name} = {self.call(call)}"

    @cached_property
    def _used(self) -> set[Node]:
        return {o for n in self.graph.nodes for o in n.operands()} | set(self.graph.results())

    def call(self, call: Call) -> str:
        """A call as Python, operators and methods as the user writes them."""
        function, args = call.function, call.args
        if function in INFIX and len(args) == 2:
            return f"{self.operand(args[0], True)} {INFIX[function]} {self.operand(args[1], True)}"
        if function in PREFIX:
            return f"{PREFIX[function]}{self.operand(args[0], True)}"
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
            return f"{self.operand(args[0], True)}.{_name(function)}({self.arguments(args[1:], call.kwargs)})"
        if function is copy_of:
            return f"{self.operand(args[0], True)}.copy()"
        return f"{self.name_of(function)}({self.arguments(args, call.kwargs)})"

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> str:
        parts = [self.operand(a) for a in args] + [f"{k}={self.operand(v)}" for k, v in (kwargs or {}).items()]
        return ", ".join(parts)

    def operand(self, value: Any, tight: bool = False) -> str:
        """An argument: a node's name, an inlined number, or a literal; `tight` where an operator binds it."""
        if isinstance(value, Node):
            if value in self.inlined:
                return self.number(Call(value.function, value.args, value.kwargs), tight)
            return self.names[value]
        text = self.literal(value)
        loose = text.startswith("-") or type(value) is complex
        return f"({text})" if tight and loose and isinstance(value, (int, float, complex)) else text

    def number(self, call: Call, tight: bool) -> str:
        """A number inside of an expression."""
        text = self.call(call)
        return f"({text})" if tight and (call.function in INFIX or call.function in PREFIX) else text

    def elements(self, values: Sequence[Any]) -> list[str]:
        """What stands in a tuple or list."""
        return [self.operand(v) for v in values]

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
        key = id(node.function)  # the graph keeps its functions
        if key not in self._operations:
            self._operations[key] = self._operation(node)
        return self._operations[key]

    def _operation(self, node: Node) -> str:
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

    def printed_as(self, node: Node) -> Node:
        """The node whose line says what another does: captured arrays are named once."""
        return self._arrays[id(node.args[0])] if node.kind is Kind.CONSTANT else node

    @cached_property
    def _arrays(self) -> dict[int, Node]:
        return {id(n.args[0]): n for n in reversed(self.graph.nodes) if n.kind is Kind.CONSTANT}

    def visible_operands(self, node: Node) -> Iterator[Node]:
        """The operands that have lines of their own; those of inlined numbers in their stead."""
        for operand in node.operands():
            if operand in self.inlined:
                yield from self.visible_operands(operand)
            else:
                yield operand

    @cached_property
    def dependencies(self) -> Dependencies:
        """Whose results each node reads, for pictures and lists: with the writes in place that came before it."""
        return Dependencies(self.graph.nodes, self.visible_operands)

    def outputs(self) -> Iterator[Node]:
        yield from self.graph.results()

    @property
    def results(self) -> list[Node]:
        """The outputs that have lines of their own."""
        return [node for node in self.outputs() if node not in self.inlined]

    def called(self, nodes: Iterable[Node]) -> tuple[str, ...]:
        """What nodes are called, each name once."""
        return tuple(dict.fromkeys(self.names[node] for node in nodes))

    # ---- literals --------------------------------------------------------------------------------

    def literal(self, value: Any) -> str:
        """A value as Python text that gives it back, whatever the function's parameters are called."""
        if isinstance(value, slice):
            parts = ", ".join(self.operand(v) for v in (value.start, value.stop, value.step))
            return f"{self.name_of(slice)}({parts})"
        if type(value) is tuple:
            inside = self.elements(value)
            return f"({inside[0]},)" if len(inside) == 1 else f"({', '.join(inside)})"
        if type(value) is list:
            return f"[{', '.join(self.elements(value))}]"
        if type(value) is dict:
            return "{" + ", ".join(f"{self.literal(k)}: {self.operand(v)}" for k, v in value.items()) + "}"
        if isinstance(value, np.generic):
            return self.scalar(value)
        for library in libraries.LIBRARIES:
            if isinstance(value, library.objects) and (text := library.literal(value)) is not None:
                return f"{self.module(library.name)}.{text}"
        if isinstance(value, float) and not math.isfinite(value):
            return self.np("nan") if value != value else self.np("inf") if value > 0 else f"-{self.np('inf')}"
        if isinstance(value, complex) and not _reads_back(value):
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
        if isinstance(value, (dt.date, dt.time, dt.timedelta)):
            return f"{self.module('datetime')}{repr(value)[len('datetime') :]}"
        if isinstance(value, Enum):
            return f"{self.name_of(type(value))}.{value.name}"
        if isinstance(value, type) or (callable(value) and not isinstance(value, GenericAlias)):
            return self.name_of(value)
        if isinstance(value, (set, frozenset)):
            return f"{self.name_of(type(value))}({self.literal(sorted(value, key=repr))})"
        return repr(value) if isinstance(value, _LITERAL) else self.stand_in(value, "object")

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
        if isinstance(value, np.complexfloating) and value.dtype.itemsize > 16:
            parts = f"{self.scalar(value.real)}, {self.scalar(value.imag)}"
            return f"{self.np('array')}([{parts}]).view({self.np('clongdouble')})[0]"
        if isinstance(value, np.floating) and value.dtype.itemsize > 8:
            return f"{self.np('longdouble')}({str(value)!r})"
        if isinstance(value, np.void):
            return f"{self.array(np.asarray(value))}[()]"
        public = "bool_" if isinstance(value, np.bool_) else name if hasattr(np, name) else name.rstrip("_")
        return f"{self.np(public)}({self.literal(value.item())})"

    def memory(self, array: np.ndarray[Any, Any]) -> list[str]:
        """The line that makes the memory which several captured arrays share, before the first of them."""
        owner = getattr(array, "base", None)
        if not isinstance(owner, np.ndarray) or id(owner) in self.memories or id(owner) not in self._shared:
            return []
        known = {id(n.args[0]): name for n, name in self.names.items() if n.kind is Kind.CONSTANT}
        self.memories[id(owner)] = known.get(id(owner), f"memory_{len(self.memories) + 1}")
        return [f"{self.memories[id(owner)]} = {self.array(owner)}"]

    def captured(self, array: np.ndarray[Any, Any], *, elide: bool = False) -> str:
        """A captured array, as a view where its memory is shared with another."""
        base = getattr(array, "base", None)
        name = self.memories.get(id(base))
        if name is None or base is None:
            return self.array(array, elide=elide)
        offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return f"{self.np('ndarray')}({array.shape}, {self.literal(array.dtype)}, {name}, {offset}, {array.strides})"

    @cached_property
    def _shared(self) -> set[int]:
        """The ids of arrays whose memory more than one captured array lies in."""
        arrays = {id(n.args[0]): n.args[0] for n in self.graph.nodes if n.kind is Kind.CONSTANT}
        bases = ((i, getattr(a, "base", None)) for i, a in arrays.items())
        owners = Counter(id(base) if isinstance(base, np.ndarray) else i for i, base in bases)
        return {i for i, count in owners.items() if count > 1}

    def array(self, array: np.ndarray[Any, Any], *, elide: bool = False) -> str:
        """A captured array: readable where it is small, else its bytes."""
        if elide and array.nbytes > _ELIDED:
            return f"...  # captured, {array.nbytes:,} bytes"
        library = libraries.of(array)
        if library is not None:
            text, modules = library.exact(array)
            return text.format(*map(self.module, modules))
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

    @cached_property
    def taken(self) -> set[str]:
        """The names that variables have."""
        return {*self.graph.signature.parameters, *self.names.values()}

    def module(self, name: str) -> str:
        """The name a module is imported as: the usual one, unless something of the user's has it."""
        if name not in self.aliases:
            usual = "np" if name == "numpy" else name
            top = usual.split(".")[0]
            self.aliases[name] = usual if top not in self.taken else f"{top}_module"
        return self.aliases[name]

    def name_of(self, function: Any) -> str:
        """A dotted name that reaches a function or class, or the name of a line that makes it."""
        if any(library.making(function, self) is not None for library in libraries.LIBRARIES):
            return self.stand_in(function, function.called)
        function = getattr(function, "function", function)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            return f"{self.name_of(owner)}.{function.__name__}"
        found = address(function)
        if found is None:
            return self.stand_in(function, "callback" if callable(function) else "object")
        module, name = found
        if module == "builtins":
            return f"{self.module('builtins')}.{name}" if name in self.taken else name
        if module.split(".")[0] == "numpy":
            return f"{self.module('numpy')}{module[len('numpy') :]}.{name}"
        return f"{self.module(module)}.{name}"

    def stand_in(self, value: Any, what: str) -> str:
        """The name of a line before the function, for what has no name and no literal."""
        known = {id(v): n for n, v in self.functions.items()}
        if id(value) not in known:
            name = f"{what}_{len(self.functions) + 1}"
            self.functions[name] = value
            return name
        return known[id(value)]

    def making(self, value: Any) -> str:
        """The text that makes what `stand_in` names; `...` where there is none, so that using it raises."""
        for library in libraries.LIBRARIES:
            if (text := library.making(value, self)) is not None:
                return text
        if isinstance(value, np.vectorize):
            options = {"otypes": value.otypes, "signature": value.signature, "excluded": value.excluded}
            given = "".join(f", {k}={self.literal(v)}" for k, v in options.items() if v)
            made = self.function_text(value.pyfunc)
            return f"{self.np('vectorize')}({made}{given})" if made else f"...  # {UNNAMED}"
        if not callable(value):
            return f"...  # a {type(value).__name__}, which has no literal"
        return lambda_text(value) or f"...  # {UNNAMED}"

    def function_text(self, function: Any) -> str | None:
        """A function's name or source."""
        return self.name_of(function) if address(function) is not None else lambda_text(function)


def _reads_back(value: complex) -> bool:
    """Whether `repr` gives the very number: not where a part is not finite, or is a zero with a sign."""
    signs = any(part == 0 and math.copysign(1, part) < 0 for part in (value.real, value.imag))
    return cmath.isfinite(value) and not signs and not (value.real == 0 and value.imag < 0)


def _name(function: Any) -> str:
    return str(function.__name__)


def _is_method(function: Any) -> bool:
    owner = getattr(function, "__objclass__", None)
    if any(library.is_method(function) for library in libraries.LIBRARIES):
        return True
    return owner is not None and issubclass(owner, (np.ndarray, np.generic, int, float, complex, str))


def describe(node: Node, varying: AbstractSet[int] = frozenset(), sizes: Sequence[str] | None = None) -> str:
    """Dtype and shape of a node's result: `float64[3, 4]`, `float64[b, 4]`, or the Python type of a number.

    `sizes` are those of its axes in words (default: the example's).  For an axis whose size is another in each
    iteration of a loop stands a colon.
    """
    if node.shape is None:
        return getattr(node.dtype, "__name__", str(node.dtype))
    texts = [":" if axis in varying else str(size) for axis, size in enumerate(sizes or node.shape)]
    return f"{dtype_text(node.dtype)}[{', '.join(texts)}]"


def dtype_text(dtype: Any) -> str:
    """A dtype as it stands before a shape: `float32`, also where a library calls it `torch.float32`."""
    text = str(dtype)
    for library in libraries.LIBRARIES:
        text = text.removeprefix(f"{library.name}.")
    return text
