"""What of a trace is sent to others: the graph with its nodes, and results in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os.path import basename
from typing import TYPE_CHECKING, Any

import numpy as np

from . import libraries, lowering
from .copies import copy_tree, settled
from .cost import Costs
from .drawing import ends_of
from .events import Instruction
from .exports import RENDERINGS, to_json
from .graph import Graph
from .groups import Groups, groups_of
from .nodes import Kind, Node, evaluate
from .positions import locate
from .printing import Printed, Printer, line_of, printed
from .randomness import steady
from .rules import Severity
from .shown import shown
from .sizes import Sizes
from .trees import children, is_container
from .worker.wire import GraphInfo, NodeInfo, Place

if TYPE_CHECKING:
    from .tracing import Trace

_SHOWN = 2000
"""Nodes of larger graphs are sent without their values and symbolic sizes."""
_SENT = 20_000
"""Nodes beyond this many are counted, and not sent."""
_SURVEYED = 100_000
"""Larger graphs are sent without groups and costs: a run that was stopped must have handed over in seconds."""


def graph_info(
    graph: Graph, example: Mapping[str, Any], formats: tuple[str, ...] = (), *, symbolic: bool = True
) -> GraphInfo:
    """A graph with its nodes as an editor shows them, and further renderings that were asked for.

    `example` gives the values to show, `symbolic` says that sizes are told as expressions, too.
    """
    printer = Printer(graph)
    values = _values(graph, example)
    text = printed(graph, printer, elide=True)
    open_ = symbolic and not graph.sizes.named and len(graph.nodes) <= _SHOWN  # names stand in the shape itself
    told = graph.sizes if open_ else None
    lines = [n for n in graph.nodes if n not in printer.inlined]
    places: dict[tuple[int, int], Place | None] = {}
    surveyed = len(graph.nodes) <= _SURVEYED
    groups = groups_of(printer, lines[:_SENT]) if surveyed else Groups((), {})
    costs = (graph.costs if symbolic else Costs(graph, symbolic=False)) if surveyed else None
    nodes = tuple(_node_info(n, printer, text, values, told, places, groups, costs) for n in lines[:_SENT])
    operations = sum(n.kind is Kind.CALL for n in lines)
    outputs = printer.called(ends_of(printer))
    rendered = {name: RENDERINGS[name](graph) for name in formats if name in RENDERINGS}
    if "aten" in formats:
        rendered["aten"] = lowering.text(graph, example)
    if "json" in formats:
        rendered["json"] = to_json(graph, lowering.becomes(graph, printer, example))
    return GraphInfo(
        text.text,
        nodes,
        outputs,
        rendered,
        len(lines),
        operations,
        groups.listed,
        costs.total(printer.names) if costs is not None else None,
    )


def ending(found: Trace, path: str) -> str:
    """Where a trace ended, and what ended it, in one line; empty where its function, in `path`, came to its end."""
    if found.error is None:
        return ""
    told = next((one for one in reversed(found.findings) if one.severity is Severity.ERROR), None)
    if told is None:
        words = f"{type(found.error).__name__}: {found.error}"
        return f"the trace ends before the function does: {' '.join(words.split())}"
    where = f"line {told.place.span.line}" + ("" if told.place.path == path else f" of {basename(told.place.path)}")
    return f"the trace ends at {where}: {' '.join(told.message.split())}"


def ended(info: GraphInfo, end: str) -> GraphInfo:
    """What is sent of a graph, whose code says where its trace ended, if it did not come to the function's end."""
    if not end:
        return info
    rendered = {name: f"{text}    # {end}\n" if name == "unfolded" else text for name, text in info.rendered.items()}
    return replace(info, code=f"{info.code}    # {end}\n", rendered=rendered)


def _node_info(
    node: Node,
    printer: Printer,
    text: Printed,
    values: dict[Node, str],
    sizes: Sizes | None,
    places: dict[tuple[int, int], Place | None],
    groups: Groups,
    costs: Costs | None,
) -> NodeInfo:
    """One node for people; `places` keeps those of instructions, of which a loop has few."""
    operation = node.kind.value if node.kind is not Kind.CALL else printer.operation(node)
    key = (id(node.code), node.lasti)
    if key not in places:
        at = locate(Instruction(node.code, node.lasti)) if node.code is not None else None
        places[key] = at.place if at else None
    inputs = printer.called(printer.dependencies.of(node))
    return NodeInfo(
        printer.names[node],
        operation,
        line_of(printer, node),
        inputs,
        printer.description(node),
        values.get(node),
        places[key],
        text.line(node),
        sizes.in_words(node) if sizes is not None and node.shape else None,
        groups.of.get(node),
        costs.of(node) if costs is not None else None,
    )


def lowered(info: GraphInfo, graph: Graph, example: Mapping[str, Any], seconds: float) -> GraphInfo:
    """What is sent of a graph, with the operations of the library's own that its nodes become on an example.

    Nothing is added where no library's operations are in it.  Of larger graphs, and of those that run for longer than
    so many seconds, it is told where it is asked for alone.
    """
    if libraries.current() is None or len(graph.nodes) > _SHOWN:
        return info
    printer = Printer(graph)
    became = lowering.becomes(graph, printer, example, seconds)
    lines = (n for n in graph.nodes if n not in printer.inlined)
    nodes = (replace(told, becomes=became.get(n, ())) for told, n in zip(info.nodes, lines, strict=False))
    return replace(info, nodes=tuple(nodes))


def _values(graph: Graph, example: Mapping[str, Any]) -> dict[Node, str]:
    """A few values of each node, from running the graph again on the example."""
    if len(graph.nodes) > _SHOWN:
        return {}
    values: dict[Node, Any] = {}
    copies: dict[Any, Any] = {}
    shown: dict[Node, str] = {}
    bound = {**graph.brought(), **copy_tree(dict(example))}
    with steady():
        for node in graph.nodes:
            try:
                values[node] = evaluate(node, values, bound, copies)
            except Exception:  # noqa: BLE001  # a partial graph need not run to its end
                break
            shown[node] = summary(values[node])
    return shown


def summary(value: Any) -> str:
    """A value in one short line."""
    library = libraries.of(value)
    if library is not None:
        value = library.array(value)
    if isinstance(value, np.ndarray):
        if value.size > 6:
            head = ", ".join(_number(v) for v in value.flat[:3])
            return f"{head}, … {_number(value.flat[-1])}"
        text = _nested(value)
    else:
        text = _number(value) if isinstance(value, (np.generic, float)) else shown(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def _nested(array: Any) -> str:
    """A small array as nested lists."""
    return _number(array[()]) if array.ndim == 0 else "[" + ", ".join(_nested(np.asarray(row)) for row in array) + "]"


def _number(value: Any) -> str:
    plain = value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufc" else value
    if not isinstance(plain, float):
        return str(plain)
    text = f"{plain:.4g}"
    return f"{text}." if text.lstrip("-").isdigit() else text


# ---- comparing results -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave: a value, or the exception it raised."""

    value: Any
    error: BaseException | None

    @property
    def text(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.error}"
        return shown(self.value)


def run_plainly(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """Call a function on its own copy of the arguments."""
    args, kwargs = copy_tree((list(args), kwargs))
    try:
        with steady():
            return Result(settled(function(*args, **kwargs)), None)
    except Exception as error:  # noqa: BLE001  # what was raised is the result
        return Result(None, error)


def compare_results(a: Result, b: Result) -> bool:
    """Whether two calls gave the same: bit for bit with dtypes, or the same kind of exception."""
    if a.error is not None or b.error is not None:
        return type(a.error) is type(b.error)
    return same(a.value, b.value)


def same(a: Any, b: Any) -> bool:
    """Equality bit for bit: dtypes, shapes, signs of zero and NaN payloads' presence count."""
    library = libraries.of(a) or libraries.of(b)
    if library is not None:
        return libraries.of(a) is libraries.of(b) and library.same(a, b)
    if isinstance(a, (np.ndarray, np.generic)) or isinstance(b, (np.ndarray, np.generic)):
        if type(a) is not type(b) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.dtype.hasobject:
            return bool(np.array_equal(a, b))
        return _bits(a) == _bits(b)
    if is_container(a) or is_container(b):
        if type(a) is not type(b):
            return False
        left, right = list(children(a)), list(children(b))
        return [k for k, _ in left] == [k for k, _ in right] and all(
            same(x, y) for (_, x), (_, y) in zip(left, right, strict=False)
        )
    if type(a) is not type(b):
        return False
    return a is b or bool(a == b) or (isinstance(a, float) and a != a and b != b)


def _bits(array: Any) -> bytes:
    """An array's bytes, with every NaN the same NaN: its payload depends on the order of operands."""
    plain = np.array(array, order="C")  # a view as pairs of reals needs it so
    if plain.dtype.kind in "fc":
        parts = plain.view(plain.real.dtype) if plain.dtype.kind == "c" and plain.ndim else plain
        if parts.dtype.kind == "f":
            parts[np.isnan(parts)] = np.nan
    if plain.dtype.kind == "f" and plain.dtype.itemsize > 8:
        return repr(plain.tolist()).encode()
    return plain.tobytes()


__all__ = [
    "Result",
    "compare_results",
    "copy_tree",
    "ended",
    "ending",
    "graph_info",
    "lowered",
    "run_plainly",
    "same",
    "summary",
]
