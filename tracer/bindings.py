"""Where a hidden input is defined, and where else it is bound anew or changed: by syntax alone.

Each file is read once into an `Index`; what is asked later are look-ups.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

from .events import Source
from .positions import FILES, Located, SourceFile, range_of
from .syntax import children
from .worker.wire import Place

_CHANGING = frozenset({
    "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem",
    "add", "discard", "fill",
})  # fmt: skip
_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__"})
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Bindings:
    """`defined`: the first binding; `rebound`: later bindings and changes of contents; `final`: declared so."""

    defined: Place | None = None
    rebound: tuple[Place, ...] = ()
    final: bool = False


@dataclass(frozen=True, slots=True)
class _Store:
    node: ast.AST
    scope: _Scope
    owner: str | None = None
    """For an attribute: the name of the object it is set on, where that is a name."""


@dataclass(frozen=True, slots=True)
class Index:
    """What one file binds, changes and imports, by name."""

    names: dict[str, list[_Store]] = field(default_factory=dict)
    attributes: dict[str, list[_Store]] = field(default_factory=dict)
    changes: dict[str, list[ast.AST]] = field(default_factory=dict)
    declared: dict[str, list[_Scope]] = field(default_factory=dict)
    """Scopes that declare a name `global` or `nonlocal`."""
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Local name to (module, name there), of `from … import …`."""
    modules: dict[str, str] = field(default_factory=dict)
    """Local name to module, of `import …`."""


def bindings_of(at: Located, source: Source) -> Bindings:
    """The bindings of a source's name in the file that reads it (a variable, an attribute, a container)."""
    parts = source.label.split("[", maxsplit=1)[0].split(".")
    index = index_of(at.file)
    module = _module_named(index, parts[0])
    if module is not None and len(parts) == 2:
        return _of_module(module, parts[1])
    if isinstance(at.node, ast.Attribute) or len(parts) > 1:
        return _attribute(at.file, index, parts[-1] if "[" not in source.label and len(parts) > 1 else parts[0])
    return _variable(at, index, parts[0])


def index_of(file: SourceFile) -> Index:
    """The index of a file, made on first use."""
    if file.path not in _indices or _indices[file.path][0] is not file:
        index = Index()
        _read(file.tree, file.tree, index)
        _indices[file.path] = (file, index)
    return _indices[file.path][1]


_indices: dict[str, tuple[SourceFile, Index]] = {}


def _variable(at: Located, index: Index, name: str) -> Bindings:
    """A variable of an enclosing function, or a global (perhaps another module's)."""
    stores = index.names.get(name, [])
    around = [a for a in at.file.ancestors(at.node) if isinstance(a, _SCOPES)] if at.node is not None else []
    scope = next((a for a in around[1:] if any(s.scope is a for s in stores)), at.file.tree)
    if scope is at.file.tree and name in index.imported:
        module, there = index.imported[name]
        file = _file_of(module)
        if file is not None:
            return _of_module(file, there)
    return _told(at.file, index, name, scope)


def _told(file: SourceFile, index: Index, name: str, scope: ast.AST) -> Bindings:
    """The bindings of a name in one scope, and in functions that declare it."""
    declaring = index.declared.get(name, [])
    stores = index.names.get(name, [])
    own = sorted((s.node for s in stores if s.scope is scope), key=range_of)
    elsewhere = [s.node for s in stores if s.scope is not scope and s.scope in declaring]
    final = any(isinstance(n, ast.AnnAssign) and "Final" in ast.unparse(n.annotation) for n in own)
    places = [file.place(range_of(n)) for n in [*own[1:], *elsewhere, *index.changes.get(name, [])]]
    return Bindings(file.place(range_of(own[0])) if own else None, tuple(dict.fromkeys(places)), final)


def _attribute(file: SourceFile, index: Index, name: str) -> Bindings:
    """An attribute: bound in a constructor or a class body, bound anew anywhere else."""
    first = next((s.node for s in index.names.get(name, []) if isinstance(s.scope, ast.ClassDef)), None)
    rebound: list[ast.AST] = []
    for store in index.attributes.get(name, []):
        constructs = isinstance(store.scope, ast.FunctionDef) and store.scope.name in _CONSTRUCTORS
        if constructs and first is None and not isinstance(store.node, ast.AugAssign):
            first = store.node
        else:
            rebound.append(store.node)
    places = tuple(file.place(range_of(n)) for n in rebound)
    return Bindings(file.place(range_of(first)) if first is not None else None, places)


def _of_module(file: SourceFile, name: str) -> Bindings:
    """A global of another file of the workspace, with what other files set on that module."""
    told = _told(file, index_of(file), name, file.tree)
    stem = Path(file.path).stem
    outside = [
        other.place(range_of(store.node))
        for other in FILES.values()
        for store in index_of(other).attributes.get(name, [])
        if store.owner == stem
    ]
    return Bindings(told.defined, tuple(dict.fromkeys([*told.rebound, *outside])), told.final)


def _module_named(index: Index, name: str) -> SourceFile | None:
    """The workspace file of a module that is known by a local name."""
    if name in index.modules:
        return _file_of(index.modules[name])
    if name in index.imported:
        module, there = index.imported[name]
        return _file_of(f"{module}.{there}")
    return None


def _file_of(module: str) -> SourceFile | None:
    """The file of a loaded workspace module, by the last parts of its dotted name."""
    wanted = [part for part in module.split(".") if part]
    for path, file in FILES.items():
        parts = list(Path(path).with_suffix("").parts)
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if wanted and parts[-len(wanted) :] == wanted:
            return file
    return None


# ---- reading a file --------------------------------------------------------------------------------


def _read(node: ast.AST, scope: _Scope, index: Index) -> None:
    """Enter what `node` and all below it bind, change and import."""
    for child in children(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                index.modules[alias.asname or alias.name.split(".")[0]] = alias.name
        elif isinstance(child, ast.ImportFrom):
            for alias in child.names:
                index.imported[alias.asname or alias.name] = (child.module or "", alias.name)
        elif isinstance(child, (ast.Global, ast.Nonlocal)):
            for name in child.names:
                index.declared.setdefault(name, []).append(scope)
        elif isinstance(child, ast.Call):
            _read_call(child, index)
        for target in _targets(child):
            _read_target(target, child, scope, index)
        _read(child, child if isinstance(child, _SCOPES) else scope, index)


def _read_call(call: ast.Call, index: Index) -> None:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr in _CHANGING:
        index.changes.setdefault(function.value.id, []).append(call)


def _read_target(target: ast.expr, node: ast.AST, scope: _Scope, index: Index) -> None:
    if isinstance(target, ast.Name):
        index.names.setdefault(target.id, []).append(_Store(node, scope))
    elif isinstance(target, ast.Attribute):
        owner = target.value.id if isinstance(target.value, ast.Name) else None
        index.attributes.setdefault(target.attr, []).append(_Store(node, scope, owner))
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        index.changes.setdefault(target.value.id, []).append(node)


def _targets(node: ast.AST) -> list[ast.expr]:
    """The single targets of an assignment or loop."""
    if isinstance(node, ast.Assign):
        found = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)):
        found = [node.target]
    else:
        return []
    return [part for t in found for part in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
