"""Python's own functions for numbers, where NumPy's stay in the graph: `max`, `float`, `len`, the truth of an array."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..worker.wire import Finding
from .candidate import Candidate, Kind, candidate
from .pure import is_pure
from .text import Change, Text, names_in

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Tuple, ast.Dict)


def extremes(text: Text, finding: Finding) -> Iterator[Candidate]:
    """`max` and `min` of elements as `np.max`, or `np.maximum` of two."""
    node = text.covering(finding.place.span)
    numpy = text.numpy
    for call in _within_statement(text, node):
        if numpy is None or not isinstance(call, ast.Call) or call.keywords:
            continue
        name, args = _extreme(call)
        if name is None or not args:
            continue
        if len(args) == 1:
            of = _elements(text, args[0])
            yield from candidate(Kind.EXTREME, f"Use `{numpy}.{name}`", [_over(text, call, f"{numpy}.{name}({of})")])
        elif not any(isinstance(a, ast.Starred) for a in args):
            both = f"{numpy}.{name}imum"
            whole = text.of(args[0])
            for arg in args[1:]:
                whole = f"{both}({whole}, {text.of(arg)})"
            yield from candidate(Kind.EXTREME, f"Use `{both}`", [_over(text, call, whole)])


def _extreme(call: ast.Call) -> tuple[str | None, list[ast.expr]]:
    """`max` or `min` and what it is given; also where `reduce` hands it on."""
    match call:
        case ast.Call(func=ast.Name(id=("max" | "min") as name), args=args):
            return name, args
        case ast.Call(
            func=ast.Name(id="reduce") | ast.Attribute(attr="reduce"), args=[ast.Name(id=("max" | "min") as name), arg]
        ):
            return name, [arg]
    return None, []


def _elements(text: Text, node: ast.expr) -> str:
    """The array whose elements an iterable has, as text."""
    match node:
        case ast.Starred(value=value):
            return _elements(text, value)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "iter" | "reversed" | "sorted"), args=[value], keywords=[]):
            return _elements(text, value)
        case ast.Call(func=ast.Attribute(value=value, attr="tolist"), args=[], keywords=[]):
            return text.of(value)
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="float" | "int"), value]):
            return _elements(text, value)
        case ast.Attribute(value=value, attr="flat"):
            return text.of(value)
        case ast.GeneratorExp(elt=element, generators=[ast.comprehension(target=ast.Name(id=each), ifs=[]) as loop]):
            return _mapped(text, element, each, loop.iter) or text.of(node)
    return text.of(node)


def _mapped(text: Text, element: ast.expr, each: str, over: ast.expr) -> str | None:
    """`2 * v for v in x` as `2 * x`, `x[i] for i in range(len(x))` as `x`: what is done to elements, to arrays."""
    match element:
        case ast.Call(func=ast.Name(id="float"), args=[inner], keywords=[]):
            return _mapped(text, inner, each, over)
        case ast.Subscript(value=ast.Name(id=array), slice=ast.Name(id=index)) if index == each:
            counted = ast.unparse(over)
            return array if counted in (f"range(len({array}))", f"range({array}.shape[0])") else None
    if not isinstance(over, ast.Name) or not is_pure(element, text.numpy):
        return None
    if not all(isinstance(n, _ELEMENTWISE) for n in ast.walk(element)):
        return None
    start, _ = text.range(element)
    written = text.of(element)
    places = [text.range(n) for n in ast.walk(element) if isinstance(n, ast.Name) and n.id == each]
    for first, last in sorted(places, reverse=True):
        written = written[: first - start] + over.id + written[last - start :]
    return written


_ELEMENTWISE = (
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context, ast.Attribute,
    ast.Call,
)  # fmt: skip


def _within_statement(text: Text, node: ast.AST | None) -> Iterator[ast.AST]:
    """A node and the expressions around it, innermost first."""
    while isinstance(node, (ast.expr, ast.comprehension)):
        yield node
        node = text.parent(node)


# ---- conversions -----------------------------------------------------------------------------------


def conversions(text: Text, finding: Finding) -> Iterator[Candidate]:
    """`float(…)`, `int(…)`, `bool(…)`, `.item()` and `.tolist()` that a value went out through, left out."""
    became = [r.place.span for r in finding.related if r.message.startswith("it became") and _is_here(r.place, text)]
    seen: set[int] = set()
    for span in (finding.place.span, *became):
        for node in list(_within_statement(text, text.covering(span)))[:2]:
            found = _converted(node)
            if found is not None and id(node) not in seen:
                seen.add(id(node))
                name, inner = found
                title = f"Drop `{name}`"
                yield from candidate(Kind.CONVERSION, title, [_over(text, node, _fitting(text, node, inner))])


def _is_here(place: object, text: Text) -> bool:
    return getattr(place, "path", None) == text.file.path


def _converted(node: ast.AST) -> tuple[str, ast.expr] | None:
    """A conversion's name and what it converts."""
    match node:
        case ast.Call(func=ast.Name(id=("float" | "int" | "bool") as name), args=[inner], keywords=[]):
            return (f"{name}()", inner) if not isinstance(inner, ast.Starred) else None
        case ast.Call(func=ast.Attribute(value=inner, attr=("item" | "tolist") as name), args=[], keywords=[]):
            return f".{name}()", inner
    return None


def _fitting(text: Text, old: ast.AST, new: ast.expr) -> str:
    """The text of an expression for the place of a call: in brackets where operators around it would tear it apart."""
    written = text.of(new)
    outer = text.parent(old)
    tight = isinstance(
        outer, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Subscript, ast.BoolOp, ast.Await)
    )
    whole = isinstance(new, _ATOMS) or not (tight or "\n" in written)
    return written if whole and "\n" not in written else f"({written})"


def _over(text: Text, node: ast.AST, written: str) -> Change | None:
    """`written` in the place of an expression; None where a comment would be lost."""
    start, end = text.range(node)
    return None if any(text.comments(start, end)) else Change(start, end, written)


# ---- sizes -----------------------------------------------------------------------------------------


def lengths(text: Text, finding: Finding) -> Iterator[Candidate]:
    """`len` given to another function, which loses the size, as `.shape[0]`."""
    outer = text.covering(finding.place.span)
    if not isinstance(outer, ast.expr):
        return
    for node in ast.walk(outer):
        match node:
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="len"), over], keywords=[]):
                each = next(n for n in ("each", "every", "_each") if n not in names_in(text.file.tree))
                written = f"{each}.shape[0] for {each} in {text.of(over)}"
                parent = text.parent(node)
                alone = isinstance(parent, ast.Call) and len(parent.args) == 1 and not parent.keywords
                written = written if alone else f"({written})"
                yield from candidate(Kind.LENGTH, "Use `.shape[0]`", [_over(text, node, written)])
            case ast.Call(func=ast.Name(id="len"), args=[array], keywords=[]) if node is outer:
                written = f"{_fitting(text, node, array)}.shape[0]"
                if isinstance(array, _ATOMS):
                    yield from candidate(Kind.LENGTH, "Use `.shape[0]`", [_over(text, node, written)])


def emptiness(text: Text, finding: Finding) -> Iterator[Candidate]:
    """An array that is asked for its truth, asked for its size."""
    node = text.covering(finding.place.span)
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) or not _is_condition(text, node):
        return
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple" | "len"), args=[inner], keywords=[]):
            array = inner
        case ast.Call(func=ast.Attribute(value=inner, attr="tolist"), args=[], keywords=[]):
            array = inner
        case ast.Call():
            return
        case _:
            array = node
    if isinstance(array, _ATOMS):
        yield from candidate(Kind.EMPTINESS, "Ask for `.size`", [_over(text, node, f"{text.of(array)}.size")])


def _is_condition(text: Text, node: ast.AST) -> bool:
    """Whether nothing but the truth of an expression is asked for."""
    outer = text.parent(node)
    while isinstance(outer, ast.BoolOp) or (isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not)):
        if isinstance(outer, ast.UnaryOp):
            return True
        node, outer = outer, text.parent(outer)
    return isinstance(outer, (ast.If, ast.While, ast.IfExp, ast.Assert)) and outer.test is node
