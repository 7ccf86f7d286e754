"""What a run has asked of the outside without reading a file: whether paths are there, and what cannot be asked again.

Standard library only, and no module of ours: `diverting`, which comes before all others, tells it.
"""

from __future__ import annotations

import os
import sys

NO_FILES = ("/dev/", "/proc/", "/sys/")
"""Where paths stand for devices and facts of the system, which have no time of their own."""
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_IMPORT = "<frozen importlib"
_LIBRARY = os.path.dirname(os.__file__)
_LOOKING = ("genericpath.py", "posixpath.py", "ntpath.py", "os.py", "glob.py", "fnmatch.py", "pathlib", "shutil.py")
_ON_THE_WAY = ("<frozen ", *(os.path.join(_LIBRARY, name) for name in _LOOKING))
"""Files of functions that look at files for whoever called them."""
_LOOKED_AT: set[str] = set()
_UNKNOWN: set[str] = set()
_SCRATCH: list[str] = []


def scratch(folder: str) -> None:
    """Files in this folder come and go with the run."""
    _SCRATCH.append(os.path.join(folder, ""))


def is_lasting(path: str) -> bool:
    """Whether a path means something beyond this run."""
    return not path.startswith((*NO_FILES, *_SCRATCH))


def look(path: str) -> None:
    """Remember a path whose status or entries were asked for, unless it was Python's import, or we ourselves."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_on_the_way(frame.f_code.co_filename):
        frame = frame.f_back
    if not frame.f_code.co_filename.startswith((_OURS, _IMPORT)) and is_lasting(path):
        _LOOKED_AT.add(path)


def _is_on_the_way(file: str) -> bool:
    if file.startswith(_OURS):
        return file.endswith(("passages.py", "diverting.py"))
    return file.startswith(_ON_THE_WAY) and not file.startswith(_IMPORT)


def reach_out(what: str) -> None:
    """Remember that a run has asked, or tried to ask, what nobody can ask again: another host, a program."""
    _UNKNOWN.add(what)


def watch_entropy() -> None:
    """What Python code draws of the system's entropy is not drawn again: NumPy seeds its generators with it, too."""
    import random

    draw = random._urandom  # type: ignore[attr-defined]

    def urandom(size: int) -> bytes:
        reach_out("entropy of the system was drawn")
        drawn: bytes = draw(size)
        return drawn

    random._urandom = urandom  # type: ignore[attr-defined]


def looked_at() -> frozenset[str]:
    return frozenset(_LOOKED_AT)


def unknown() -> frozenset[str]:
    return frozenset(_UNKNOWN)
