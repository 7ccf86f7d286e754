"""PyTorch's other tracers, asked from an editor: only by its user, as each takes seconds."""

from __future__ import annotations

import asyncio
from typing import Any

from ..analysis.graphs import About, graph_uri
from ..analysis.studies import BY_NAME
from ..compilers.asking import Asked
from ..compilers.payload import payload
from ..compilers.telling import told
from ..connection import Server
from ..graphs import NotFoundError
from ..pool import WorkerError
from ..trust import UNTRUSTED
from .commands import about, show, target


async def study(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """What `nst graph --joint|…|--export` prints, as JSON and as `text`, by the texts on the screen."""
    asked = await _asked(ls, *arguments)
    return _both(asked) if isinstance(asked, Asked) else asked


async def show_study(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """The same, opened as the text that the command prints."""
    asked = await _asked(ls, *arguments)
    if not isinstance(asked, Asked):
        ls.warn(f"nst: {asked['error'] if asked else _nothing_here(ls, *arguments)}")
        return asked
    answer = _both(asked)
    if asked.studied.error is not None:
        ls.warn(f"nst: {asked.studied.error}")
    else:
        path, function, example, study = asked.target.path, asked.target.function, asked.example, asked.study.value
        name, uri = f"{function}-{example + 1}.{study}.py", graph_uri(path, function, example, study)
        await show(ls, "the answer", lambda: ls.written.write(name, answer["text"], about=path), uri)
    return answer


def _both(asked: Asked) -> dict[str, Any]:
    return {**payload(asked), "text": f"{told(asked)}\n" if asked.studied.error is None else ""}


def answered(ls: Server, about: About) -> str | None:
    """The text of an answer that is known."""
    study = BY_NAME.get(about.study or "")
    asked = ls.session.answer(about.path, about.function, about.example, study) if study else None
    return f"{told(asked)}\n" if asked else None


def _nothing_here(ls: Server, *arguments: Any) -> str:
    path = ls.path_of(str(about(*arguments).get("uri", "")))
    if path is not None and not ls.session.workspace.is_trusted(path):
        return UNTRUSTED
    return "there is no function with an example here that was traced: PyTorch's tracers are asked about examples"


async def _asked(ls: Server, *arguments: Any) -> Asked | dict[str, Any] | None:
    """The answer; `error` where it cannot be asked, None where there is no such function."""
    view, function, example = target(ls, *arguments)
    wanted = BY_NAME.get(str(about(*arguments).get("study", "")))
    if wanted is None:
        return {"error": f"`study` is one of {', '.join(BY_NAME)}"}
    if view is None or function is None:
        return None
    shown = view.shown(function)
    number = example if example is not None else shown.report.index if shown is not None else 0
    asking = asyncio.ensure_future(ls.session.study(view.document.path, function.name, number, wanted))
    try:
        with ls.progress_of(f"asking PyTorch about {function.name}", asking.cancel):
            return await asking
    except (NotFoundError, WorkerError) as error:
        return {"error": str(error)}
    except asyncio.CancelledError:
        if asking.cancelled() and not _is_cancelled():
            return {"error": "stopped"}
        asking.cancel()
        raise


def _is_cancelled() -> bool:
    """Whether it is the request that was cancelled, not what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
