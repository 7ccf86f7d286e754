"""Whether a file takes its annotations from one that tells shapes: `from .types import Batch`.

Such a file has examples, too, though none of their words stand in it.  Nothing is imported to know it: modules are
looked for as files of the workspace, and there for what the name stands for, through modules that hand it on.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .analysis.outline import annotation_names, parse, tells_an_array, tells_shapes
from .sources import read_text

_IMPORTS = re.compile(r"(?:^|\r)[ \t\f]*(?:from\s+(\.*)([\w.]*)\s+import\b|import\s+([\w.]+))", re.MULTILINE)
_ANNOTATED = re.compile(r"\bdef\s+\w+\s*\([^)]*?\w\s*:\s*[\"'\w]")
_DEEPEST = 3
"""How many modules may hand a name on."""


@dataclass(frozen=True, slots=True)
class _Search:
    root: str
    ranked: bool
    """Whether the settings tell ranks: then arrays of open rank are enough."""


def borrows(source: str, path: str | Path, root: str, ranked: bool = False) -> bool:
    """Whether an annotation of a parameter is a name that another file of the workspace gives an array's shape."""
    search = _Search(root, ranked)
    if _ANNOTATED.search(source) is None or not any(
        _promises(file, search) for file in _files_of(_imported(source), Path(path), search)
    ):
        return False  # no tree need be made of most files
    return any(_imports(source, name, Path(path), search, _DEEPEST) for name in annotation_names(source))


def _promises(file: Path, search: _Search, depth: int = _DEEPEST) -> bool:
    """Whether a file has anything that tells shapes, or hands on names of one that has."""
    try:
        tells, hands_on = _glance(file, file.stat().st_mtime_ns, search.ranked)
    except OSError:
        return False
    return tells or (
        depth > 0 and any(_promises(other, search, depth - 1) for other in _files_of(hands_on, file, search))
    )


@lru_cache(maxsize=4096)
def _glance(file: Path, changed: int, ranked: bool) -> tuple[bool, tuple[tuple[int, str], ...]]:
    """Whether a text tells shapes, and the modules whose names it may hand on."""
    source = read_text(file)
    hands_on = file.name == "__init__.py" or "import *" in source
    return tells_shapes(source, ranked), _imported(source) if hands_on else ()


def _imports(source: str, name: str, path: Path, search: _Search, depth: int) -> bool:
    """Whether a text has a dotted name from a file in which it is an array's annotation."""
    tree = parse(source)
    for node in tree.module.body if tree and depth else []:
        for module, level, inner in _origins(node, name):
            if any(_defines(file, inner, search, depth - 1) for file in _files(level, module, path, search.root)):
                return True
    return False


def _origins(node: ast.stmt, name: str) -> Iterator[tuple[str, int, str]]:
    """The module, the level of its import, and the name in it, that a dotted name may mean by an import."""
    if not isinstance(node, ast.ImportFrom | ast.Import):
        return
    level, module = (node.level, node.module or "") if isinstance(node, ast.ImportFrom) else (0, "")
    for alias in node.names:
        bound = alias.asname or alias.name
        if alias.name == "*" or (name == bound and isinstance(node, ast.ImportFrom)):
            yield module, level, name if alias.name == "*" else alias.name
        elif name.startswith(f"{bound}."):
            yield f"{module}.{alias.name}".lstrip("."), level, name.removeprefix(f"{bound}.")


def _defines(file: Path, name: str, search: _Search, depth: int) -> bool:
    """Whether a name of a file is an array's annotation, or a class that has some."""
    try:
        source = read_text(file)
    except OSError:
        return False
    tree = parse(source)
    for node in tree.module.body if tree else []:
        given = list(_given(node, name))
        if any(tells_an_array(one) or (search.ranked and tells_shapes(f"= {ast.unparse(one)}", True)) for one in given):
            return True
    return _imports(source, name, file, search, depth)


def _given(node: ast.stmt, name: str) -> Iterator[ast.expr]:
    """What a statement gives a name to: the value, or the annotations in a class."""
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            yield value
        case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
            yield value
        case ast.ClassDef(name=found, body=body) if found == name:
            yield from (field.annotation for field in body if isinstance(field, ast.AnnAssign))
    if type(node).__name__ == "TypeAlias" and getattr(node, "name").id == name:  # noqa: B009  # from Python 3.12 on
        yield getattr(node, "value")  # noqa: B009


# ---- files -----------------------------------------------------------------------------------------


def _imported(source: str) -> tuple[tuple[int, str], ...]:
    """The modules that a text imports, as far as its lines tell: the level and the name of each."""
    found = _IMPORTS.findall(source)
    return tuple(dict.fromkeys((len(dots), module or plain) for dots, module, plain in found))


def _files_of(modules: Iterable[tuple[int, str]], path: Path, search: _Search) -> Iterator[Path]:
    for level, module in modules:
        yield from _files(level, module, path, search.root)


def _files(level: int, module: str, path: Path, root: str) -> Iterator[Path]:
    """Where a module may lie: beside the file for a relative import, else under the root, its `src` or the file too."""
    around = [path.parent, *path.parent.parents]
    folders = around[level - 1 : level] if level else [Path(root), Path(root, "src"), path.parent]
    for folder in dict.fromkeys(folders):
        stem = folder.joinpath(*filter(None, module.split(".")))
        yield from (file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file != path and file.is_file())
