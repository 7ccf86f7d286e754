"""Loads the user's modules rewritten: by an import hook, or on the fly for what is imported already.

Only files of the workspace are rewritten: those under the root, outside of environments and installed
packages.  Texts of open editors win over the disk.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import linecache
import os
import sys
import tokenize
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from . import hooks
from .positions import FILES, SourceFile
from .recorder import USER_FILES
from .rewrite import HOOKS, rewrite

NOTEBOOK = ".ipynb"
_NOT_OURS = frozenset(
    {"site-packages", "dist-packages", "node_modules", ".venv", "venv", ".tox", ".nox", "__pycache__"}
)


def load_module(
    path: str | os.PathLike[str],
    text: str | None = None,
    *,
    root: str | None = None,
    overlay: Mapping[str, str] | None = None,
    plain: bool = False,
) -> ModuleType:
    """Load a file as the worker does: rewritten, under its real path and package.

    `text` takes the place of the file's contents; `root` is the folder whose files are the user's own
    (default: the folder of the outermost package around the file); `overlay` holds the texts of other
    open files by absolute path.  `plain` leaves the code as it is written, for tracers that read its bytecode.
    Raises what the module raises, SyntaxError included.
    """
    file = os.path.realpath(path)
    texts = {os.path.realpath(p): t for p, t in (overlay or {}).items()}
    if text is not None:
        texts[file] = text
    name, home = module_name(file, texts)
    finder = _Finder(os.path.realpath(root) if root else home, texts, plain)
    with _search_path(home, finder):
        for known in [
            n for n, m in sys.modules.items() if finder.owns(getattr(m, "__file__", None)) and n != "__main__"
        ]:
            del sys.modules[known]
        parent = name.rpartition(".")[0]
        if parent:
            importlib.import_module(parent)
        spec = importlib.util.spec_from_file_location(name, file, loader=_Loader(name, file, texts, plain))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return module


def module_name(file: str, texts: Collection[str] = ()) -> tuple[str, str]:
    """A file's module name, with its packages, and the folder that must be on the path for it.

    `texts` are paths of files that need not be on the disk.  A notebook is in no package, and no module that
    anything else would import.
    """
    path = Path(file)
    if path.suffix == NOTEBOOK:
        return path.name.replace(".", "_"), str(path.parent)
    parts = [] if path.stem == "__init__" else [path.stem.replace(".", "_")]
    folder = path.parent
    while _is_file(str(folder / "__init__.py"), texts) and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.parent.name, str(folder)


def _is_file(path: str, texts: Collection[str]) -> bool:
    return path in texts or os.path.isfile(path)


def read_text(file: str) -> str:
    """A source file's text, decoded as Python would (byte-order mark, coding line)."""
    with tokenize.open(file) as stream:
        return stream.read()


def compile_rewritten(text: str, path: str, plain: bool = False) -> CodeType:
    """Compile a module's text with the hooks in it (unless it is to stay plain); remember its source for positions."""
    USER_FILES.add(path)  # also of one that does not compile: mending it mends who imports it
    with deeper_recursion():
        tree = ast.parse(text, path)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if path.endswith(NOTEBOOK) else 0
        code: CodeType = compile(
            tree if plain else rewrite(ast.parse(text, path)), path, "exec", flags, dont_inherit=True
        )
    FILES[path] = SourceFile(path, text, tree)
    return code


@contextmanager
def deeper_recursion() -> Iterator[None]:
    """Room for syntax trees that are deep but compile: a sum of hundreds of terms."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles rewritten source; never reads or writes bytecode caches."""

    def __init__(self, name: str, path: str, texts: Mapping[str, str], plain: bool) -> None:
        super().__init__(name, path)
        self._texts = texts
        self._plain = plain

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        text = self._texts.get(path)
        code = compile_rewritten(read_text(path) if text is None else text, path, self._plain)
        if text is not None:  # tracebacks and `inspect.getsource` show what runs; without a time it is never checked
            linecache.cache[path] = len(text), None, FILES[path].lines, path
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)[HOOKS] = hooks
        if not self.path.endswith(NOTEBOOK):
            super().exec_module(module)
        elif (awaiting := eval(self.get_code(module.__name__), vars(module))) is not None:
            import asyncio  # slow to import, and needed where the cells of a notebook await something

            asyncio.run(awaiting)


LOOKED_UP: set[tuple[str, tuple[str, ...] | None]] = set()
"""The modules that were looked for, found or not, by name; of a submodule with the folders of its package."""


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the workspace's own modules and has them rewritten; leaves all others alone."""

    def __init__(self, root: str, texts: Mapping[str, str], plain: bool) -> None:
        self.root = root
        self._texts = texts
        self._plain = plain
        self._new = {path for path in texts if not os.path.exists(path)}
        """Files that are not on the disk yet."""
        self._names = {os.path.basename(path) for path in texts}

    def owns(self, file: str | None) -> bool:
        """Whether a file is the user's own: below the root, in no environment, and not ours."""
        if not file or not file.endswith(".py") or is_installed(file):
            return False
        real = os.path.realpath(file)
        if not real.startswith(self.root.rstrip(os.sep) + os.sep) or _is_ours(real):
            return False
        inside = Path(real).relative_to(self.root).parts
        return not _NOT_OURS.intersection(inside) and not _is_environment(real, self.root)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        LOOKED_UP.add((fullname, None if path is None else tuple(path)))
        new = self._find_new(fullname, path) if self._new else None
        if new is not None:
            packages = [os.path.dirname(new)] if os.path.basename(new) == "__init__.py" else None
            return self._spec(fullname, new, packages)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not self._replaces(spec.origin) or _is_a_tracer(fullname, spec.origin):
            return None
        assert spec.origin is not None
        return self._spec(fullname, os.path.realpath(spec.origin), spec.submodule_search_locations)

    def _replaces(self, file: str | None) -> bool:
        """Whether a file is ours to load: one of the user's, or one that is open with another text."""
        if file is None or os.path.basename(file) not in self._names:  # of most modules no link need be followed
            return self.owns(file)
        return self.owns(file) or os.path.realpath(file) in self._texts

    def _find_new(self, fullname: str, path: Any) -> str | None:
        """The file of a module that is not on the disk, unless one that is comes before it on the path."""
        name = fullname.rpartition(".")[2]
        for folder in map(os.path.realpath, sys.path if path is None else path):
            files = (os.path.join(folder, name, "__init__.py"), os.path.join(folder, name + ".py"))
            new = next((file for file in files if file in self._new), None)
            if new is not None:
                return new
            found = importlib.machinery.PathFinder.find_spec(fullname, [folder])
            if found is not None and found.loader is not None:
                return None
        return None

    def _spec(self, name: str, file: str, packages: list[str] | None) -> importlib.machinery.ModuleSpec | None:
        loader = _Loader(name, file, self._texts, self._plain)
        return importlib.util.spec_from_file_location(name, file, loader=loader, submodule_search_locations=packages)


def _is_environment(file: str, root: str) -> bool:
    """Whether a file lies in a virtual environment below the root."""
    folder = Path(file).parent
    while str(folder) != root and folder != folder.parent:
        if (folder / "pyvenv.cfg").exists():
            return True
        folder = folder.parent
    return False


_OURS = os.path.dirname(os.path.realpath(__file__)) + os.sep
_ELSEWHERE = tuple({os.path.dirname(os.__file__) + os.sep, os.path.dirname(np.__file__) + os.sep, _OURS})
"""Folders of modules that are never the user's: asked first, since most modules are from there."""
_INSTALLED = f"{os.sep}site-packages{os.sep}"


def _is_ours(file: str | None) -> bool:
    """Whether a file belongs to the tracer itself, which must not trace itself."""
    return file is not None and os.path.realpath(file).startswith(_OURS)


def is_installed(file: str) -> bool:
    """Whether a file is Python's, an installed package's or ours, as far as its path tells."""
    return file.startswith(_ELSEWHERE) or _INSTALLED in file


def is_library(file: str) -> bool:
    """Whether a file is no user's: installed, of the standard library, or the tracer's own."""
    return _is_ours(file) or not _NOT_OURS.isdisjoint(Path(file).parts) or file.startswith(_ELSEWHERE)


def _is_a_tracer(name: str, origin: str | None) -> bool:
    """Whether a module is another copy of this package (a checkout of nst-lsp): there must be one state only."""
    top = name.split(".", maxsplit=1)[0]
    if top != "tracer" or origin is None:
        return False
    return any((folder / "worker" / "wire.py").exists() for folder in Path(origin).parents if folder.name == top)


@contextmanager
def _search_path(home: str, finder: _Finder) -> Iterator[None]:
    """Put the finder and the module's folder first; both stay, since functions import late."""
    sys.meta_path[:] = [f for f in sys.meta_path if not (isinstance(f, _Finder) and f.root == finder.root)]
    sys.meta_path.insert(0, finder)
    if home not in sys.path:
        sys.path.insert(0, home)
    importlib.invalidate_caches()
    yield


# ---- functions that were imported in the ordinary way ----------------------------------------------

_codes: dict[tuple[str, int], dict[tuple[str, int], CodeType] | None] = {}


@contextmanager
def rewritten(function: FunctionType) -> Iterator[bool]:
    """Give a function and those of its package their rewritten code for a while.

    Yields False where there is no source to rewrite (REPL, `exec`).
    """
    if HOOKS in function.__globals__:
        yield True
        return
    modules = _related_modules(function)
    changed: list[tuple[FunctionType, CodeType]] = []
    known = False
    try:
        for module in modules:
            known |= _exchange(module, vars(module), changed) and module.__name__ == function.__module__
        if function not in [f for f, _ in changed]:
            known |= _exchange_one(function, changed)
        yield known
    finally:
        for each, code in changed:
            each.__code__ = code
        for module in modules:
            vars(module).pop(HOOKS, None)
        function.__globals__.pop(HOOKS, None)


def _related_modules(function: FunctionType) -> list[ModuleType]:
    own = sys.modules.get(function.__module__)
    if own is None or vars(own) is not function.__globals__:
        return []
    top = own.__name__.split(".")[0]
    related = (
        [m for n, m in list(sys.modules.items()) if n.split(".")[0] == top and isinstance(m, ModuleType)]
        if top != "__main__"
        else [own]
    )
    return [m for m in related if m is own or not _is_ours(getattr(m, "__file__", None))]


def _rewritten_codes(file: str) -> dict[tuple[str, int], CodeType] | None:
    """The code objects of a file after rewriting, by name and first line."""
    try:
        key = (file, os.stat(file).st_mtime_ns)
        if key not in _codes:
            _codes[key] = dict(_walk(compile_rewritten(read_text(file), file)))
        USER_FILES.add(file)
        return _codes[key]
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _walk(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield (constant.co_name, constant.co_firstlineno), constant
            yield from _walk(constant)


def _exchange(module: ModuleType, space: dict[str, Any], changed: list[tuple[FunctionType, CodeType]]) -> bool:
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py") or is_library(file):
        return False
    codes = _rewritten_codes(file)
    if codes is None:
        return False
    space[HOOKS] = hooks
    for function in _functions(list(space.values()), file):
        _swap(function, codes, changed)
    return True


def _exchange_one(function: FunctionType, changed: list[tuple[FunctionType, CodeType]]) -> bool:
    """A function that its module does not name (a closure): itself and the functions in its cells."""
    file = inspect.getsourcefile(function)
    codes = _rewritten_codes(file) if file and os.path.isfile(file) and not is_library(file) else None
    if codes is None:
        return False
    function.__globals__[HOOKS] = hooks
    cells = [c.cell_contents for c in function.__closure__ or () if isinstance(c.cell_contents, FunctionType)]
    for each in [function, *cells]:
        _swap(each, codes, changed)
    return function in [f for f, _ in changed]


def _swap(
    function: FunctionType, codes: dict[tuple[str, int], CodeType], changed: list[tuple[FunctionType, CodeType]]
) -> None:
    old = function.__code__
    new = codes.get((old.co_name, old.co_firstlineno))
    if new is not None and new.co_freevars == old.co_freevars and new is not old:
        changed.append((function, old))
        function.__code__ = new


def _functions(values: list[Any], file: str) -> Iterator[FunctionType]:
    """The functions of one file among values: plain, in classes, behind wrappers, in properties."""
    seen: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            if value.__code__.co_filename == file:
                yield value
            stack += [
                c.cell_contents
                for c in value.__closure__ or ()
                if _is_set(c) and isinstance(c.cell_contents, FunctionType)
            ]
        elif isinstance(value, type) and getattr(sys.modules.get(value.__module__), "__file__", None) == file:
            stack += list(vars(value).values())
        elif isinstance(value, (staticmethod, classmethod)):
            stack.append(value.__func__)
        elif isinstance(value, property):
            stack += [f for f in (value.fget, value.fset, value.fdel) if f]
        if hasattr(type(value), "__wrapped__") or isinstance(getattr(value, "__wrapped__", None), FunctionType):
            stack.append(value.__wrapped__)


def _is_set(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
