"""The process that has jedi: it reads one `Ask` a line and writes one `Answer` a line, until its input ends.

It is the only module that imports jedi.  Input is read on a thread of its own, so that the process is gone as soon as
the server is, whatever jedi is busy with.  Of several requests that wait, only the newest is answered: whoever sent the
others does not wait for them any more.

With an interpreter (a trusted workspace) jedi asks a process of that interpreter about compiled modules.  Without one,
modules of the workspace are read as text, and only packages of our own Python are looked into.
"""

from __future__ import annotations

import ast
import os
import queue
import re
import sys
import threading
from functools import cache
from typing import Any, BinaryIO

import jedi  # type: ignore[import-untyped]
from jedi.api.environment import InterpreterEnvironment  # type: ignore[import-untyped]

from .messages import Answer, Ask, Name, Signature, ask, encode

_MOST = 2000
"""Names in one answer."""
_MOST_SIGNATURES = 16
"""Overloads that are told: NumPy's stubs have dozens of some functions."""
_LONGEST = 500
"""Characters of documentation."""


def main() -> None:
    requests, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # what jedi starts gets none of our streams
    os.dup2(nothing, 1)
    jedi.settings.dynamic_params = False  # searches other files for calls, which takes long
    waiting: queue.SimpleQueue[Ask] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    while True:
        newest = waiting.get()
        while not waiting.empty():
            newest = waiting.get()
        results.write(encode(answered(newest)))
        results.flush()


def _read(requests: BinaryIO, waiting: queue.SimpleQueue[Ask]) -> None:
    for line in requests:
        waiting.put(ask(line))
    os._exit(0)


def answered(given: Ask) -> Answer:
    """What jedi knows; its failures are an answer, too, as it meets texts that nobody has thought of."""
    try:
        script = jedi.Script(
            given.source, path=given.path, project=_project(given), environment=_environment(given.python)
        )
        if given.kind == "names":
            found = script.complete(given.line, given.column)[:_MOST]
            return Answer(given.id, names=tuple(_name(one) for one in found))
        found = [(one.to_string(), one) for one in script.get_signatures(given.line, given.column)]
        distinct = dict(found or _of_numpy(given, script))
        signatures = (_signature(label, one) for label, one in list(distinct.items())[:_MOST_SIGNATURES])
        return Answer(given.id, signatures=tuple(signatures))
    except Exception as error:  # noqa: BLE001
        return Answer(given.id, error=f"{type(error).__name__}: {error}")


def _name(found: Any) -> Name:
    return Name(found.name_with_symbols, found.type, bool(found.in_builtin_module()))


def _project(given: Ask) -> jedi.Project:
    """The workspace's own modules are read; compiled ones among them are never loaded."""
    return jedi.Project(given.root, added_sys_path=[*given.paths], load_unsafe_extensions=False)


@cache
def _environment(python: str | None) -> Any:
    if python is not None:
        try:
            return jedi.create_environment(python, safe=False)
        except jedi.InvalidPythonEnvironment as error:
            sys.stderr.write(f"jedi cannot use {python}: {error}\n")
    return InterpreterEnvironment()


def _signature(label: str, found: Any) -> Signature:
    """With the first paragraph of its docstring."""
    first = str(found.docstring(raw=True)).strip().partition("\n\n")[0]
    return Signature(label, tuple(one.to_string() for one in found.params), found.index, first[:_LONGEST])


# ---- NumPy 2.4's stubs -----------------------------------------------------------------------------

_CALL = re.compile(r"(?<![\w.])(?:np|numpy)\.(\w+)\(((?:[^()]|\([^()]*\))*)$")
_MODULES = ("numpy._core.multiarray", "numpy._core.numeric", "numpy.core.multiarray")


def _of_numpy(given: Ask, script: jedi.Script) -> list[tuple[str, Any]]:
    """The signatures of `np.array(`, `np.ones(`: jedi 0.20 does not find them in the stubs of NumPy 2.4 by themselves.

    They are looked for in the module that defines them, and then in its source.
    """
    call = _CALL.search(given.source)
    if call is None:
        return []
    name, arguments = call[1], call[2]
    environment, project = _environment(given.python), _project(given)
    for module in _MODULES:
        text = f"from {module} import {name}\n{name}({arguments}"
        found = jedi.Script(text, project=project, environment=environment).get_signatures()
        if found:  # some are objects with a `__call__`, and called like their class
            return [(name + one.to_string().removeprefix(one.name), one) for one in found]
    line, column = (
        given.source.count("\n", 0, call.start()) + 1,
        call.end(1) - given.source.rfind("\n", 0, call.end(1)) - 1,
    )
    for one in script.goto(line, column, follow_imports=True):
        head = _head(one)
        if head is not None:
            found = jedi.Script(f"{head}\n{name}({arguments}", environment=environment).get_signatures()
            return [(one.to_string(), one) for one in found]
    return []


def _head(found: Any) -> str | None:
    """A function of a Python file without its body, but with its docstring."""
    if found.type != "function" or found.module_path is None or found.module_path.suffix != ".py":
        return None
    module = ast.parse(found.module_path.read_text(encoding="utf-8"))
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == found.name and node.lineno == found.line:
            node.decorator_list, node.body = [], node.body[:1]
            return ast.unparse(node)
    return None


if __name__ == "__main__":
    main()
