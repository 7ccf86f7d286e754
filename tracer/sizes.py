"""The sizes of a trace's arrays as expressions in the sizes of its inputs.

They are told from the nodes when someone asks (a guard's text, a hover, a finding), by the rules of `shapes`; the trace
itself asks each array for its size.  A size whose rule is not known is an unknown of its own, never a wrong number: a
rule's result counts only if it is the shape that the example showed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from . import libraries
from .nodes import Kind, Node, fill
from .shapes import Abstract, Dim, Reason, Size, Unknown, hint, infer, largest, smallest
from .shapes.atoms import Kind as AtomKind
from .shapes.atoms import Terms
from .specs import Spec
from .trees import Path, leaves, spell

Names = Mapping[Path, tuple[str | None, ...]]
"""The names that dimensions of inputs have (`spec("b 4", b=3)`), by the way to the input."""


class Sizes:
    """Symbolic sizes of the nodes of one trace."""

    def __init__(self, names: Names | None = None, changed: AbstractSet[Node] = frozenset()) -> None:
        self._names = names or {}
        self._paths: dict[str, Path] = {}
        self._known: dict[Node, Any] = {}
        self._changed = changed

    @property
    def named(self) -> bool:
        """Whether dimensions have names: then they are what shapes are told in."""
        return bool(self._names)

    def in_words(self, node: Node) -> str | None:
        """An array's sizes as expressions, `(x.shape[0] - 1, 4)`; None where they are numbers, or not known."""
        shape = self.shape(node)
        if all(isinstance(size, int) for size in shape) or any(None in inputs_in(size) for size in shape):
            return None
        return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"

    def in_names(self, node: Node) -> list[str]:
        """An array's sizes in the names of dimensions; numbers where none is in it, or something is not known."""
        named = {name for names in self._names.values() for name in names if name}
        return [
            str(size) if None not in (told := set(inputs_in(size))) and told & named else str(hint(size))
            for size in self.shape(node)
        ]

    def shape(self, node: Node) -> tuple[Dim, ...]:
        """The sizes of an array's axes: plain numbers where they are the same whatever the inputs' sizes are."""
        told = self.told(node)
        assert isinstance(told, Abstract), node
        return told.shape

    def told(self, node: Node) -> Any:
        """What is known of a node's result: `Abstract` of an array, a size, a plain value, or None for nothing."""
        stack = [node]
        while stack:
            last = stack[-1]
            if last in self._known:
                stack.pop()
                continue
            unknown = [o for o in last.operands() if o not in self._known]
            if unknown:
                stack += unknown
                continue
            self._known[last] = self._tell(last)
            stack.pop()
        return self._known[node]

    def inputs(self, size: Dim) -> list[Path] | None:
        """The inputs whose sizes are in an expression; None where something unknown is in it."""
        names = list(inputs_in(size))
        return None if None in names else [self._paths[name] for name in names if name is not None]

    def _tell(self, node: Node) -> Any:
        if node.shape is None:
            return self._plain(node)
        if node in self._changed:  # its shape was changed in place: it is another before than after
            return Abstract(tuple(map(Size.unknown, node.shape)), node.dtype)
        if node.kind is Kind.INPUT:
            return self._input(node)
        if node.kind is Kind.CONSTANT:
            return Abstract(node.shape, node.dtype)
        same = self._elementwise(node)
        if same is not None:
            return same
        try:
            assert node.function is not None
            result = inferred(node.function, self._seen(node.args), self._seen(node.kwargs or {}))
        except Exception:  # noqa: BLE001  # no rule, or contents decide, or an example outside the rule: it is not known
            result = None
        if isinstance(result, Abstract) and tuple(map(hint, result.shape)) == node.shape:
            return Abstract(result.shape, node.dtype, result.scalar)
        return Abstract(tuple(map(Size.unknown, node.shape)), node.dtype)

    def _input(self, node: Node) -> Abstract:
        path, shape = node.args[0], node.shape or ()
        names = self._names.get(path, (None,) * len(shape))
        texts = [name or f"{spell(path)}.shape[{axis}]" for axis, name in enumerate(names)]
        for text in texts:
            self._paths.setdefault(text, path)
        return Abstract(tuple(map(Size.atom, texts, shape)), node.dtype)

    def _plain(self, node: Node) -> Any:
        """A number, tuple or other plain value, where shapes tell it."""
        try:
            args, kwargs = self._seen(node.args), self._seen(node.kwargs or {})
            if node.function is len and isinstance(args[0], (tuple, list)):
                return None  # how many parts the example has
            if all(isinstance(a, (int, Size)) for a in args) and not kwargs:
                exact = EXACT.get(node.function)  # type: ignore[arg-type]  # a call has a function
                return exact(*args) if exact is not None else None
            result = inferred(node.function, args, kwargs)  # type: ignore[arg-type]  # as above
        except Exception:  # noqa: BLE001  # as for arrays: then it is not known
            return None
        return None if isinstance(result, Abstract) else result

    def _elementwise(self, node: Node) -> Abstract | None:
        """The common case, told without a rule: an operation on arrays of one shape, and scalars."""
        if node.function not in _ELEMENTWISE and not _is_elementwise(node.function):
            return None
        shape: tuple[Dim, ...] | None = None
        for operand in node.operands():
            if operand.shape:
                own = self._known[operand].shape
                if operand.shape != node.shape or (shape is not None and own != shape):
                    return None
                shape = own if shape is None else shape
        return Abstract(shape, node.dtype) if shape is not None else None

    def _seen(self, value: Any) -> Any:
        """An argument as the rules take it."""
        return fill(value, self._needed)

    def _needed(self, node: Node) -> Any:
        told = self._known[node]
        if told is None:
            raise Unknown(Reason.CONTENTS)
        return told


def inferred(function: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]) -> Any:
    """`shapes.infer`, of a library's operations too."""
    for library in libraries.LIBRARIES:
        found = library.told(function, args, kwargs)
        if found is not NotImplemented:
            return found
    return infer(function, args, kwargs)


def names_of(arguments: Mapping[str, Any]) -> Names:
    """The names that `spec` examples give to dimensions."""
    return {
        path: leaf.names
        for name, value in arguments.items()
        for leaf, path in leaves(value, (name,))
        if isinstance(leaf, Spec) and any(leaf.names)
    }


def inputs_in(size: Dim) -> Iterator[str | None]:
    """The names of the input sizes in an expression, and None for each unknown."""
    return _inputs(size.terms) if isinstance(size, Size) else iter(())


def _inputs(terms: Terms) -> Iterator[str | None]:
    for monomial, _ in terms:
        for atom in monomial:
            if atom.kind is AtomKind.INPUT:
                yield atom.parts[0]
            elif atom.kind is AtomKind.UNKNOWN:
                yield None
            else:
                for part in atom.parts:
                    yield from _inputs(part)


def _is_elementwise(function: Any) -> bool:
    if isinstance(function, np.ufunc):
        return function.signature is None and function.nout == 1
    return any(library.is_elementwise(function) for library in libraries.LIBRARIES)


EXACT: dict[Callable[..., Any], Callable[..., Any]] = {
    **{f: f for f in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, abs)},
    operator.pos: operator.pos,
    min: smallest,
    max: largest,
}
"""Functions of numbers that sizes follow exactly, whatever they are on the example."""
_ELEMENTWISE: frozenset[Any] = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.and_, operator.or_,
    operator.xor, operator.neg, operator.pos, operator.invert, abs, operator.iadd, operator.isub, operator.imul,
    operator.itruediv, np.ndarray.copy, np.copy,
})  # fmt: skip
