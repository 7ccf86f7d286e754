"""The conditions on symbolic sizes and numbers that a tracer of PyTorch's decides while it runs, with their places.

A ShapeEnv keeps its guards with lines at best; here its one door, `evaluate_expr`, is watched, so that each condition
that was decided has the user's expression it came from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sympy
from torch._guards import TracingContext
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from ....positions import Located
from . import places, versions
from .sources import in_words

_OPERATORS = {
    sympy.Eq: "==", sympy.Ne: "!=", sympy.Lt: "<", sympy.Le: "<=", sympy.Gt: ">", sympy.Ge: ">=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """A condition that was decided, while a ShapeEnv knew what its symbols stand for."""

    condition: Any
    """A sympy expression over symbols, true for the example."""
    asked: Any
    """The expression that was asked for."""
    at: Located | None
    env: Any

    @property
    def by_contents(self) -> bool:
        """Whether contents of tensors decided it: a symbol stands for no size of an input."""
        sources = versions.symbol_sources(self.env)
        return any(symbol not in sources for symbol in self.condition.free_symbols)

    def words(self, function: Callable[..., Any], renamed: dict[str, str]) -> str:
        """The condition in the user's words, those at its place if there are several; empty where a symbol has none."""
        sources = versions.symbol_sources(self.env)
        here = self.at.text if self.at is not None else ""
        names = {}
        for symbol in self.condition.free_symbols:
            known = [in_words(versions.source_name(one), function, renamed) for one in sources.get(symbol, [])]
            found = max((one for one in known if one), key=lambda one: one in here, default=None)
            if found is None:
                return ""
            names[symbol] = sympy.Symbol(found)
        return _written(self.condition.xreplace(names))


@contextmanager
def watched() -> Iterator[list[Decision]]:
    """The decisions that are taken in the block, in their order, each once."""
    taken: list[Decision] = []
    known: set[tuple[int, Any]] = set()
    evaluate = ShapeEnv.evaluate_expr

    def watching(env: Any, *args: Any, **kwargs: Any) -> Any:
        before = len(env.guards)
        decided = evaluate(env, *args, **kwargs)
        expr = args[0] if args else kwargs.get("orig_expr")
        if not getattr(expr, "free_symbols", None):
            return decided
        decision = Decision(_true(expr, decided), expr, places.condition(_place()), env)
        new = (id(env), decision.condition) not in known
        if new and (len(env.guards) > before or decision.by_contents):  # else it followed from what is known
            known.add((id(env), decision.condition))
            taken.append(decision)
        return decided

    ShapeEnv.evaluate_expr = watching
    try:
        yield taken
    finally:
        ShapeEnv.evaluate_expr = evaluate


def _place() -> Located | None:
    """Where Dynamo is in user code, or where that runs now: what runs while Dynamo reads only led to what it reads."""
    return places.of_stack(TracingContext.extract_stack()) or places.of_frame(sys._getframe(2))


def _true(expr: Any, decided: Any) -> Any:
    """The condition that holds for the example: a truth value that was asked for, or a number that was settled."""
    if isinstance(expr, sympy.logic.boolalg.Boolean) and not isinstance(expr, sympy.Symbol):
        return expr if bool(decided) else sympy.Not(expr)
    return sympy.Eq(expr, decided)


def _written(condition: Any) -> str:
    if getattr(getattr(condition, "lhs", None), "is_number", False):
        condition = condition.reversed
    operator = _OPERATORS.get(type(condition))
    if operator is None:
        return str(condition)
    return f"{condition.lhs} {operator} {condition.rhs}"
