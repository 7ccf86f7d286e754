"""Arguments that a person tries: whether they can be written so, and what function and graph make of them."""

from __future__ import annotations

from typing import Any

from .. import convert
from ..analysis import written
from ..analysis.guards import failed
from ..connection import Server
from ..convert import trying as to_lsp
from ..graphs import NotFoundError
from ..pool import WorkerError
from .commands import about, position, target


async def compare(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """What `nst compare` tells, by the texts on the screen, and where the guards stand that do not hold."""
    view, function, _ = target(ls, *arguments)
    if view is None or function is None:
        return None
    given = str(about(*arguments).get("arguments", ""))
    tried = {"name": function.name, "arguments": given}
    try:
        compared = await ls.session.compare(view.document.path, function.name, given)
    except (NotFoundError, WorkerError) as error:
        return {**tried, "error": str(error)}
    if compared.error:
        return {**tried, "error": compared.error}
    now = ls.view(view.document.uri) or view
    places = failed(now, function.name, compared.guards_failed)
    return {**tried, **to_lsp.comparison(compared, places, ls.pages, ls.encoding)}


async def check_arguments(ls: Server, *arguments: Any) -> dict[str, str | None]:
    """What speaks against a text as the arguments of a function, while it is being typed."""
    view, function, _ = target(ls, *arguments)
    given = str(about(*arguments).get("arguments", ""))
    source, name = (view.document.text.source, function.name) if view and function else ("", "")
    return {"problem": written.problem(source, name, given)}


async def example_template(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """An example of the function at a position, to be filled in: a snippet, and where it is put."""
    given = about(*arguments)
    view, at = ls.view(str(given.get("uri", ""))), position(given.get("position"))
    if view is None or at is None:
        return None
    line, _ = convert.place(view.document.text, at, ls.encoding)
    found = written.template(view.document.text.source, line)
    return to_lsp.template(view.document, found, ls.encoding) if found else None
