"""What git knows of a file, asked without locks, hooks, pager, prompts and the network, and for a limited time.

Names are paths below the repository's top folder, with slashes.

Errors:
    GitError: git is not there, or has no answer; the text says why, and what to do.
"""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .sources import shown_path

SECONDS = 30.0
"""How long git may take for one question."""
_OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_INHERITED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF", "GIT_LITERAL_PATHSPECS")
"""Variables that a hook sets for its own repository."""


class GitError(Exception):
    """git is not there, or has no answer; the text is for the user."""


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    out: bytes
    error: str

    @property
    def text(self) -> str:
        return os.fsdecode(self.out).strip()

    @property
    def fields(self) -> list[str]:
        return [os.fsdecode(field) for field in self.out.split(b"\0") if field]


async def repository_of(path: str) -> Repository:
    """The repository around a file.  Raises GitError."""
    folder = os.path.dirname(os.path.realpath(path))
    answer = await _git(folder, "rev-parse", "--show-toplevel")
    if answer.code == 0:
        return Repository(os.path.realpath(answer.text))
    if "dubious ownership" in answer.error:
        raise GitError(
            f"git does not trust the repository of {shown_path(path)}, which belongs to another user: {answer.error}"
        )
    raise GitError(
        f"{shown_path(path)} is in no git repository, so there is no earlier text to compare with ({answer.error})"
    )


@dataclass(frozen=True, slots=True)
class Repository:
    top: str
    """The top folder, without links."""

    def absolute(self, name: str) -> str:
        return os.path.join(self.top, *name.split("/"))

    def name(self, path: str) -> str:
        return Path(os.path.relpath(os.path.realpath(path), self.top)).as_posix()

    async def ask(self, *arguments: str, given: bytes | None = None) -> _Answer:
        return await _git(self.top, *arguments, given=given)

    async def commit(self, revision: str, path: str) -> str:
        """The full name of a commit."""
        answer = await self.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if answer.code == 0:
            return answer.text
        shallow = (await self.ask("rev-parse", "--is-shallow-repository")).text == "true"
        way = (
            "the clone is shallow: git fetch --unshallow brings the rest" if shallow else "git log --oneline lists them"
        )
        raise GitError(f"git knows no revision {revision} of {shown_path(path)}; {way}")

    async def path_at(self, commit: str, path: str, revision: str) -> str:
        """How a file was called at a commit, by the renames that git can tell."""
        name = self.name(path)
        if await self._has(commit, name):
            return name
        here = f":(literal){name}"
        for question in (
            ("diff", *_RENAMES, *_PLAIN, commit, "--"),
            ("log", *_RENAMES, "--format=", "--follow", f"{commit}..", "--", here),
        ):
            for earlier in _earlier_names(name, (await self.ask(*question)).fields):
                if await self._has(commit, earlier):
                    return earlier
        commits = (await self.ask("log", "--diff-filter=A", "--format=%h", "--", here)).text.split()
        way = f"its first commit is {commits[-1]}" if commits else "it is in no commit yet: git add and git commit it"
        raise GitError(f"{shown_path(path)} is not in {revision}; {way}")

    async def _has(self, commit: str, name: str) -> bool:
        return bool((await self.ask("ls-tree", "-z", "--full-tree", commit, "--", name)).fields)

    async def changed(self, commit: str, root: Path) -> tuple[list[str], list[str]]:
        """The Python files below a folder that had another text at a commit, and those that were not there."""
        changes = await self.ask("diff", "--name-status", "-z", "--no-renames", *_PLAIN, commit, "--", *_PYTHON)
        if changes.code:
            raise GitError(f"git cannot tell what changed: {changes.error}")
        states = list(zip(changes.fields[::2], changes.fields[1::2], strict=False))
        untracked = (await self.ask("ls-files", "--others", "--exclude-standard", "-z", "--", *_PYTHON)).fields
        there = [name for state, name in states if state != "A" and self._is_below(name, root)]
        new = [name for state, name in states if state == "A" and self._is_below(name, root)]
        new += [name for name in untracked if name not in there and self._is_below(name, root)]
        return there, new

    def _is_below(self, name: str, root: Path) -> bool:
        return Path(self.absolute(name)).is_relative_to(root)

    async def contents(self, commit: str, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of files at a commit; what git does not have is left out."""
        names = [name for name in dict.fromkeys(names) if "\n" not in name]
        given = "".join(f"{commit}:{name}\n" for name in names)
        out = (await self.ask("cat-file", "--batch", given=os.fsencode(given))).out
        found, at = {}, 0
        for name in names:
            head, _, _ = out[at : at + 4096 + len(name)].partition(b"\n")
            at += len(head) + 1
            if head.endswith(b" missing") or b" blob " not in head:
                continue
            size = int(head.rpartition(b" ")[2])
            found[name] = out[at : at + size]
            at += size + 1
        return found


def _earlier_names(name: str, fields: Sequence[str]) -> Iterator[str]:
    """What a file was called before, and before that, by git's list of renames: a status and two names for each."""
    renames = dict(zip(fields[2::3], fields[1::3], strict=False))
    while name in renames:
        name = renames.pop(name)
        yield name


_RENAMES = ("--name-status", "-z", "-M", "--diff-filter=R")
_PLAIN = ("--no-ext-diff", "--no-textconv", "--ignore-submodules")
_PYTHON = ("*.py",)


async def _git(folder: str, *arguments: str, given: bytes | None = None) -> _Answer:
    """One question to git.  Raises GitError where there is no git, or it takes too long."""
    environment = {name: value for name, value in os.environ.items() if name not in _INHERITED} | _ENVIRONMENT
    try:
        process = await asyncio.create_subprocess_exec(
            "git", *_OPTIONS, *arguments,
            cwd=folder, env=environment, stdin=DEVNULL if given is None else PIPE, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise GitError("git is not installed, or not on the PATH; it is needed to read earlier texts") from error
    try:
        async with asyncio.timeout(SECONDS):
            out, error_text = await process.communicate(given)
    except TimeoutError as error:
        raise GitError(f"git {arguments[0]} gave no answer in {SECONDS:.0f} seconds") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _Answer(process.returncode or 0, out, error_text.decode(errors="replace").strip())
