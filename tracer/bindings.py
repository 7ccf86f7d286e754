"""Where a hidden input is defined, and where else in its module it is bound anew or changed: by syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .events import Source
from .positions import FILES, Located, SourceFile, range_of
from .worker.wire import Place

_CHANGING = frozenset(
    {
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
        "discard",
        "fill",
    }
)


@dataclass(frozen=True, slots=True)
class Bindings:
    """`defined`: the first binding; `rebound`: later bindings and changes of contents; `final`: declared so."""

    defined: Place | None = None
    rebound: tuple[Place, ...] = ()
    final: bool = False


def bindings_of(at: Located, source: Source) -> Bindings:
    """The bindings of a source's name in the file that reads it (a variable, an attribute, a container)."""
    parts = source.label.split("[")[0].split(".")
    module = _imported_module(at.file, parts[0])
    if module is not None and len(parts) == 2:
        return _of_module(module, parts[1])
    if isinstance(at.node, ast.Attribute) or len(parts) > 1:
        return _attribute(at.file, parts[-1] if "[" not in source.label and len(parts) > 1 else parts[0], source.holder)
    return _variable(at, parts[0])


def _variable(at: Located, name: str) -> Bindings:
    """A global, or a variable of an enclosing function."""
    scope: ast.AST = at.file.tree
    for ancestor in at.file.ancestors(at.node) if at.node is not None else ():
        if isinstance(ancestor, (ast.FunctionDef, ast.AsyncFunctionDef)) and at.node is not None:
            inner = next(
                (
                    a
                    for a in at.file.ancestors(at.node)
                    if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
                ),
                None,
            )
            if ancestor is not inner and any(_binds(n, name) for n in _own_nodes(ancestor)):
                scope = ancestor
                break
    imported = _imported_from(at.file, name)
    if imported is not None and scope is at.file.tree:
        return _of_module(*imported)
    stores = [n for n in _own_nodes(scope) if _binds(n, name)]
    final = any(isinstance(n, ast.AnnAssign) and "Final" in ast.unparse(n.annotation) for n in stores)
    functions = [f for f in ast.walk(at.file.tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))]
    elsewhere = [n for f in functions if f is not scope
                 and _declares(f, name) for n in _own_nodes(f) if _binds(n, name)]  # fmt: skip
    changes = [n for n in ast.walk(at.file.tree) if _changes(n, name)]
    ordered = sorted(stores, key=range_of)
    places = [at.file.place(range_of(n)) for n in [*ordered[1:], *elsewhere, *changes]]
    return Bindings(at.file.place(range_of(ordered[0])) if ordered else None, tuple(dict.fromkeys(places)), final)


def _attribute(file: SourceFile, name: str, holder: Any) -> Bindings:
    """An attribute: bound in `__init__` or a class body, bound anew anywhere else."""
    first: Place | None = None
    rebound = []
    for node in ast.walk(file.tree):
        for target in _targets(node):
            if isinstance(target, ast.Attribute) and target.attr == name:
                method = next((a for a in file.ancestors(node) if isinstance(a, ast.FunctionDef)), None)
                if (
                    method is not None
                    and method.name in ("__init__", "__post_init__", "__new__")
                    and first is None
                    and not isinstance(node, ast.AugAssign)
                ):
                    first = file.place(range_of(node))
                else:
                    rebound.append(file.place(range_of(node)))
            elif (
                isinstance(target, ast.Name) and target.id == name and isinstance(file.parents.get(node), ast.ClassDef)
            ):
                first = first or file.place(range_of(node))
    return Bindings(first, tuple(rebound))


def _of_module(file: SourceFile, name: str) -> Bindings:
    """A global of another file of the workspace: its first binding there, and all others anywhere."""
    stores = sorted((n for n in _own_nodes(file.tree) if _binds(n, name)), key=range_of)
    functions = [f for f in ast.walk(file.tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inner = [n for f in functions if _declares(f, name) for n in _own_nodes(f) if _binds(n, name)]
    changes = [n for n in ast.walk(file.tree) if _changes(n, name)]
    places = [file.place(range_of(n)) for n in [*stores[1:], *inner, *changes]]
    stem = Path(file.path).stem
    for other in FILES.values():
        for node in ast.walk(other.tree):
            for target in _targets(node):
                owner = target.value if isinstance(target, ast.Attribute) and target.attr == name else None
                if isinstance(owner, ast.Name) and owner.id == stem:
                    places.append(other.place(range_of(node)))
    final = any(isinstance(n, ast.AnnAssign) and "Final" in ast.unparse(n.annotation) for n in stores)
    return Bindings(file.place(range_of(stores[0])) if stores else None, tuple(dict.fromkeys(places)), final)


def _imported_from(file: SourceFile, name: str) -> tuple[SourceFile, str] | None:
    """The workspace file and the name there of what `from … import name` brought in."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found = _file_of(node.module or "") if (alias.asname or alias.name) == name else None
                if found is not None:
                    return found, alias.name
    return None


def _imported_module(file: SourceFile, name: str) -> SourceFile | None:
    """The workspace file of a module that is known as `name` in a file."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if (alias.asname or alias.name.split(".")[-1]) == name:
                    return _file_of(alias.name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _file_of(f"{node.module or ''}.{alias.name}")
    return None


def _file_of(module: str) -> SourceFile | None:
    """The file of a loaded workspace module, by the last parts of its dotted name."""
    wanted = module.strip(".").split(".")
    for path, file in FILES.items():
        parts = list(Path(path).with_suffix("").parts)
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if wanted != [""] and parts[-len(wanted) :] == wanted:
            return file
    return None


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of functions and classes in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _own_nodes(child)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return [
            t
            for target in node.targets
            for t in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
        ]
    return [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return any(isinstance(t, ast.Name) and t.id == name for t in ast.walk(node.target))
    return any(isinstance(t, ast.Name) and t.id == name for t in _targets(node))


def _declares(function: ast.AST, name: str) -> bool:
    return any(isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names for n in _own_nodes(function))


def _changes(node: ast.AST, name: str) -> bool:
    """Whether a node changes the contents of what `name` is bound to (`name[k] = v`, `name.append(v)`)."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _CHANGING and isinstance(node.func.value, ast.Name) and node.func.value.id == name
    return any(
        isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id == name for t in _targets(node)
    )
