"""The main flow as each editor goes it, by the capabilities that it states (the files of pytest-lsp).

pytest-lsp's own checks are on: what the server sends must fit what the client said it can do.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from lsprotocol import types as lsp
from pytest_lsp import LspSpecificationWarning

from tests.server.editor import Editor, editor

SOURCE = """\
import numpy as np

gain = 2.0


# nst: example(np.ones(3))
def f(x):
    if x.sum() > 1.0:
        x = x * gain
    else:
        x = -x
    return x


def g(x):
    return x + 1
"""
FOUND = [("NST101", "x.sum() > 1.0"), ("NST205", "gain")]
CLIENTS = ["visual-studio-code@1.65", "neovim@0.11", "emacs@29"]
NEEDED = {
    lsp.WORKSPACE_CODE_LENS_REFRESH: ("workspace", "code_lens", "refresh_support"),
    lsp.WORKSPACE_INLAY_HINT_REFRESH: ("workspace", "inlay_hint", "refresh_support"),
    lsp.WORKSPACE_DIAGNOSTIC_REFRESH: ("workspace", "diagnostics", "refresh_support"),
    lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH: ("workspace", "text_document_content"),
    lsp.WORKSPACE_APPLY_EDIT: ("workspace", "apply_edit"),
    lsp.WORKSPACE_CONFIGURATION: ("workspace", "configuration"),
    lsp.WINDOW_WORK_DONE_PROGRESS_CREATE: ("window", "work_done_progress"),
    lsp.WINDOW_SHOW_DOCUMENT: ("window", "show_document"),
    lsp.PROGRESS: ("window", "work_done_progress"),
}
"""What a client must have said before the server may send this."""


@pytest.mark.parametrize("kind", CLIENTS)
async def test_the_main_flow(kind, tmp_path, recwarn):
    async with editor(tmp_path, kind) as it:
        with watched(it) as sent:
            async with it.settled():
                it.open("model.py", SOURCE)
            diagnostics_are_published(it)
            await hovers_are_in_the_format_it_shows(it)
            await lenses_and_actions_do_the_same(it)
            await hints_show_shapes(it)
            await an_action_changes_the_text(it)
            await a_worker_that_is_killed_is_started_again(it)
        refused = {method for method in sent if method in NEEDED and not able(it, *NEEDED[method])}
        assert not refused, "sent, though the client did not say that it can do it"
    wrong = [one.message for one in recwarn if issubclass(one.category, LspSpecificationWarning)]
    assert not wrong


@contextmanager
def watched(it: Editor) -> Iterator[set[str]]:
    """The methods of all that the server sends."""
    sent: set[str] = set()
    protocol = it.client.protocol
    handle = protocol.handle_message

    def noted(message: Any) -> None:
        sent.add(getattr(message, "method", ""))
        handle(message)

    protocol.handle_message = noted  # type: ignore[method-assign]
    yield sent


def value_of(it: Editor, *names: str) -> Any:
    """What the client said of something that it can do."""
    value: Any = it.client.capabilities
    for name in names:
        value = getattr(value, name, None)
    return value


def able(it: Editor, *names: str) -> bool:
    return value_of(it, *names) not in (None, False)


# ---- the steps --------------------------------------------------------------------------------------


def diagnostics_are_published(it: Editor) -> None:
    assert it.told("model.py") == FOUND
    latest = it.latest("model.py")
    assert latest is not None
    assert latest.version == 1
    assert it.offered.diagnostic_provider is None, "it cannot be told to ask again"
    assert any(one.tags for one in latest.diagnostics) == able(it, *PUBLISHED, "tag_support")
    linked = able(it, *PUBLISHED, "code_description_support")
    assert all((one.code_description is not None) == linked for one in latest.diagnostics)
    related = [one for one in latest.diagnostics if one.code == "NST205" and one.related_information]
    assert bool(related) == able(it, *PUBLISHED, "related_information")


PUBLISHED = ("text_document", "publish_diagnostics")


async def hovers_are_in_the_format_it_shows(it: Editor) -> None:
    formats = value_of(it, "text_document", "hover", "content_format") or ()
    params = lsp.HoverParams(it.document("model.py"), it.position("model.py", "def |f(x"))
    found = await it.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.contents.kind in formats
    assert ("```python" in found.contents.value) == (found.contents.kind == lsp.MarkupKind.Markdown)
    assert "x * 2.0" in found.contents.value


async def lenses_and_actions_do_the_same(it: Editor) -> None:
    """Whoever draws no lenses has an action for each of them."""
    assert any(title.startswith("graph: 1 operation") for _, title in await it.titles("model.py"))
    actions = [one.title for one in await it.actions("model.py", "def f")]
    assert "Show graph of f" in actions


async def hints_show_shapes(it: Editor) -> None:
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(100, 0))
    params = lsp.InlayHintParams(it.document("model.py"), everything)
    it.configure(inlayHints=True)
    async with it.settled():
        it.save("model.py")
    hints = await it.client.text_document_inlay_hint_async(params)
    assert any("float64[" in str(one.label) for one in hints or ())


async def an_action_changes_the_text(it: Editor) -> None:
    actions = await it.actions("model.py", "x.sum() > 1.0")
    silence = next(one for one in actions if one.title == "Silence NST101 here")
    assert isinstance(silence, lsp.CodeAction)
    changed = silence if silence.edit else await it.client.code_action_resolve_async(silence)
    assert changed.edit is not None
    edit = (changed.edit.changes or {})[it.uri("model.py")][0]
    async with it.settled():
        it.edit("model.py", "> 1.0:", f"> 1.0:{edit.new_text}")
        it.save("model.py")
    assert it.told("model.py") == [("NST205", "gain")]


async def a_worker_that_is_killed_is_started_again(it: Editor) -> None:
    """What is known stays, it is told once at most, and the next save has results."""
    doctor = await it.execute("nst.doctor")
    os.kill(doctor["projects"][0]["worker"], signal.SIGKILL)
    assert it.told("model.py") == [("NST205", "gain")]
    async with it.settled():
        it.edit("model.py", "gain = 2.0", "gain = 4.0")
        it.save("model.py")
    assert "x * 4.0" in await it.hover("model.py", "def |f(x")
    assert (await it.execute("nst.doctor"))["projects"][0]["worker"] != doctor["projects"][0]["worker"]
