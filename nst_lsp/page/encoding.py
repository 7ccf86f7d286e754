"""Pictures as JSON, in the form that docs/page.md states.

Long lists are encoded some hundreds of items at a time: the encoder of the standard library lets no other thread run
before it is done, and a keystroke shall not wait for the picture of a large graph.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from tracer.rules import RULES
from tracer.worker.wire import Cost, Primitive, plain

from ..analysis.picture import At, Difference, Group, Guard, Node, Picture, Remark, Said, Source, Told

T = TypeVar("T")

SCHEMA = 1
_AT_ONCE = 250
"""Items that are encoded together."""

Link = Callable[[str], str | None]
"""The address of a rule's page, by its code."""


def encoded(drawn: Picture, link: Link) -> Iterator[str]:
    """The pieces of a picture's JSON, in ASCII."""
    yield json.dumps(_head(drawn)).removesuffix("}")
    yield from _array("groups", drawn.groups, _group)
    yield from _array("guards", drawn.guards, _guard)
    yield from _array("findings", drawn.remarks, lambda remark: _remark(remark, link))
    yield from _array("nodes", drawn.nodes, _node)
    yield "}"


def _array(name: str, items: Sequence[T], encode: Callable[[T], dict[str, Any]]) -> Iterator[str]:
    """A further member of the object, a list."""
    yield f', "{name}": ['
    for start in range(0, len(items), _AT_ONCE):
        some = json.dumps([encode(item) for item in items[start : start + _AT_ONCE]])
        yield (", " if start else "") + some[1:-1]
    yield "]"


def _head(drawn: Picture) -> dict[str, Any]:
    """All but what may be long."""
    return {
        "schema": SCHEMA,
        "uri": drawn.uri,
        "path": drawn.path,
        "function": drawn.function,
        "example": drawn.example,
        "examples": [{"index": index, "source": source} for index, source in drawn.examples],
        "functions": [{"name": name, "example": example} for name, example in drawn.functions],
        "title": drawn.title,
        "stale": drawn.stale,
        "code": drawn.code,
        "operations": drawn.operations,
        "validFor": drawn.valid_for,
        "verdict": {"kind": drawn.verdict.value, "text": drawn.verdict_text},
        "sources": [_source(one) for one in drawn.sources],
        "outputs": drawn.outputs,
        "size": drawn.size,
        "cost": plain(drawn.cost),
        "diff": None if drawn.difference is None else _difference(drawn.difference),
        "studies": drawn.studies,
        "study": None if drawn.study is None else _told(drawn.study),
    }


def _source(source: Source) -> dict[str, Any]:
    return {"path": source.shown, "label": source.label, "first": source.first, "text": source.text}


def _node(node: Node) -> dict[str, Any]:
    info = node.info
    return {
        "name": info.name,
        "operation": info.operation,
        "code": info.code,
        "inputs": info.inputs,
        "shape": info.shape,
        "sizes": info.sizes,
        "values": info.values,
        "group": info.group,
        "line": info.line,
        "place": place(node.at),
        "cost": None if info.cost is None else _cost(info.cost),
        "findings": node.remarks,
        "backward": node.backward,
        "saved": node.saved,
        "becomes": [_primitive(one) for one in info.becomes],
    }


def _primitive(one: Primitive) -> dict[str, Any]:
    return {"name": one.name, "operation": one.operation, "code": one.code, "inputs": one.inputs, "shape": one.shape}


def _cost(cost: Cost) -> dict[str, Any]:
    """As on the wire; `plain` does any dataclass, and takes ten times as long."""
    return {
        "read": {"number": cost.read.number, "words": cost.read.words},
        "written": {"number": cost.written.number, "words": cost.written.words},
        "operations": {"number": cost.operations.number, "words": cost.operations.words},
        "live": cost.live,
    }


def _group(group: Group) -> dict[str, Any]:
    at, path = place(group.at), group.path
    return {"kind": group.kind, "label": group.label, "parent": group.parent, "place": at, "path": path}


def _guard(guard: Guard) -> dict[str, Any]:
    return {"text": guard.text, "place": place(guard.at)}


def _remark(remark: Remark, link: Link) -> dict[str, Any]:
    finding = remark.finding
    return {
        "code": finding.code,
        "name": RULES[finding.code].name if finding.code in RULES else "",
        "severity": finding.severity.value,
        "message": finding.message,
        "text": finding.text,
        "value": finding.value,
        "count": finding.count,
        "place": place(remark.at),
        "nodes": remark.nodes,
        "witness": plain(finding.witness),
        "page": link(finding.code),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    changes = difference.changes
    return {
        "against": difference.against,
        "summary": changes.summary,
        "reasons": [{"text": text, "place": place(at)} for text, at in difference.reasons],
        "added": changes.added,
        "changed": [{"name": one.name, "before": one.before, "after": one.after} for one in changes.changed],
        "removed": [{"name": one.name, "code": one.code, "after": one.after} for one in changes.removed],
    }


def _told(told: Told) -> dict[str, Any]:
    return {
        "kind": told.study.value,
        "title": told.title,
        "error": told.error,
        "torch": told.torch,
        "verdict": told.verdict,
        "sound": told.sound,
        "notes": told.notes,
        "remarks": list(map(_said, told.remarks)),
        "gradients": [
            {
                "input": one.info.input,
                "shape": one.info.shape,
                "reached": one.info.reached,
                "node": one.info.node,
                "cuts": list(map(_said, one.cuts)),
            }
            for one in told.gradients
        ],
    }


def _said(said: Said) -> dict[str, Any]:
    remark = said.remark
    return {
        "kind": remark.kind.value,
        "message": remark.message,
        "condition": remark.condition,
        "text": remark.text,
        "hints": remark.hints,
        "count": remark.count,
        "place": place(said.at),
    }


def place(at: At | None) -> dict[str, Any] | None:
    return None if at is None else {"source": at.source, "span": _corners(at)}


def _corners(at: At) -> Sequence[int]:
    return at.span.line, at.span.column, at.span.end_line, at.span.end_column
