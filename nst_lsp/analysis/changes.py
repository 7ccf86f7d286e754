"""Why a graph changed: what two reports of one function differ in, and the line that did it.

What follows from another change is not told again: shapes that differ because the example's do, operands that are
new, literals that are the value of a constant.  Names and lines of the user's code are no part of a graph, so a
renamed variable or a moved line is no change.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tracer.worker.wire import ExampleReport, GraphInfo, NodeInfo, Place, Status, Verdict

from .alignment import Alignment
from .assumptions import Assumptions, defined, in_new_words
from .reasons import Part, Reason, became, counted, expression, part, short
from .steps import Step, Steps, contents

_SUMMARY = 3
"""Kinds of changes that a summary names."""


@dataclass(frozen=True, slots=True)
class Removed:
    name: str
    """In the older graph."""
    code: str
    after: str | None
    """The node of the newer graph behind which it would stand; None for the beginning."""


@dataclass(frozen=True, slots=True)
class ChangedNode:
    name: str
    """In the newer graph."""
    before: str
    after: str
    """Its code; or its shapes, where the code is the same."""


@dataclass(frozen=True, slots=True)
class Changes:
    summary: str = ""
    """`2 operations added, 1 constant changed: `gain` 3.0 → 4.0`; empty where nothing changed."""
    added: tuple[str, ...] = ()
    """Names of nodes of the newer graph."""
    removed: tuple[Removed, ...] = ()
    changed: tuple[ChangedNode, ...] = ()
    reasons: tuple[Reason, ...] = ()
    """The most important first."""
    names: tuple[tuple[str, str], ...] = ()
    """Nodes that are the same and are called otherwise: before and now."""
    headline: str = ""
    """The most important part of the summary; empty where it only says what the report's own words say, too."""

    def __bool__(self) -> bool:
        return bool(self.summary)


def compare(before: ExampleReport, after: ExampleReport) -> Changes:
    """What `after` has that `before` had not, and the other way round."""
    if before.graph is None or after.graph is None or before.status is not after.status:
        return _of_the_trace(before, after)
    return _Comparison(before, after, before.graph, after.graph).changes()


def _of_the_trace(before: ExampleReport, after: ExampleReport) -> Changes:
    """Where one of the traces did not come to its end, their graphs are not to be compared."""
    if before.status is after.status:
        return Changes()
    if after.status is Status.TRACED:
        return _only("traced to the end now", after.place)
    where = next((one.place for one in after.findings if one.code in ("NST501", "NST405", "NST504")), after.place)
    text = "not traced any more" if after.graph is None else "traced only in part now"
    return _only(text, where)


def _only(text: str, place: Place) -> Changes:
    return Changes(text, reasons=(Reason(text, place),))


@dataclass(frozen=True, slots=True)
class _Edit:
    """An operation that is the same step and does something else now."""

    node: NodeInfo
    is_replaced: bool
    before: str
    """Its expression as it was, in the names of now."""

    @property
    def after(self) -> str:
        return expression(self.node)

    @property
    def words(self) -> str:
        a, b = _CALLED.match(self.before), _CALLED.match(self.after)
        if a and b and a[0] != b[0]:
            return became(a[0], b[0])
        return became(self.before, self.after)


_CALLED = re.compile(r"np\.[\w.]+(?=\()")


class _Comparison:
    def __init__(self, before: ExampleReport, after: ExampleReport, old: GraphInfo, new: GraphInfo) -> None:
        self._reports = before, after
        self._steps = Steps(old), Steps(new)
        self._same = Alignment(*self._steps)
        self._before, self._after = self._same.before, self._same.after
        self._graphs = old, new
        self._added = [n for n in range(len(self._after)) if n not in self._same.before_of]
        self._removed = [n for n in range(len(self._before)) if n not in self._same.after_of]
        self._turns = dict(self._iterations())
        self._names = dict(self._called_otherwise())
        self._assumed = Assumptions(before, after, self._renamed_inputs())
        self._told: list[ChangedNode] = []
        self._news: set[int] = set(self._added)
        """Steps of the newer graph whose results are others: what reads them may have another shape for it."""

    def changes(self) -> Changes:
        example, arrays = self._leaves()
        edited = self._edited()
        shapes = list(self._shapes())
        parts = [
            *example,
            *self._operations(),
            *_edit_part(edited, replaced=True),
            *self._loops(),
            *arrays,
            *self._assumed.constants(),
            *_edit_part(edited, replaced=False),
            *self._assumed.conditions(),
            *self._writes(),
            *self._returned(),
            *shapes,
        ]
        headline = parts[0].summary + (", …" if len(parts) > 1 else "") if parts else ""
        parts += self._verdict()
        more = len(parts) - _SUMMARY
        summary = ", ".join(one.summary for one in parts[:_SUMMARY]) + (f", {more} more" if more > 0 else "")
        return Changes(
            summary,
            tuple(node.name for n in self._added for node in self._after[n].nodes),
            tuple(self._gone()),
            tuple(self._told),
            tuple(reason for one in parts for reason in one.reasons),
            tuple(self._names.items()),
            headline,
        )

    @cached_property
    def _pairs(self) -> list[tuple[int, int, Step, Step]]:
        """The steps that are the same, as they follow each other now; what both graphs begin with is left out."""
        return [
            (one, other, self._before[one], self._after[other])
            for other in range(self._same.beginning, len(self._after))
            if (one := self._same.before_of.get(other)) is not None
        ]

    def _called_otherwise(self) -> Iterator[tuple[str, str]]:
        for _, _, a, b in self._pairs:
            for x, y in (*zip(a.nodes, b.nodes, strict=False), (a.nodes[-1], b.nodes[-1])):
                if x.name != y.name:
                    yield x.name, y.name

    def _renamed_inputs(self) -> dict[str, str]:
        roots = ((_root(a.node), _root(b.node)) for _, _, a, b in self._pairs if a.node.operation == "input")
        return {old: new for old, new in roots if old != new}

    # ---- inputs and captured arrays --------------------------------------------------------------------

    def _leaves(self) -> tuple[list[Part], list[Part]]:
        """What changed of the example's arrays, and of captured ones."""
        inputs: list[Reason] = []
        arrays: list[Reason] = []
        words = {"input": "", "constant": ""}
        for _, other, a, b in self._pairs:
            if not b.is_leaf:
                continue
            kind, said = b.node.operation, _leaf_change(a.node, b.node)
            if said is None or self._assumed.is_fleeting(b.node.place):
                continue
            self._told.append(ChangedNode(b.node.name, *_codes_or_shapes(a.node, b.node)))
            if a.node.shape != b.node.shape:
                self._news.add(other)
            if said[0] == said[1]:  # in what is not told of a long one
                words[kind] = f"`{b.node.name}`, other values of {b.node.shape}"
                text = f"`{b.node.name}` has other values of {b.node.shape}"
            else:
                words[kind] = f"`{b.node.name}` {said[0]} → {said[1]}"
                text = f"`{b.node.name}` is {said[1]}, was {said[0]}"
            reason = Reason(text, self._leaf_place(b.node))
            (inputs if kind == "input" else arrays).append(reason)
        example = [Part(f"another example: {words['input']}", tuple(inputs))] if len(inputs) == 1 else []
        example += [Part("another example", tuple(inputs))] if len(inputs) > 1 else []
        return example, part(len(arrays), "captured array", "changed", arrays, words["constant"])

    def _leaf_place(self, node: NodeInfo) -> Place | None:
        if node.operation == "input":
            return self._reports[1].place
        found = (one for one in self._reports[1].findings if one.code == "NST204" and one.place == node.place)
        finding = next(found, None)
        return defined(finding) if finding else node.place

    # ---- operations ------------------------------------------------------------------------------------

    def _operations(self) -> Iterator[Part]:
        for what, kind in (("operation", False), ("input", "input"), ("captured array", "constant")):
            new = [self._after[n] for n in self._added if _is_a(self._after[n], kind)]
            gone = [n for n in self._removed if _is_a(self._before[n], kind)]
            count = sum(step.times for step in new)
            example = self._reports[1].place if kind == "input" else None
            yield from part(count, what, "added", _added(new, example), f"`{_words(new[0])}`" if new else "")
            count = sum(self._before[n].times for n in gone)
            only = f"`{_words(self._before[gone[0]])}`" if gone else ""
            yield from part(count, what, "removed", self._removals(gone), only)

    def _removals(self, gone: list[int]) -> list[Reason]:
        """One reason for what went away of one line."""
        by_line: dict[tuple[str, int] | None, list[int]] = {}
        for n in gone:
            by_line.setdefault(_line(self._before[n].node.place), []).append(n)
        return [
            Reason(
                f"removed: {_together([self._before[n] for n in these])}",
                self._instead(these[-1]),
                self._before[these[0]].node.place,
            )
            for these in by_line.values()
        ]

    def _instead(self, one: int) -> Place | None:
        """Where the next step stands now that was behind it and still is there; else the last before it."""
        path = (self._before[one].node.place or self._reports[1].place).path
        for n in (*range(one + 1, len(self._before)), *range(one - 1, -1, -1)):
            other = self._same.after_of.get(n)
            place = self._after[other].node.place if other is not None else None
            if place is not None and place.path == path:
                return place
        return None

    def _gone(self) -> Iterator[Removed]:
        last: str | None = None
        for n in range(len(self._before) if self._removed else 0):
            if n in self._same.after_of:
                last = self._after[self._same.after_of[n]].nodes[-1].name
            else:
                yield from (Removed(node.name, node.code, last) for node in self._before[n].nodes)

    def _edited(self) -> list[_Edit]:
        """Operations that do something else, or do it with other operands."""
        edits: list[_Edit] = []
        for one, other, a, b in self._pairs:
            if b.is_leaf:
                continue
            changed = [] if a.times == b.times == 1 and self._same.alike(one, other) else self._differing(a, b)
            explained = all(self._assumed.explains(*self._patterns(x, y), y.place) for x, y in changed)
            if any(map(self._same.swapped, self._same.named(one, other))):
                changed, explained = changed or [(a.node, b.node)], False
            if changed:
                self._told += [ChangedNode(y.name, x.code, y.code) for x, y in changed]
                self._news.add(other)
            if not explained:
                x, y = changed[0]
                edits.append(_Edit(y, x.operation != y.operation, self._in_new_names(x)))
        return edits

    def _differing(self, a: Step, b: Step) -> list[tuple[NodeInfo, NodeInfo]]:
        """The nodes of a step that do something else; only the first is looked at where there are more or fewer now."""
        turns = zip(a.nodes, b.nodes, strict=True) if a.times == b.times else ((a.node, b.node),)
        return [(x, y) for x, y in turns if x.operation != y.operation or operator.ne(*self._patterns(x, y))]

    def _patterns(self, x: NodeInfo, y: NodeInfo) -> tuple[str, str]:
        before, after = self._steps
        return before.spelling(x).pattern, after.spelling(y).pattern

    def _in_new_names(self, node: NodeInfo) -> str:
        """What a node of the older graph did, with its operands as they are called now."""
        return in_new_words(expression(node), self._names)

    def _iterations(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """How often steps of a loop run, before and now; iterations that one graph does not fold are found here."""
        removed, added = _by_expression(self._before, self._removed), _by_expression(self._after, self._added)
        for _, other, a, b in self._pairs:
            if a.times == b.times:
                continue
            more = removed.pop(_expression(a), []) if b.times > 1 else []
            others = added.pop(_expression(b), []) if a.times > 1 else []
            self._removed = [n for n in self._removed if n not in more]
            self._added = [n for n in self._added if n not in others]
            then = a.times + sum(self._before[n].times for n in more)
            yield other, (then, b.times + sum(self._after[n].times for n in others))

    def _loops(self) -> Iterator[Part]:
        """Steps that run more or less often: one reason for those of one loop, which stand behind each other."""
        loops: list[tuple[int, int, list[Step]]] = []
        for other, (then, now) in self._turns.items():
            if then != now:
                last = loops[-1] if loops else None
                if last is not None and last[0] * now == last[1] * then:  # a loop within the loop
                    loops[-1] = (min(last[0], then), min(last[1], now), [*last[2], self._after[other]])
                else:
                    loops.append((then, now, [self._after[other]]))
        reasons = [
            Reason(f"runs {counted(now, 'time')}, was {then}: {_together(these)}", these[0].node.place)
            for then, now, these in loops
        ]
        if loops:
            then, now, _ = loops[0]
            only = f": ×{then} → ×{now}" if len(loops) == 1 else ""
            yield Part(f"{counted(len(loops), 'loop')} changed{only}", tuple(reasons))

    def _writes(self) -> Iterator[Part]:
        """Writes in place that are done before, or after, what they were not."""
        told = [
            Reason(f"`{expression(b.node)}` stands otherwise to what is written in place", b.node.place)
            for one, other, _, b in self._pairs
            if not b.is_leaf and self._same.writes_moved(one, other)
        ]
        if told:
            yield Part("writes in another order", tuple(told))

    # ---- results ---------------------------------------------------------------------------------------

    def _shapes(self) -> Iterator[Part]:
        """Shapes that differ though what is read has the shapes that it had."""
        reasons, only = list[Reason](), ""
        for _, other, a, b in self._pairs:
            if b.is_leaf:
                continue
            follows = any(read in self._news for read in b.reads)
            if a.node.shape != b.node.shape:
                if not follows and other not in self._news:
                    only = f"{a.node.shape} → {b.node.shape}"
                    reasons.append(
                        Reason(f"`{expression(b.node)}` is {b.node.shape}, was {a.node.shape}", b.node.place)
                    )
                    self._told.append(ChangedNode(b.node.name, a.node.shape, b.node.shape))
                self._news.add(other)
        yield from part(len(reasons), "shape", "changed", reasons, only)

    def _returned(self) -> Iterator[Part]:
        then, now = (_returned(graph) for graph in self._graphs)
        same = [self._same.after_of.get(n) for n in self._steps[0].outputs]
        present = self._steps[1].outputs
        place = next((self._after[n].node.place for n in present), None)
        was = f"`{short(now)}`, was `{short(then)}`"
        told = (Reason(f"returns {was if short(now) != short(then) else f'other values in `{short(now)}`'}", place),)
        if same != present and Counter(same) == Counter(present):
            yield Part("results in another order", told)
        elif _without_names(then) != _without_names(now) or any(
            one is not None and one != other and other in self._same.before_of
            for one, other in zip(same, present, strict=False)
        ):
            yield Part("another result", told)

    def _verdict(self) -> Iterator[Part]:
        before, after = self._reports
        if Verdict.UNVERIFIED in (before.verdict, after.verdict) or before.verdict is after.verdict:
            return
        shown = next((one.place for one in after.findings if one.witness), None)
        text = "differs from the function now" if after.verdict is Verdict.DIFFERS else "agrees with the function now"
        yield Part(text, (Reason(f"the graph {text}", shown),))


def _expression(step: Step) -> tuple[str, Place | None]:
    """What the iterations of a loop have in common: an operation of one expression of the user's."""
    return step.node.operation, step.node.place


def _by_expression(these: list[Step], numbers: list[int]) -> dict[tuple[str, Place | None], list[int]]:
    found: dict[tuple[str, Place | None], list[int]] = {}
    for n in numbers:
        found.setdefault(_expression(these[n]), []).append(n)
    return found


def _leaf_change(a: NodeInfo, b: NodeInfo) -> tuple[str, str] | None:
    """What an input, or a captured array, was and is; None where nothing is known to differ."""
    if a.shape != b.shape:
        return a.shape, b.shape
    if contents(a) == contents(b) and (b.operation == "input" or a.values == b.values or None in (a.values, b.values)):
        return None
    if a.name != b.name and a.values == b.values:
        return a.name, b.name
    return short(a.values or contents(a), 40), short(b.values or contents(b), 40)


def _codes_or_shapes(a: NodeInfo, b: NodeInfo) -> tuple[str, str]:
    return (a.code, b.code) if contents(a) != contents(b) else (a.shape, b.shape)


def _root(node: NodeInfo) -> str:
    """The parameter that an input belongs to: `p` for `p_0 = p[0]`."""
    found = re.match(r"\w+", node.code.partition(" = ")[2])
    return found[0] if found else node.name


def _is_a(step: Step, kind: str | bool) -> bool:
    return step.node.operation == kind if kind else not step.is_leaf


def _line(place: Place | None) -> tuple[str, int] | None:
    return (place.path, place.span.line) if place else None


def _words(step: Step) -> str:
    return step.node.name if step.is_leaf else expression(step.node)


def _together(these: list[Step]) -> str:
    """`np.tanh(h)`, 8 times, and 2 more operations."""
    first = these[0]
    times = f", {first.times} times," if first.times > 1 and len({step.times for step in these}) > 1 else ""
    more = f" and {counted(len(these) - 1, 'more operation')}" if len(these) > 1 else ""
    return f"`{_words(first)}`{times}{more}"


def _added(new: list[Step], example: Place | None) -> list[Reason]:
    """One reason for what is new of one line; inputs come with the example."""
    by_line: dict[tuple[str, int] | None, list[Step]] = {}
    for step in new:
        by_line.setdefault(_line(step.node.place), []).append(step)
    return [
        Reason(f"added: {_together(these)}{_times(these)}", these[0].node.place or example)
        for these in by_line.values()
    ]


def _times(these: list[Step]) -> str:
    return f", {these[0].times} times" if these[0].times > 1 and len({step.times for step in these}) == 1 else ""


def _edit_part(edits: list[_Edit], *, replaced: bool) -> list[Part]:
    these = [edit for edit in edits if edit.is_replaced is replaced]
    reasons = [Reason(f"`{edit.before}` became `{edit.after}`", edit.node.place) for edit in these]
    how = "replaced" if replaced else "changed"
    return part(len(these), "operation", how, reasons, these[0].words if these else "")


def _returned(graph: GraphInfo) -> str:
    """The expression that the graph's code returns."""
    lines = [line.strip() for line in graph.code.split("\n")]
    return next((line[len(_RETURN) :] for line in reversed(lines) if line.startswith(_RETURN)), "")


_RETURN = "return "


def _without_names(returned: str) -> str:
    """What is returned but for the names: `({}, [{}])`."""
    return re.sub(r"(?<![\w.'\"])[A-Za-z_]\w*(?![\w'\"])(?!=[^=])", "{}", returned)
