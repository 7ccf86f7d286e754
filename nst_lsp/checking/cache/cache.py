"""The cache of `nst check`: an answer for a share, if all that it rests on is as it was."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tracer.worker import wire
from tracer.worker.wire import Basis, ExampleDone, ExampleReport, ExampleSettled, FileDone, ModuleLoaded

from ...pool import environment
from ...sources import read_text
from .. import digests
from ..shares import Answer, Share, answer_from, answer_json
from .basis import Answers, UnsettledError, merged
from .key import Keys
from .pure import is_pure
from .store import Row, Store, user_folder

_NEVER_KEPT = frozenset({"NST206", "NST207", "NST503", "NST504", "NST505"})
"""Findings that another run may not have, or have otherwise: of chance, of the environment, of a run that was stopped
or could not begin."""
_MASK = "•••"
"""Stands for a secret in what workers say (`tracer.worker.masking`): a path with one is not the path."""


class Cache:
    """Answers to shares, in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.renew()

    def renew(self) -> None:
        """Another check begins: what was looked at may have changed."""
        self._keys = Keys()
        self._answers = Answers(environment())
        self._since: dict[float, Answers] = {}

    def look(self, share: Share) -> Answer | None:
        """The answer of an earlier run, if a new one would be the same."""
        if share.text is None:
            return None
        for row, used in self._store.rows(self._keys.of(share)):
            with contextlib.suppress(ValueError, UnsettledError, wire.WireError):
                if self._answers.of(_basis_from(row.basis)) == row.answers:
                    answer = answer_from(row.value)
                    used()
                    return answer
        return None

    def keep(self, share: Share, answer: Answer) -> None:
        """Keep an answer, if it is one for more than this moment."""
        basis = merged(_bases(answer))
        if share.text is None or not _lasts(answer) or not _speaks_of_all(answer):
            return
        key = self._keys.of(share)
        since = self._since.setdefault(answer.worker_began, Answers(environment(), answer.worker_began))
        with contextlib.suppress(UnsettledError, OSError):
            answers = since.of(basis)
            told_alike = answer.seal is None or answer.seal == _seal(key, answers)
            if told_alike and _is_pure(share, answer, basis):
                stripped = Answer(tuple(_without_bases(answer)), answer.interpreter, answer.worker_began)
                self._store.put(key, Row(json.dumps(wire.plain(basis)), answers, answer_json(stripped)))

    def clear(self) -> None:
        self._store.clear()

    def close(self) -> None:
        self._store.close()


def open_cache(folder: str | None, tell: Callable[[str], None]) -> Cache:
    """The cache in a folder, or in the user's own."""
    return Cache(Store(folder or user_folder(), tell))


def seal(share: Share, answer: Answer) -> str:
    """A text for all that an answer rests on where it was found; empty where that is not settled.

    Another host may keep the answer if it says the same.
    """
    try:
        return _seal(Keys().of(share), Answers(environment(), answer.worker_began).of(merged(_bases(answer))))
    except UnsettledError:
        return ""


def _seal(key: str, answers: str) -> str:
    return digests.of_values(key, answers)


def folder_of(chosen: str | None, root: str) -> str | None:
    """The setting `cacheDir`, which may be relative to the project's root."""
    return str(Path(root, Path(chosen).expanduser())) if chosen else None


# ---- what may be kept ------------------------------------------------------------------------------


def _bases(answer: Answer) -> Iterator[Basis]:
    for message in answer.messages:
        if isinstance(message, (ModuleLoaded, ExampleSettled)) and message.basis is not None:
            yield message.basis


def _lasts(answer: Answer) -> bool:
    """Whether the next run would say the same, as far as the run itself tells."""
    paths = (path for basis in _bases(answer) for path in _paths(basis))
    if answer.error is not None or any(_MASK in path for path in paths):
        return False
    for message in answer.messages:
        if isinstance(message, ModuleLoaded) and any(one.code in _NEVER_KEPT for one in message.findings):
            return False
        if isinstance(message, ExampleDone) and not _report_lasts(message.report):
            return False
        if isinstance(message, ExampleSettled) and not message.fingerprint:
            return False
    return True


def _report_lasts(report: ExampleReport) -> bool:
    failed = any("MemoryError" in finding.message for finding in report.findings)  # of a machine that was busy
    return not (report.cut_short or failed or any(finding.code in _NEVER_KEPT for finding in report.findings))


def _speaks_of_all(answer: Answer) -> bool:
    """Whether each example came to its end and told what it rests on."""
    loaded = [message for message in answer.messages if isinstance(message, ModuleLoaded)]
    settled = [message for message in answer.messages if isinstance(message, ExampleSettled)]
    reports = [message for message in answer.messages if isinstance(message, ExampleDone)]
    reported = {(message.function, message.report.index) for message in reports}
    ended = isinstance(answer.messages[-1], FileDone)
    told = [message.basis is not None for message in loaded] + [message.basis is not None for message in settled]
    return ended and all(told) and len(loaded) == 1 and reported == {(one.function, one.example) for one in settled}


def _is_pure(share: Share, answer: Answer, basis: Basis) -> bool:
    """Whether nothing that may have run asks what no run can be seen to ask."""
    assert share.text is not None
    texts = {path: read_text(path) for path in basis.files if path.endswith(".py") and path != share.path}
    reports = [message for message in answer.messages if isinstance(message, ExampleDone)]
    functions = {message.function for message in reports}
    return is_pure(texts | {share.path: share.text}, functions, {message.report.source for message in reports})


def _paths(basis: Basis) -> Iterator[str]:
    yield from (*basis.files, *basis.looked_up, *basis.looked_at, *basis.packages, *basis.variables)


def _without_bases(answer: Answer) -> Iterator[ModuleLoaded | ExampleDone | ExampleSettled | FileDone]:
    """The messages as they are kept: what they rest on is merged, and kept beside them."""
    for message in answer.messages:
        if isinstance(message, (ModuleLoaded, ExampleSettled)):
            yield replace(message, basis=None)
        elif isinstance(message, (ExampleDone, FileDone)):
            yield message


def _basis_from(text: str) -> Basis:
    """Raises ValueError for what is no basis."""
    try:
        found = wire.structure(Basis, json.loads(text))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no basis of ours: {error!r}") from error
    assert isinstance(found, Basis)
    return found
