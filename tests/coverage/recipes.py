"""Calls of every function, by its dotted name: `RECIPES`, expressions over the roles of `pools`.

Most stand in `tables/`, one line a call.  A line belongs to the first function of NumPy or SciPy in it (in the tables
of methods: to the first attribute), unless a name and a colon stand before it.  A line may be several
statements; the last is then the result.  Calls of what is alike by the hundred are generated (`generated`).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.coverage import generated
from tests.coverage.pools import DTYPES, LAYOUTS, pool

__all__ = ["DTYPES", "HEADER", "LAYOUTS", "RECIPES", "pool"]

HEADER = generated.HEADER
"""What a module with recipes in it imports."""

_FUNCTIONS = (
    "reductions", "elementwise", "shaping", "creating", "algebra", "choosing", "text", "records", "namespace",
    "operators",
)  # fmt: skip
_METHODS = {"methods": "np.ndarray", "scalars": "np.generic"}
_ROLES = tuple(pool("d", 2, 3))
_NAMED = re.compile(r"((?:np|scipy|operator)(?:\.\w+)+): (.*)")
_FUNCTION = re.compile(r"(?:np|scipy|operator)(?:\.\w+)+")


def lines_of(table: str) -> list[str]:
    """The lines of a table, without comments."""
    text = Path(__file__).with_name("tables").joinpath(f"{table}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def parts(recipe: str) -> tuple[str, str]:
    """The statements of a recipe and the expression that is its result."""
    *body, last = ast.parse(recipe).body
    return "\n".join(ast.unparse(statement) for statement in body), ast.unparse(last)


def roles_in(recipe: str) -> tuple[str, ...]:
    """The roles that a recipe reads, in the order of the pool."""
    tree = ast.walk(ast.parse(recipe))
    used = {node.id for node in tree if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return tuple(role for role in _ROLES if role in used)


def dtypes_of(name: str) -> tuple[str, ...]:
    """The dtypes that a function is tried on: fewer for Python code over NumPy's own functions, and for SciPy."""
    for module, dtypes in _FEW.items():
        if name.startswith(module):
            return dtypes
    return DTYPES


_FEW = {"scipy.": ("f", "d", "q", "F", "D"), "np.ma.": ("b", "q", "d", "D", "M8[s]"), "np.random.": ("d",),
        "np.polynomial.": ("q", "f", "d", "D"), "operator.": ("?", "q", "d", "D", "m8[s]", "U6")}  # fmt: skip


def _collected() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for table in _FUNCTIONS:
        for line in lines_of(table):
            named = _NAMED.match(line)
            name, code = named.groups() if named else (_FUNCTION.findall(line)[0], line)
            found.setdefault(name, []).append(code)
    for table, owner in _METHODS.items():
        for line in lines_of(table):
            named = _NAMED.match(line)
            name, code = named.groups() if named else (f"{owner}.{_attribute(line)}", line)
            found.setdefault(name, []).append(code)
    for name, recipes in generated.recipes().items():
        found.setdefault(name, []).extend(r for r in recipes if r not in found[name])
    for name, outer in generated.inside().items():
        found[name] = found[outer]
    return {name: tuple(recipes) for name, recipes in sorted(found.items())}


def _attribute(line: str) -> str:
    """The first attribute of a line that is no function of a module."""
    attributes = [node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Attribute)]
    own = [node for node in attributes if not (isinstance(node.value, ast.Name) and len(node.value.id) > 1)]
    return min(own, key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0)).attr


RECIPES: dict[str, tuple[str, ...]] = _collected()
