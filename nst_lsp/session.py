"""The state of one editor session: open documents, what is known of each, and the runs that find it out.

Everything happens on one event loop.  Documents and results are frozen values that are replaced, so whoever reads
sees one moment.  A newer run of a file cancels the older one; what is known stays until the newer run has better.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from tracer.worker.wire import (
    ExampleDone,
    ExampleStarted,
    FileDone,
    ModuleLoaded,
    TraceFile,
    example_key,
)

from .analysis.diagnostics import Diagnostic, diagnostics
from .analysis.document import Change, Document
from .analysis.moved import moved
from .analysis.named import Names, named
from .analysis.outline import may_hold_examples
from .analysis.places import Places
from .analysis.text import Text
from .analysis.traced import Basis, News, Outcome, Traced, advance, begin
from .analysis.view import View
from .completion.completer import Completer
from .configuration import Configuration
from .disk import Disk
from .interpreters import choose_interpreter, project_root, way_out
from .notebooks import Notebook
from .pool import WorkerError
from .progress import Progress
from .project import Project, run_options
from .settings import Settings
from .sources import read_text
from .status import Status, status
from .trust import ALWAYS, NEVER, SESSION, Trust, question
from .workers import Home, Worker, Workers

TYPING_PAUSE = 0.3
"""Seconds without a change after which `trigger = "change"` traces."""
SHIFT_PAUSE = 0.25
"""Seconds without a change after which diagnostics are sent where they stand now."""
_ATTEMPTS = 3
"""How often a file is traced where the worker dies over it; it may be the file that kills it."""
DOCTORS_PATIENCE = 10.0
"""Seconds that the doctor waits for a worker to start."""
UNUSED_PAUSE = 60.0
"""Seconds after a file was closed until the workers that no open file needs are closed, too."""
RESULTS_PAUSE = 0.1
"""Seconds between results that are shown; the first ones and the last are shown at once."""


class Editor(Protocol):
    """What a session says to the editor; the server puts it into the protocol's words."""

    def publish(self, path: str, told: list[Diagnostic]) -> None: ...
    def refresh(self) -> None:
        """Lenses and shown graphs have changed."""

    def warn(self, message: str) -> None: ...
    async def ask(self, message: str, choices: list[str]) -> str | None:
        """The user's choice; None where there was none."""

    def log(self, message: str) -> None: ...
    def status(self, now: Status) -> None: ...
    def progress_of(self, title: str, cancel: Callable[[], object]) -> Progress: ...


@dataclass(frozen=True, slots=True)
class Published:
    version: int | None
    told: list[Diagnostic]


class Session:
    def __init__(self, editor: Editor, configuration: Configuration) -> None:
        self.configuration = configuration
        self.documents: dict[str, Document] = {}
        """The open documents by path."""
        self.completer = Completer(editor.log)
        self._editor = editor
        self._workers = Workers(editor.log, jobs=2, died=self._worker_died)
        self._traced: dict[str, Traced] = {}
        self._chosen: dict[str, dict[str, int]] = {}
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._pauses: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._published: dict[str, Published] = {}
        self._roots: dict[str, str] = {}
        self._troubles: dict[Home, str] = {}
        """Why a home has no worker, as it was last told."""
        self._started: set[int] = set()
        """The workers that were told of in the log, by their process."""
        self._stopped: set[str] = set()
        """Files of which the latest run was stopped by a person."""
        self._warming = 0
        """How many workers are being started that no file waits for."""
        self._told: Status | None = None
        self._disk = Disk()
        self._unused: asyncio.TimerHandle | None = None
        self._serial = itertools.count(1)
        self._background: set[asyncio.Task[Any]] = set()

    # ---- documents -------------------------------------------------------------------------------------

    def open(self, uri: str, path: str, version: int, source: str, notebook: Notebook | None = None) -> None:
        text = Text(source)
        opening = next(self._serial)
        self.documents[path] = Document(uri, path, version, text, saved=text, opening=opening, notebook=notebook)
        self._traced[path] = Traced(path)
        self._disk.look([path])
        self._start(path)
        self._look_around()

    def change(self, path: str, version: int, changes: Iterable[Change], notebook: Notebook | None = None) -> None:
        document = replace(self.documents[path].changed(version, changes), notebook=notebook)
        self.documents[path] = document
        if self.settings(path).trigger == "change":
            self._after(TYPING_PAUSE, "trace", path, lambda: self._start(document.path))
        self._after(SHIFT_PAUSE, "shift", path, lambda: self._publish([document.path]))

    def save(self, path: str) -> None:
        document = self.documents[path]
        self.documents[path] = replace(document, saved=document.text)
        self._disk.look([path])
        for affected in (path, *self._dependents({path})):
            self._start(affected)
        self._look_around()

    def close(self, path: str) -> None:
        self._stop(path)
        traced = self._traced.pop(path, Traced(path))
        self.documents.pop(path, None)
        self._chosen.pop(path, None)
        self._tell_status()
        self._publish({path} | _paths(traced))
        self._later(self._close_unused)

    def disk_changed(self, paths: Iterable[str]) -> None:
        """Files changed outside of the editor: what depends on them is traced anew."""
        changed = {path for path in paths if path not in self.documents}
        if any(Path(path).name == "pyproject.toml" for path in changed):
            self.configured()
            return
        self._disk.look(map(os.path.realpath, changed))
        for path in self._dependents(changed):
            self._start(path)

    def _look_around(self) -> None:
        """What changed on the disk though no editor said so: there are some that do not watch files."""
        imported = {path for traced in self._traced.values() for path in traced.dependencies}
        if changed := self._disk.news(imported - self.documents.keys()):
            self.disk_changed(changed)

    def _dependents(self, changed: set[str]) -> list[str]:
        """The open files whose latest run imported one of the changed ones, or lacked an import, or may do either."""
        real = set(map(os.path.realpath, changed))
        return [
            path
            for path, traced in self._traced.items()
            if path not in changed
            and (real.intersection(traced.dependencies) or traced.lacks_an_import or self._is_loading(path))
        ]

    def _is_loading(self, path: str) -> bool:
        """Whether a run is under way that has not said yet what it imports, perhaps as it was before."""
        return path in self._runs and not self._traced[path].loaded

    def text(self, path: str) -> Text:
        """The text of a file: as it is open, else as it is on the disk, else nothing."""
        if path in self.documents:
            return self.documents[path].text
        try:
            return Text(read_text(path))
        except OSError:
            return Text("")

    # ---- what the handlers ask -------------------------------------------------------------------------

    def path_of(self, uri: str) -> str | None:
        """The path of an open document by its own URI, or by that of a notebook's cell."""
        for path, document in self.documents.items():
            if document.uri == uri or (document.notebook is not None and document.notebook.holds(uri)):
                return path
        return None

    def view(self, path: str) -> View | None:
        """All that is known of an open file at this moment; None for a file that is not open."""
        document = self.documents.get(path)
        if document is None:
            return None
        chosen, places = self._chosen.get(path, {}), Places(self.documents)
        others = tuple(traced for traced in self._all_traced() if traced.path != path)
        return View(document, self._traced[path], places, chosen, self.settings(path), others)

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """What is to be said about a file now."""
        settings, source = self.settings(path), self.text(path).source
        return diagnostics(path, source, self._all_traced(), Places(self.documents), settings, self.root(path))

    def _all_traced(self) -> list[Traced]:
        """In an order that does not depend on which file was opened first."""
        return [self._traced[path] for path in sorted(self._traced)]

    def reported(self, path: str) -> list[Diagnostic]:
        """What was last said about a file: for whoever needs no positions, and asks with every keystroke."""
        published = self._published.get(path)
        return published.told if published else []

    async def typed(self, path: str) -> None:
        """Wait until nobody types in a file any more: what takes longer than a keystroke is done then."""
        while pause := self._pauses.get(("shift", path)):
            await asyncio.sleep(max(0.0, pause.when() - asyncio.get_running_loop().time()))

    def known(self) -> set[str]:
        """The files of which there is, or was, something to say."""
        found = (_paths(traced) for traced in self._traced.values())
        return {*self.documents, *self._published}.union(*found)

    def choose(self, path: str, function: str, example: int) -> None:
        """Show another example of a function."""
        self._chosen.setdefault(path, {})[function] = example
        self._editor.refresh()

    # ---- settings --------------------------------------------------------------------------------------

    def root(self, path: str) -> str:
        """The folder of the file's project: the nearest that looks like one, or the workspace folder around it."""
        if path not in self._roots:
            folder, nearest = self.configuration.folder_of(path), project_root(path)
            self._roots[path] = nearest if folder is None or Path(nearest).is_relative_to(folder) else folder
        return self._roots[path]

    def settings(self, path: str) -> Settings:
        settings, news = self.configuration.settings(self.root(path))
        for problem in news:
            self._editor.warn(f"nst: {problem}")
        return settings

    def project(self, path: str) -> Project:
        root, settings = self.root(path), self.settings(path)
        return Project(root, settings, choose_interpreter(root, configured=settings.python))

    def configured(self) -> None:
        """The settings may have changed: trace by the new ones, with no workers but those they ask for."""
        self._roots.clear()
        self._troubles.clear()
        self._close_unused()
        for path in self.documents:
            self._start(path)
        self._editor.refresh()

    def _close_unused(self) -> None:
        """Only the workers of open files and of the workspace's folders stay."""
        homes = {self.project(path).home for path in self.documents}
        self._spawn(self._workers.keep(homes.union(self._folder_homes())))

    def _folder_homes(self) -> Iterator[Home]:
        for root in self.configuration.folders:
            settings, _ = self.configuration.read(root)
            if settings.trusted:
                yield Home(choose_interpreter(root, configured=settings.python).path, root)

    # ---- runs ------------------------------------------------------------------------------------------

    def retrace(self, path: str | None) -> None:
        """Trace one open file, or all, on command."""
        for one in [path] if path else list(self.documents):
            if one in self.documents:
                self._start(one, asked=True)

    async def restart(self) -> None:
        """Stop all workers and begin anew."""
        for path in list(self._runs):
            self._stop(path)
        await self._workers.close()
        self._troubles.clear()
        for path in self.documents:
            self._start(path)

    def warm_up(self) -> None:
        """Start the workers of the workspace folders before their first files ask."""
        for home in self._folder_homes():
            self._spawn(self._warm(home))

    async def _warm(self, home: Home) -> None:
        self._warming += 1
        self._tell_status()
        try:
            with suppress(WorkerError):  # told when a file needs it
                await self._workers.get(home)
        finally:
            self._warming -= 1
            self._tell_status()

    async def end(self) -> None:
        for path in list(self._runs):
            self._stop(path)
        for pause in self._pauses.values():
            pause.cancel()
        if self._unused is not None:
            self._unused.cancel()
        for task in list(self._background):
            task.cancel()
        await self.completer.close()
        await self._workers.close()

    def _start(self, path: str, *, asked: bool = False) -> None:
        """Begin a run of a file; one that is still under way is cancelled."""
        self._stop(path)
        self._stopped.discard(path)
        task = self._runs[path] = asyncio.create_task(self._run(path, asked))
        task.add_done_callback(lambda done: self._ended(path, done))
        self._told = None  # whoever waits for the end of a run hears of its beginning, too
        self._tell_status()

    def _stop(self, path: str) -> None:
        self._cancel_pause("trace", path)
        self._cancel_pause("results", path)
        task = self._runs.pop(path, None)
        if task is not None:
            task.cancel()

    def _stop_asked(self, path: str) -> None:
        """Stop a run because a person asked for it; what was known stays."""
        if path in self._runs:
            self._stopped.add(path)
            self._editor.log(f"tracing {path} was stopped on request")
            self._runs[path].cancel()

    def _ended(self, path: str, task: asyncio.Task[None]) -> None:
        if self._runs.get(path) is task:
            del self._runs[path]
        self._tell_status()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._editor.log(f"tracing {path} failed: {error!r}")
            raise error

    async def _run(self, path: str, asked: bool) -> None:
        await self.configuration.known.wait()
        project = self.project(path)
        if self._traced[path].findings_basis is None:
            self._publish([path])  # what the text alone tells
        if not self._may_run(path, project):
            gone, self._traced[path] = self._traced[path], Traced(path)
            self._publish({path} | _paths(gone))
            self._editor.refresh()
            return
        if project.settings.trigger == "manual" and not asked:
            return
        for _ in range(_ATTEMPTS):  # each waits longer for a new worker than the one before
            worker = await self._worker(project)
            self._tell_status()
            if worker is None:
                return
            self._cancel_pause("shift", path)  # what comes now stands where it should
            await self._trace(path, worker, project, asked)
            if worker.pool.runs or self._traced[path].error is None:
                return

    def _may_run(self, path: str, project: Project) -> bool:
        """Only what is meant, has examples and is trusted: opening any other script must not run it."""
        source = self.documents[path].text.source
        if project.excludes(Path(path)):
            return False
        if not (may_hold_examples(source) or project.may_be_annotated(source, Path(path))):
            return False
        if not project.settings.trusted:
            self.ask_for_trust(path)
        return project.settings.trusted

    def ask_for_trust(self, path: str, *, again: bool = False) -> bool:
        """Ask, once for each workspace folder, whether its code may run; False where that is not ours to ask."""
        trust, folder = self.configuration.trust, self.configuration.trusted_as_whole(self.root(path))
        if trust is not None and (trust.is_due(folder) or again):
            self._spawn(self._ask(trust, folder))
        return trust is not None

    async def _ask(self, trust: Trust, folder: str) -> None:
        try:
            choice = await self._editor.ask(question(folder), [ALWAYS, SESSION, NEVER])
        except Exception as error:  # noqa: BLE001 - an editor that cannot ask has not agreed
            self._editor.log(f"the editor did not ask whether {folder} is trusted: {error!r}")
            return
        if trust.answer(folder, choice):
            self.configuration.reread()
            self.configured()

    async def _trace(self, path: str, worker: Worker, project: Project, asked: bool) -> None:
        """Fold the messages of one run into what is known, and show it."""
        basis: Basis = {one.path: one.snapshot for one in self.documents.values()}
        known = {} if asked else self._known(path, worker)
        self._traced[path] = begin(self._traced[path], worker.name, worker.hello.pid)
        fingerprints = {key: outcome.fingerprint for key, outcome in known.items()}
        reports = {key: outcome.report for key, outcome in known.items()}
        messages = worker.pool.trace(self._request(path, project, fingerprints))
        names = self._names(path, project.root)
        with self._editor.progress_of(f"tracing {Path(path).name}", lambda: self._stop_asked(path)) as progress:
            async with aclosing(messages):
                async for message in messages:
                    self._traced[path] = advance(self._traced[path], named(message, names), basis, reports)
                    if isinstance(message, ModuleLoaded):
                        self._disk.look(message.dependencies)
                    self._show(path, message, progress)

    def _worker_died(self, why: str) -> None:
        self._editor.warn(f"nst: {why}\nIt is started again when it is needed.")

    def _known(self, path: str, worker: Worker) -> dict[str, Outcome]:
        """The results that a run need not find out again, in terms of the texts of now."""
        traced, places = self._traced[path], Places(self.documents)
        if traced.worker != worker.hello.pid:
            return {}
        return {
            example_key(function.name, report.index): replace(outcome, report=report)
            for function in traced.functions
            for outcome in function.outcomes
            if outcome.fingerprint and (report := moved(outcome, function.name, path, places))
        }

    async def _worker(self, project: Project) -> Worker | None:
        """The project's worker; None where there is none to be had, which is told once for each reason."""
        home, interpreter = project.home, project.interpreter
        try:
            worker = await self._workers.get(home)
        except WorkerError as error:
            message = f"nst: nothing can be traced with {interpreter.path} ({interpreter.source}): {error}"
            message += f"\n{way_out(interpreter, project.root)}"
            if self._troubles.get(home) != message:
                self._editor.warn(message)
            self._troubles[home] = message
            return None
        self._troubles.pop(home, None)
        if worker.hello.pid not in self._started:
            self._started.add(worker.hello.pid)
            self._editor.log(f"{worker.name} with NumPy {worker.hello.numpy} runs what is in {project.root}")
        return worker

    def _request(self, path: str, project: Project, known: dict[str, str]) -> TraceFile:
        others = (one for one in self.documents.values() if one.path != path)
        unsaved = {
            one.path: one.text.source for one in others if one.text != one.saved or not self._disk.is_as_seen(one.path)
        }
        text = self.documents[path].text.source
        options = run_options(project)
        return TraceFile(next(self._serial), path, text, project.root, options, overlay=unsaved, known=known)

    def _names(self, path: str, root: str) -> Names:
        """What the editor calls the files that a run under real paths may speak of; the traced one first."""
        real = {os.path.realpath(one): one for one in [*self.documents, path]}
        folder, editors = (os.path.join(one, "") for one in (os.path.realpath(root), root))
        files = {one: name for one, name in real.items() if one != name}
        return Names(files, (folder, editors) if folder != editors else None)

    def _forget(self) -> None:
        """Drop the edits before the oldest text that any result speaks of."""
        bases = [basis for traced in self._traced.values() for basis in traced.bases()]
        for path, document in self.documents.items():
            spoken_of = [basis[path].revision for basis in bases if path in basis]
            self.documents[path] = document.forgetting(min(spoken_of, default=document.revision))

    # ---- what is shown ---------------------------------------------------------------------------------

    def _show(self, path: str, message: News, progress: Progress) -> None:
        """The first results at once, those that follow closely together, the last at once."""
        match message:
            case ExampleStarted():
                progress.report(f"{message.function}, example {message.example + 1}")
            case FileDone():
                if message.error is not None:
                    self._editor.log(f"{path}: {message.error}")
                self._results(path, last=True)
                self._forget()
            case ExampleDone():
                self._results(path)
            case ModuleLoaded():
                if message.findings:
                    self._results(path)

    def _results(self, path: str, *, last: bool = False) -> None:
        if ("results", path) in self._pauses and not last:
            return
        self._cancel_pause("results", path)
        if not last:
            self._after(RESULTS_PAUSE, "results", path, lambda: self._show_results(path))
        self._show_results(path, last=last)

    def _show_results(self, path: str, *, last: bool = False) -> None:
        shown = {one for one, published in self._published.items() if published.told}
        self._publish({path} | _paths(self._traced[path]) | shown, renewed=path if last else None)
        self._editor.refresh()

    def _publish(self, paths: Iterable[str], renewed: str | None = None) -> None:
        """Send the diagnostics of files where they differ from those sent, and in any case of the one renewed."""
        for path in paths:
            document = self.documents.get(path)
            now = Published(document.version if document else None, self.diagnostics(path))
            before = self._published.get(path)
            if path != renewed and (now == before or (before is None and not now.told)):
                continue
            self._published[path] = now
            self._editor.publish(path, now.told)
            if document is None and not now.told:
                del self._published[path]

    def _tell_status(self) -> None:
        """Tell how things stand, where that is news."""
        documents = [path for path in self.documents if self._waits_for_trust(path)]
        now = status(
            runs=list(self._runs),
            starting=bool(self._warming or self._runs) and not self._workers.running() and not self._troubles,
            troubles=list(self._troubles.values()),
            untrusted=bool(documents),
            failures=[f"{Path(one.path).name}: {one.error}" for one in self._traced.values() if one.error],
            stopped=sorted(self._stopped & self.documents.keys()),
        )
        if now != self._told:
            self._told = now
            self._editor.status(now)

    def _waits_for_trust(self, path: str) -> bool:
        """Whether a file has examples that may not be run."""
        settings, _ = self.configuration.read(self.root(path))
        return not settings.trusted and may_hold_examples(self.documents[path].text.source)

    # ---- pauses and background work --------------------------------------------------------------------

    def _after(self, seconds: float, kind: str, path: str, do: Callable[[], object]) -> None:
        """Do something after a pause, unless the same is asked for again before."""
        self._cancel_pause(kind, path)

        def now() -> None:
            self._pauses.pop((kind, path), None)
            if path in self.documents:
                do()

        self._pauses[kind, path] = asyncio.get_running_loop().call_later(seconds, now)

    def _later(self, do: Callable[[], object]) -> None:
        """Clean up after a pause, in which a file may be opened that needs what is there."""
        if self._unused is not None:
            self._unused.cancel()
        self._unused = asyncio.get_running_loop().call_later(UNUSED_PAUSE, do)

    def _cancel_pause(self, kind: str, path: str) -> None:
        pause = self._pauses.pop((kind, path), None)
        if pause is not None:
            pause.cancel()

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # ---- what is wrong ---------------------------------------------------------------------------------

    async def doctor(self) -> list[dict[str, Any]]:
        """Interpreter, worker and settings of each workspace folder and each project that has a file open, as JSON."""
        paths = [*self.configuration.folders, *self.documents]
        projects = {project.root: project for project in map(self.project, paths)}
        return [await self._diagnosis(project) for project in projects.values()]

    async def _diagnosis(self, project: Project) -> dict[str, Any]:
        trusted = project.settings.trusted
        started = project.home in self._workers.running()
        worker, state = None, "none"
        with suppress(TimeoutError):
            async with asyncio.timeout(DOCTORS_PATIENCE):
                state = "is starting" if trusted else state
                worker = await self._worker(project) if trusted else None
                state = "none" if worker is None else "running" if started else "was started to be asked"
        _, problems = self.configuration.read(project.root)
        trouble = self._troubles.get(project.home) if trusted else "not trusted: nothing of it is run"
        return {
            "root": project.root,
            "trusted": trusted,
            "interpreter": project.interpreter.path,
            "chosen_by": project.interpreter.source,
            "python": worker.hello.python if worker else None,
            "numpy": worker.hello.numpy if worker else None,
            "worker": worker.hello.pid if worker else None,
            "state": state,
            "open": sorted(path for path in self.documents if self.root(path) == project.root),
            "settings": [asdict(one) for one in self.configuration.described(project.root)],
            "problems": [*problems, *([trouble] if trouble else [])],
        }


def _paths(traced: Traced) -> set[str]:
    return {finding.place.path for finding, _ in traced.all_findings()}
