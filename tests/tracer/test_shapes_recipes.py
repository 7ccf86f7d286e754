"""Every operation in the graphs of the recipes of `tests/coverage`: the rule is right, or says that it does not know.

Functions are met here as nodes have them: operators, methods, attributes, steps.
"""

from __future__ import annotations

import ast
import copy
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.coverage.recipes import HEADER, RECIPES, pool
from tests.tracer.shapes_oracle import ARRAYS, Call, agrees, holds_elsewhere, mapped
from tracer import load_module, trace
from tracer.calls import Suspended
from tracer.nodes import Kind, evaluate, fill
from tracer.shapes import Reason, reasons

POOLS = [
    ("d", 5, 4, "strided"), ("d", 0, 3, "contiguous"), ("d", 1, 4, "contiguous"), ("d", 3, 0, "contiguous"),
    ("?", 5, 4, "contiguous"), ("B", 5, 4, "reversed"), ("q", 5, 4, "fortran"), ("e", 5, 4, "contiguous"),
    ("g", 1, 1, "contiguous"), ("F", 4, 4, "contiguous"), ("M8[s]", 5, 4, "contiguous"), ("U6", 5, 4, "contiguous"),
    (">f8", 4, 5, "contiguous"),
]  # fmt: skip
SYMBOLIC = {("q", 5, 4, "fortran")}
"""Pools of which every operation is also held against NumPy at other sizes."""
NOT_FOLLOWED = ("np.ma", "np.rec", "np.lib.recfunctions", "np.cast", "scipy")
"""Functions whose results are subclasses of arrays, which an `Abstract` cannot tell from arrays, and nameless ones."""
ATTRIBUTES = {
    "strides",
    "flags",
    "base",
    "data",
    "ctypes",
    "device",
    "__array_interface__",
    "__array_struct__",
    "__array_priority__",
}
"""Attributes that no shape and dtype tells."""
ROLES = set(pool("d", 2, 2))


def functions() -> list[tuple[str, list[str]]]:
    """The recipes as functions of the roles that they take."""
    made: list[tuple[str, list[str]]] = []
    for name, recipes in RECIPES.items():
        for recipe in recipes if not name.startswith(NOT_FOLLOWED) else ():
            *body, last = ast.parse(recipe).body
            if not isinstance(last, ast.Expr):
                continue
            used = {node.id for node in ast.walk(ast.parse(recipe)) if isinstance(node, ast.Name)}
            roles = sorted(used & ROLES)
            lines = [*(line for part in body for line in ast.unparse(part).splitlines()), f"return {ast.unparse(last)}"]
            inner = "\n".join(f"    {line}" for line in lines)
            made.append((f"def recipe{len(made)}({', '.join(roles)}):\n{inner}\n", roles))
    return made


FUNCTIONS = functions()


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> types.ModuleType:
    path = tmp_path_factory.mktemp("recipes") / "recipes.py"
    path.write_text(HEADER + "\n" + "\n".join(source for source, _ in FUNCTIONS), encoding="utf-8")
    return load_module(path)


def operations(function: Any, args: list[Any], roles: list[str]) -> Iterator[Call]:
    """The operations of the function's graph, with the values that they had."""
    traced = trace(function, *copy.deepcopy(args))
    values: dict[Any, Any] = {}
    bound, copies = dict(zip(roles, copy.deepcopy(args), strict=True)), {}  # type: ignore[var-annotated]
    for node in traced.graph.nodes:
        try:
            if node.kind is Kind.CALL:
                assert node.function is not None
                operands = tuple(fill(a, values.__getitem__) for a in node.args)
                named = {k: fill(v, values.__getitem__) for k, v in (node.kwargs or {}).items()}
                yield Call(node.function, operands, named)
            values[node] = evaluate(node, values, bound, copies)
        except Exception:
            return  # the function raises for these arguments


def only_arrays(made: Call) -> bool:
    found: list[type] = []
    mapped((made.args, list(made.kwargs.values())), lambda array: found.append(type(array)))
    return all(kind is np.ndarray or issubclass(kind, np.generic) for kind in found)


def excused(made: Call) -> bool:
    """Whether there is a reason why nothing is known."""
    if made.function in reasons() or isinstance(made.function, Suspended):
        return True
    if made.function is getattr:
        return made.args[1] in ATTRIBUTES or not isinstance(made.args[0], ARRAYS)
    return not (getattr(made.function, "__module__", None) or "numpy").startswith("numpy")


@pytest.mark.parametrize("chosen", POOLS, ids=str)
def test_operations(module: types.ModuleType, chosen: tuple[str, int, int, str]) -> None:
    arrays, known, nothing = pool(*chosen), 0, []
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, (source, roles) in enumerate(FUNCTIONS):
            if "put(" in source and 0 in chosen:
                continue  # NumPy 1 writes past the end of an empty array
            for made in operations(getattr(module, f"recipe{number}"), [arrays[role] for role in roles], roles):
                if not only_arrays(made):
                    continue
                reason = agrees(made)
                known += reason is None
                if reason is Reason.RULE and all(chosen[1:3]) and not excused(made):
                    nothing.append(str(made))
                if reason is None and chosen in SYMBOLIC:
                    holds_elsewhere(made, number, 6)
    assert known > 700
    assert nothing == []
