"""Completion and signature help inside our comments; outside of them other servers answer."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from .. import convert
from ..analysis.completions import completions, own_signature
from ..analysis.typed import Argument, for_jedi, typed_at
from ..analysis.view import View
from ..completion.messages import Answer, Ask, Kind
from ..connection import Server
from ..convert import completing as to_lsp


async def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    text = view.document.text
    line, column = convert.place(text, params.position, ls.encoding)
    typed = typed_at(text, line, column)
    if typed is None:
        return None
    answer = await _jedi(ls, view, typed, "names") if isinstance(typed, Argument) else None
    found = completions(typed, answer.names if answer else ())
    items = [to_lsp.completion(text, one, line, column, len(typed.prefix), ls.encoding) for one in found]
    return lsp.CompletionList(is_incomplete=answer is not None and answer.error is not None, items=items)


async def signature_help(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    typed = typed_at(view.document.text, *convert.place(view.document.text, params.position, ls.encoding))
    if not isinstance(typed, Argument):
        return None
    own = own_signature(typed)
    if own is not None:
        return to_lsp.signature_help([own])
    answer = await _jedi(ls, view, typed, "signatures")
    return to_lsp.signature_help(answer.signatures)


async def _jedi(ls: Server, view: View, typed: Argument, kind: Kind) -> Answer:
    """What jedi knows; of the workspace's interpreter only where that may run."""
    question, path = for_jedi(view.document.text, typed), view.document.path
    project = ls.session.workspace.project(path)
    python = project.interpreter.path if project.settings.trusted else None
    source, line, column = question.source, question.line, question.column
    paths = tuple(str(Path(project.root, extra)) for extra in project.settings.extra_paths)
    return await ls.session.completer.ask(Ask(0, kind, source, line, column, path, project.root, python, paths))
