"""What a client cannot show is said another way."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from nst_lsp import convert
from nst_lsp.analysis.actions import Action
from nst_lsp.analysis.diagnostics import Diagnostic
from nst_lsp.analysis.graphs import graph_uri, read_graph_uri
from nst_lsp.analysis.text import Text
from nst_lsp.convert import Client, writing
from tests.server.messages import PATH, finding, place, span
from tracer.rules import Severity
from tracer.worker.wire import Related

SOURCE = "bias = 1\n𝛼 = x + bias\n"
TOLD = Diagnostic(
    span(SOURCE, "bias", 2),
    Severity.WARNING,
    "NST204",
    "it is baked in",
    (Related("defined here", place(SOURCE, "bias")),),
    finding=finding(SOURCE, "NST204", "bias", 2),
)
FADED = Diagnostic(span(SOURCE, "x"), Severity.HINT, "NST102", "not in the graph", unnecessary=True)


def converted(*told, **abilities):
    page = convert.Page(Path(PATH).as_uri(), 1, Text(SOURCE))
    return convert.diagnostics(told, page, lambda path: [page], Client(**abilities), "utf-16")


def test_an_able_client_is_told_all():
    first, faded = converted(TOLD, FADED, related_information=True, tags=True, links=True)
    assert first.range == lsp.Range(lsp.Position(1, 9), lsp.Position(1, 13))
    assert (first.severity, first.code, first.message) == (lsp.DiagnosticSeverity.Warning, "NST204", "it is baked in")
    assert first.related_information[0].location.uri == "file:///project/model.py"
    assert first.code_description.href.endswith("/docs/rules/NST204.md")
    assert (first.tags, faded.tags) == (None, [lsp.DiagnosticTag.Unnecessary])


def test_without_related_information_the_message_says_it():
    (first,) = converted(TOLD, FADED)
    assert first.message == "it is baked in\ndefined here (model.py:1)"
    assert (first.related_information, first.code_description, first.tags) == (None, None, None)


def test_a_comment_that_silences_nothing_is_faded_or_left_out():
    unused = Diagnostic(span(SOURCE, "x"), Severity.HINT, "unused-ignore", "silences nothing", unnecessary=True)
    assert len(converted(unused, tags=True, links=True)) == 1
    assert converted(unused) == []


@pytest.mark.parametrize(
    ("only", "mending", "other"),
    [(None, True, True), (["quickfix"], True, False), (["refactor"], False, False), ([""], True, False)],
)
def test_a_client_may_ask_for_some_kinds_of_actions(only, mending, other):
    assert writing.wanted(Action("silence", mends=TOLD, kind="quickfix"), only) == mending
    assert writing.wanted(Action("show"), only) == other


@pytest.mark.parametrize("path", ["/project/model.py", "/a b/mödel 𝛼 [1]#2?.py", "C:\\project\\model.py"])
@pytest.mark.parametrize("function", ["f", "Layer.forward", "outer.<locals>.inner"])
@pytest.mark.parametrize("study", [None, "dynamo"])
def test_the_address_of_a_graph_says_which_graph(path, function, study):
    uri = graph_uri(path, function, 3, study)
    found = read_graph_uri(uri)
    assert found is not None
    there = found.path.replace("/", "\\") if "\\" in path else found.path
    assert (there, found.function, found.example, found.study) == (path, function, 3, study)
    assert uri.partition("?")[0].endswith(".py")


def test_other_addresses_are_no_graphs():
    assert read_graph_uri("file:///a/b.py") is None
    assert read_graph_uri("nst-graph:") is None


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20%C3%B6.py", "/a/b ö.py"),
        ("file:///c%3A/a/b.py", "/c:/a/b.py"),
        ("file://localhost/a/b.py", "/a/b.py"),
        ("file://elsewhere/a/b.py", None),
        ("file:///a/50%25%20%23%2B%F0%9F%90%8D+.py", "/a/50% #+🐍+.py"),
        ("file:///a/../b.py", "/b.py"),
        ("file:relative.py", None),
        ("file:///a/%00.py", None),
        ("file://[", None),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/a/b.ipynb#x", None),
    ],
)
def test_a_path_is_that_of_a_file(uri, path):
    assert convert.path_of(uri, windows=False) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/a/b.py", "C:\\a\\b.py"),
        ("file:///C:/a/b.py", "C:\\a\\b.py"),
        ("file://host/share/b.py", "\\\\host\\share\\b.py"),
    ],
)
def test_a_path_of_windows_has_one_spelling(uri, path):
    assert convert.path_of(uri, windows=True) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("untitled:Untitled-1", "/folder/Untitled-1.py"),
        ("untitled:/elsewhere/new.py", "/elsewhere/new.py"),
        ("untitled:Untitled-1.ipynb?jupyter-notebook", "/folder/Untitled-1.ipynb"),
        ("untitled:", None),
        ("file:///a.py", None),
    ],
)
def test_a_buffer_without_a_file_lies_in_a_folder(uri, path):
    assert convert.untitled_path(uri, "/folder") == path


def test_capabilities_are_read_however_they_come():
    assert convert.client(lsp.ClientCapabilities()) == Client()
    as_dicts = {"commands": {"commands": ["nst.showGraph"]}, "serverStatusNotification": True}
    known = convert.client(lsp.ClientCapabilities(experimental=as_dicts))
    assert (known.shows_graphs, known.status) == (True, True)
