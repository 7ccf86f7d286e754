"""The table of docs/coverage.md: what became of every name, and what is known of it without contents."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy  # type: ignore[import-untyped]

from tests.coverage.catalogue import Family, families, overridable
from tests.coverage.inference import Verdict, fake, symbolic
from tests.coverage.replay import Call, Tried, module_of, replay_of
from tests.coverage.statuses import EXPLAINED, GAPS, REMOVED, reported
from tracer.rules import RULES


@dataclass(frozen=True, slots=True)
class Row:
    """What the table says of one name."""

    name: str
    status: str
    symbolic: str
    fake: str
    dtypes: str


_GROUPS = {
    "?": "bool", "bhiq": "signed", "BHIQ": "unsigned", "efd": "float", "g": "longdouble", "FD": "complex",
    "G": "clongdouble", ">f8": "big-endian", "M8[D]M8[s]": "dates", "m8[s]": "durations", "U6": "str", "S6": "bytes",
}  # fmt: skip


def row(name: str, tried: Tried | None) -> Row:
    """The row of a name; without `tried` nothing was, or it failed."""
    if name in GAPS:
        return Row(name, f"known gap: {GAPS[name]}", "–", "–", "–")
    rule = reported(name)
    status = f"reported: {rule} {RULES[rule].name}" if rule is not None else "node"
    if name in EXPLAINED:
        status = EXPLAINED[name]
    elif "NST402" in (tried.codes if tried is not None else ()):
        status = "opaque node"
    if tried is None or not tried.calls:
        return Row(name, status, "–", "–", "–")
    verdicts = [(Verdict.NOTHING, Verdict.NOTHING)]
    if rule not in ("NST206", "NST401"):
        verdicts = [(symbolic(call, traced, dtype), fake(call, dtype)) for call, dtype, traced in tried.samples]
    return Row(name, status, _joined(v for v, _ in verdicts), _joined(v for _, v in verdicts), _spelled(tried.dtypes))


def rows(replayed: Callable[[str], Tried | None]) -> list[tuple[Family, list[Row]]]:
    return [(family, [row(name, replayed(name)) for name in family.names]) for family in families()]


def _joined(verdicts: Iterable[Verdict]) -> str:
    """What the recipes of one function come to."""
    told = [v for v in verdicts if v is not Verdict.NOTHING]
    if not told:
        return Verdict.NOTHING.value
    if len(set(told)) == 1:
        return str(told[0].value)
    return "in part" if Verdict.KNOWN in told else Verdict.CONTENTS.value


def _spelled(dtypes: Iterable[str]) -> str:
    """Dtypes by kind; a kind that is not complete says how many of it."""
    tried, words = set(dtypes), []
    for group, word in _GROUPS.items():
        members = _members(group)
        count = len(tried & members)
        if count:
            words.append(word if count == len(members) else f"{word} ({count})")
    return "all" if len(words) == len(_GROUPS) and not any("(" in w for w in words) else ", ".join(words) or "–"


def _members(group: str) -> set[str]:
    return set(group) if group.isalpha() or group == "?" else {group} if "M" not in group else {"M8[D]", "M8[s]"}


def document(replayed: Callable[[str], Tried | None]) -> str:
    """The whole of docs/coverage.md."""
    tables = rows(replayed)
    everything = [row for _, rows_ in tables for row in rows_]
    of = {family.title: rows_ for family, rows_ in tables}
    count = Counter(_kind(row) for row in everything)
    both = len(of["Ufuncs"]) + len(overridable())
    text = _HEAD.format(
        numpy=np.__version__,
        scipy=scipy.__version__,
        both=both,
        ufuncs=len(of["Ufuncs"]),
        functions=len(overridable()),
        names=len(of["Functions"]),
        own=_summary([*of["Ufuncs"], *of["Functions"]]),
        all=len(everything),
        gaps=f"; {count['known']} have a known gap" if count["known"] else "",
        **{kind: count[kind] for kind in ("node", "opaque", "reported", "said")},
    )
    for family, rows_ in tables:
        text += f"\n## {family.title}\n\n{len(rows_)} names: {_summary(rows_)}.\n\n"
        text += "| | traced | symbolic | fake | dtypes |\n|---|---|---|---|---|\n"
        text += "".join(f"| `{r.name}` | {r.status} | {r.symbolic} | {r.fake} | {r.dtypes} |\n" for r in rows_)
    return text


_HEAD = """\
# Coverage

Made by `python -m tests.coverage` from the lists of NumPy {numpy} and SciPy {scipy}; a test holds it to what the
generator gives.

- **{both} of {both} functions and ufuncs** of `numpy.testing.overrides` ({ufuncs} ufuncs, {functions} functions under
  {names} names) have a stated status: {own}.
- **{all} of {all} names** of all lists below have one; none is not handled{gaps}.
- {node} are nodes, {opaque} opaque nodes, {reported} are reported by the rule that fits, {said} make no array that could
  be a node.

| column | what it says |
|---|---|
| traced | what a call becomes. A node is replayed, called, and printed and executed, bit for bit against NumPy: on several dtypes, layouts (C, Fortran, strided, reversed, unaligned) and sizes, empty and 0-d arrays, NumPy's and Python's scalars (printed code is executed where all in it can be written as Python) |
| symbolic | the shapes of the results are expressions in the sizes of the inputs; they are compared with NumPy at other sizes |
| fake | a trace without contents gives a graph, which replays to NumPy's own bits |
| dtypes | those that NumPy takes were tried; a number tells how many of a kind |

*contents decide*: no rule could tell it without them. *in part*: for some ways to call it. *–*: there is no shape to tell.
"""  # noqa: E501  # rows of a table


def _kind(row: Row) -> str:
    first = row.status.split()[0].rstrip(":")
    return first if first in ("node", "opaque", "reported", "known") else "said"


def _summary(rows_: list[Row]) -> str:
    words = {
        "node": "nodes",
        "opaque": "opaque nodes",
        "reported": "reported",
        "said": "no array in it",
        "known": "known gaps",
    }
    count = Counter(_kind(row) for row in rows_)
    symbolic_, fake_ = (sum(getattr(r, column) == "yes" for r in rows_) for column in ("symbolic", "fake"))
    parts = [f"{count[k]} {word.removesuffix('s') if count[k] == 1 else word}" for k, word in words.items() if count[k]]
    return f"{', '.join(parts)}; symbolic shape known for {symbolic_}, fake mode for {fake_}"


def replayed_all() -> tuple[dict[str, Tried | None], dict[str, str]]:
    """Replays of every name, done now, one after the other; and what failed, which no table is written of."""
    found: dict[str, Tried | None] = {}
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        calls = module_of(Path(folder))
        for name in (name for family in families() for name in family.names):
            try:
                found[name] = tried_of(name, calls.get(name, []))
            except Exception as error:
                failed[name] = f"{type(error).__name__}: {str(error)[:300]}"
    return found, failed


def tried_of(name: str, calls: list[Call]) -> Tried | None:
    """What became of a name's recipes; None where there are none, or a gap is known."""
    return None if name in GAPS or not calls else judged(name, calls)


def judged(name: str, calls: list[Call]) -> Tried:
    """What became of a name's recipes, held against what is said of it."""
    rule = reported(name)
    tried = replay_of(calls, frozen=rule in ("NST206", "NST401"))
    assert tried.calls or name in EXPLAINED or name in REMOVED, f"{name}: plain NumPy refuses every recipe"
    assert rule is None or rule in tried.codes or not tried.calls, (
        f"{name}: {rule} is not reported, but {sorted(tried.codes)}"
    )
    assert rule or tried.nodes or not tried.calls or name in EXPLAINED, f"{name}: not a node, and nothing is reported"
    assert not tried.codes & {"NST403", "NST501", "NST601"}, f"{name}: {sorted(tried.codes)}"
    return tried
