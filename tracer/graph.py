"""The captured graph: its nodes, how it is run again, and the conditions under which it holds.

A graph is a straight line of nodes in program order.  Running it evaluates node after node on real
NumPy values, so views keep aliasing their base and in-place writes happen where the function made
them.  What a graph prints as is in `printing`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import libraries
from .copies import copy_tree
from .nodes import Kind, Node, evaluate, fill
from .outline import agree, outline
from .sizes import Sizes
from .trees import Leaf, Path, children, fetch, rebuild
from .worker.wire import GraphCost, Place

if TYPE_CHECKING:
    from .cost import Costs
    from .groups import Groups


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A condition under which the graph holds.

    `node` is the condition (or number of iterations) and `expected` what it was on the example.
    Where there is no node, `path` leads to a non-array argument that must be equal to `expected`.
    """

    node: Node | None
    path: Path | None
    expected: Any
    text: str
    place: Place | None
    """Where it was decided: the condition, what is iterated over, the argument's use."""
    constant: bool = False
    """It stands for a constant argument, not for a condition: it is not part of what the graph is valid for."""

    @property
    def line(self) -> int | None:
        return self.place.span.line if self.place is not None else None


class GuardError(Exception):
    """The arguments are outside what the graph holds for; `condition` and `line` say which guard."""

    def __init__(self, guard: Guard, found: object) -> None:
        found = found.item() if isinstance(found, np.generic) else found
        where = f" (line {guard.line})" if guard.line else ""
        super().__init__(
            f"the graph holds only for {guard.text}{where}; "
            f"with these arguments it is {found!r} instead of {guard.expected!r}"
        )
        self.condition = guard.text
        self.line = guard.line


@dataclass(frozen=True)
class Graph:
    """What a function did to its arrays.  Call it to run it; see `Node` for what it is made of."""

    name: str
    signature: inspect.Signature
    nodes: tuple[Node, ...]
    """The nodes that results or writes need, in program order; inputs first."""
    output: Any
    """The result's tree: `Leaf` where a node or a literal stands, else tuples, lists, dicts, dataclasses."""
    guards: tuple[Guard, ...] = ()
    checks: tuple[Node, ...] = ()
    """All nodes that results, writes and guards need, in program order: what `__call__` runs."""
    outlines: tuple[tuple[Path, Any, str], ...] = ()
    """What the arguments must be like besides arrays and numbers (`outline`), as conditions."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What inputs are found in besides the arguments: the module whose call was traced, as `self`."""
    sizes: Sizes = field(default_factory=Sizes)
    """The sizes of its arrays as expressions in the inputs' sizes, told when asked."""
    tracing_mode: str = "real"
    pre_dispatch: bool = False
    """How `to_fx` has PyTorch's own tracer record it, where it is not told otherwise."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph on new arguments.

        Raises GuardError where a condition that was decided while tracing is decided otherwise for
        these, TypeError where they do not fit the function's signature.
        """
        bound = self.bound(*args, **kwargs)
        for node in self.inputs:
            fetch(bound, node.args[0])  # what is missing is no other example, but wrong
        for guard, found in self._refused(bound):
            raise GuardError(guard, found)
        return self._run(self.checks or self.nodes, bound, self._asked)

    def replay(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph on new arguments without looking at the guards."""
        return self._run(self.nodes, self.bound(*args, **kwargs), {})

    def failed_guards(self, *args: Any, **kwargs: Any) -> list[Guard]:
        """The guards that do not hold for these arguments, as far as they can be told."""
        bound = self.bound(*args, **kwargs)
        failed = [guard for guard, _ in self._refused(bound)]
        values: dict[Node, Any] = {}
        copies: dict[Any, Any] = {}
        for node in self.checks or self.nodes:
            try:
                value = values[node] = evaluate(node, values, bound, copies)
                failed += [g for g in self._asked.get(node, ()) if not _holds(g, value)]
            except Exception:  # noqa: BLE001  # the graph need not fit these arguments: a guard may say so further on
                continue
        return failed

    def _refused(self, bound: dict[str, Any]) -> Iterator[tuple[Guard, Any]]:
        """The conditions on arguments other than arrays that do not hold, each with what was found instead."""
        for path, expected, text in self.outlines:
            if path[0] in bound and not agree(found := outline(fetch(bound, path)), expected):
                yield Guard(None, path, expected, text, None, constant=True), found
        for guard in self.guards:
            if guard.node is None and guard.path is not None:
                found = fetch(bound, guard.path)
                if not _same(found, guard.expected):
                    yield guard, found

    @cached_property
    def _asked(self) -> dict[Node, list[Guard]]:
        """The guards by the node whose value decides them."""
        asked: dict[Node, list[Guard]] = {}
        for guard in self.guards:
            if guard.node is not None:
                asked.setdefault(guard.node, []).append(guard)
        return asked

    def bound(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What inputs are found in: the arguments by parameter, and what was `given`."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return {**self.brought(), **bound.arguments}

    def brought(self) -> Mapping[str, Any]:
        """What it has inputs in besides the arguments: a copy, where a run writes there."""
        return copy_tree(dict(self.given)) if self.given and self._writes_given else self.given

    @cached_property
    def _writes_given(self) -> bool:
        owners = {n for n in self.inputs if n.args[0][0] in self.given}
        return any(o.owner in owners for n in self.nodes if n.writes for o in n.operands())

    def _run(self, nodes: tuple[Node, ...], bound: dict[str, Any], guards: dict[Node, list[Guard]]) -> Any:
        """Evaluate nodes in order; a value is let go of after its last use, as the function lets go of it."""
        values: dict[Node, Any] = {}
        copies: dict[Any, Any] = {}
        ends = self._ends if nodes is self.nodes else self._check_ends
        for node, ending in zip(nodes, ends, strict=True):
            value = values[node] = evaluate(node, values, bound, copies)
            if node in guards:
                for guard in guards[node]:
                    if not _holds(guard, value):
                        raise GuardError(guard, value)
            for last in ending:
                del values[last]
        return rebuild(self.output, lambda leaf: fill(leaf.value, values.__getitem__))

    @cached_property
    def _ends(self) -> list[tuple[Node, ...]]:
        return last_uses(self.nodes, set(self.results()))

    @cached_property
    def _check_ends(self) -> list[tuple[Node, ...]]:
        return last_uses(self.checks or self.nodes, set(self.results()))

    def results(self) -> Iterator[Node]:
        """The nodes that stand in the output."""
        yield from nodes_in(self.output)

    @property
    def inputs(self) -> tuple[Node, ...]:
        return tuple(n for n in self.nodes if n.kind is Kind.INPUT)

    @cached_property
    def cost(self) -> GraphCost:
        """What a run costs, from shapes and dtypes alone: bytes read and written, operations, the peak of live memory.

        Amounts are numbers, and expressions in the inputs' sizes (`words`); `tracer.cost` says what is counted.
        """
        from .printing import Printer

        return self.costs.total(Printer(self).names)

    @cached_property
    def costs(self) -> Costs:
        """What its nodes cost, each and several together."""
        from .cost import Costs

        return Costs(self)

    def to_fx(
        self, *args: Any, tracing_mode: str | None = None, pre_dispatch: bool | None = None, **kwargs: Any
    ) -> Any:  # fmt: skip
        """The ATen graph of PyTorch's `make_fx` for these arguments, a `torch.fx.GraphModule` of the graph's inputs.

        `tracing_mode` and `pre_dispatch` are those of `make_fx`, by default those that were given to `make_graph`.
        Numbers that are taken out of tensors are constants in it.  Raises TypeError for a graph without tensors, and
        what `make_fx` raises: with symbolic sizes it does not follow operators that look at contents (`one_hot`).
        """
        library = libraries.current()
        if library is None:
            raise TypeError("only a graph of PyTorch's operations has one in ATen")
        mode = self.tracing_mode if tracing_mode is None else tracing_mode
        before = self.pre_dispatch if pre_dispatch is None else pre_dispatch
        return library.lowered(self, args, kwargs, mode, before)

    @property
    def code(self) -> str:
        """The graph as Python that can be executed: a function of the same name and arguments."""
        from .printing import code

        return code(self)

    def print_readable(self) -> None:
        """Write the graph's text to standard output, below the conditions under which it holds."""
        from .printing import readable

        sys.stdout.write(readable(self))

    @cached_property
    def groups(self) -> Groups:
        """Nodes of one call of a function, or of alike iterations of a loop: `groups.listed`, and `groups.of[node]`."""
        from .groups import groups_of
        from .printing import Printer

        return groups_of(Printer(self), self.nodes)

    def to_dot(self) -> str:
        from .exports import dot

        return dot(self)

    def to_mermaid(self) -> str:
        from .exports import mermaid

        return mermaid(self)

    def to_json(self) -> str:
        from .exports import to_json

        return to_json(self)


def _holds(guard: Guard, value: Any) -> bool:
    return bool(value) is guard.expected if isinstance(guard.expected, bool) else _same(value, guard.expected)


def _same(a: Any, b: Any) -> bool:
    if (library := libraries.of(a) or libraries.of(b)) is not None:
        return libraries.of(a) is libraries.of(b) and library.same(a, b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    return a is b or bool(a == b) or (a != a and b != b)


def nodes_in(tree: Any) -> Iterator[Node]:
    """The nodes among the leaves of an output."""
    if isinstance(tree, Leaf):
        if isinstance(tree.value, Node):
            yield tree.value
        return
    for _, child in children(tree):
        yield from nodes_in(child)


def last_uses(nodes: tuple[Node, ...], kept: set[Node]) -> list[tuple[Node, ...]]:
    """For each place, the nodes whose last use is there (their own place, where nobody uses them)."""
    seen, ends = set(kept), []
    for node in reversed(nodes):
        ending = []
        for each in (node, *node.operands()):
            if each not in seen:
                seen.add(each)
                ending.append(each)
        ends.append(tuple(ending))
    return ends[::-1]
