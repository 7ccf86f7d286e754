"""Looks over a finished graph for what no event told: constant outputs, wider dtypes, shapes made by contents.

Each function yields plain notes; `findings` makes findings of them.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import libraries
from .events import Instruction, Origin, Origins, Source
from .flow import Flow
from .graph import Graph
from .nodes import Kind, Node
from .positions import Located, locate
from .traced import Traced, TracedArray, TracedScalar, TracedShape, TracedText, origins_of
from .trees import children, is_container, spell

if TYPE_CHECKING:
    from .capture import Capture

_SHAPED_BY_CONTENTS = frozenset({
    *(getattr(np, name) for name in dir(np) if name.startswith("unique_")), np.polydiv, np.polymul, np.roots,
    np.nonzero, np.argwhere, np.flatnonzero, np.unique, np.extract, np.compress, np.union1d, np.intersect1d,
    np.setdiff1d, np.setxor1d, np.trim_zeros, np.ndarray.nonzero, np.ndarray.compress, np.repeat, np.bincount,
})  # fmt: skip
_BY_COUNTS = frozenset({np.repeat, np.ndarray.repeat})
_BY_BINS = frozenset({np.histogram, np.histogram_bin_edges})
_MAY_DEPEND = _SHAPED_BY_CONTENTS | _BY_COUNTS | _BY_BINS | {operator.getitem, np.where, np.delete}
_WIDENING = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.matmul, np.where, np.concatenate, np.stack, np.dot, np.outer, np.append, np.hstack, np.vstack,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class OutputNote:
    """Part of the result that is constant in the graph: from other origins, or from nothing at all."""

    at: Located
    origins: Origins
    value: Any


@dataclass(frozen=True, slots=True)
class WidenedNote:
    """An operation whose result is wider than the input array in it, because of another operand."""

    at: Located
    narrow: Any
    wide: Any


def constant_outputs(captured: Capture) -> Iterator[OutputNote]:
    """The parts of a result that no input can change."""
    at = locate(captured.returned) if captured.returned is not None else None
    if at is None or captured.failure is not None:
        return
    yield from _outputs(captured.result, at, captured.flow)


def takes_arrays(captured: Capture) -> bool:
    return any(n.kind is Kind.INPUT for n in captured.nodes)


def _outputs(value: Any, at: Located, flow: Flow) -> Iterator[OutputNote]:
    if is_container(value) and type(value) is not TracedShape:
        for step, child in children(value):
            yield from _outputs(child, _part(at, step), flow)
    elif isinstance(value, (Traced, TracedText)) and type(value) in (TracedArray, TracedScalar, TracedText):
        origins = origins_of(value)
        if value.node is None or (value.node.shape is not None and not flow.reached(value.node)):
            yield OutputNote(at, origins, value.value if isinstance(value, Traced) else str(value))
    elif libraries.is_array(value):
        yield OutputNote(at, frozenset({Source(Origin.HIDDEN, "an array", None, value=value)}), value)
    elif type(value) in (int, float, complex) and at.node is not None and value_is_all(at):
        yield OutputNote(at, frozenset(), value)


def value_is_all(at: Located) -> bool:
    """Whether an expression is all that a `return` gives."""
    return isinstance(at.file.parents.get(at.node) if at.node is not None else None, (ast.Return, ast.Lambda))


def _part(at: Located, step: Any) -> Located:
    """The expression of one part of a returned tuple, list or dict display."""
    node = at.node
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(step, int) and step < len(node.elts):
        chosen = node.elts[step]
        return at if any(isinstance(e, ast.Starred) for e in node.elts[: step + 1]) else at.at(chosen)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == step:
                return at.at(value)
    return at


@dataclass(frozen=True, slots=True)
class ClassNote:
    """An argument that is a class (`dtype=np.float32`), which cannot carry its origin."""

    at: Located
    name: str
    value: type


def class_arguments(captured: Capture, graph: Graph) -> Iterator[ClassNote]:
    """The operands that are classes given as arguments, by the parameter's name where they are used."""
    given = {name: v for name, v in captured.example.items() if isinstance(v, type)}
    for node in graph.nodes if given else ():
        at = locate(Instruction(node.code, node.lasti)) if node.code is not None else None
        for part in ast.walk(at.node) if at is not None and at.node is not None else ():
            if isinstance(part, ast.Name) and part.id in given and at is not None:
                values = (*node.args, *(node.kwargs or {}).values())
                if any(v is given[part.id] for v in values):
                    yield ClassNote(at.at(part), part.id, given[part.id])


def widened(captured: Capture, graph: Graph) -> Iterator[WidenedNote]:
    """Operations in which a constant made an input's dtype wider.

    NumPy counts a scalar of its own like an array (NEP 50); PyTorch counts a tensor of no dimensions like a number.
    """
    for node in graph.nodes if _has_widths(graph) else ():
        if node.shape is None or node.kwargs or not _has_narrower(node):
            continue
        binary = node.function in _WIDENING or (isinstance(node.function, np.ufunc) and node.function.nin > 1)
        binary |= any(library.is_elementwise(node.function) for library in libraries.LIBRARIES)
        narrow = _narrow_input(node, captured.flow) if binary else None
        if narrow is None or not _wider(node.dtype, narrow) or not _by_a_constant(node, narrow, captured.flow):
            continue
        at = locate(Instruction(node.code, node.lasti)) if node.code is not None else None
        if at is not None:
            yield WidenedNote(at, narrow, node.dtype)


def _has_widths(graph: Graph) -> bool:
    """Whether a graph has dtypes of one kind and different sizes at all: most have not."""
    widths = {_width(dtype) for dtype in {id(n.dtype): n.dtype for n in graph.nodes}.values()} - {None}
    return len(widths) > len({kind for kind, _ in filter(None, widths)})


def _width(dtype: Any) -> tuple[str, int] | None:
    """A dtype's kind, by NumPy's letter, and its bytes; None of what is no dtype."""
    if isinstance(dtype, np.dtype):
        return dtype.kind, dtype.itemsize
    return next((lib.width(dtype) for lib in libraries.LIBRARIES if isinstance(dtype, lib.objects)), None)


def _has_narrower(node: Node) -> bool:
    """Whether an operand's dtype is of the result's kind, and narrower: asked of each node, and seldom so."""
    dtype = node.dtype
    for operand in node.operands():
        own = operand.dtype
        if own is not dtype and _wider(dtype, own):
            return True
    return False


def _narrow_input(node: Node, flow: Flow) -> Any:
    """The widest inexact dtype among operands that come from input arrays; None where others come from them, too."""
    own = {o.dtype: width for o in node.operands() if (width := _width(o.dtype)) and _from_input(o, flow)}
    inexact = {dtype: width for dtype, width in own.items() if width[0] in "fc"}
    if not inexact or len(inexact) != len([kind for kind, _ in own.values() if kind != "b"]):
        return None
    return max(inexact, key=inexact.__getitem__)


def _from_input(node: Node, flow: Flow) -> bool:
    return any(s.origin is Origin.CONTENTS for s in flow.sources(frozenset({node})))


def _wider(result: Any, narrow: Any) -> bool:
    wide, own = _width(result), _width(narrow)
    return wide is not None and own is not None and wide[0] == own[0] and wide[1] > own[1]


def _by_a_constant(node: Node, narrow: Any, flow: Flow) -> bool:
    """Whether an operand that does not come from an input has a dtype that does not fit the narrow one."""
    others: list[Any] = [o.dtype for o in node.operands() if _width(o.dtype) and not _from_input(o, flow)]
    others += [a.dtype for a in node.args if isinstance(a, np.generic)]
    if isinstance(narrow, np.dtype):
        return any(np.result_type(other, narrow) != narrow for other in others if isinstance(other, np.dtype))
    library = libraries.current()
    assert library is not None
    return any(library.promoted(other, narrow) != narrow for other in others if isinstance(other, type(narrow)))


def shaped_by_contents(captured: Capture, graph: Graph) -> Iterator[Located]:
    """Operations whose result's shape depends on array contents."""
    library = libraries.current()
    for node in graph.nodes:
        depends = node.function in _MAY_DEPEND and _depends(node)
        if library is not None:
            depends |= library.has_shape_by_contents(node.function, node.args)
        if node.code is None or not depends:
            continue
        if any(_from_input(o, captured.flow) for o in _shaping(node)):
            at = locate(Instruction(node.code, node.lasti))
            if at is not None:
                yield at


def _depends(node: Node) -> bool:
    key = node.args[1] if len(node.args) > 1 else None
    if node.function is operator.getitem and type(key) is int:
        return False
    if node.function is operator.getitem and type(key) is slice:
        return any(type(bound) is Node for bound in (key.start, key.stop, key.step))
    if node.function is operator.getitem and isinstance(node.args[0], Node) and node.args[0].shape is not None:
        return _by_mask(node) or bool(_shaping(node))
    if node.function is np.where:
        return len(node.args) == 1
    second = node.args[1] if len(node.args) > 1 else None
    if node.function in _BY_COUNTS:
        return isinstance(second, Node) and bool(second.shape)
    if node.function is np.delete:
        return isinstance(second, Node) and second.dtype == np.bool_
    if node.function in _BY_BINS:
        return isinstance((node.kwargs or {}).get("bins", second), str)
    return node.function in _SHAPED_BY_CONTENTS


def _shaping(node: Node) -> list[Node]:
    """The operands whose contents decide the shape of a result: of a slice its bounds."""
    if node.function is operator.getitem and not _by_mask(node):
        return [b for k in _keys(node) if type(k) is slice for b in (k.start, k.stop, k.step) if type(b) is Node]
    return node.operands()


def _keys(node: Node) -> tuple[Any, ...]:
    return node.args[1] if type(node.args[1]) is tuple else (node.args[1],)


def _by_mask(node: Node) -> bool:
    truths = (np.bool_, *(library.truth for library in libraries.LIBRARIES))
    return any(isinstance(k, Node) and k.shape and any(k.dtype == truth for truth in truths) for k in _keys(node))


def poor_sizes(captured: Capture) -> list[str]:
    """Arrays of an example with an axis of size 0 or 1, which broadcasts and hides faults.

    The sizes of a module's parameters are not the example's to choose.
    """
    given = captured.chosen
    arrays = {n.args[0]: n.shape or () for n in captured.nodes if n.kind is Kind.INPUT and n.args[0] in given}
    return [spell(path) for path, shape in arrays.items() if any(size in (0, 1) for size in shape)]
