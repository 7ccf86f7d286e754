"""What the server answers: each handler looks something up, calls the analysis, and converts its answer.

All handlers are `async`, as pygls' threads share the reader's pool and cannot be cancelled.  A module has the handlers
of one concern and says by `FEATURES` (with `OPTIONS`) and `COMMANDS` which methods and commands they are for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import commands, completing, documents, hints, lifecycle, notebooks, pulled, shown, writing

Handlers = dict[str, Callable[..., Any]]

FEATURES: Handlers = {
    **lifecycle.FEATURES,
    **documents.FEATURES,
    **notebooks.FEATURES,
    **shown.FEATURES,
    **hints.FEATURES,
    **pulled.FEATURES,
    **writing.FEATURES,
    **completing.FEATURES,
}
OPTIONS: dict[str, Any] = {**shown.OPTIONS, **hints.OPTIONS, **pulled.OPTIONS, **writing.OPTIONS, **completing.OPTIONS}
COMMANDS: Handlers = {**commands.COMMANDS}
