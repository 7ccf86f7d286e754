"""Examples that could be written above a function whose annotations tell an array, but not all of a call.

The worker knows these of a file that it has loaded.  A file without any example is never run: of that, the syntax tree
tells where an array's rank is open, and a chosen rank makes the first example.  Where the annotations tell nothing, the
defaults of all parameters may.  What is offered is a comment, so the text that is inserted is the user's from then on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tracer.worker.wire import Edit, Offer, Place

from .above import above
from .outline import Definition, FunctionNode, Tree, functions, last_name, parse
from .text import Text
from .view import View


def offers(view: View, definition: Definition) -> list[Offer]:
    """What could be written above a function without an example."""
    if definition.has_example:
        return []
    path, known, source = view.document.path, view.traced, view.document.text.source
    found = known.offers if known.findings_basis is not None else guessed(source, path)
    mine = [offer for offer in found if offer.function == definition.name]
    return mine or [offer for offer in defaulted(source, path) if offer.function == definition.name]


def title(offer: Offer) -> str:
    """The question that choosing an offer answers."""
    if offer.rank is None:
        return f"Write an example of {offer.function}"
    plural = "" if offer.rank == 1 else "s"
    return f"Trace {offer.function} with {' and '.join(offer.unranked)} of {offer.rank} dimension{plural}"


def comment(text: Text, definition: Definition, arguments: str) -> Edit:
    """The edit that puts an example above a function, or above its decorators."""
    return above(text, definition, f"# nst: example({arguments})")


# ---- what the syntax tree tells --------------------------------------------------------------------

_RANKS = (1, 2, 3)
_SIZES = (3, 5, 7)
"""Distinct, and not 0 or 1; arrays of one rank have one shape."""
NUMBERS = {"bool": "True", "int": "2", "float": "0.5", "complex": "1j"}
_ABSTRACT = {"floating": "", "inexact": "", "number": "", "generic": "", "Any": "", "float64": "", "float": ""}
_CHOSEN = {"integer": "int64", "signedinteger": "int64", "unsignedinteger": "uint64", "complexfloating": "complex128"}
_CHOSEN |= {"int": "int64", "complex": "complex128", "bool_": "bool", **_ABSTRACT}
"""The dtype of a name in an annotation, where that is not the name itself; "" is the one of `spec`."""


@lru_cache(maxsize=8)
def guessed(source: str, path: str) -> tuple[Offer, ...]:
    """Offers for the functions of a text that was not run: one for each rank that their arrays may have."""
    tree = parse(source)
    if tree is None:
        return ()
    aliases = {name: value for node in tree.module.body for name, value in _alias(node)}
    makeable = {node.name for node in ast.walk(tree.module) if isinstance(node, ast.ClassDef) and is_makeable(node)}
    return tuple(
        offer
        for name, node in functions(tree.module.body)
        if isinstance(node, ast.FunctionDef) and "<locals>" not in name
        for offer in _of_function(tree, node, name, path, aliases, makeable)
    )


@lru_cache(maxsize=8)
def defaulted(source: str, path: str) -> tuple[Offer, ...]:
    """Offers for functions whose parameters all have a default: these, written down, are arguments to trace with.

    A default that is left out would be a hidden input.  Without anything but numbers and `None` there is no array.
    """
    tree = parse(source)
    if tree is None:
        return ()
    return tuple(
        Offer(name, Place(path, tree.name_span(node)), (), None, ", ".join(_defaults(node)))
        for name, node in functions(tree.module.body)
        if isinstance(node, ast.FunctionDef) and "." not in name and _makes_arrays(node)
    )


def _makes_arrays(node: ast.FunctionDef) -> bool:
    values = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
    return not list(needed_of(node)) and any(isinstance(one, ast.Call) for value in values for one in ast.walk(value))


def _defaults(node: ast.FunctionDef) -> Iterator[str]:
    yield from (ast.unparse(value) for value in node.args.defaults)
    for argument, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if value is not None:
            yield f"{argument.arg}={ast.unparse(value)}"


def _of_function(
    tree: Tree, node: ast.FunctionDef, name: str, path: str, aliases: Mapping[str, ast.expr], makeable: set[str]
) -> Iterator[Offer]:
    owner, _, _ = name.rpartition(".")
    needed = list(needed_of(node))
    before: list[str] = []
    if owner and not any(last_name(one) == "staticmethod" for one in node.decorator_list):
        if node.decorator_list or node.name.startswith("__init") or owner.rpartition(".")[2] not in makeable:
            return
        before, needed = [f"{owner}()"], needed[1:]
    dtypes = {argument.arg: _dtype(argument.annotation, aliases) for argument, _ in needed}
    arrays = tuple(argument for argument, dtype in dtypes.items() if dtype is not None)
    for rank in _RANKS if arrays else ():
        texts = [written + _argument(argument, dtypes[argument.arg], rank) for argument, written in needed]
        place = Place(path, tree.name_span(node))
        yield Offer(name, place, arrays, rank, ", ".join([*before, *texts]))


def needed_of(node: FunctionNode) -> Iterator[tuple[ast.arg, str]]:
    """The parameters without a default, each with what is written before its argument."""
    positional = [*node.args.posonlyargs, *node.args.args]
    for argument in positional[: len(positional) - len(node.args.defaults)]:
        yield argument, ""
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is None:
            yield argument, f"{argument.arg}="


def _argument(argument: ast.arg, dtype: str | None, rank: int) -> str:
    """An array, a number to begin with, or the parameter's own name for the user to replace."""
    if dtype is None:
        return NUMBERS.get(last_name(argument.annotation), argument.arg)
    shape = str(_SIZES[0] if rank == 1 else _SIZES[:rank])
    return f'spec({shape}, "{dtype}")' if dtype else f"spec({shape})"


def _dtype(annotation: ast.expr | None, aliases: Mapping[str, ast.expr], depth: int = 8) -> str | None:
    """The dtype of an annotation that is an array of unknown rank ("" for the usual one), None for any other."""
    match annotation:
        case ast.Constant(value=str(text)) if (quoted := parse(text)) and len(quoted.module.body) == 1:
            (statement,) = quoted.module.body
            return _dtype(statement.value, aliases, depth) if isinstance(statement, ast.Expr) else None
        case ast.Name(id=name) if name in aliases and depth:
            return _dtype(aliases[name], aliases, depth - 1)
        case ast.Name() | ast.Attribute() if last_name(annotation) in ("ndarray", "ArrayLike", "NDArray"):
            return ""
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            sides = (_dtype(left, aliases, depth), _dtype(right, aliases, depth))
            return next((side for side in sides if side is not None), None)
        case ast.Subscript(value=value, slice=inside):
            return _subscripted(last_name(value), inside, aliases, depth)
    return None


def _subscripted(name: str, inside: ast.expr, aliases: Mapping[str, ast.expr], depth: int) -> str | None:
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    if name == "NDArray":
        return _scalar(inside)
    if name == "ndarray" and len(parts) == 2:
        return _scalar(parts[1].slice) if isinstance(parts[1], ast.Subscript) else ""
    if name == "Annotated":
        return _dtype(parts[0], aliases, depth)
    if name in ("Optional", "Union"):
        return next((dtype for part in parts if (dtype := _dtype(part, aliases, depth)) is not None), None)
    return None


def _scalar(node: ast.expr) -> str:
    """The dtype that `np.float32` means, or `np.floating[Any]`."""
    name = last_name(node.value if isinstance(node, ast.Subscript) else node)
    return _CHOSEN.get(name, name)


def _alias(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """`Image = NDArray[np.float32]`, with or without an annotation, and `type Image = …`."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value
    if type(node).__name__ == "TypeAlias":  # from Python 3.12 on
        yield getattr(node, "name").id, getattr(node, "value")  # noqa: B009


def is_makeable(node: ast.ClassDef) -> bool:
    """Whether a class is made without arguments, as far as its own text tells."""
    starts = [one for one in node.body if isinstance(one, FunctionNode) and one.name in ("__init__", "__new__")]
    return not node.bases and not node.decorator_list and all(len(list(needed_of(one))) == 1 for one in starts)
