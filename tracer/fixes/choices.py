"""`if` and `else` that give results become `np.where`: only where both sides are expressions without effects."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..rules import Severity
from ..worker.wire import Finding
from .candidate import Candidate, Kind, candidate
from .pure import is_pure
from .text import Change, Text, names_in

_TITLE = "Choose with `{}.where`"


def choices(text: Text, finding: Finding) -> Iterator[Candidate]:
    """The branch that a finding's condition decides, as a choice between arrays; for scalars, of one element."""
    numpy, node = text.numpy, text.covering(finding.place.span)
    decided = _decided_by(text, node) if node is not None else None
    if numpy is None or decided is None or not (finding.witness or finding.severity is Severity.ERROR):
        return  # without a witness nobody has seen the other side
    for suffix in ("", "[()]"):
        writer = _Writer(text, numpy, suffix)
        change = writer.expression(decided) if isinstance(decided, ast.IfExp) else writer.statement(decided)
        if change is not None:
            yield from candidate(Kind.CHOICE, _TITLE.format(numpy), change)


def _decided_by(text: Text, node: ast.AST) -> ast.If | ast.IfExp | None:
    """The `if` whose condition a node is part of."""
    inner = node
    for outer in text.file.ancestors(node):
        if isinstance(outer, (ast.If, ast.IfExp)) and outer.test is inner:
            return _first_of_chain(text, outer) if isinstance(outer, ast.If) else outer
        if not isinstance(outer, ast.expr) or isinstance(outer, ast.Lambda):
            return None
        inner = outer
    return None


def _first_of_chain(text: Text, node: ast.If) -> ast.If:
    """The `if` that an `elif` belongs to."""
    parent = text.parent(node)
    while isinstance(parent, ast.If) and parent.orelse == [node] and text.of(node).startswith("elif"):
        node, parent = parent, text.parent(parent)
    return node


class _Writer:
    """Writes choices; `suffix` takes an element out of an array without axes."""

    def __init__(self, text: Text, numpy: str, suffix: str) -> None:
        self._text = text
        self._numpy = numpy
        self._suffix = suffix
        self._kept: list[ast.expr] = []

    def expression(self, node: ast.IfExp) -> list[Change | None] | None:
        written = self._either(node.test, self._value(node.body), self._value(node.orelse))
        start, end = self._text.range(node)
        if written is None or self._loose_comments(start, end):
            return None
        if self._text.source[start - 1 : start] == "(" and self._text.source[end : end + 1] == ")":
            parent = self._text.parent(node)
            if isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Subscript, ast.Return)):
                start, end = start - 1, end + 1  # its brackets have nothing to hold together any more
        return [Change(start, end, written)]

    def statement(self, node: ast.If) -> list[Change | None] | None:
        """One `return`, or assignments, in place of the `if` and what follows it."""
        block = [node, *self._text.siblings(node)]
        returned = self._returned(block)
        if returned is not None:
            value, last = returned
            return self._replaced(node, last, [f"return {value}"])
        targets = _targets(node.body)
        if not targets or (len(targets) > 1 and set(targets) & names_in(node.test)):
            return None
        if not node.orelse and not self._are_set_before(node, targets):
            return None
        lines = []
        for number, target in enumerate(targets):
            assigned = self._assigned(node, targets, number)
            if assigned is None:
                return None
            lines.append(f"{target} = {assigned}")
        return self._replaced(node, node, lines)

    def _replaced(self, first: ast.stmt, last: ast.stmt, lines: list[str]) -> list[Change | None]:
        """Lines in place of statements; comments among them come before."""
        (start, _), (_, end) = self._text.range(first), self._text.range(last)
        glue = self._text.newline + self._text.indent(first)
        return [Change(start, end, glue.join([*self._loose_comments(start, end), *lines]))]

    def _loose_comments(self, start: int, end: int) -> list[str]:
        """The comments in a range that are not inside of an expression that is kept."""
        kept = [self._text.range(node) for node in self._kept]
        inside = self._text.comments(start, end)
        return list(dict.fromkeys(c for at, c in inside if not any(first <= at < last for first, last in kept)))

    # ---- results ---------------------------------------------------------------------------------

    def _returned(self, block: Sequence[ast.stmt]) -> tuple[str, ast.stmt] | None:
        """What a block returns, as one expression, and the last statement of it."""
        match block:
            case [ast.Return(value=value) as last, *_] if value is not None:
                written = self._value(value)
                return None if written is None else (written, last)
            case [ast.If() as node, *rest]:
                first = self._returned(node.body)
                second = self._returned(node.orelse or rest)
                if first is None or second is None or len(node.body) > 1 or (node.orelse and rest):
                    return None
                written = self._either(node.test, first[0], second[0])
                return None if written is None else (written, node if node.orelse else second[1])
        return None

    def _assigned(self, node: ast.If, targets: list[str], number: int) -> str | None:
        """What one of the targets gets, as one expression."""
        sides: list[str | None] = []
        for branch in (node.body, node.orelse):
            match branch:
                case []:
                    sides.append(targets[number])
                case [ast.If() as inner]:
                    sides.append(self._assigned(inner, targets, number) if inner.orelse else None)
                case _ if _targets(branch) == targets:
                    value = branch[number].value  # type: ignore[attr-defined]
                    earlier = set(targets[:number]) & names_in(value)
                    sides.append(None if earlier else self._value(value))
                case _:
                    return None
        return self._either(node.test, *sides)

    def _are_set_before(self, node: ast.If, targets: list[str]) -> bool:
        """Whether the function gives the targets a value before, on any way to the `if`."""
        function = self._text.function(node)
        if function is None or isinstance(function, ast.Lambda):
            return False
        arguments = {p.arg for p in ast.walk(function.args) if isinstance(p, ast.arg)}
        before = function.body[: function.body.index(node)] if node in function.body else []
        known = {name for s in before if isinstance(s, ast.Assign) for name in _targets([s])}
        return set(targets) <= arguments | known

    # ---- expressions -----------------------------------------------------------------------------

    def _either(self, test: ast.expr, first: str | None, second: str | None) -> str | None:
        condition = self._condition(test)
        if condition is None or first is None or second is None:
            return None
        return f"{self._numpy}.where({condition}, {first}, {second}){self._suffix}"

    def _value(self, node: ast.expr) -> str | None:
        """The text of a value that an array can have for an element, if it can be computed either way."""
        if isinstance(node, ast.IfExp):
            return self._either(node.test, self._value(node.body), self._value(node.orelse))
        if isinstance(node, (ast.Tuple, ast.List)) or not is_pure(node, self._numpy):
            return None
        if isinstance(node, ast.Constant) and not isinstance(node.value, (bool, int, float, complex)):
            return None
        self._kept.append(node)
        return self._text.of(node)

    def _condition(self, node: ast.expr) -> str | None:
        """A condition as an operation on arrays: `and`, `or`, `not` and chains ask for one truth value each."""
        if not is_pure(node, self._numpy):
            return None
        name = self._numpy
        match node:
            case ast.BoolOp(op=op, values=values):
                function = f"{name}.logical_and" if isinstance(op, ast.And) else f"{name}.logical_or"
                return self._folded(function, [self._condition(v) for v in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._condition(operand)
                return None if inner is None else f"{name}.logical_not({inner})"
            case ast.Compare(left=left, ops=ops, comparators=others) if len(ops) > 1:
                sides = [left, *others]
                pairs = [self._between(a, b) for a, b in zip(sides, others, strict=False)]
                return self._folded(f"{name}.logical_and", list(pairs))
            case ast.Call(func=ast.Name(id="bool"), args=[operand], keywords=[]):
                return self._condition(operand)
            case ast.Call(func=ast.Name(id=("any" | "all") as which), args=[operand], keywords=[]):
                return f"{name}.{which}({self._text.of(operand)})"
        self._kept.append(node)
        return self._text.of(node)

    def _between(self, left: ast.expr, right: ast.expr) -> str:
        """One comparison of a chain, with the operator as it is written."""
        return self._text.source[self._text.range(left)[0] : self._text.range(right)[1]]

    @staticmethod
    def _folded(function: str, parts: Sequence[str | None]) -> str | None:
        whole = parts[0]
        for part in parts[1:]:
            if whole is None or part is None:
                return None
            whole = f"{function}({whole}, {part})"
        return whole


def _targets(block: Sequence[ast.stmt]) -> list[str]:
    """The names that a block of nothing but plain assignments gives values to; empty where it is none."""
    found: list[str] = []
    for statement in block:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in found:
                found.append(name)
            case _:
                return []
    return found
