"""An answer as JSON (docs/torch-compilers.md has the fields); lines and columns from 1, as `nst check` has them."""

from __future__ import annotations

from typing import Any

from tracer.worker.wire import Finding, Gradient, Place, Remark, StudyGraph

from ..analysis.studies import BESIDE
from ..checking.report import finding_json, range_json
from .asking import Asked
from .beside import Ours, Row, beside

SCHEMA = 1


def payload(asked: Asked) -> dict[str, Any]:
    studied = asked.studied
    return {
        "schema": SCHEMA,
        "path": asked.target.path,
        "function": asked.target.function,
        "example": asked.example,
        "study": asked.study.value,
        "torch": studied.torch,
        "error": studied.error,
        "verdict": studied.verdict,
        "sound": studied.sound,
        "notes": list(studied.notes),
        "graphs": list(map(_graph, studied.graphs)),
        "remarks": list(map(_remark, studied.remarks)),
        "gradients": list(map(_gradient, studied.gradients)),
        "findings": list(map(finding_json, studied.findings)),
        "beside": list(map(_row, beside(studied.remarks, asked.ours))) if asked.study in BESIDE else None,
        "milliseconds": studied.milliseconds,
    }


def _graph(graph: StudyGraph) -> dict[str, Any]:
    nodes = [
        {
            "name": node.name,
            "operation": node.operation,
            "line": node.line,
            "shape": node.shape,
            "inputs": list(node.inputs),
            "backward": node.backward,
            "saved": node.saved,
            "text": node.text,
            **_located(node.place),
        }
        for node in graph.nodes
    ]
    return {
        "title": graph.title,
        "code": graph.code,
        "operations": graph.operations,
        "nodes": nodes,
        "outputs": list(graph.outputs),
    }


def _remark(remark: Remark) -> dict[str, Any]:
    return {
        "kind": remark.kind.value,
        "message": remark.message,
        "condition": remark.condition,
        "text": remark.text,
        "hints": list(remark.hints),
        "count": remark.count,
        **_located(remark.place),
    }


def _gradient(gradient: Gradient) -> dict[str, Any]:
    return {
        "input": gradient.input,
        "shape": gradient.shape,
        "reached": gradient.reached,
        "node": gradient.node,
        "cuts": list(map(_remark, gradient.cuts)),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "text": row.text,
        "theirs": list(map(_remark, row.theirs)),
        "ours": list(map(_ours, row.ours)),
        **_located(row.place),
    }


def _ours(ours: Ours) -> dict[str, Any]:
    if isinstance(ours, Finding):
        return {"code": ours.code, "message": ours.message, "text": ours.text, **_located(ours.place)}
    return {"code": None, "message": "guard", "text": ours.text, **_located(ours.place)}


def _located(place: Place | None) -> dict[str, Any]:
    return {"path": place and place.path, "range": place and range_json(place.span)}
