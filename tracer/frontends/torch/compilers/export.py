"""What `torch.export` would say of a call: the four kinds of report of `draft_export`, at places and in user's words.

`draft_export` traces as we do, without strictness, and goes on where `export` would give up.  In the mode `symbolic`
all sizes but 0 and 1 are asked to be dynamic, so that what the function asks of them shows; otherwise they are
those of the example.  What it exports is run on the example, and compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import fx, nn
from torch.utils import _pytree as pytree

from ....positions import Located
from ....worker.wire import Place, Remark, RemarkKind, Studied
from . import graphs, places, versions
from .call import Call
from .decisions import Decision, watched
from .marks import Marks
from .state import State

_MISSING = "`{op}` has no rule for tensors without contents: register a fake kernel (`torch.library.register_fake`)"
_DISAGREES = "the rule of `{op}` for tensors without contents disagrees with the operator: {why}"
_NAMES = {
    RemarkKind.BAKED: ("condition on contents", "conditions on contents"),
    RemarkKind.GUARD: ("condition on sizes", "conditions on sizes"),
    RemarkKind.KERNEL: ("wrong rule of an operator", "wrong rules of operators"),
}
_KINDS = ("DATA_DEPENDENT_ERROR", "MISSING_FAKE_KERNEL", "MISMATCHED_FAKE_KERNEL")
"""All but guards, whose name is another in some versions."""
_HOLDS = "the exported graph is for sizes for which this holds"


def study(blank: Studied, call: Call, *, symbolic: bool) -> Studied:
    """What is in the way of an export, the exported graph, and what it comes to in one line."""
    told = replace(blank, torch=torch.__version__)
    fresh = call.afresh()
    module, args, renamed = _as_module(fresh)
    marks = Marks()
    with watched() as decided, marks.marking():
        try:
            program, report = versions.draft_export(module, args, _dynamic(args) if symbolic else None)
        except Exception as error:  # whatever user code or the exporter raises ends it
            if marks.is_ours(error):
                raise
            place, text = places.told(places.of_error(error))
            stop = Remark(RemarkKind.STOP, graphs.first_line(error), place=place, text=text)
            verdict = f"it does not export: `{text}`" if text else "it does not export"
            return replace(told, verdict=verdict, remarks=(stop,))
    remarks = tuple(sorted(_remarks(report, decided, call, renamed), key=places.in_order))
    exported = _renamed(program.graph_module, call)
    graph = graphs.printed("exported", exported, _located(exported, marks), name="exported")
    return replace(
        told,
        verdict=f"{_counted(remarks)}; {_compared(program, call)}",
        sound=not remarks,
        graphs=(graph,),
        remarks=remarks,
    )


class _Wrapped(nn.Module):
    """A function as a module, with its arguments in their order; what is no tensor stays as it is."""

    def __init__(self, call: Call) -> None:
        super().__init__()
        self._call = call
        self.held = nn.ModuleList([one for one in pytree.tree_leaves(call.args) if isinstance(one, nn.Module)])
        replaced = [space for one in self.held.modules() for space in (one._parameters, one._buffers)]
        self._state = State(call.function, call.args, call.kwargs, but=replaced)  # those the exporter sets

    def forward(self, *args: Any) -> Any:
        self._state.put_back()
        given = iter(args)
        own = [one if isinstance(one, nn.Module) else next(given) for one in self._call.args]
        return self._call.function(*own, **self._call.kwargs)


def _as_module(call: Call) -> tuple[nn.Module, tuple[Any, ...], dict[str, str]]:
    """A module to export, its arguments, and what the sources of these arguments are called by the user."""
    wrapped = _Wrapped(call)
    names = [name for name, value in zip(call.parameters, call.args, strict=False) if not isinstance(value, nn.Module)]
    args = tuple(one for one in call.args if not isinstance(one, nn.Module))
    return wrapped, args, {f"L['args'][{number}]": name for number, name in enumerate(names)}


def _dynamic(args: tuple[Any, ...]) -> Any:
    """All sizes dynamic but those that broadcast or are empty, which torch takes as they are."""

    def of(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return None
        return {axis: versions.any_size() for axis, size in enumerate(value.shape) if size > 1}

    return (tuple(pytree.tree_map(of, one) for one in args),)


# ---- reports ---------------------------------------------------------------------------------------


def _remarks(report: Any, decided: list[Decision], call: Call, renamed: dict[str, str]) -> Iterator[Remark]:
    """Each report once: a condition on contents is told as such, not again as the guard it led to."""
    known: set[tuple[str, str, Place | None]] = set()
    baked = {str(failure.data.get("expr")) for failure in report.failures if _kind(failure) == "DATA_DEPENDENT_ERROR"}
    for failure in report.failures:
        kind = _kind(failure)
        if kind not in _KINDS and str(failure.data.get("expr")) in baked:
            continue
        remark = _remark(kind, failure.data, report, decided, call, renamed)
        if (remark.message, remark.condition, remark.place) not in known:
            known.add((remark.message, remark.condition, remark.place))
            yield remark
    conditions = {condition for _, condition, _ in known}
    for decision in decided:  # conditions that the program rests on, and that no report is about
        words = "" if decision.by_contents else decision.words(call.function, renamed)
        if words and words not in conditions:
            conditions.add(words)
            place, text = places.told(decision.at)
            yield Remark(RemarkKind.GUARD, _HOLDS, words, place, text)


def _kind(failure: Any) -> str:
    return str(failure.failure_type.name)


def _remark(
    kind: str, data: dict[str, Any], report: Any, decided: list[Decision], call: Call, renamed: dict[str, str]
) -> Remark:
    expr = str(data.get("expr", ""))
    decision = next((one for one in decided if expr and expr in (str(one.condition), str(one.asked))), None)
    at = decision.at if decision is not None and decision.at is not None else _place(data, report)
    place, text = places.told(at)
    if kind in ("MISSING_FAKE_KERNEL", "MISMATCHED_FAKE_KERNEL"):
        message = (_MISSING if kind.startswith("MISSING") else _DISAGREES).format(
            op=data.get("op", text), why=data.get("reason", "")
        )
        return Remark(RemarkKind.KERNEL, message, place=place, text=text)
    words = decision.words(call.function, renamed) if decision is not None else ""
    if kind == "DATA_DEPENDENT_ERROR":
        message = "contents decided this: it is asserted in the exported graph, which raises where it does not hold"
        return Remark(RemarkKind.BAKED, message, words or text, place, text)
    return Remark(RemarkKind.GUARD, _HOLDS, words or expr, place, text)


def _place(data: dict[str, Any], report: Any) -> Located | None:
    """The innermost user line of a report's stacks, whose files may be numbers in a table."""
    names = {str(number): name for number, name in (getattr(report, "str_to_filename", None) or {}).items()}
    names |= {str(number): name for name, number in (getattr(report, "str_to_filename", None) or {}).items()}
    for frame in reversed([*(data.get("stack") or ()), *(data.get("user_stack") or ())]):
        name = str(frame.get("filename"))
        found = places.of_text(f'File "{names.get(name, name)}", line {frame.get("line")}')
        if found is not None:
            return found
    return None


def _located(module: fx.GraphModule, marks: Marks) -> dict[str, Located | None]:
    lines = {node.name: places.of_text(node.meta.get("stack_trace")) for node in module.graph.nodes}
    return {name: at or lines[name] for name, at in marks.of_nodes(module).items()}


def _renamed(module: fx.GraphModule, call: Call) -> fx.GraphModule:
    """The exported graph with inputs called as the user calls them."""
    modules = [name for name, value in call.parameters.items() if isinstance(value, nn.Module)]
    others = [name for name in call.parameters if name not in modules]
    for node in module.graph.nodes:
        if node.op != "placeholder":
            continue
        held, given = re.match(r"[pbc]_held_(\d+)_(.+)", node.name), re.match(r"args_(\d+)(.*)", node.name)
        if held is not None and int(held[1]) < len(modules):
            node._rename(f"{modules[int(held[1])]}_{held[2]}")
        elif given is not None and int(given[1]) < len(others):
            node._rename(f"{others[int(given[1])]}{given[2]}")
        node.target = node.name
    module.recompile()
    return module


def _counted(remarks: tuple[Remark, ...]) -> str:
    if not remarks:
        return "it exports, with nothing to report"
    counts = Counter(one.kind for one in remarks)
    parts = [f"{count} {_NAMES[kind][count > 1]}" for kind, count in counts.items()]
    return f"it exports with {', '.join(parts)}"


def _compared(program: Any, call: Call) -> str:
    """Whether the exported program gives what the function gives, on the example."""
    plain, exported = call.afresh(), call.afresh()
    _, args, _ = _as_module(exported)
    torch.manual_seed(0)
    try:
        expected = plain.run()
    except Exception as error:  # noqa: BLE001  # whatever the function raises
        return f"the function raises {graphs.first_line(error)}"
    torch.manual_seed(0)
    try:
        given = program.module()(*args)
    except Exception as error:  # noqa: BLE001
        return f"on the example it raises {graphs.first_line(error)}"
    ours, theirs = pytree.tree_leaves(expected), pytree.tree_leaves(given)
    alike = len(ours) == len(theirs)
    if alike and all(map(partial(_equal, exact=True), ours, theirs)):
        return "on the example it gives the same"
    if alike and all(map(partial(_equal, exact=False), ours, theirs)):
        return "on the example it gives the same but for rounding"
    return "on the example it gives something else"


def _equal(one: Any, other: Any, *, exact: bool) -> bool:
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return bool(one == other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    return torch.allclose(one, other, rtol=0.0 if exact else 1e-5, atol=0.0 if exact else 1e-6, equal_nan=True)
