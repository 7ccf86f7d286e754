"""A file's share of a check as plain data: what is to be done, and what came of it.

Both go to other processes and hosts, and into the cache, as JSON.  An answer has no graphs, only their sizes: a check
tells findings, and a tree has many graphs.
"""

from __future__ import annotations

import json
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from tracer.worker import wire
from tracer.worker.wire import (
    ExampleDone,
    ExampleReport,
    ExampleSettled,
    FileDone,
    GraphInfo,
    ModuleLoaded,
    Options,
    TraceFile,
)

from ..analysis.traced import News, Traced, advance, begin
from ..notebooks import SUFFIX
from ..project import Project, run_options
from ..sources import notebook_text
from ..workers import Home


@dataclass(frozen=True, slots=True)
class Share:
    """One file to be traced, with all that a worker must be told."""

    path: str
    text: str | None
    """None where it cannot be decoded: then the worker says why."""
    root: str
    python: str
    options: Options
    at_once: int = 1
    """How many of its examples are traced at a time."""

    @property
    def home(self) -> Home:
        return Home(self.python, self.root)

    def request(self) -> TraceFile:
        return TraceFile(1, self.path, self.text, self.root, self.options, known={}, basis=True, at_once=self.at_once)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a share: the messages of its worker that count, in their order."""

    messages: tuple[News, ...]
    interpreter: str = ""
    """For people."""
    worker_began: float = 0.0
    """When the worker was started, in seconds since the epoch."""
    host: str = ""
    """The machine that it comes from, where that is another one or may be."""
    files: dict[str, str] = field(default_factory=dict)
    """Digests of the project's files that were imported, as they are on the host."""
    seal: str | None = None
    """What the host says for everything that the answer rests on (`cache`); None where it need not be asked."""

    @property
    def error(self) -> str | None:
        return next((message.error for message in self.messages if isinstance(message, FileDone)), None)


def share_of(path: str, project: Project, at_once: int = 1) -> Share:
    """The share of a file.  Raises NotebookError, for a notebook that is none, and OSError, for one that is gone."""
    return Share(path, _text(path), project.root, project.interpreter.path, run_options(project), at_once)


def failed(error: str) -> Answer:
    """The answer to a share that could not be done."""
    return Answer((FileDone(1, error),))


def known_by(path: str, answer: Answer) -> Traced:
    """What is known of a file by an answer."""
    known = begin(Traced(path), answer.interpreter)
    for message in answer.messages:
        known = advance(known, message, {})
    return known


def essential(messages: Iterable[News]) -> tuple[News, ...]:
    """The messages that count: of each example the last report, without its graph."""
    last: dict[tuple[str, int], ExampleDone] = {}
    others: list[News] = []
    for message in messages:
        if isinstance(message, ExampleDone):
            last[message.function, message.report.index] = replace(message, report=_slim(message.report))
        elif isinstance(message, (ModuleLoaded, ExampleSettled, FileDone)):
            others.append(message)
    loaded = [message for message in others if isinstance(message, ModuleLoaded)]
    return (*loaded, *last.values(), *(message for message in others if not isinstance(message, ModuleLoaded)))


def _slim(report: ExampleReport) -> ExampleReport:
    graph = report.graph
    if graph is None:
        return report
    size = graph.size or len(graph.nodes)
    return replace(report, graph=GraphInfo("", (), (), size=size, operations=graph.operations))


def _text(path: str) -> str | None:
    if path.endswith(SUFFIX):
        return notebook_text(path)
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except (SyntaxError, UnicodeDecodeError):
        return None


# ---- as JSON ---------------------------------------------------------------------------------------


def share_json(share: Share) -> str:
    return json.dumps(wire.plain(share))


def share_from(text: str) -> Share:
    return cast(Share, wire.structure(Share, json.loads(text)))


def answer_json(answer: Answer) -> str:
    messages = [{"type": type(message).__name__, **wire.plain(message)} for message in answer.messages]
    return json.dumps({**_fields(answer), "messages": messages})


def answer_from(text: str) -> Answer:
    """Raises ValueError for what is no answer."""
    try:
        data = json.loads(text)
        messages = tuple(_messages(data.pop("messages")))
        return Answer(messages, **{name: wire.structure(_FIELDS[name], value) for name, value in data.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no answer of ours: {error!r}") from error


_FIELDS: dict[str, Any] = {
    "interpreter": str, "worker_began": float, "host": str, "files": dict[str, str], "seal": str | None,
}  # fmt: skip


def _fields(answer: Answer) -> dict[str, Any]:
    return {name: wire.plain(getattr(answer, name)) for name in _FIELDS}


_NEWS: dict[str, type[News]] = {cls.__name__: cls for cls in (ModuleLoaded, ExampleDone, ExampleSettled, FileDone)}


def _messages(data: Iterable[dict[str, Any]]) -> Iterator[News]:
    for fields in data:
        kind = _NEWS[fields.pop("type")]
        yield cast(News, wire.structure(kind, fields))
