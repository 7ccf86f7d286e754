"""PyTorch's other tracers, asked from an editor: only by its user, as each takes seconds."""

from __future__ import annotations

from typing import Any

from tracer.worker.wire import Study

from ..compilers.payload import payload
from ..connection import Server
from ..graphs import NotFoundError
from ..pool import WorkerError
from .commands import about, target

_STUDIES = {study.value: study for study in Study}


async def study(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """What `nst graph --joint|…|--export --format json` prints, by the texts on the screen."""
    view, function, example = target(ls, *arguments)
    wanted = _STUDIES.get(str(about(*arguments).get("study", "")))
    if wanted is None:
        return {"error": f"`study` is one of {', '.join(_STUDIES)}"}
    if view is None or function is None:
        return None
    shown = view.shown(function)
    number = example if example is not None else shown.report.index if shown is not None else 0
    try:
        return payload(await ls.session.study(view.document.path, function.name, number, wanted))
    except (NotFoundError, WorkerError) as error:
        return {"error": str(error)}
