"""What the syntax tree alone says of a text: its functions, and what stands under the cursor.

Trees are remembered for the last few texts, as one text is asked about many times.  Columns of `ast` are UTF-8 bytes
and become characters here.  A text that does not parse has no outline (None), and the caller keeps what it had.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tracer.worker.wire import Span

from .text import Text

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def`, by its qualified name (`Layer.forward`, `outer.<locals>.inner`)."""

    name: str
    name_span: Span
    span: Span
    """From the `def` (not its decorators) to the end of the body."""
    first_line: int
    """Of the decorators, or of the `def`."""
    parameters: frozenset[str]
    has_example: bool
    """Whether something above or within it looks like an example."""
    is_annotated: bool
    """Whether its annotations look like one."""
    last_line: int
    """The last one of its head, before its body."""

    def heads(self, line: int) -> bool:
        """Whether a line is one of its decorators or of its signature."""
        return self.first_line <= line <= self.last_line


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed text."""

    text: Text
    module: ast.Module

    def name_span(self, node: FunctionNode) -> Span:
        """A function's name in its `def`."""
        line = self.text.line(node.lineno)
        keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        start = line.find(node.name, self.span(node).column - 1 + len(keyword))
        if start < 0:  # the name stands on a line of its own, after a backslash
            return self.span(node)
        return Span(node.lineno, start + 1, node.lineno, start + 1 + len(node.name))

    def qualified(self, node: FunctionNode) -> str:
        return _qualified(self).get(node, node.name)

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        end_line = node.end_lineno or node.lineno
        end = self._column(end_line, node.end_col_offset or node.col_offset)
        return Span(node.lineno, self._column(node.lineno, node.col_offset), end_line, end)

    def _column(self, line: int, offset: int) -> int:
        content = self.text.line(line)
        if content.isascii():
            return offset + 1
        return len(content.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")) + 1


@lru_cache(maxsize=8)
def parse(source: str) -> Tree | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in the user's string is not ours to say
            return Tree(Text(source), ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=8)
def definitions(source: str) -> tuple[Definition, ...] | None:
    """The functions of a text in their order, or None where it does not parse."""
    tree = parse(source)
    return None if tree is None else tuple(_definition(tree, node, name) for name, node in functions(tree.module.body))


@lru_cache(maxsize=8)
def _qualified(tree: Tree) -> dict[FunctionNode, str]:
    return {node: name for name, node in functions(tree.module.body)}


def heads_of_examples(source: str) -> list[tuple[str, Span]]:
    """Name and place of each `def` under an example's comment, in a text that need not parse."""
    text = Text(source)
    found = _UNDER_EXAMPLE.finditer(source)
    return [(one["name"], text.span(*one.span("name"))) for one in found]


_UNDER_EXAMPLE = re.compile(
    r"^[ \t]*#\s*nst:\s*example\b.*\n(?:[ \t]*[#@].*\n)*[ \t]*(?:async\s+)?def\s+(?P<name>\w+)", re.MULTILINE
)


def body_of(source: str, function: str) -> Span | None:
    """The `def` of a function by its qualified name; None where no `def` has it (`norm = partial(scale, 2)`)."""
    return next((one.span for one in definitions(source) or () if one.name == function), None)


def may_hold_examples(source: str) -> bool:
    """Whether anything in a text looks like an example; a file without is never run, whatever it would do.

    The extension for Visual Studio Code starts us by the same signs (`editors/vscode/src/reach.ts`).
    """
    return _EXAMPLE.search(source) is not None or tells_shapes(source)


def tells_shapes(source: str, ranked: bool = False) -> bool:
    """Whether a text has annotations that tell all of an array; with `ranked`, annotations that are arrays."""
    return _SHAPE.search(source) is not None or (ranked and _ARRAY.search(source) is not None)


_EXAMPLE = re.compile(
    r"#\s*nst:\s*example\b"  # a comment
    r"|(?:^|\r)[ \t\f]*@.*\bexample\b"  # the decorator
    r"|(?:^|\r)[ \t\f]*(?:[\"']{1,3}[ \t]*)?>>>",  # a doctest
    re.MULTILINE,
)
_SHAPE = re.compile(r"\bspec\s*\(|\bjaxtyping\b|\bndarray\[\s*(?:\w+\.)?[tT]uple\[")
_ARRAY = re.compile(r"[:\[|=]\s*[\"']?(?:\w+\.)*(?:ndarray|NDArray|ArrayLike)\b")


def functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, FunctionNode]]:
    """The functions in some statements, with their qualified names."""
    for node in body:
        if isinstance(node, FunctionNode):
            yield prefix + node.name, node
            yield from functions(node.body, f"{prefix}{node.name}.<locals>.")
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{prefix}{node.name}.")
        else:  # functions may be defined under `if`, `try`, `with`
            for name in ("body", "orelse", "finalbody"):
                yield from functions(getattr(node, name, []), prefix)
            for handler in getattr(node, "handlers", []):
                yield from functions(handler.body, prefix)


def _definition(tree: Tree, node: FunctionNode, name: str) -> Definition:
    first_line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return Definition(
        name=name,
        name_span=tree.name_span(node),
        span=tree.span(node),
        first_line=first_line,
        parameters=frozenset(argument.arg for argument in parameters(node)),
        has_example=_has_example(tree, node, first_line),
        is_annotated=any(tells_an_array(argument.annotation) for argument in parameters(node)),
        last_line=max(node.lineno, node.body[0].lineno - 1),
    )


def parameters(node: FunctionNode | ast.Lambda) -> list[ast.arg]:
    arguments = node.args
    starred = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def _has_example(tree: Tree, node: FunctionNode, first_line: int) -> bool:
    above = first_line - 1
    while above >= 1 and tree.text.line(above).lstrip().startswith("#"):
        if "nst:" in tree.text.line(above) and "example" in tree.text.line(above):
            return True
        above -= 1
    decorated = any(last_name(decorator) == "example" for decorator in node.decorator_list)
    return decorated or any(
        line.strip().startswith(">>>") and node.name in line for line in _docstring(node).splitlines()
    )


def annotation_names(source: str) -> frozenset[str]:
    """The names in the annotations of parameters: `Batch`, `types.Batch`."""
    tree = parse(source)
    annotations = (
        argument.annotation
        for _, node in functions(tree.module.body if tree else [])
        for argument in parameters(node)
        if argument.annotation is not None
    )
    return frozenset(name for annotation in annotations for name in _names(annotation))


def _names(annotation: ast.AST) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (quoted := parse(node.value)):
            yield from _names(quoted.module)


def tells_an_array(annotation: ast.expr | None) -> bool:
    """Whether an annotation has all that an example needs: `spec("b 4")`, `Float[np.ndarray, "b 4"]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        quoted = parse(annotation.value)
        return quoted is not None and any(
            isinstance(statement, ast.Expr) and tells_an_array(statement.value) for statement in quoted.module.body
        )
    return annotation is not None and any(_tells_a_shape(node) for node in ast.walk(annotation))


def _tells_a_shape(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=function):
            return last_name(function) == "spec"
        case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Constant(value=str())])):
            return True
    return False


def _docstring(node: FunctionNode) -> str:
    return ast.get_docstring(node, clean=False) or ""


def last_name(node: ast.expr | None) -> str:
    """`ndarray` of `np.ndarray`, `example` of `@tracer.example(…)`; nothing of other expressions."""
    match node:
        case ast.Call(func=function):
            return last_name(function)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


# ---- what stands under the cursor ------------------------------------------------------------------


def expressions_at(tree: Tree, line: int, column: int) -> list[ast.expr]:
    """The expressions around a position, the smallest first."""
    return [node for node in reversed(_path_to(tree, line, column)) if isinstance(node, ast.expr)]


def parameter_at(tree: Tree, line: int, column: int) -> tuple[ast.arg, str] | None:
    """The parameter whose name stands at a position, and its function by its qualified name (`<lambda>`)."""
    path = _path_to(tree, line, column)
    if not isinstance(path[-1], ast.arg):
        return None
    around = next(node for node in reversed(path) if isinstance(node, (FunctionNode, ast.Lambda)))
    return path[-1], "<lambda>" if isinstance(around, ast.Lambda) else tree.qualified(around)


def _path_to(tree: Tree, line: int, column: int) -> list[ast.AST]:
    """The nodes around a position, from the module inwards; a cursor right behind a name means the name."""
    path = _inwards(tree, line, column)
    if not isinstance(path[-1], (ast.Name, ast.arg)) and column > 1:
        before = _inwards(tree, line, column - 1)
        if isinstance(before[-1], (ast.Name, ast.arg)):
            return before
    return path


def _inwards(tree: Tree, line: int, column: int) -> list[ast.AST]:
    path: list[ast.AST] = [tree.module]
    while True:
        inner = next((child for child in _parts(path[-1]) if _contains(tree, child, line, column)), None)
        if inner is None:
            return path
        path.append(inner)


def _parts(node: ast.AST) -> Iterator[ast.expr | ast.stmt | ast.arg]:
    """The nearest parts of a node that have a position."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.expr, ast.stmt, ast.arg)):
            yield child
        else:
            yield from _parts(child)


def _contains(tree: Tree, node: ast.expr | ast.stmt | ast.arg, line: int, column: int) -> bool:
    """Whether a node reaches over a position; decorators belong to their function here."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    if not first <= line <= (node.end_lineno or node.lineno):
        return False
    span = tree.span(node)
    after_start = line > span.line or column >= span.column or first < span.line
    return after_start and (line, column) < (span.end_line, span.end_column)
