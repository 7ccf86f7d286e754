"""What Dynamo would do with a call: where it breaks the graph and why, and what it guards on.

`torch._dynamo.explain` is asked: it compiles with a backend that generates nothing, and runs the pieces.  In the mode
`symbolic`, sizes are symbolic from the first call, as they are for `torch.compile` from the second; otherwise its
default is shown, which takes the sizes of the example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from os.path import isabs
from types import ModuleType
from typing import Any

import torch
import torch._dynamo

from ....loader import is_library
from ....positions import Located
from ....worker.wire import Remark, RemarkKind, Studied
from . import graphs, places, versions
from .call import Call
from .decisions import Decision, watched
from .sources import in_words, root

_NOBODYS = ("If you", "Please report", "See ")
"""How hints begin that are not about the user's code."""
_BY_NUMBER = frozenset({"SEQUENCE_LENGTH", "LIST_LENGTH", "TUPLE_ITERATOR_LEN", "DICT_KEYS", "DUPLICATE_INPUT"})
_MISSING = object()
_BY_VALUE = frozenset({"CONSTANT_MATCH", "EQUALS_MATCH", "NONE_MATCH", "BOOL_MATCH"})


def study(blank: Studied, call: Call, *, symbolic: bool) -> Studied:
    """Dynamo's breaks and guards as remarks, its graphs, and what it comes to in one line."""
    torch._dynamo.reset()
    told = replace(blank, torch=torch.__version__)
    fresh = call.afresh()
    settings = {
        "assume_static_by_default": not symbolic,
        "specialize_int": True,  # numbers, other than sizes, are what they are in a first call
        "specialize_float": True,
        "suppress_errors": False,
    }
    with watched() as decided, torch._dynamo.config.patch(**settings):
        try:
            said = torch._dynamo.explain(fresh.function)(*fresh.args, **fresh.kwargs)
        except Exception as error:  # whatever user code or Dynamo raises ends it
            if places.is_ours(error):
                raise
            place, text = places.told(places.of_error(error))
            stop = Remark(RemarkKind.STOP, graphs.first_line(error), place=place, text=text)
            return replace(told, verdict=f"Dynamo does not get past `{text}`", remarks=(stop,))
    breaks = tuple(_breaks(said.break_reasons))
    guards = tuple(_guards(said.out_guards, decided, call, breaks))
    count = said.graph_count
    verdict = ", ".join(
        graphs.counted(*one) for one in ((count, "graph"), (len(breaks), "break"), (len(guards), "guard"))
    )
    if not count:
        verdict = "Dynamo captures nothing of it: it runs as plain Python"
        breaks, guards = tuple(_in_the_way(call, settings)), ()
    drawn = tuple(
        graphs.printed(f"graph {number} of {count}", gm, _located(gm)) for number, gm in enumerate(said.graphs, 1)
    )
    unseen = len(said.out_guards) - len(guards)
    notes = (
        (f"{unseen} more guards are on types, functions, modules, their constants and torch's global state",)
        if unseen > 0
        else ()
    )
    return replace(
        told, verdict=verdict, sound=bool(count) and not breaks, graphs=drawn, remarks=(*breaks, *guards), notes=notes
    )


def _located(module: torch.fx.GraphModule) -> dict[str, Located | None]:
    return {node.name: places.of_text(node.meta.get("stack_trace")) for node in module.graph.nodes}


def _in_the_way(call: Call, settings: dict[str, bool]) -> Iterator[Remark]:
    """Why a function is given up altogether, which `explain` does not tell: the error of capturing it whole."""
    torch._dynamo.reset()
    fresh = call.afresh()
    try:
        with torch._dynamo.config.patch(**settings):
            torch.compile(fresh.function, backend="eager", fullgraph=True)(*fresh.args, **fresh.kwargs)
    except Exception as error:  # noqa: BLE001  # of the user's code, too
        title, explanation, hints = _said(str(error))
        at = places.of_stack(getattr(error, "real_stack", None)) or places.of_error(error)
        place, text = places.told(at)
        yield Remark(RemarkKind.BREAK, explanation or title, place=place, text=text, hints=hints)


# ---- breaks ----------------------------------------------------------------------------------------


def _breaks(reasons: list[Any]) -> Iterator[Remark]:
    """Each break once, with the count of those at its place."""
    found: Counter[Remark] = Counter()
    for reason in reasons:
        if not reason.graph_break:
            continue
        at = places.of_stack(reason.user_stack)
        title, explanation, hints = _said(reason.reason)
        place, text = places.told(at)
        found[Remark(RemarkKind.BREAK, explanation or title, place=place, text=text, hints=hints)] += 1
    for remark, count in found.items():
        yield replace(remark, count=count)


def _said(reason: str) -> tuple[str, str, tuple[str, ...]]:
    """The title, the explanation and the hints of a reason; before 2.7 all is title."""
    rows = [row.strip() for row in reason.splitlines()]
    title = next((row for row in rows if row), "")
    explanation = next((row[len("Explanation:") :].strip() for row in rows if row.startswith("Explanation:")), "")
    hints = [row[len("Hint:") :].strip() for row in rows if row.startswith("Hint:")]
    return title, explanation, tuple(hint for hint in hints if not hint.startswith(_NOBODYS))


# ---- guards ----------------------------------------------------------------------------------------


def _guards(guards: Any, decided: list[Decision], call: Call, breaks: Sequence[Remark]) -> Iterator[Remark]:
    """The guards that the user's own names and numbers are in, each condition once."""
    found: dict[str, Remark] = {}
    for remark in (*_of_values(guards, call, breaks), *_of_sizes(decided, call)):
        found.setdefault(remark.condition, remark)
    yield from sorted(found.values(), key=places.in_order)


def _of_values(guards: Any, call: Call, breaks: Sequence[Remark]) -> Iterator[Remark]:
    for guard in guards:
        source = versions.guard_name(guard)
        words = "" if _is_of_a_library(source, call) else in_words(source, call.function)
        kind = versions.guard_kind(guard)
        at = places.of_stack(guard.user_stack) if guard.user_stack is not None else None
        if not words:
            if kind in _BY_VALUE and root(source)[1].startswith("___stack"):
                yield from _after_break(guard, at, breaks)
            continue
        at = places.narrowed(at, words) if at is not None else places.written(call.function, words)
        if kind == "TENSOR_MATCH":
            tensor = _evaluated(source, call)
            if isinstance(tensor, torch.Tensor):
                yield _remark(
                    f"{words} is {_kind(tensor)}",
                    "another dtype, device, number of axes or need of grad compiles again",
                    at,
                )
        elif kind in _BY_VALUE:
            value = _value(guard.code_list) or _constant(source, call)
            if value:
                yield _remark(f"{words} {'is' if value == 'None' else '=='} {value}", "{again}", at)
        elif kind in _BY_NUMBER and guard.code_list:
            condition = in_words(guard.code_list[-1], call.function)
            if condition:
                yield _remark(condition, "{again}", at)


def _is_of_a_library(source: str, call: Call) -> bool:
    """Whether a source begins with a module that is installed (`torch.float32`): nobody gives that another value."""
    scope, name = root(source)
    module = _globals(call).get(name) if scope == "G" else None
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    return isinstance(module, ModuleType) and origin is not None and (not isabs(origin) or is_library(origin))


def _after_break(guard: Any, at: Located | None, breaks: Sequence[Remark]) -> Iterator[Remark]:
    """The guard on what the code of a break gave, with which the graph after it begins."""
    for broken in breaks:
        if at is not None and broken.place is not None and broken.place.span.line == at.where[0]:
            condition = f"{broken.text} == {_value(guard.code_list)}"
            message = "the break made it a number, on which what follows is compiled; another value compiles again"
            yield Remark(RemarkKind.GUARD, message, condition, broken.place, broken.text)
            return


def _remark(condition: str, message: str, at: Located | None) -> Remark:
    place, text = places.told(at)
    return Remark(RemarkKind.GUARD, message.format(again="another value compiles again"), condition, place, text)


def _value(code: list[str] | None) -> str:
    """What a guard compares with, as it is written in its code: `L['p'] == 2.0`."""
    parts = [one.partition(" == ")[2] for one in code or () if not one.startswith(("hasattr", "___"))]
    return next((part for part in parts if part), "")


def _constant(source: str, call: Call) -> str:
    """A value of Python's own, as it would be written; of another, and of what cannot be known, nothing."""
    value = _evaluated(source, call, missing=_MISSING)
    return repr(value) if value is None or isinstance(value, (bool, int, float, str)) else ""


def _evaluated(source: str, call: Call, missing: Any = None) -> Any:
    """The value of a source that begins with an argument or a global of the function's module; else `missing`."""
    scopes = {"L": call.parameters, "G": _globals(call)}
    scope, name = root(source)
    if not scope or name not in scopes[scope]:
        return missing
    try:
        return eval(source, dict(scopes))
    except Exception:  # noqa: BLE001  # a source that is no expression over these
        return missing


def _globals(call: Call) -> dict[str, Any]:
    """What is global to the function; of a callable object, nothing is known."""
    found: dict[str, Any] = getattr(call.function, "__globals__", {})
    return found


def _kind(tensor: torch.Tensor) -> str:
    grad = " that requires grad" if tensor.requires_grad else ""
    return f"{graphs.shape(tensor)}{grad}"


def _of_sizes(decided: list[Decision], call: Call) -> Iterator[Remark]:
    for decision in decided:
        words = decision.words(call.function, {})
        if words:
            place, text = places.told(decision.at)
            yield Remark(RemarkKind.GUARD, "other sizes compile again", words, place, text)
