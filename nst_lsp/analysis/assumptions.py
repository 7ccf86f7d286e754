"""What a graph takes for granted, and how it changed: constants, hidden inputs, conditions and the example.

It is read from a report's findings and guards.  What is drawn at random or read from the clock is another with every
run and is no news.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tracer.worker.wire import ExampleReport, Finding, Guard, Place

from .reasons import Part, Reason, became, part, short

_HIDDEN = "NST205"
_ARGUMENT = "NST202"
_FROZEN = ("NST201", "NST203", _HIDDEN, "NST208")
_FLEETING = ("NST206", "NST207", "NST209")
_DECIDED = ("NST101", "NST102", "NST103", "NST104", "NST105")
_READS = (_HIDDEN, "NST204", "NST104")


@dataclass(frozen=True, slots=True)
class Pair:
    """What a finding said before, and says now, of the same expression."""

    before: Finding
    after: Finding

    @property
    def differs(self) -> bool:
        return self.before.value != self.after.value

    @property
    def values(self) -> tuple[str, str]:
        return self.before.value or "", self.after.value or ""


class Assumptions:
    """Two reports' assumptions side by side; `renamed` are inputs that are called otherwise now."""

    def __init__(self, before: ExampleReport, after: ExampleReport, renamed: Mapping[str, str]) -> None:
        self._before = before
        self._after = after
        self._renamed = renamed
        self.pairs, self._gone, self._new = self._paired()
        self._fleeting = [finding.place for finding in after.findings if finding.code in _FLEETING]
        self._has_fleeting = any(finding.code in _FLEETING for finding in (*before.findings, *after.findings))

    def conditions(self) -> list[Part]:
        return [*self._decisions(), *self._guards(), *self._reads()]

    def is_fleeting(self, place: Place | None) -> bool:
        """Whether what was captured at a place is another with every run."""
        return place is not None and any(within(one, place) or within(place, one) for one in self._fleeting)

    # ---- constants -------------------------------------------------------------------------------------

    def _paired(self) -> tuple[list[Pair], list[Finding], list[Finding]]:
        """Findings of the same expression; those that went away, and the new ones."""
        waiting: dict[tuple[str, str, str], list[Finding]] = {}
        for finding in self._before.findings:
            waiting.setdefault(self._key(finding, self._renamed), []).append(finding)
        pairs, new = [], []
        for finding in self._after.findings:
            before = waiting.get(self._key(finding, {}))
            pairs += [Pair(before.pop(0), finding)] if before else []
            new += [] if pairs and pairs[-1].after is finding else [finding]
        return pairs, [finding for left in waiting.values() for finding in left], new

    def _key(self, finding: Finding, renamed: Mapping[str, str]) -> tuple[str, str, str]:
        return finding.code, in_new_words(finding.text, renamed), finding.function

    def changed(self, *codes: str) -> list[Pair]:
        """The pairs that differ, one for each expression however often it was met."""
        found = {
            (pair.after.text, pair.values): pair for pair in self.pairs if pair.after.code in codes and pair.differs
        }
        return list(found.values())

    def explains(self, before: str, after: str, place: Place | None) -> bool:
        """Whether two codes of one operation differ only by constants that are told by themselves, or are fleeting."""
        changed = self.changed(*_FROZEN, *_FLEETING, _ARGUMENT)
        for pair in changed:
            if place is not None and within(pair.after.place, place):
                return True
            old, new = pair.values
            if old:
                before = re.sub(rf"(?<![\w.]){re.escape(old)}(?![\w.])", new.replace("\\", r"\\"), before)
        return before == after or (self._has_fleeting and _differ_by_drawn_numbers(before, after))

    def constants(self) -> Iterator[Part]:
        arguments, others = self.changed(_ARGUMENT), self.changed(*_FROZEN)
        for pairs, what in ((others, "constant"), (arguments, "argument")):
            reasons = [
                Reason(f"`{one.after.text}` is {one.values[1]}, was {one.values[0]}", self._defined(one))
                for one in pairs
            ]
            only = f"`{pairs[0].after.text}` {pairs[0].values[0]} → {pairs[0].values[1]}" if pairs else ""
            yield from part(len(pairs), what, "changed", reasons, only)

    def _defined(self, pair: Pair) -> Place:
        """Where a constant comes from: its definition, the example, or the expression itself."""
        if pair.after.code == _ARGUMENT:
            return self._after.place
        return defined(pair.after)

    # ---- hidden inputs ---------------------------------------------------------------------------------

    def _reads(self) -> Iterator[Part]:
        """Hidden inputs that are read now, or are not any more; of one that is only called otherwise, nothing."""
        gone, new = ([one for one in found if one.code in _READS] for found in (self._gone, self._new))
        read = {one.text for one in self._before.findings if one.code in _READS}
        reads = {one.text for one in self._after.findings if one.code in _READS}
        left = {one.text: one for one in gone if one.text not in reads}
        come = {one.text: one for one in new if one.text not in read}
        for one in list(left.values()):
            same = (other for other in come.values() if (other.code, other.value) == (one.code, one.value))
            if other := next(same, None):
                del left[one.text], come[other.text]
        told = [Reason(f"the hidden input `{one.text}` is read now", one.place) for one in come.values()]
        yield from part(len(come), "hidden input", "added", told, _first(come))
        told = [Reason(f"the hidden input `{one.text}` is not read any more", None, one.place) for one in left.values()]
        yield from part(len(left), "hidden input", "removed", told, _first(left))

    # ---- conditions ------------------------------------------------------------------------------------

    def _decisions(self) -> Iterator[Part]:
        pairs = self.changed(*_DECIDED)
        reasons = [
            Reason(f"`{one.after.text}` is {one.values[1]} now, was {one.values[0]}", one.after.place) for one in pairs
        ]
        only = f"`{pairs[0].after.text}` is {pairs[0].values[1]} now" if pairs else ""
        yield from part(len(pairs), "condition", "changed", reasons, only)

    def _guards(self) -> Iterator[Part]:
        """The conditions under which the graph holds, but for those that a constant or a decision tells already."""
        told = self.changed(*_DECIDED, _ARGUMENT)
        before = {
            in_new_words(guard.text, self._renamed): guard
            for guard in self._before.guards
            if not any(_stands_for(guard, pair.before) for pair in told)
        }
        after = {
            guard.text: guard
            for guard in self._after.guards
            if not any(_stands_for(guard, pair.after) for pair in told)
        }
        gone = {text: guard for text, guard in before.items() if text not in after}
        new = {text: guard for text, guard in after.items() if text not in before}
        changed: list[tuple[str, str, Guard]] = []
        for text, guard in list(new.items()):
            subject = text.partition(" == ")[0]
            old = next((one for one in gone if one.partition(" == ")[0] == subject and one != text), None)
            if " == " in text and old is not None:
                changed.append((old, text, guard))
                del gone[old], new[text]
        reasons = [Reason(f"holds only for `{now}`, was `{old}`", guard.place) for old, now, guard in changed]
        yield from part(len(changed), "guard", "changed", reasons, became(*changed[0][:2]) if changed else "")
        reasons = [Reason(f"holds only for `{short(text)}` now", guard.place) for text, guard in new.items()]
        yield from part(len(new), "guard", "added", reasons, _first(new))
        reasons = [Reason(f"`{short(text)}` need not hold any more", None, guard.place) for text, guard in gone.items()]
        yield from part(len(gone), "guard", "removed", reasons, _first(gone))


def defined(finding: Finding) -> Place:
    """Where a hidden input is defined, or else read."""
    where = (related.place for related in finding.related if "is defined here" in related.message)
    return next(where, finding.place)


def in_new_words(text: str, renamed: Mapping[str, str]) -> str:
    """A text of the user's with its inputs as they are called now."""
    if not renamed:
        return text
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda found: renamed.get(found[0], found[0]), text)


def _first(found: Mapping[str, object]) -> str:
    return f"`{short(next(iter(found)))}`" if found else ""


def _stands_for(guard: Guard, finding: Finding) -> bool:
    """Whether a guard is the condition, or the constant argument, that a finding tells."""
    if finding.code == _ARGUMENT:
        return guard.text.startswith(f"{finding.text} == ")
    return guard.place is not None and within(finding.place, guard.place)


def within(inner: Place, outer: Place) -> bool:
    """Whether one place lies in another of its file, or is it."""
    one, other = inner.span, outer.span
    return (
        inner.path == outer.path
        and (other.line, other.column) <= (one.line, one.column)
        and (one.end_line, one.end_column) <= (other.end_line, other.end_column)
    )


_NUMBER = r"(?:\d+\.\d{6,}(?:e[+-]?\d+)?|\d{5,}(?<!00)(?:\.\d*)?)"
_DRAWN = re.compile(rf"\(-{_NUMBER}\)|{_NUMBER}")
"""A number that nobody types: of a clock, or of a random draw."""


def _differ_by_drawn_numbers(before: str, after: str) -> bool:
    return _DRAWN.sub("#", before) == _DRAWN.sub("#", after)
