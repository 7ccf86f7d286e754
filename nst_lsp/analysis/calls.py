"""Calls of functions, taken apart so that their arguments can be written as an example.

Only the syntax is looked at.  What an example can say stands for itself: literals and calls of NumPy, under whatever
name the file has it; a variable that is given such a value once is replaced by it.  A call that is expected to
fail (`with pytest.raises(…)`) is no example.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache

from .outline import FunctionNode, functions, parse

_LONGEST = 200
"""Characters of arguments that still make a comment."""
_PLAIN = frozenset({"range", "list", "tuple", "dict", "set", "int", "float", "complex", "bool", "slice", "len"})
"""Built-in functions that may be called to make an argument."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call of something whose arguments stand for themselves."""

    level: int
    """Of the import that its name comes from; -1 where the file itself has the name."""
    names: tuple[str, ...]
    """The dotted name, from the imported module on: `pkg`, `model`, `Layer`, `forward`."""
    receiver: str | None
    """The arguments of `Layer(…)` where a method of it is called."""
    arguments: str
    line: int

    def example_of(self, function: str) -> str:
        """The example's arguments, for the function of this qualified name; a method's begin with the object."""
        if self.receiver is None:
            return self.arguments
        made = f"{function.rpartition('.')[0]}({self.receiver})"
        return f"{made}, {self.arguments}" if self.arguments else made


@dataclass(frozen=True, slots=True)
class Found:
    """The arguments of a call that can be written as an example, and where the call stands."""

    arguments: str
    path: str
    line: int


@lru_cache(maxsize=16)
def written_calls(source: str, name: str | None = None) -> tuple[WrittenCall, ...]:
    """The calls in a text, its docstrings' examples included, in order; with `name`, those of what is called so."""
    tree = parse(source)
    if tree is None:
        return ()
    try:
        calls = [*_Calls(tree.module, name).found, *_in_docstrings(tree.module, name)]
    except RecursionError:  # a sum of a thousand terms is a thousand expressions deep
        return ()
    return tuple(sorted(calls, key=lambda call: call.line))


def own_calls(source: str, path: str, function: str) -> list[Found]:
    """The calls of a function in the text that defines it, alike ones once."""
    names = tuple(function.split("."))
    if len(re.findall(rf"\b{re.escape(names[-1])}\s*\(", source)) < 2:
        return []  # its own `def` is the only one: no tree need be walked through
    calls = [call for call in written_calls(source, names[-1]) if call.level == -1 and call.names == names]
    found = {call.example_of(function): call.line for call in reversed(calls)}
    return [Found(arguments, path, line) for arguments, line in reversed(found.items())]


def _in_docstrings(module: ast.Module, name: str | None) -> Iterator[WrittenCall]:
    for node in [module, *(node for _, node in functions(module.body))]:
        text = ast.get_docstring(node, clean=False)
        if text is None or ">>>" not in text:
            continue
        try:
            from doctest import DocTestParser  # takes unittest along

            parts = DocTestParser().get_examples(text)
            inner = ast.parse("".join(part.source for part in parts))
        except (ValueError, SyntaxError):
            continue
        line = node.body[0].lineno
        yield from (replace(call, line=line) for call in _Calls(inner, name).found)


# ---- one module ------------------------------------------------------------------------------------


class _Open(Exception):  # noqa: N818  # not an error: the expression needs something that an example does not have
    pass


class _Calls(ast.NodeVisitor):
    """Walks through a module with the names of each scope."""

    def __init__(self, module: ast.Module, wanted: str | None) -> None:
        self._wanted = wanted
        self.found: list[WrittenCall] = []
        self._origins: dict[str, tuple[int, tuple[str, ...]]] = {}
        """What the imported names stand for: the import's level, and the dotted name."""
        self._local: frozenset[str] = frozenset()
        """Names of the functions around: a parameter `f` is not the module's `f`."""
        for node in ast.walk(module):
            self._note_import(node)
        self._values: Mapping[str, tuple[int, ast.expr]] = _given_once(module.body)
        for statement in module.body:
            self.visit(statement)

    def _note_import(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    dotted = tuple(alias.name.split("."))
                    self._origins[alias.asname or dotted[0]] = (0, dotted if alias.asname else dotted[:1])
            case ast.ImportFrom(module=module, level=level, names=names):
                base = tuple(module.split(".")) if module else ()
                for alias in names:
                    self._origins[alias.asname or alias.name] = (level, (*base, alias.name))

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        around, local = self._values, self._local
        parameters = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        kept = {name: value for name, value in around.items() if name not in parameters}
        self._values = {**kept, **_first_cases(node), **_given_once(node.body)}
        self._local = local | parameters | set(_stored(node.body))
        for statement in node.body:
            self.visit(statement)
        self._values, self._local = around, local

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_With(self, node: ast.With) -> None:
        if not any("raises" in ast.unparse(item.context_expr).lower() for item in node.items):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if self._wanted not in (None, *_last_name(node.func)):
            return
        found = self._target(node.func, node.lineno)
        if found is None:
            return
        (level, names), receiver = found
        if names[0] == "numpy":
            return
        try:
            arguments = self._arguments(node, node.lineno)
        except _Open:
            return
        if len(arguments) + len(receiver or "") <= _LONGEST:
            self.found.append(WrittenCall(level, names, receiver, arguments, node.lineno))

    def _target(self, called: ast.expr, line: int) -> tuple[tuple[int, tuple[str, ...]], str | None] | None:
        """What is called, and with it the arguments that made the object, where a method is called."""
        if (plain := self._dotted(called)) is not None:
            return plain, None
        if not isinstance(called, ast.Attribute):
            return None
        made = called.value
        if isinstance(made, ast.Name) and made.id in self._values and self._values[made.id][0] < line:
            made = self._values[made.id][1]
        owner = self._dotted(made.func) if isinstance(made, ast.Call) else None
        if owner is None or not isinstance(made, ast.Call):
            return None
        try:
            return (owner[0], (*owner[1], called.attr)), self._arguments(made, line)
        except _Open:
            return None

    def _dotted(self, node: ast.expr) -> tuple[int, tuple[str, ...]] | None:
        """The dotted name that an expression is, from where it was imported on."""
        match node:
            case ast.Name(id=name) if name not in self._local and name not in self._values:
                return self._origins.get(name, (-1, (name,)))
            case ast.Attribute(value=value, attr=name):
                base = self._dotted(value)
                return (base[0], (*base[1], name)) if base else None
        return None

    def _arguments(self, call: ast.Call, line: int) -> str:
        parts = [ast.unparse(self._closed(one, line)) for one in call.args]
        for one in call.keywords:
            value = ast.unparse(self._closed(one.value, line))
            parts.append(f"{one.arg}={value}" if one.arg else f"**{value}")
        return ", ".join(parts)

    def _closed(self, node: ast.expr, line: int) -> ast.expr:
        """The expression with nothing in it but literals, NumPy as `np`, and a few built-in functions."""
        closed = _Closing(self._origins, self._values, line).visit(deepcopy(node))
        assert isinstance(closed, ast.expr)
        return closed


class _Closing(ast.NodeTransformer):
    def __init__(
        self,
        origins: Mapping[str, tuple[int, tuple[str, ...]]],
        values: Mapping[str, tuple[int, ast.expr]],
        line: int,
        depth: int = 6,
    ) -> None:
        self._origins, self._values, self._line, self._depth = origins, values, line, depth

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._values:
            line, value = self._values[node.id]
            if line >= self._line or not self._depth:
                raise _Open
            inner = _Closing(self._origins, self._values, line, self._depth - 1)
            closed = inner.visit(deepcopy(value))
            assert isinstance(closed, ast.expr)
            return closed
        level, names = self._origins.get(node.id, (-1, (node.id,)))
        if level == 0 and names[0] == "numpy":
            return ast.parse(".".join(["np", *names[1:]]), mode="eval").body
        if level == -1 and node.id in _PLAIN:
            return node
        raise _Open

    def _refuse(self, node: ast.AST) -> ast.expr:
        raise _Open

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _refuse  # noqa: N815
    visit_NamedExpr = visit_Await = visit_Yield = visit_YieldFrom = visit_JoinedStr = _refuse  # noqa: N815


def _last_name(called: ast.expr) -> tuple[str, ...]:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return (name,)
    return ()


def _given_once(body: Iterable[ast.stmt]) -> dict[str, tuple[int, ast.expr]]:
    """The names that statements of one scope give a value once, with the line and the value."""
    given: dict[str, tuple[int, ast.expr]] = {}
    for node in _of_scope(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given[name] = (node.end_lineno or node.lineno, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                given[name] = (node.end_lineno or node.lineno, value)
    stored = Counter(_stored(body))
    return {name: value for name, value in given.items() if stored[name] == 1}


def _stored(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that are assigned in one scope, as often as they are."""
    for node in _of_scope(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _of_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _of_scope(ast.iter_child_nodes(node))


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _first_cases(node: FunctionNode) -> dict[str, tuple[int, ast.expr]]:
    """The first values that `@pytest.mark.parametrize` gives a test's parameters."""
    found: dict[str, tuple[int, ast.expr]] = {}
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]), *_],
            ):
                texts = _parameter_names(names)
                values = first.elts if len(texts) > 1 and isinstance(first, (ast.Tuple, ast.List)) else [first]
                if len(texts) == len(values):
                    found |= {name: (decorator.lineno, value) for name, value in zip(texts, values, strict=True)}
    return found


def _parameter_names(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [name.strip() for name in text.split(",") if name.strip()]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return []
