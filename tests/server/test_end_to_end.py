"""The real server with real workers, asked as VS Code and Neovim ask."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from tests.server.editor import editor
from tests.server.several import SHARED

SOURCE = """\
import numpy as np

bias = np.array([1.0, 2.0, 3.0])


# nst: example(np.ones(3))
def f(x):
    label = "𝛼𝛽𝛾 ünïcode"; y = x * 2 + bias
    if x.shape[0] > 2:
        return np.sqrt(y)
    return x


# nst: example(np.ones(4))
# nst: example(np.ones((2, 2)))
def g(x):
    return x * 3
"""
EDITORS = ["visual-studio-code", "neovim@0.11"]
FOUND = [("NST204", "bias"), ("NST102", "x.shape[0] > 2")]


@pytest.fixture(params=EDITORS)
async def opened(request, tmp_path):
    """An editor with the file open and traced."""
    async with editor(tmp_path, request.param) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        yield it


@pytest_asyncio.fixture(params=EDITORS, scope="module", loop_scope="module")
async def read(request, tmp_path_factory):
    """The same, for all tests that only look."""
    async with editor(tmp_path_factory.mktemp("read"), request.param) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        yield it


@SHARED
async def test_findings_stand_at_their_exact_places(read):
    assert read.encoding == ("utf-8" if read.client.capabilities.general.position_encodings else "utf-16")
    assert read.told("model.py") == FOUND
    latest = read.latest("model.py")
    assert latest.version == 1
    assert {one.source for one in latest.diagnostics} == {"nst"}


@SHARED
async def test_a_finding_links_to_its_page_where_the_editor_can(read):
    first = read.latest("model.py").diagnostics[0]
    can = read.client.capabilities.text_document.publish_diagnostics.code_description_support
    assert (first.code_description is not None) == bool(can)
    if can:
        assert first.code_description.href.endswith("/NST204.md")


@SHARED
async def test_hovers_show_graph_and_values(read):
    graph = await read.hover("model.py", "def |f(x")
    assert "```python" in graph
    assert "valid for" in graph
    assert sys.executable.rpartition("/")[0] in graph  # which interpreter ran it
    value = await read.hover("model.py", "x |* 2 + bias")
    assert "float64" in value
    assert "2." in value
    finding = await read.hover("model.py", "2 + b|ias")
    assert "NST204" in finding


async def test_lenses_show_the_graph_and_switch_examples(opened):
    titles = await opened.titles("model.py")
    assert [line for line, _ in titles] == [7, 7, 16, 16]
    assert titles[0][1].startswith("graph: ")
    assert "valid for x.shape[0] > 2" in titles[0][1]
    assert [title for _, title in titles[1:]] == ["2 findings", "graph: 1 operation", "example 1 of 2"]
    switch = (await opened.lenses("model.py"))[-1].command
    assert await opened.execute(switch.command, *switch.arguments) == 1
    assert (await opened.titles("model.py"))[-1][1] == "example 2 of 2"


@SHARED
async def test_a_graph_is_given_as_data_and_as_a_document(read):
    shown = (await read.lenses("model.py"))[0].command
    assert shown.command == "nst.showGraph"
    graph = await read.execute("nst.graph", *shown.arguments)
    compile(graph["code"], "graph", "exec")
    assert (graph["function"], graph["example"], graph["languageId"]) == ("f", 0, "python")
    lines = {node["line"]: node["range"]["start"]["line"] for node in graph["nodes"] if node["range"]}
    assert 7 in lines.values()
    for line, source_line in lines.items():  # a node's line in the graph names its line in the source
        assert f"line {source_line + 1}" in graph["code"].splitlines()[line]
    params = lsp.TextDocumentContentParams(graph["uri"])
    content = await read.client.workspace_text_document_content_async(params)
    assert content.text == graph["code"]


async def test_the_functions_of_a_file_are_listed_with_their_examples(opened):
    uri = opened.uri("model.py")
    assert await opened.execute("nst.switchExample", {"uri": uri, "function": "g"}) == 1
    f, g = await opened.execute("nst.functions", {"uri": uri})
    assert (f["function"], f["example"], g["function"], g["example"]) == ("f", 0, "g", 1)
    assert (f["range"]["start"], f["range"]["end"]) == ({"line": 6, "character": 4}, {"line": 6, "character": 5})
    assert f["examples"] == [
        {
            "index": 0,
            "source": "np.ones(3)",
            "origin": "comment",
            "status": "traced",
            "verdict": "differs",
            "operations": 3,
            "validFor": "x.shape[0] > 2",
        }
    ]
    assert [one["source"] for one in g["examples"]] == ["np.ones(4)", "np.ones((2, 2))"]
    inside = {"uri": uri, "position": {"line": 16, "character": 8}}
    assert await opened.execute("nst.functions", inside) == [g]
    between = {"uri": uri, "position": {"line": 11, "character": 0}}
    assert await opened.execute("nst.functions", between) == []


@SHARED
async def test_a_graph_is_found_by_position_and_opened_by_the_editor(read):
    about = {"uri": read.uri("model.py"), "position": {"line": 16, "character": 8}}
    graph = await read.execute("nst.showGraph", about)
    assert graph["function"] == "g"
    assert len(read.client.shown_documents) == 1
    uri = read.client.shown_documents[0].uri
    assert uri == graph["uri"] or uri.startswith("file://")


async def test_an_editor_that_cannot_be_told_to_open_a_document_is_told_where_it_is(tmp_path):
    async with editor(tmp_path, "emacs") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        graph = await it.execute("nst.showGraph", {"uri": it.uri("model.py"), "function": "g"})
        await it.execute("nst.showLogs")
        told, logs = (message.split(" is in ") for message in it.shown())
        assert (told[0], logs[0]) == ("nst: the graph", "nst: the log")
        assert Path(told[1]).read_text(encoding="utf-8") == graph["code"]
        assert it.client.shown_documents == []


async def test_code_actions_do_what_lenses_do_and_silence(opened):
    actions = await opened.actions("model.py", "x.shape[0] > 2")
    assert [one.title for one in actions] == [
        "Silence NST102 here",
        "Add the witness as an example of f",
        "Show graph of f",
        "Open the graph view of f",
        "Trace this file again",
    ]
    silence = actions[0]
    assert isinstance(silence, lsp.CodeAction)
    assert silence.kind == lsp.CodeActionKind.QuickFix
    assert [one.code for one in silence.diagnostics or ()] == ["NST102"]
    assert silence.edit is not None
    edit = (silence.edit.changes or {})[opened.uri("model.py")][0]
    async with opened.settled():
        opened.edit("model.py", "> 2:", f"> 2:{edit.new_text}")
        opened.save("model.py")
    assert opened.told("model.py") == [("NST204", "bias")]


async def test_an_edit_and_a_save_bring_new_results(opened):
    async with opened.settled():
        opened.edit("model.py", "* 2 + bias", "* 2")
        opened.save("model.py")
    assert opened.told("model.py") == [("NST102", "x.shape[0] > 2")]
    assert opened.latest("model.py").version == 2
    assert not any("stale" in title for _, title in await opened.titles("model.py"))


async def test_while_one_types_results_move_and_are_marked_stale(opened):
    opened.edit("model.py", "bias = ", "# 𝛼\nscale = 2\nbias = ")
    await opened.until(lambda: opened.latest("model.py").version == 2)
    assert opened.told("model.py") == FOUND
    spoken = [one for one in opened.latest("model.py").diagnostics if not one.tags]
    assert spoken
    assert all("(stale)" in one.message for one in spoken)
    titles = await opened.titles("model.py")
    assert [line for line, _ in titles] == [9, 9, 18, 18]
    assert titles[0][1].endswith("(stale)")
    assert "*(stale)*" in await opened.hover("model.py", "x |* 2 + bias")


async def test_a_syntax_error_clears_nothing(opened):
    async with opened.settled():
        opened.edit("model.py", "def g(x)", "def g(x")
        opened.save("model.py")
    told = opened.told("model.py")
    assert [one for one in told if one[0] != "NST503"] == FOUND
    assert [code for code, _ in told].count("NST503") == 1
    assert (await opened.titles("model.py"))[0][1].endswith("(stale)")
    async with opened.settled():
        opened.edit("model.py", "def g(x", "def g(x)")
        opened.save("model.py")
    assert opened.told("model.py") == FOUND


async def test_two_quick_saves_give_the_results_of_the_second(opened):
    async with opened.settled():
        opened.edit("model.py", "* 2 + bias", "* 2")
        opened.save("model.py")
        opened.edit("model.py", "x.shape[0] > 2", "x.sum() > 2")
        opened.save("model.py")
    await opened.until(lambda: opened.told("model.py") == [("NST101", "x.sum() > 2")])
    assert opened.latest("model.py").version == 3


async def test_closing_clears(opened):
    opened.close("model.py")
    await opened.until(lambda: not opened.latest("model.py").diagnostics)
    assert await opened.lenses("model.py") == []


MAIN = """\
import numpy as np
from package.helper import scale


# nst: example(np.ones(3))
def f(x):
    return scale(x)
"""


async def test_a_finding_in_a_helper_is_published_in_the_helper(tmp_path):
    async with editor(tmp_path) as it:
        it.write("package/__init__.py", "")
        it.write("package/helper.py", "gain = 2.0\n\n\ndef scale(x):\n    return x * gain\n")
        async with it.settled():
            it.open("main.py", MAIN)
        it.texts["package/helper.py"] = (it.folder / "package/helper.py").read_text()
        assert it.told("package/helper.py") == [("NST205", "gain")]
        assert it.told("main.py") == []
        async with it.settled():
            it.open("package/helper.py")
        async with it.settled():  # saving the helper traces what imports it
            it.edit("package/helper.py", "x * gain", "x * 2.0")
            it.save("package/helper.py")
        value = await it.hover("package/helper.py", "x |* 2.0")
        assert "[2., 2., 2.]" in value
        assert "as called from `f` in `main.py`" in value
        assert it.told("package/helper.py") == []


async def test_the_unsaved_text_of_a_helper_is_what_runs(tmp_path):
    async with editor(tmp_path) as it:
        it.write("package/__init__.py", "")
        async with it.settled():
            it.open("package/helper.py", "def scale(x):\n    return x * 2.0\n")
        it.edit("package/helper.py", "x * 2.0", "x.shape[1]")
        async with it.settled():
            it.open("main.py", MAIN)
        assert it.told("package/helper.py") == [("NST501", "x.shape[1]")]


# ---- settings and interpreters ---------------------------------------------------------------------


async def test_an_unknown_setting_is_named_and_nothing_else_suffers(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.nst]\nmoed = "real"\nignore = ["NST102"]\n')
    async with editor(tmp_path, frobnicate=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert it.told("model.py") == [("NST204", "bias")]
        shown = "\n".join(it.shown())
        assert "unknown setting `moed`; did you mean `mode`?" in shown
        assert "unknown setting `frobnicate`" in shown


async def test_an_interpreter_that_does_not_exist_is_named_and_can_be_mended(tmp_path):
    async with editor(tmp_path, python="/nowhere/python3") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert [message for message in it.shown() if "/nowhere/python3" in message]
        assert it.told("model.py") == []
        assert {title for _, title in await it.titles("model.py")} == {"trace …"}
        assert await it.hover("model.py", "def |f(x") == ""
        async with it.settled():
            it.save("model.py")
        assert len(it.shown()) == 1  # told once
        async with it.settled():
            it.configure(python=sys.executable)
        assert it.told("model.py") == FOUND


async def test_an_interpreter_without_numpy_is_named(tmp_path):
    import subprocess
    import venv

    venv.create(tmp_path / "bare", with_pip=False)
    python = tmp_path / "bare" / "bin" / "python"
    assert subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode != 0
    async with editor(tmp_path, python=str(python)) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert [message for message in it.shown() if "NumPy" in message and str(python) in message]
        assert it.told("model.py") == []


async def test_nothing_runs_where_the_workspace_is_not_trusted(tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n" + SOURCE
    async with editor(tmp_path, trusted=False, allow=["write"]) as it:
        async with it.settled():
            it.open("model.py", source)
        async with it.settled():
            await it.execute("nst.retrace", {"uri": it.uri("model.py")})
        assert not (tmp_path / "ran").exists()
        assert it.told("model.py") == []
        async with it.settled():
            it.configure(trusted=True, allow=["write"])
        assert (tmp_path / "ran").exists()
        assert it.told("model.py") == FOUND


async def test_on_command_only(tmp_path):
    async with editor(tmp_path, trigger="manual") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert it.told("model.py") == []
        assert {title for _, title in await it.titles("model.py")} == {"trace …"}
        async with it.settled():
            await it.execute("nst.retrace", {"uri": it.uri("model.py")})
        assert it.told("model.py") == FOUND


async def test_while_typing(tmp_path):
    async with editor(tmp_path, trigger="change") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        async with it.settled():
            it.edit("model.py", "* 2 + bias", "* 2")
        assert it.told("model.py") == [("NST102", "x.shape[0] > 2")]


async def test_excluded_files_are_not_traced(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.nst]\nexclude = ["generated"]\n')
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("generated/model.py", SOURCE)
        assert it.told("generated/model.py") == []


# ---- trouble ---------------------------------------------------------------------------------------


async def test_an_endless_loop_is_stopped_at_its_line_and_the_server_lives(tmp_path):
    # Few enough operations for a busy machine to tell of.
    loop = "    while True:\n        x = x + sum(range(100_000))\n"
    endless = f"import numpy as np\n\n# nst: example(np.ones(3))\ndef f(x):\n{loop}"
    async with editor(tmp_path, timeout=1) as it:
        async with it.settled():
            it.open("endless.py", endless)
        assert [code for code, _ in it.told("endless.py")].count("NST504") == 1
        stopped = next(one for one in it.latest("endless.py").diagnostics if one.code == "NST504")
        assert stopped.range.start.line in (4, 5)
        assert it.client.progress_reports  # it took long enough to be wondered about
        async with it.settled():
            it.open("model.py", SOURCE)
        assert it.told("model.py") == FOUND


async def test_the_workers_can_be_restarted(opened):
    async with opened.settled():
        assert await opened.execute("nst.restart") is None
    assert opened.told("model.py") == FOUND


@SHARED
async def test_the_doctor_names_the_interpreter(read):
    found = await read.execute("nst.doctor")
    project = json.loads(json.dumps(found, default=vars))["projects"][0]
    assert project["root"] == str(read.folder)
    assert project["numpy"]
    assert project["interpreter"] in found["text"]
    facts = {fact["name"]: fact for fact in json.loads(json.dumps(found, default=vars))["facts"]}
    assert {"nst-lsp", "graph page", "Landlock"} <= facts.keys()
    assert not facts["nst-lsp"]["is_problem"]


async def test_a_helper_that_changes_outside_of_the_editor_is_noticed(tmp_path):
    async with editor(tmp_path) as it:
        it.write("package/__init__.py", "")
        it.write("package/helper.py", "gain = 2.0\n\n\ndef scale(x):\n    return x * gain\n")
        async with it.settled():
            it.open("main.py", MAIN)
        async with it.settled():
            it.write("package/helper.py", "def scale(x):\n    return x * 2.0\n")
            event = lsp.FileEvent(it.uri("package/helper.py"), lsp.FileChangeType.Changed)
            it.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
        assert not it.latest("package/helper.py").diagnostics


async def test_each_folder_has_its_own_settings(tmp_path):
    for folder, ignored in (("one", "NST102"), ("two", "NST204")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pyproject.toml").write_text(f'[tool.nst]\nignore = ["{ignored}"]\n')
    async with editor(tmp_path) as it:
        for folder in ("one", "two"):
            async with it.settled():
                it.open(f"{folder}/model.py", SOURCE)
        assert it.told("one/model.py") == [("NST204", "bias")]
        assert it.told("two/model.py") == [("NST102", "x.shape[0] > 2")]
        async with it.settled():  # a changed pyproject.toml counts from the next run on
            (tmp_path / "one" / "pyproject.toml").write_text("[tool.nst]\nignore = []\nselect = []\n")
            it.save("one/model.py")
        assert it.told("one/model.py") == FOUND


async def test_names_of_files_may_be_anything(tmp_path):
    name = "mödel 𝛼 [1]#2.py"
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open(name, SOURCE)
        assert it.told(name) == FOUND
        graph = await it.execute("nst.graph", {"uri": it.uri(name), "function": "f"})
        content = await it.client.workspace_text_document_content_async(lsp.TextDocumentContentParams(graph["uri"]))
        assert content.text == graph["code"]


@SHARED
async def test_documents_that_are_no_files_are_left_alone(read):
    item = lsp.TextDocumentItem("git:/model.py?ref=HEAD", "python", 1, SOURCE)
    document = lsp.TextDocumentIdentifier(item.uri)
    read.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    read.client.text_document_did_save(lsp.DidSaveTextDocumentParams(document))
    assert not await read.client.text_document_code_lens_async(lsp.CodeLensParams(document))
    read.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
    assert read.told("model.py") == FOUND


async def test_a_file_without_examples_is_never_run(tmp_path):
    source = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    async with editor(tmp_path, allow=["write"]) as it:
        async with it.settled():
            it.open("script.py", source)
        async with it.settled():
            it.save("script.py")
        assert not (tmp_path / "ran").exists()
        async with it.settled():
            it.edit("script.py", "open", "# nst: example(1)\ndef f(x):\n    return x\n\n\nopen")
            it.save("script.py")
        assert (tmp_path / "ran").exists()
