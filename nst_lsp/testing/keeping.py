"""Follows the tests of a run for `assert_graph`: which is running, what was kept, and what no test has any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from .distributed import hand_over, handed_over, is_worker
from .snapshots import FOLDER, RunningTest, Stems, obsolete, remove, running, stem_of

_KEY = "nst_graphs"


@dataclass(slots=True)
class _Seen:
    """What one process, or all of them, saw."""

    collected: Stems = field(default_factory=dict)
    partly: set[str] = field(default_factory=set)
    """Test files of which some tests were not asked for."""
    passed: Stems = field(default_factory=dict)
    used: Stems = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def add(self, other: _Seen) -> None:
        for mine, theirs in ((self.passed, other.passed), (self.used, other.used)):
            for file, names in theirs.items():
                mine.setdefault(file, []).extend(names)
        self.collected |= other.collected  # each worker collects all tests
        self.partly |= other.partly
        self.written += other.written


class Keeping:
    """The part of the plugin that is always there; it does next to nothing for tests without `assert_graph`."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._update = bool(config.getoption("nst_update"))
        self._seen = _Seen()
        self._test: RunningTest | None = None

    # ---- a test ------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._test = RunningTest(item.path, stem_of(item.nodeid), self._update, self._seen.written, self._seen.used)
        with running(self._test):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """A test that is run again, after it failed, counts its graphs anew."""
        if self._test is not None:
            self._test.count = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" and report.passed:
            self._seen.passed.setdefault(str(item.path), []).append(stem_of(item.nodeid))
        return report

    # ---- the run -----------------------------------------------------------------------------------

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            self._seen.collected.setdefault(str(item.path), []).append(stem_of(item.nodeid))
        if any("::" in argument for argument in self._config.args):
            self._seen.partly |= set(self._seen.collected)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._seen.partly |= {str(item.path) for item in items}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if told := handed_over(node, _KEY):
            collected, partly, passed, used, written = told
            self._seen.add(_Seen(collected, set(partly), passed, used, written))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if is_worker(self._config):
            seen = self._seen
            told = [seen.collected, sorted(seen.partly), seen.passed, seen.used, seen.written]
            hand_over(self._config, _KEY, told)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if is_worker(self._config):  # it knows a share of the tests only
            return
        seen = self._seen
        whole = {file: stems for file, stems in seen.collected.items() if file not in seen.partly}
        left = [] if self._config.option.collectonly else obsolete(whole, seen.passed, seen.used)
        if self._update:
            remove(left)
        if not left and not seen.written:
            return
        terminalreporter.section("graphs")
        for what, count in sorted(Counter(seen.written).items()):
            terminalreporter.line(f"{count} {what}: kept in {FOLDER}")
        for path in left:
            shown = path.relative_to(self._config.rootpath) if path.is_relative_to(self._config.rootpath) else path
            terminalreporter.line(f"{shown} is of no test any more{': deleted' if self._update else ''}")
        if left and not self._update:
            terminalreporter.line("`pytest --nst-update` deletes what is of no test")
