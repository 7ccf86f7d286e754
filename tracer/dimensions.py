"""Dimensions as annotations write them, and the choice of a size for each that has none.

The words are those of `spec("b 4")` and of jaxtyping's `Float[np.ndarray, "*batch dim+1 #b _ rows=4"]`: names, sizes,
expressions of names, nameless ones.  Chosen sizes are small primes, distinct from each other and from all sizes that
are given, so that no two dimensions are equal by chance and none broadcasts.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Dimension:
    """One axis: named, of a given size, both, an expression of names, or (with none of these) any."""

    name: str | None = None
    size: int | None = None
    expression: str | None = None


Shape = tuple[Dimension, ...]


def parse(text: str) -> Shape:
    """The dimensions of a jaxtyping string.  `*batch` is one dimension; `...` is one beside others, and two alone."""
    words = text.split()
    if words == ["..."]:
        return Dimension(), Dimension()
    return tuple(_dimension(word) for word in words)


def _dimension(word: str) -> Dimension:
    """One word: `#`, `*`, `_` and `?` may stand before it, a name and `=` before what counts."""
    rest = word.partition("=")[2] if word.count("=") == 1 else word
    name = rest.lstrip("#*_?")
    marks, rest = rest[: len(rest) - len(name)], name
    if "_" in marks or rest in ("", "..."):
        return Dimension()
    if rest.isdigit():
        return Dimension(size=int(rest))
    return Dimension(name=rest) if rest.isidentifier() else Dimension(expression=rest)


# ---- the choice of sizes ---------------------------------------------------------------------------

_TRIES = 24


def choose(shapes: Sequence[Shape], known: Mapping[str, Any]) -> list[tuple[int, ...]] | None:
    """A size for every dimension, each of which says something; the same name has the same size in all shapes.

    Expressions see the names, and in braces (`{n}`, as jaxtyping has it) the values of `known`.  None where an
    expression cannot be evaluated to a size.
    """
    flat = [dimension for shape in shapes for dimension in shape]
    given = {d.name: d.size for d in flat if d.name is not None and d.size is not None}
    fixed = {d.size for d in flat if d.size is not None}
    free = list(dict.fromkeys(name for d in flat for name in _names(d) if name not in given))
    best: tuple[int, list[tuple[int, ...]]] | None = None
    for first in range(_TRIES):
        primes = (p for p in itertools.islice(_primes(), first, None) if p not in fixed)
        named = {**given, **{name: next(primes) for name in free}}
        computed = _computed(flat, named, known)
        if computed is None:
            return None
        faults = sum(2 * (size < 2) + (size in fixed.union(named.values())) for size in computed.values())
        if all(size >= 0 for size in computed.values()) and (best is None or faults < best[0]):
            best = faults, [tuple(_size(d, named, computed) for d in shape) for shape in shapes]
        if best is not None and not best[0]:
            break
    return best[1] if best is not None else None


def _size(dimension: Dimension, named: Mapping[str, int], computed: Mapping[str, int]) -> int:
    if dimension.size is not None:
        return dimension.size
    if dimension.expression is not None:
        return computed[dimension.expression]
    assert dimension.name is not None, "a dimension that nothing names"
    return named[dimension.name]


def _computed(flat: Iterable[Dimension], named: Mapping[str, int], known: Mapping[str, Any]) -> dict[str, int] | None:
    """The value of each expression, or None where one has none that is a size."""
    values: dict[str, int] = {}
    for expression in (d.expression for d in flat if d.expression is not None):
        try:
            written = eval(f"f{expression!r}", dict(known)) if "{" in expression else expression
            value = eval(written, dict(named))
        except Exception:  # noqa: BLE001  # the text is the user's, and may be anything
            return None
        if not isinstance(value, int):
            return None
        values[expression] = value
    return values


def _names(dimension: Dimension) -> list[str]:
    """The names of dimensions that a dimension needs."""
    if dimension.expression is None or "{" in dimension.expression:
        return [dimension.name] if dimension.name is not None else []
    try:
        tree = ast.parse(dimension.expression, mode="eval")
    except SyntaxError:
        return []
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called]


def _primes() -> Iterator[int]:
    """3, 5, 7, 11, …: 2 is left to those who write it."""
    found: list[int] = []
    for number in itertools.count(3, 2):
        if all(number % prime for prime in found):
            found.append(number)
            yield number
