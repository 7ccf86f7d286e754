"""The worker's beginning: take the descriptors, load NumPy and the tracer, say hello, and serve."""

from __future__ import annotations

import os
import platform
import sys

from . import environment, wire
from .protocol import Protocol


def main(arguments: list[str]) -> None:
    """Serve on descriptors 0 and 1 until the input ends; `--one FOLDER` makes it a `spare` process."""
    environment.watch()
    if arguments[:1] == ["--one"]:
        from . import spare

        spare.answer_one(arguments[1])
        return
    protocol = Protocol()
    numpy = _numpy_version()
    hello = wire.Hello(wire.VERSION, platform.python_version(), sys.executable, numpy, os.getpid())
    if numpy is None:
        protocol.say(hello)
    elif hasattr(os, "fork") and not os.environ.get("NST_NO_FORK"):
        from . import forking

        protocol.say(hello)
        forking.serve(protocol)
    else:
        from . import spawning

        protocol.say(hello)
        spawning.serve(protocol)


def _numpy_version() -> str | None:
    try:
        import numpy as np
    except ModuleNotFoundError:
        return None
    return np.__version__
