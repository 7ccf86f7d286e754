"""`pytest --nst`: the examples of the project as tests.

    src/model.py::Layer.forward[example 0]     one example: fails on its findings, wherever they lie
    src/model.py::<module>                     the rest: the module loads, its comments mean something, and examples
                                               that only loading it tells (of annotations) have no findings

What is collected is read from the text (`analysis/examples.py`); nothing is imported.  Paths that are given to pytest
are looked through for examples; where none are, the setting `nst_paths` says where, else the root, as `nst check` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tracer.rules import Severity

from .distributed import given, is_worker

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

    from tracer.worker.wire import Finding

    from ..analysis.traced import Traced
    from ..checking.baseline.file import Baseline
    from ..checking.report import FileResult
    from ..project import Project, ProjectOf
    from .tracing import Tracing, Wanted

_KEY = "nst_discovers"
_REST = "<module>"


class Examples:
    """Collects the examples of a run, and has them traced when the first is run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.fail_on = Severity(config.getoption("nst_fail_on"))
        told = given(config, _KEY)
        self._discovers = bool(config.args_source is not config.ArgsSource.ARGS if told is None else told)
        """Whether no paths were given, so that we look where the project's sources are."""
        self._tracing: Tracing | None = None
        self._baselines: dict[Path, Baseline] = {}
        self.project_of: ProjectOf = _projects()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker of pytest-xdist is given paths in any case."""
        node.workerinput[_KEY] = self._discovers

    # ---- collection --------------------------------------------------------------------------------

    def pytest_pycollect_makemodule(self, module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A file that is named, and is no test: pytest would import it."""
        return None if self._is_test(module_path) else self._file(module_path, parent)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if self._discovers or file_path.suffix != ".py":
            return None
        if parent.session.isinitpath(file_path):
            return self._file(file_path, parent) if self._is_test(file_path) else None
        return None if self.project_of(str(file_path)).excludes(file_path) else self._file(file_path, parent)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Examples that were looked for come last, in time for others to choose among them."""
        if self._discovers:
            for path in self._sources():
                items.extend(session.genitems(self._file(path, session)))

    def _sources(self) -> Iterator[Path]:
        from ..checking.discovery import files_of

        root = self._config.rootpath
        places = [str(root / place) for place in self._config.getini("nst_paths") or ["."]]
        yield from (Path(path) for path in files_of(places, self.project_of) if path.endswith(".py"))

    def _file(self, path: Path, parent: pytest.Collector) -> _ExampleFile:
        file: _ExampleFile = _ExampleFile.from_parent(parent, path=path)
        file.examples = self
        return file

    def _is_test(self, path: Path) -> bool:
        """Whether pytest has tests in it."""
        from fnmatch import fnmatch

        patterns = self._config.getini("python_files")
        return any(fnmatch(path.name, pattern) or fnmatch(str(path), pattern) for pattern in patterns)

    # ---- the run -----------------------------------------------------------------------------------

    def traced(self, wanted: Wanted) -> Traced:
        assert self._tracing is not None
        return self._tracing.result(wanted)

    def new(self, results: Sequence[FileResult], path: str) -> Sequence[FileResult]:
        """The results without the findings that the baseline of a file's project knows.  Raises FindingsError."""
        from ..checking.baseline.file import DEFAULT_NAME, BaselineError, read
        from ..checking.baseline.matching import Run, split

        project = self.project_of(path)
        named = project.settings.baseline
        file = Path(project.root, named or DEFAULT_NAME)
        if not named and not file.exists():
            return results
        try:
            if file not in self._baselines:
                self._baselines[file] = read(file)
        except BaselineError as error:
            raise FindingsError(str(error)) from error
        return split(results, self._baselines[file], Run(file.parent, (path,), whole=False))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Hand in all that is wanted; with pytest-xdist each process has but a share of it, and asks when it is due."""
        items = [item for item in session.items if isinstance(item, _Example)]
        if not items or session.config.option.collectonly or session.testsfailed:
            return
        from .tracing import Tracing, Wanted

        spread = is_worker(self._config)
        together = {item.path: [one for one in items if one.path == item.path] for item in items}
        for item in items:
            functions = {name for one in ([item] if spread else together[item.path]) for name in one.functions()}
            item.wanted = Wanted(os.path.realpath(item.path), tuple(sorted(functions)))
        self._tracing = Tracing(self.project_of, jobs=1 if spread else os.cpu_count() or 1)
        if not spread:
            self._tracing.ask(item.wanted for item in items)

    def pytest_sessionfinish(self) -> None:
        if self._tracing is not None:
            self._tracing.close()
            self._tracing = None


def _projects() -> ProjectOf:
    """Projects whose code runs in the interpreter that runs pytest, unless their settings name another."""
    import sys

    from ..interpreters import Interpreter
    from ..project import Wishes, projects

    opened = projects(Wishes())

    def project_of(path: str) -> Project:
        project = opened(path)
        ours = Interpreter(sys.executable, "the Python that runs pytest")
        return project if project.settings.python else replace(project, interpreter=ours)

    return project_of


class _ExampleFile(pytest.File):
    """A file with examples."""

    examples: Examples

    def collect(self) -> Iterator[pytest.Item]:
        from ..analysis.examples import written_examples
        from ..checking.discovery import may_hold_examples
        from ..sources import read_text

        text = read_text(self.path)
        project = self.examples.project_of(str(self.path))
        if not may_hold_examples(self.path) and not project.may_be_annotated(text, self.path):
            return
        written = written_examples(text)
        for one in written:
            name = f"{one.function}[example {one.index}]"
            given = {"function": one.function, "index": one.index, "line": one.line}
            # Told, as pytest 9.2 reads the brackets of its cache as parameters, and knows none of ours otherwise.
            yield _Example.from_parent(self, name=name, nodeid=f"{self.nodeid}::{name}", **given)
        yield _Rest.from_parent(self, name=_REST, written={one.function for one in written})


class FindingsError(Exception):
    """An example has findings that fail it; the text shows them."""


class _Example(pytest.Item):
    """One example."""

    wanted: Wanted
    """What is traced for it; other tests of its file share the result."""

    def __init__(self, *, function: str = "", index: int = 0, line: int = 1, **given: Any) -> None:
        super().__init__(**given)
        self.funcargs: dict[str, object] = {}  # plugins ask it of whatever is run (pytest-lsp 1.0 of all but doctests)
        self._function = function
        self._index = index
        self._line = line

    @property
    def _examples(self) -> Examples:
        assert isinstance(self.parent, _ExampleFile)
        return self.parent.examples

    def functions(self) -> tuple[str, ...]:
        """The functions that it is about."""
        return (self._function,)

    def runtest(self) -> None:
        traced = self._examples.traced(self.wanted)
        if traced.error is not None:
            raise FindingsError(traced.error)
        if not traced.loaded:
            raise FindingsError(f"the module could not be loaded: {self.path.name}::{_REST} says why")
        mine = self._share(traced)
        if not any(function.outcomes for function in mine.functions):
            pytest.skip("the module has no such example once it is loaded")
        self._fail_on(mine)

    def _share(self, traced: Traced) -> Traced:
        """What was found out about this example alone."""
        function = traced.function(self._function)
        outcomes = tuple(one for one in function.outcomes if one.report.index == self._index) if function else ()
        functions = (replace(function, outcomes=outcomes),) if function else ()
        return replace(traced, functions=functions, findings=())

    def _fail_on(self, traced: Traced) -> None:
        """Raise FindingsError where there is a finding that weighs enough."""
        from ..analysis.ranking import RANK
        from ..checking.check import gather
        from ..frames import frame, text
        from ..sources import disk

        sources = disk()
        checked = gather([traced], self._examples.project_of, sources)
        level = RANK[self._examples.fail_on]
        new = (finding for result in self._examples.new(checked.results, traced.path) for finding in result.findings)
        heavy = [finding for finding in new if RANK[finding.severity] >= level and self._concerns(finding)]
        if heavy:
            raise FindingsError("\n".join(text(frame(finding, sources)) for finding in heavy).rstrip())

    def _concerns(self, finding: Finding) -> bool:
        """Whether it is not one that the text of the whole file tells, which is said once."""
        return bool(finding.function)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        if isinstance(excinfo.value, FindingsError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._line - 1, self.name


class _Rest(_Example):
    """What concerns no example of those that the text tells."""

    def __init__(self, *, written: set[str], **given: Any) -> None:
        super().__init__(**given)
        self._written = written

    def functions(self) -> tuple[str, ...]:
        from ..analysis.outline import definitions
        from ..sources import read_text

        known = definitions(read_text(self.path)) or ()
        return tuple(one.name for one in known if one.name not in self._written)

    def runtest(self) -> None:
        traced = self._examples.traced(self.wanted)
        if traced.error is not None:
            raise FindingsError(traced.error)
        others = tuple(function for function in traced.functions if function.name not in self._written)
        self._fail_on(replace(traced, functions=others))

    def _concerns(self, finding: Finding) -> bool:
        return True
