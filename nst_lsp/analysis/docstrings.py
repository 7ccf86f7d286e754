"""Arguments that a docstring tells: arrays by their shape, numbers and choices by their type.

    x : ndarray, shape (n, d)              numpydoc
    x : array_like of shape (n,)
    x (np.ndarray): Samples, (n, d).       Google's style; the shape may stand in the description

A dimension's name has one size in a function; sizes are distinct, as equal ones hide faults.  What is not told, or told
otherwise, gives nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .outline import FunctionNode

_SIZES = (5, 3, 7, 11, 13, 17)
"""For the names of dimensions in the order in which they come; samples are more than columns."""
_NUMPYDOC = re.compile(r"^(?P<names>\*{0,2}\w+(?:, *\w+)*) *: *(?P<type>.+)$")
_GOOGLE = re.compile(r"^(?P<names>\w+) *\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\) *: *(?P<more>.*)$")
_ARRAY = re.compile(r"\b(nd)?array([-_ ]?like)?\b|\bmatrix\b", re.IGNORECASE)
_SHAPE = re.compile(r"\(\s*(?P<sizes>\w+\s*,|\w+(?:\s*,\s*\w+)+\s*,?)\s*\)|shape\s*\(\s*(?P<size>\w+)\s*\)")
_RANK = re.compile(r"\b(?P<rank>[123])[- ]?[dD]\b")
_DTYPES = {"int": "int64", "integer": "int64", "complex": "complex128", "bool": "bool", "float32": "float32"}
_NUMBERS = {"int": "2", "integer": "2", "float": "0.5", "scalar": "0.5", "bool": "True", "complex": "1j"}


@dataclass(frozen=True, slots=True)
class _Parameter:
    type: str
    text: str
    """The type and the description."""


def documented(node: FunctionNode, needed: list[tuple[ast.arg, str]]) -> list[str]:
    """Arguments for the parameters that need some, each with what is written before it; none where one is not told.

    At least one of them is an array.  Abstract arrays come first, as they cost nothing, then some with contents.
    """
    known = _parameters(ast.get_docstring(node) or "")
    wanted = [(before, known.get(argument.arg)) for argument, before in needed]
    sizes: dict[str, int] = {}
    told = [(before, _argument(one, sizes, number)) for number, (before, one) in enumerate(wanted) if one is not None]
    if len(told) < len(wanted) or not any(isinstance(one, _Array) for _, one in told):
        return []
    if any(one is None for _, one in told):
        return []
    writers = (_Array.abstract, _Array.drawn)
    return [
        ", ".join(before + (write(one) if isinstance(one, _Array) else str(one)) for before, one in told)
        for write in writers
    ]


@dataclass(frozen=True, slots=True)
class _Array:
    shape: tuple[int, ...]
    dtype: str
    number: int

    def abstract(self) -> str:
        return f"spec({self._sizes}{_given(self.dtype)})"

    def drawn(self) -> str:
        draw = f"np.random.default_rng({self.number})"
        if self.dtype == "int64":
            return f"{draw}.integers(1, 10, {self._sizes})"
        if self.dtype == "bool":
            return f"{draw}.random({self._sizes}) < 0.5"
        drawn = f"{draw}.random({self._sizes})"
        return drawn if self.dtype == "float64" else f'{drawn}.astype("{self.dtype}")'

    @property
    def _sizes(self) -> str:
        return str(self.shape[0] if len(self.shape) == 1 else self.shape)


def _given(dtype: str) -> str:
    return "" if dtype == "float64" else f', "{dtype}"'


def _argument(parameter: _Parameter, sizes: dict[str, int], number: int) -> _Array | str | None:
    """What a parameter wants; `sizes` are those of the names so far, and gets new ones."""
    if _ARRAY.search(parameter.type):
        shape = _shape(parameter.text, sizes)
        dtype = next((_DTYPES[word] for word in re.findall(r"\w+", parameter.type) if word in _DTYPES), "float64")
        return _Array(shape, dtype, number) if shape else None
    choice = re.match(r"\{\s*('[^']*'|\"[^\"]*\"|-?\d+)", parameter.type)
    if choice:
        return choice[1]
    return _NUMBERS.get(re.split(r"[\s,]", parameter.type)[0])


def _shape(text: str, sizes: dict[str, int]) -> tuple[int, ...]:
    """The sizes that a text tells, by name or number, or by rank alone; none where it tells nothing."""
    found = _SHAPE.search(text)
    if found:
        words = re.findall(r"\w+", found["sizes"] or found["size"])
        return tuple(_size(word, sizes) for word in words)
    rank = _RANK.search(text)
    return tuple(_size(f"axis {axis}", sizes) for axis in range(int(rank["rank"]))) if rank else ()


def _size(word: str, sizes: dict[str, int]) -> int:
    if word.isdigit():
        return int(word)
    if word not in sizes:
        taken = set(sizes.values())
        sizes[word] = next((size for size in _SIZES if size not in taken), _SIZES[-1] + 2 * len(sizes))
    return sizes[word]


# ---- the sections of a docstring -------------------------------------------------------------------

_HEADINGS = ("parameters", "args", "arguments", "other parameters")


def _parameters(docstring: str) -> Mapping[str, _Parameter]:
    """What is said of each parameter, by its name."""
    found: dict[str, _Parameter] = {}
    for head, description in _entries(docstring):
        match = _NUMPYDOC.match(head) or _GOOGLE.match(head)
        if match is None:
            continue
        text = " ".join([match["type"], match.groupdict().get("more") or "", *description])
        for name in re.findall(r"\w+", match["names"]):
            found.setdefault(name, _Parameter(match["type"].strip(), text))
    return found


def _entries(docstring: str) -> Iterator[tuple[str, list[str]]]:
    """The lines that name a parameter, each with the lines of its description."""
    lines = docstring.splitlines()
    start = next((number for number, line in enumerate(lines) if line.strip().rstrip(":").lower() in _HEADINGS), None)
    if start is None:
        return
    body = lines[start + 1 :]
    if body and set(body[0].strip()) == {"-"}:
        body = body[1:]
    outer = next((_indent(line) for line in body if line.strip()), 0)
    entry: tuple[str, list[str]] | None = None
    for number, line in enumerate(body):
        following = body[number + 1].strip() if number + 1 < len(body) else ""
        if line.strip() and (_indent(line) < outer or (following and set(following) == {"-"})):
            break
        if line.strip() and _indent(line) == outer:
            if entry is not None:
                yield entry
            entry = line.strip(), []
        elif entry is not None:
            entry[1].append(line.strip())
    if entry is not None:
        yield entry


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
