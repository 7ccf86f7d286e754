"""Wire messages written by hand, with positions found in the source they speak of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from nst_lsp.analysis.diagnostics import Diagnostic, diagnostics
from nst_lsp.analysis.document import Change, Document
from nst_lsp.analysis.places import Places
from nst_lsp.analysis.text import Text
from nst_lsp.analysis.traced import Traced, advance, begin
from nst_lsp.analysis.view import View
from nst_lsp.settings import Settings
from tracer.rules import Severity
from tracer.worker.wire import (
    ExampleDone,
    ExampleReport,
    FileDone,
    Finding,
    FunctionReport,
    GraphInfo,
    ModuleLoaded,
    NodeInfo,
    Place,
    Span,
    Status,
)

PATH = "/project/model.py"


def span(source: str, part: str, nth: int = 1) -> Span:
    """Where the nth occurrence of a part stands."""
    at = -1
    for _ in range(nth):
        at = source.index(part, at + 1)
    return Text(source).span(at, at + len(part))


def place(source: str, part: str, nth: int = 1, path: str = PATH) -> Place:
    return Place(path, span(source, part, nth))


def finding(source: str, code: str, part: str, nth: int = 1, **more: Any) -> Finding:
    given: dict[str, Any] = {
        "severity": Severity.INFORMATION,
        "message": f"about {part}",
        "function": "f",
        "example": 0,
    }
    return Finding(code=code, place=place(source, part, nth), text=part, **{**given, **more})


def node(source: str, name: str, operation: str, part: str, nth: int = 1, **more: Any) -> NodeInfo:
    given: dict[str, Any] = {"code": f"{name} = {part}", "inputs": (), "shape": "float64[3]", "values": "[1. 1. 1.]"}
    return NodeInfo(name=name, operation=operation, place=place(source, part, nth), **{**given, **more})


def report(source: str, example: str, *findings: Finding, nodes: Iterable[NodeInfo] = (), **more: Any) -> ExampleReport:
    given: dict[str, Any] = {
        "index": 0,
        "source": example,
        "origin": "comment",
        "place": place(source, example),
        "status": Status.TRACED,
        "graph": GraphInfo("def graph(x):\n    y = x * 2\n    return y\n", tuple(nodes), ("y",)),
        "milliseconds": 3.2,
    }
    return ExampleReport(findings=findings, **{**given, **more})


@dataclass
class File:
    """One open file and what is known of it, driven as a session drives it."""

    source: str
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        text = Text(self.source)
        self.document = Document("file://" + PATH, PATH, 1, text, text, opening=1)
        self.traced = Traced(PATH)
        self.chosen: dict[str, int] = {}
        self.start()

    def start(self) -> None:
        self.basis = {PATH: self.document.snapshot}
        self.traced = begin(self.traced, "Python 3.11.7 (/usr/bin/python3)")

    def receive(self, *messages) -> File:
        for message in messages:
            self.traced = advance(self.traced, message, self.basis)
        return self

    def loaded(self, *names: str, findings: tuple[Finding, ...] = ()) -> ModuleLoaded:
        source = self.document.text.source
        functions = tuple(FunctionReport(name, Place(PATH, named(source, name))) for name in names)
        return ModuleLoaded(1, findings, functions)

    def run(self, **reports: ExampleReport | list[ExampleReport]) -> File:
        """A whole run: the module, one or more reports a function, the end."""
        done = [
            ExampleDone(1, name, one)
            for name, given in reports.items()
            for one in (given if isinstance(given, list) else [given])
        ]
        return self.receive(self.loaded(*reports), *done, FileDone(1))

    def edit(self, part: str, new: str, nth: int = 1) -> File:
        """Replace an occurrence of a part, as an editor says it."""
        where = span(self.document.text.source, part, nth)
        self.document = self.document.changed(self.document.version + 1, [Change(where, new)])
        return self

    @property
    def view(self) -> View:
        return View(self.document, self.traced, Places({PATH: self.document}), self.chosen, self.settings)

    @property
    def told(self) -> list[Diagnostic]:
        source = self.document.text.source
        return diagnostics(PATH, source, [self.traced], Places({PATH: self.document}), self.settings, "/project")

    def at(self, where: Span) -> str:
        return self.document.text.at(where)


def named(source: str, name: str) -> Span:
    """The name in a function's `def`."""
    found = span(source, f"def {name.rpartition('.')[2]}(")
    return Span(found.line, found.column + 4, found.line, found.end_column - 1)
