"""When which file is traced and by which worker: one run of a file at a time, the newest."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tracer.worker.wire import (
    Compared,
    ExampleDone,
    ExampleReport,
    ExampleStarted,
    FileDone,
    ModuleLoaded,
    Studied,
    Study,
    TraceFile,
)

from ..analysis.named import Names, named
from ..analysis.outline import may_hold_examples
from ..analysis.traced import Basis, News, Traced, advance, begin
from ..collector import held_back
from ..disk import Disk
from ..interpreters import short_name, way_out
from ..pool import WorkerError
from ..progress import Progress
from ..project import Project, run_options
from ..status import Running, Status, status
from ..trust import UNTRUSTED
from ..workers import Home, Worker, Workers
from .editor import Editor
from .knowledge import Knowledge
from .pauses import Background, Pauses
from .showing import Showing
from .workspace import Workspace

if TYPE_CHECKING:  # imported when it is asked for, not while the server starts
    from ..compilers.asking import Asked

NONE: AbstractSet[str] = frozenset()
_LARGE = 2_000
"""Nodes of a graph whose comparison with the one before takes longer than a keystroke may."""
_ATTEMPTS = 3
"""How often a file is traced where the worker dies over it; it may be the file that kills it."""


class Runs:
    def __init__(
        self,
        editor: Editor,
        workspace: Workspace,
        knowledge: Knowledge,
        showing: Showing,
        pauses: Pauses,
        background: Background,
    ) -> None:
        self.disk = Disk()
        self.workers = Workers(editor.log, jobs=2, died=self._worker_died)
        self.troubles: dict[Home, str] = {}
        """Why a home has no worker, as it was last told."""
        self._editor = editor
        self._workspace = workspace
        self._knowledge = knowledge
        self._showing = showing
        self._pauses = pauses
        self._background = background
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._started: set[int] = set()
        """The workers that were told of in the log, by their process."""
        self._stopped: set[str] = set()
        """Files of which the latest run was stopped by a person."""
        self._warming = 0
        """How many workers are being started that no file waits for."""
        self._told: Status | None = None
        self._serial = itertools.count(1)
        self._studying = asyncio.Lock()

    # ---- beginning and end -----------------------------------------------------------------------------

    def start(self, path: str, *, asked: bool = False) -> None:
        """Begin a run of a file; one that is still under way is cancelled."""
        self.stop(path)
        self._stopped.discard(path)
        task = self._tasks[path] = asyncio.create_task(self._run(path, asked))
        self._knowledge.running[path] = {}
        task.add_done_callback(lambda done: self._ended(path, done))
        self._told = None  # whoever waits for the end of a run hears of its beginning, too
        self.tell_status()

    def stop(self, path: str) -> None:
        self._pauses.cancel("trace", path)
        self._pauses.cancel("results", path)
        self._knowledge.running.pop(path, None)
        task = self._tasks.pop(path, None)
        if task is not None:
            task.cancel()

    async def over(self, path: str) -> None:
        """Wait until a file is not being traced, by newer runs either; what they come to is told elsewhere."""
        while (run := self._tasks.get(path)) is not None:
            await asyncio.wait([run])
            await asyncio.sleep(0)  # so that it is taken from the list

    def stop_all(self) -> None:
        for path in list(self._tasks):
            self.stop(path)

    def warm_up(self) -> None:
        """Start the workers of the workspace folders before their first files ask."""
        for home in self._workspace.folder_homes():
            self._background.spawn(self._warm(home))

    async def _warm(self, home: Home) -> None:
        self._warming += 1
        self.tell_status()
        try:
            with suppress(WorkerError):  # told when a file needs it
                await self.workers.get(home)
        finally:
            self._warming -= 1
            self.tell_status()

    def _stop_asked(self, path: str, run: asyncio.Task[None]) -> None:
        """Stop a run because a person asked for it, unless there is a newer one; what was known stays."""
        if self._tasks.get(path) is run:
            self._stopped.add(path)
            self._editor.log(f"tracing {path} was stopped on request")
            run.cancel()

    def _ended(self, path: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(path) is task:
            del self._tasks[path]
            self._knowledge.running.pop(path, None)
        self.tell_status()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._editor.log(f"tracing {path} failed: {error!r}")
            raise error

    # ---- one run ---------------------------------------------------------------------------------------

    async def _run(self, path: str, asked: bool) -> None:
        await self._workspace.configuration.known.wait()
        project, traced = self._workspace.project(path), self._knowledge.traced
        if traced[path].findings_basis is None:
            self._showing.publish([path])  # what the text alone tells
        if not self._may_run(path, project):
            gone, traced[path] = traced[path], Traced(path)
            self._showing.nothing_any_more(gone)
            return
        if project.settings.trigger == "manual" and not asked:
            return
        for _ in range(_ATTEMPTS):  # each waits longer for a new worker than the one before
            worker = await self.worker(project)
            self.tell_status()
            if worker is None:
                return
            lost = await self._trace(path, worker, project, asked=asked)
            if lost:  # what they have to say cannot be told of the text of now
                await self._trace(path, worker, project, distrusted=lost)
            if worker.pool.runs or traced[path].error is None:
                return

    def _may_run(self, path: str, project: Project) -> bool:
        """Only what is meant, has examples and is trusted: opening any other script must not run it."""
        source = self._knowledge.documents[path].text.source
        if project.excludes(Path(path)):
            return False
        if not (may_hold_examples(source) or project.may_be_annotated(source, Path(path))):
            return False
        if not project.settings.trusted:
            self._workspace.ask_for_trust(path)
        return project.settings.trusted

    async def _trace(
        self, path: str, worker: Worker, project: Project, *, asked: bool = False, distrusted: AbstractSet[str] = NONE
    ) -> AbstractSet[str]:
        """Fold the messages of one run into what is known, and show it; the kept results that got lost."""
        traced = self._knowledge.traced
        basis: Basis = {one.path: one.snapshot for one in self._knowledge.documents.values()}
        self._knowledge.running[path] = basis
        known = self._knowledge.reusable(path, worker.hello.pid).without(distrusted)
        traced[path] = begin(traced[path], worker.name, worker.hello.pid)
        request = self._request(path, project, {} if asked else known.fingerprints)
        names = self._names(path, project.root)
        run = self._tasks[path]
        with self._editor.progress_of(f"tracing {Path(path).name}", lambda: self._stop_asked(path, run)) as progress:
            async with aclosing(worker.pool.trace(request)) as messages:
                async for message in messages:
                    now = advance(traced[path], named(message, names), basis, known)
                    await _compare(now, message)
                    traced[path] = now
                    self._tell(path, message, progress)
        return known.lost

    def _tell(self, path: str, message: News, progress: Progress) -> None:
        match message:
            case ModuleLoaded():
                self.disk.look(message.dependencies)
                if message.findings:
                    self._showing.results(path)
            case ExampleStarted():
                progress.report(f"{message.function}, example {message.example + 1}")
            case ExampleDone():
                self._showing.results(path)
            case FileDone():
                if message.error is not None:
                    self._editor.log(f"{path}: {message.error}")
                self._showing.results(path, last=True)
                self._knowledge.forget_edits()

    def _request(self, path: str, project: Project, known: dict[str, str]) -> TraceFile:
        documents = self._knowledge.documents
        unsaved = {
            one.path: one.text.source
            for one in documents.values()
            if one.path != path and (one.text != one.saved or not self.disk.is_as_seen(one.path))
        }
        text, options = documents[path].text.source, run_options(project)
        return TraceFile(next(self._serial), path, text, project.root, options, overlay=unsaved, known=known)

    async def rendered(self, path: str, text: str, function: str, example: int, style: str) -> str | None:
        """A graph in one of the tracer's forms, traced again from a text for it; None where there is none."""
        project = self._workspace.project(path)
        worker = await self.worker(project) if project.settings.trusted else None
        if worker is None:
            return None
        asked = self._request(path, project, {})
        options = replace(asked.options, verify=False, formats=(style,))
        request = replace(asked, text=text, functions=(function,), options=options, known=None)
        async with aclosing(worker.pool.trace(request)) as messages:
            async for message in messages:
                if isinstance(message, ExampleDone) and message.report.index == example and message.report.graph:
                    return message.report.graph.rendered.get(style)
        return None

    async def compared(self, path: str, function: str, arguments: str) -> Compared:
        """Function and graph on some arguments.  Raises NotFoundError, and WorkerError where there is no worker."""
        from ..graphs import Target, compare

        project = self._workspace.project(path)
        if not project.settings.trusted:
            return Compared(0, equal=False, function="", graph="", error=UNTRUSTED)
        return await compare(Target(path, function), arguments, project, self.workers, self._texts(path, project))

    async def studied(
        self,
        path: str,
        function: str,
        example: int,
        study: Study,
        texts: Mapping[str, str] | None = None,
        ours: ExampleReport | None = None,
    ) -> Asked:
        """What one of PyTorch's own tracers says of an example; one is asked at a time, so that saves are not held up.

        It is asked by the texts that are given, else by those on the screen; `ours` is our trace of them, if at hand.
        Raises as `compared` does.
        """
        from ..compilers.asking import Asked, ask
        from ..graphs import Target

        project, target = self._workspace.project(path), Target(path, function)
        if not project.settings.trusted:
            return Asked(target, example, study, Studied(0, study, UNTRUSTED, refused=True))
        async with self._studying:
            given = self._texts(path, project) if texts is None else texts
            asked = await ask(target, example, study, project, self.workers, given, ours)
        return replace(asked, studied=named(asked.studied, self._names(path, project.root)))

    def _texts(self, path: str, project: Project) -> dict[str, str]:
        """The texts on the screen that a run of a file may meet, its own among them."""
        asked = self._request(path, project, {})
        return {**asked.overlay, path: asked.text or ""}

    def _names(self, path: str, root: str) -> Names:
        """What the editor calls the files that a run under real paths may speak of; the traced one first."""
        real = {os.path.realpath(one): one for one in [*self._knowledge.documents, path]}
        folder, editors = (os.path.join(one, "") for one in (os.path.realpath(root), root))
        files = {one: name for one, name in real.items() if one != name}
        return Names(files, (folder, editors) if folder != editors else None)

    # ---- workers ---------------------------------------------------------------------------------------

    async def worker(self, project: Project) -> Worker | None:
        """The project's worker; None where there is none to be had, which is told once for each reason."""
        home, interpreter = project.home, project.interpreter
        try:
            worker = await self.workers.get(home)
        except WorkerError as error:
            message = f"nst: nothing can be traced with {interpreter.path} ({interpreter.source}): {error}"
            message += f"\n{way_out(interpreter, project.root)}"
            if self.troubles.get(home) != message:
                self._editor.warn(message)
            self.troubles[home] = message
            return None
        self.troubles.pop(home, None)
        if worker.hello.pid not in self._started:
            self._started.add(worker.hello.pid)
            self._editor.log(f"{worker.name} with NumPy {worker.hello.numpy} runs what is in {project.root}")
        return worker

    def in_the_way(self, path: str) -> str:
        """What goes on with an open file, or why nothing of it can be traced, in a few words; else empty."""
        traced = self._knowledge.traced[path]
        if path in self._knowledge.running:
            return f"tracing {Path(path).name} …"
        if not self._workspace.is_trusted(path):
            return UNTRUSTED
        trouble = self.troubles.get(self._workspace.project(path).home)
        return trouble or traced.error or traced.import_failure or ""

    def close_unused(self) -> None:
        """Only the workers of open files and of the workspace's folders stay."""
        homes = {self._workspace.project(path).home for path in self._knowledge.documents}
        self._background.spawn(self.workers.keep(homes.union(self._workspace.folder_homes())))

    def _worker_died(self, why: str) -> None:
        self._editor.warn(f"nst: {why}\nIt is started again when it is needed.")

    # ---- status ----------------------------------------------------------------------------------------

    def tell_status(self) -> None:
        """Tell how things stand, where that is news."""
        documents, traced = self._knowledge.documents, self._knowledge.traced
        now = status(
            runs=list(self._tasks),
            starting=bool(self._warming or self._tasks) and not self.workers.running() and not self.troubles,
            troubles=list(self.troubles.values()),
            untrusted=any(map(self._waits_for_trust, documents)),
            failures=[f"{Path(one.path).name}: {one.error}" for one in traced.values() if one.error],
            stopped=sorted(self._stopped & documents.keys()),
            interpreters=[
                Running(home.root, worker.hello.executable, short_name(worker.hello.python, worker.hello.executable))
                for home, worker in self.workers.running().items()
            ],
        )
        if now != self._told:
            self._told = now
            self._editor.status(now)

    def _waits_for_trust(self, path: str) -> bool:
        """Whether a file has examples that may not be run."""
        source = self._knowledge.documents[path].text.source
        return not self._workspace.is_trusted(path) and may_hold_examples(source)


async def _compare(traced: Traced, message: News) -> None:
    """Find out what changed in a large graph before anyone can ask: whoever asks, or types, need not wait for it."""
    if not isinstance(message, ExampleDone) or message.report.graph is None:
        return
    function = traced.function(message.function)
    outcome = function.outcome(message.report.index) if function else None
    if outcome is not None and outcome.is_news and len(message.report.graph.nodes) > _LARGE:
        with held_back():
            await asyncio.to_thread(lambda: outcome.changes)
