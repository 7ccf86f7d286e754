"""What the result of an example rests on, as a short text: as long as it is the same, there is nothing to trace again.

It is made of the function's own text, the texts of the functions, methods and classes of the file that it may reach,
all that runs when the file is imported, the texts of the workspace files that the import brought in, the example, and
what else the caller knows of.  What a function may reach is told by words alone and rather too widely: every
definition whose name occurs in it; and every one that binds or changes what a reached one names, since a finding says
so.  Where words do not tell (`globals()`, `getattr` with a computed name, …) it is the whole file.  Where even that is
not enough (a module imported while the function runs) there is no fingerprint.
"""

from __future__ import annotations

import ast
import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .bindings import Index, index_of
from .examples import Example
from .positions import FILES, SourceFile

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_WORD = re.compile(r"[^\W\d]\w*")
_REFLECTS = re.compile(
    r"(?<![\w.])(?:globals|locals|vars|dir|eval|exec|compile|setattr|delattr|inspect|gc|traceback|linecache|"
    r"attrgetter|methodcaller|__file__|__builtins__)\b"
    r"|\.\s*(?:__dict__|__globals__|__code__|__closure__|__subclasses__|__defaults__|__kwdefaults__|modules|"
    r"_getframe|settrace|setprofile|attrgetter|methodcaller)\b"
)
"""Ways in which code may reach what it does not name: functions and modules, attributes."""
_LOOKING_UP = frozenset({"getattr", "hasattr"})
_IMPORTING = frozenset({"import", "importlib", "__import__", "runpy"})
_HARMLESS_DECORATORS = frozenset({
    "staticmethod", "classmethod", "property", "example", "nonstrict_trace", "lru_cache", "cache", "cached_property",
    "wraps", "setter", "getter", "deleter", "override", "overload", "final", "abstractmethod", "jaxtyped",
})  # fmt: skip
"""Decorators that keep the function under its name, and run nothing else of the file."""


@dataclass(eq=False)
class _Unit:
    """A piece of a file that is in or out as a whole: a function, a method, or what runs when the file is imported."""

    name: str
    """The qualified name of a function; empty for what is run."""
    text: str
    lines: tuple[int, int]
    """The first and the last."""
    node: ast.AST | None = None
    owner: str | None = None
    """The class of a method."""
    escapes: bool = False
    """Its definition hands it, or something else, to code that may keep it."""
    defines: str = ""
    """The class that begins here."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name that it reads, writes or spells, and words of comments and texts; of a docstring, none."""
        text = self.text
        if isinstance(self.node, _FUNCTIONS) and (docstring := ast.get_docstring(self.node, clean=False)):
            text = text.replace(docstring, "", 1)
        return frozenset(_WORD.findall(text if text.isascii() else unicodedata.normalize("NFKC", text)))

    @cached_property
    def reflects(self) -> bool:
        """Whether it may reach what it does not name."""
        if isinstance(self.node, ast.Import) and not any(alias.asname for alias in self.node.names):
            return False
        if _REFLECTS.search(self.text):
            return True
        return bool(self.words & _LOOKING_UP) and (self.node is None or any(map(_looks_up, ast.walk(self.node))))

    @cached_property
    def imports_late(self) -> bool:
        """Whether a function in it imports while it runs; what that brings is not known before."""
        return bool(self.words & _IMPORTING) and (bool(self.name) or bool(self.words & {"def", "lambda"}))


class Fingerprints:
    """The fingerprints of the examples of one loaded file."""

    def __init__(self, file: SourceFile, others: Iterable[str], more: Iterable[str]) -> None:
        """`others` are the paths of the workspace files that were loaded with it; `more` goes into each fingerprint."""
        self._file = file
        self._index = index_of(file)
        self._units = list(_pieces(file, file.tree.body, "", None))
        self._others = [FILES[path] for path in sorted(others) if path in FILES]
        self._more = list(more)

    def of(self, example: Example) -> str:
        """The fingerprint of an example; empty where what it rests on cannot be told."""
        reached = self._reached(example)
        if reached is None or any(unit.imports_late for unit in reached):
            return ""
        of_example = [example.function, str(example.index), example.origin, example.source, example.setup]
        texts = [text for unit in reached for text in (unit.name, unit.defines, unit.text)]
        return _digest([*self._more, *of_example, *example.others, *texts, *self._outside])

    def _reached(self, example: Example) -> list[_Unit] | None:
        """The units an example rests on, in the order of the file; None where its function is not found by name."""
        own = [unit for unit in self._units if unit.name == example.function]
        if not own and "." in example.function:
            return None  # bound in a class by an assignment
        used = self._closed([*own, _spelled(example)])
        while linked := self._linked(used):
            used = self._closed([*used, *linked])
        inside = used | self._at_import
        if self._is_opaque or any(unit.reflects for unit in inside):
            return self._units
        free = {name for unit in used for name in unit.words - self._variables.get(unit, frozenset())}
        return [unit for unit in self._units if unit in inside or self._changed.get(unit, _NONE) & free]

    def _closed(self, units: Iterable[_Unit]) -> set[_Unit]:
        """The units, with all that they name, and so on."""
        inside: set[_Unit] = set()
        names: set[str] = set()
        waiting = list(units)
        while waiting:
            unit = waiting.pop()
            if unit not in inside:
                inside.add(unit)
                new = (unit.words & self._by_name.keys()) - names
                names |= new
                waiting += [other for name in new for other in self._by_name[name]]
        return inside

    def _linked(self, used: set[_Unit]) -> list[_Unit]:
        """What else runs at the import and has to do with units that an example uses."""
        names = {name for unit in used for name in unit.words} - self._imported
        return [unit for unit in self._run if unit not in used and (unit.escapes or unit.words & names)]

    # ---- of the file, once -----------------------------------------------------------------------------

    @cached_property
    def _by_name(self) -> dict[str, list[_Unit]]:
        """The units that a name may mean; a class means all of its methods that Python calls by itself."""
        found: dict[str, list[_Unit]] = {}
        for unit in self._units:
            if not unit.name:
                continue
            name = unit.name.rpartition(".")[2]
            implicit = unit.owner is not None and name.startswith("__") and name.endswith("__")
            for each in {name, *([unit.owner] if unit.owner and implicit else [])}:
                found.setdefault(each, []).append(unit)
        return found

    @cached_property
    def _run(self) -> list[_Unit]:
        """What runs when the file is imported."""
        return [unit for unit in self._units if not unit.name]

    @cached_property
    def _at_import(self) -> set[_Unit]:
        return self._closed(self._run)

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Names that stand for modules: two statements that use NumPy have nothing to do with each other."""
        return frozenset(self._index.modules) | frozenset(self._index.imported)

    @cached_property
    def _variables(self) -> dict[_Unit, frozenset[str]]:
        """The parameters and variables of each function, without those of functions in it."""
        of_scope: dict[int, set[str]] = {}
        for name, stores in self._index.names.items():
            for store in stores:
                of_scope.setdefault(id(store.scope), set()).add(name)
        return {
            unit: (frozenset(of_scope.get(id(unit.node), _NONE)) | _parameters(unit.node)) - self._declared(unit)
            for unit in self._units
            if isinstance(unit.node, _FUNCTIONS)
        }

    def _declared(self, unit: _Unit) -> set[str]:
        return {name for name, scopes in self._index.declared.items() if any(_within(one, unit) for one in scopes)}

    @cached_property
    def _changed(self) -> dict[_Unit, set[str]]:
        """The names that `bindings` finds bound anew or changed in each unit."""
        found: dict[_Unit, set[str]] = {}
        units = sorted(self._units, key=lambda unit: unit.lines[0])
        starts = [unit.lines[0] for unit in units]
        for name, line in _changes(self._index):
            at = bisect_right(starts, line) - 1
            while at >= 0 and not units[at].lines[1] >= line:
                at -= 1
            if at >= 0:
                found.setdefault(units[at], set()).add(name)
        return found

    @cached_property
    def _outside(self) -> list[str]:
        return [text for file in self._others for text in (file.path, file.text)]

    @cached_property
    def _is_opaque(self) -> bool:
        """Whether another file of the workspace names this one, and may so reach anything in it."""
        own = re.compile(rf"\b{re.escape(Path(self._file.path).stem)}\b")
        return any(own.search(file.text) for file in self._others)


_NONE: frozenset[str] = frozenset()


def _digest(texts: Iterable[str]) -> str:
    made = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big"))
        made.update(data)
    return made.hexdigest()


def _spelled(example: Example) -> _Unit:
    """What the example's own text names."""
    return _Unit("", "\n".join([example.source, example.setup, *example.others]), (0, 0))


# ---- the pieces of a file --------------------------------------------------------------------------


def _pieces(file: SourceFile, body: list[ast.stmt], prefix: str, owner: str | None) -> Iterator[_Unit]:
    """The pieces of a file in its order."""
    for node in body:
        if isinstance(node, _FUNCTIONS):
            yield from _of_function(file, node, prefix, owner)
        elif isinstance(node, ast.ClassDef):
            head = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
            text, escapes = "\n".join(map(ast.unparse, head)), bool(node.decorator_list or node.keywords)
            yield _Unit("", text, (node.lineno, node.lineno), escapes=escapes, defines=prefix + node.name)
            yield from _pieces(file, node.body, f"{prefix}{node.name}.", node.name)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):  # a docstring
            yield _Unit("", _text(file, node), _lines(node), node)


def _of_function(file: SourceFile, node: _Function, prefix: str, owner: str | None) -> Iterator[_Unit]:
    """A function; one that a decorator may have handed to others, or whose definition runs code, is always in."""
    text, lines = _text(file, node), _lines(node)
    yield _Unit(prefix + node.name, text, lines, node, owner)
    if not all(_name_of(decorator) in _HARMLESS_DECORATORS for decorator in node.decorator_list):
        yield _Unit("", text, lines, node, escapes=True)
    elif calls := [default for default in _defaults(node) if any(isinstance(n, ast.Call) for n in ast.walk(default))]:
        yield _Unit("", "\n".join(map(ast.unparse, calls)), (node.lineno, node.lineno), escapes=True)


def _defaults(node: _Function) -> Iterator[ast.expr]:
    yield from node.args.defaults
    yield from (default for default in node.args.kw_defaults if default is not None)


def _text(file: SourceFile, node: ast.stmt) -> str:
    """The lines of a statement, with its decorators and with the comments for us above it."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    while first > 1 and file.lines[first - 2].lstrip().startswith("#"):
        first -= 1
    above = [line for line in file.lines[first - 1 : node.lineno - 1] if not _is_plain_comment(line)]
    return "".join([*above, *file.lines[node.lineno - 1 : node.end_lineno or node.lineno]])


def _is_plain_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and "nst:" not in line


def _lines(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


# ---- what a piece names and changes ----------------------------------------------------------------


def _name_of(node: ast.expr) -> str:
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Attribute):
            return node.attr
        node = node.func
    return node.id if isinstance(node, ast.Name) else ""


def _looks_up(node: ast.AST) -> bool:
    """Whether an attribute is looked up by a name that the text does not spell."""
    if not isinstance(node, ast.Call) or _name_of(node.func) not in _LOOKING_UP:
        return False
    return not (len(node.args) > 1 and isinstance(node.args[1], ast.Constant))


def _parameters(node: _Function) -> frozenset[str]:
    arguments = node.args
    starred = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return frozenset(one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred])


def _within(scope: ast.AST, unit: _Unit) -> bool:
    return unit.lines[0] <= getattr(scope, "lineno", 0) <= unit.lines[1]


def _changes(index: Index) -> Iterator[tuple[str, int]]:
    """Each name that is bound elsewhere or changed, with the line of it."""
    for name, nodes in index.changes.items():
        yield from ((name, getattr(node, "lineno", 0)) for node in nodes)
    for name, stores in index.attributes.items():
        yield from ((name, getattr(store.node, "lineno", 0)) for store in stores)
    for name, scopes in index.declared.items():
        yield from ((name, getattr(scope, "lineno", 0)) for scope in scopes)
