"""Whose a name is: a function's own, an enclosing function's, a global, or one that needs no hook at all."""

from __future__ import annotations

import ast
import builtins
import sys

from .environment import is_environment
from .syntax import children

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def quiet_names(module: ast.Module, nodes: list[ast.AST]) -> frozenset[str]:
    """Module-level names that need no hook: imported modules, functions and classes, bound once."""
    bound: dict[str, list[ast.stmt]] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound.setdefault((alias.asname or alias.name).split(".")[0], []).append(node)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and is_library(node.module or ""):
            for alias in node.names:
                if not is_environment(node.module or "", alias.name):
                    bound.setdefault(alias.asname or alias.name, []).append(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.setdefault(node.name, []).append(node)
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    decorated = {n.name for n in module.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.decorator_list}
    quiet = {name for name in bound if name not in stored and name not in decorated}
    return frozenset(quiet | (set(dir(builtins)) - stored - set(bound)))


def library_modules(nodes: list[ast.AST]) -> frozenset[str]:
    """Names bound to modules of the standard library or NumPy alone: their attributes are no hidden inputs."""
    imports = [a for n in nodes if isinstance(n, ast.Import) for a in n.names]
    library = {(a.asname or a.name).split(".")[0] for a in imports if is_library(a.name)}
    others = {(a.asname or a.name).split(".")[0] for a in imports if not is_library(a.name)}
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return frozenset(library - others - stored)


_ARRAY_LIBRARIES = frozenset({"numpy", "scipy", "torch", "jax"})


def is_library(name: str) -> bool:
    top = name.split(".", maxsplit=1)[0]
    return top in _ARRAY_LIBRARIES or top in sys.stdlib_module_names


class Scope:
    """The names of one function: which are its own, and which are global or free."""

    def __init__(self, function: Function, outer: Scope | None) -> None:
        self.outer = outer
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        arguments = function.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [a for a in (arguments.vararg, arguments.kwarg) if a]
        self.own = {a.arg for a in parameters}
        self.parameters = frozenset(self.own)
        body = function.body if isinstance(function.body, list) else [function.body]
        for statement in body:
            self._collect(statement)
        self.own -= self.globals | self.nonlocals

    def _collect(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._bind(node.name)
            for part in [*node.decorator_list, *_outer_parts(node)]:
                self._collect(part)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Global):
            self.globals.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            self.nonlocals.update(node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._bind(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                self._bind((alias.asname or alias.name).split(".")[0])
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
        ):
            self._bind(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._bind(node.rest)
        for child in children(node):
            self._collect(child)

    def _bind(self, name: str) -> None:
        self.own.add(name)

    def kind(self, name: str) -> str:
        """`own`, `free` (a variable of an enclosing function) or `global`."""
        if name in self.own:
            return "own"
        if name not in self.globals:
            scope = self.outer
            while scope is not None:
                if name in scope.own:
                    return "free"
                scope = scope.outer
        return "global"


def _outer_parts(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """What of a definition is evaluated in the scope around it."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *node.keywords]
    return [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
