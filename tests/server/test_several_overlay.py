"""What is on the screen is what runs: unsaved helpers, new files, helpers that change on the disk, and when."""

from __future__ import annotations

import os

import pytest
from lsprotocol import types as lsp

from tests.server.several import SHARED, own_editor, own_folder, shared, workspace

it = shared()
folder = own_folder()
here = own_editor()
pytestmark = SHARED

USER = "import numpy as np\nfrom {} import times\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return times(x)\n"
HELPER = "def times(x):\n    return x * 2\n"
LONGER = "def times(x):\n    return np.sin(x * 2) + 1\n\n\nimport numpy as np\n"


async def operations(it, name):
    """How many operations the graph of the first function has."""
    titles = [title for _, title in await it.titles(name) if title.startswith("graph")]
    return int(titles[0].split()[1]) if titles and titles[0].split()[1].isdigit() else titles


async def traced(it, name):
    async with it.settled():
        await it.execute("nst.retrace", {"uri": it.uri(name)})
    return await operations(it, name)


@pytest.mark.parametrize(
    ("user", "statement", "helper"),
    [
        ("main.py", "helper", "helper.py"),
        ("pkg/main.py", ".helper", "pkg/helper.py"),
        ("pkg/main.py", "pkg", "pkg/__init__.py"),
    ],
)
async def test_an_unsaved_helper_is_the_one_that_runs(here, user, statement, helper):
    (here.folder / "pkg").mkdir()
    (here.folder / "pkg" / "__init__.py").touch()
    async with here.settled():
        here.open(helper, HELPER)
    async with here.settled():
        here.open(user, USER.format(statement))
    assert await operations(here, user) == 1
    here.edit(helper, "x * 2", "(x * 2 + 1) / 3")
    assert await traced(here, user) == 3
    async with here.settled():  # a save traces the users of a helper, too
        here.edit(helper, "x * 2 + 1", "x")
        here.save(helper)
    assert await operations(here, user) == 1
    here.edit(helper, "(x) / 3", "x * 4 * 5")
    here.close(helper)  # without saving: the disk's counts again
    assert await traced(here, user) == 1


async def test_a_new_file_is_imported_before_it_is_saved_and_a_lost_one_is_missed(here):
    async with here.settled():
        here.open("main.py", USER.format("fresh"))
    assert here.told("main.py") == [("NST503", "from fresh import times")]
    here.texts["fresh.py"], here.versions["fresh.py"] = HELPER, 1
    item = lsp.TextDocumentItem(here.uri("fresh.py"), "python", 1, HELPER)
    here.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    assert await traced(here, "main.py") == 1
    assert here.told("main.py") == []
    here.close("fresh.py")
    await traced(here, "main.py")
    assert ("NST503", "from fresh import times") in here.told("main.py")
    async with here.settled():  # written by another program: what could not be imported is tried again
        here.write("fresh.py", LONGER)
        created = lsp.FileEvent(here.uri("fresh.py"), lsp.FileChangeType.Created)
        here.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([created]))
    assert (here.told("main.py"), await operations(here, "main.py")) == ([], 3)


async def test_a_renamed_helper_is_missed_and_found_under_its_new_name(here):
    (here.folder / "old.py").write_text(HELPER)
    async with here.settled():
        here.open("main.py", USER.format("old"))
    async with here.settled():
        (here.folder / "old.py").rename(here.folder / "new.py")
        kinds = {"old.py": lsp.FileChangeType.Deleted, "new.py": lsp.FileChangeType.Created}
        events = [lsp.FileEvent(here.uri(name), kind) for name, kind in kinds.items()]
        here.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))
    assert here.told("main.py") == [("NST503", "from old import times")]
    async with here.settled():
        here.edit("main.py", "from old", "from new")
        here.save("main.py")
    assert (here.told("main.py"), await operations(here, "main.py")) == ([], 1)


async def test_without_a_watcher_changes_on_the_disk_are_noticed_at_the_next_save(tmp_path):
    (tmp_path / "helper.py").write_text(HELPER)
    async with workspace(tmp_path, watching=False) as it:
        for name, text in {"main.py": USER.format("helper"), "other.py": HELPER}.items():
            async with it.settled():
                it.open(name, text)
        assert await operations(it, "main.py") == 1
        it.write("helper.py", LONGER)
        os.utime(tmp_path / "helper.py", (1, 1))  # the time is another one, though the clock is coarse
        async with it.settled():
            it.save("other.py")
        assert await operations(it, "main.py") == 3


async def test_what_python_shows_of_the_source_is_what_is_on_the_screen(here):
    text = "import inspect\nimport numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x\n\n\n"
    async with here.settled():
        here.open("main.py", text)
    here.edit("main.py", "    return x\n", "    return x * 2\n\n\nassert 'x * 2' in inspect.getsource(f), 'old'\n")
    assert await traced(here, "main.py") == 1
    assert here.told("main.py") == []


@pytest.mark.parametrize("trigger", ["save", "change", "manual"])
async def test_a_run_begins_when_it_should(tmp_path, trigger):
    async with workspace(tmp_path, trigger=trigger) as it:
        if trigger == "manual":
            it.open("main.py", USER.format("numpy").replace("import times", "import negative as times"))
            assert await it.titles("main.py") == [(6, "trace …")]
            assert await traced(it, "main.py") == 1
        else:
            async with it.settled():
                it.open("main.py", USER.format("numpy").replace("import times", "import negative as times"))
        if trigger == "change":
            async with it.settled():
                it.edit("main.py", "times(x)", "times(x) * 2")
            assert await operations(it, "main.py") == 2
            return
        it.edit("main.py", "times(x)", "times(x) * 2")
        assert (await it.titles("main.py"))[0][1].endswith("(stale)")
        if trigger == "manual":
            it.save("main.py")
            assert (await it.titles("main.py"))[0][1].endswith("(stale)")
            assert await traced(it, "main.py") == 2
        else:
            async with it.settled():
                it.save("main.py")
            assert await operations(it, "main.py") == 2
