"""Arguments that a person tries: whether they can be written so, and what function and graph make of them."""

from __future__ import annotations

from typing import Any

from .. import convert
from ..analysis import written
from ..analysis.guards import failed
from ..analysis.view import View
from ..connection import Server
from ..convert import trying as to_lsp
from ..graphs import NotFoundError
from ..pool import WorkerError
from .commands import about, position, target


async def compare(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """What `nst compare` tells, by the texts on the screen, and where the guards stand that do not hold."""
    view, name = _named(ls, *arguments)
    if view is None or not name:
        return None
    given = str(about(*arguments).get("arguments", ""))
    tried = {"name": name, "arguments": given}
    try:
        compared = await ls.session.compare(view.document.path, name, given)
    except (NotFoundError, WorkerError) as error:
        return {**tried, "error": str(error)}
    if compared.error:
        return {**tried, "error": compared.error}
    now = ls.view(view.document.uri) or view
    places = failed(now, name, compared.guards_failed)
    return {**tried, **to_lsp.comparison(compared, places, ls.pages, ls.encoding)}


async def check_arguments(ls: Server, *arguments: Any) -> dict[str, str | None]:
    """What speaks against a text as the arguments of a function, while it is being typed."""
    view, name = _named(ls, *arguments)
    given = str(about(*arguments).get("arguments", ""))
    return {"problem": written.problem(view.document.text.source if view else "", name, given)}


def _named(ls: Server, *arguments: Any) -> tuple[View | None, str]:
    """The file and the function that are meant; of a function that was not traced, what the text says of it."""
    view, function, _ = target(ls, *arguments)
    given = about(*arguments)
    at = position(given.get("position"))
    if view is None or function is not None or "function" in given or at is None:
        return view, function.name if function else str(given.get("function", ""))
    line, _ = convert.place(view.document.text, at, ls.encoding)
    definition = written.around(view.document.text.source, line)
    return view, definition.name if definition else ""


async def example_template(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """An example of the function at a position, to be filled in: a snippet, and where it is put."""
    given = about(*arguments)
    view, at = ls.view(str(given.get("uri", ""))), position(given.get("position"))
    if view is None or at is None:
        return None
    line, _ = convert.place(view.document.text, at, ls.encoding)
    found = written.template(view.document.text.source, line)
    return to_lsp.template(view.document, found, ls.encoding) if found else None
