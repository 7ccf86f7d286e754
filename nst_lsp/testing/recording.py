"""`pytest --nst-record`: what the tests call of the project's functions is kept for `nst init` (`recorded.py`)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ..recorded import RecordedCall, RecordedFunction, merged, write_recorded
from .calls import Calls
from .distributed import hand_over, handed_over, is_worker
from .watching import BusyError, watched

_KEY = "nst_recorded"


class Recording:
    """Listens from before the tests are collected, when their modules are imported, to the end of the run."""

    def __init__(self, config: pytest.Config) -> None:
        from ..interpreters import project_root
        from ..sourcefiles import is_source

        self._config = config
        self._root = Path(project_root(str(config.rootpath)))
        self._calls = Calls(self._root, is_source(self._root))
        self._from_workers: list[RecordedFunction] = []
        self._listening = ExitStack()
        self._told = ""

    def pytest_sessionstart(self) -> None:
        if self._config.getoption("dist", "no") != "no" and not is_worker(self._config):
            return  # the workers run the tests
        try:
            self._listening.enter_context(watched(self._calls))
        except BusyError as error:
            raise pytest.UsageError(f"--nst-record cannot listen: {error}") from error

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._calls.test = item.nodeid
        try:
            return (yield)
        finally:
            self._calls.test = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for path, function, calls in handed_over(node, _KEY) or []:
            found = tuple(RecordedCall(arguments, tuple(kinds), test) for arguments, kinds, test in calls)
            self._from_workers.append(RecordedFunction(path, function, found))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self._listening.close()
        if is_worker(self._config):
            hand_over(self._config, _KEY, [_plain(one) for one in self._calls.recorded()])
            return
        functions = merged([*self._calls.recorded(), *self._from_workers])
        path = write_recorded(self._root, functions)
        count = sum(len(one.calls) for one in functions)
        shown = path.relative_to(self._root).as_posix()
        calls, of = _counted(count, "call"), _counted(len(functions), "function")
        verb, them = ("is", "an example of it") if count == 1 else ("are", "examples of them")
        self._told = f"{calls} of {of} {verb} in {shown}; `nst init` makes {them}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._told:
            terminalreporter.section("recorded calls")
            terminalreporter.line(self._told)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _plain(one: RecordedFunction) -> list[object]:
    return [one.path, one.function, [[call.arguments, list(call.kinds), call.test] for call in one.calls]]
