"""What is on the screen is what runs: unsaved helpers, new files, helpers that change on the disk, and when."""

from __future__ import annotations

import os

import pytest
from lsprotocol import types as lsp

from tests.server.several import workspace

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
async def test_an_unsaved_helper_is_the_one_that_runs(tmp_path, user, statement, helper):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    async with workspace(tmp_path) as it:
        async with it.settled():
            it.open(helper, HELPER)
            it.open(user, USER.format(statement))
        assert await operations(it, user) == 1
        it.edit(helper, "x * 2", "(x * 2 + 1) / 3")
        assert await traced(it, user) == 3
        async with it.settled():  # a save traces the users of a helper, too
            it.edit(helper, "x * 2 + 1", "x")
            it.save(helper)
        assert await operations(it, user) == 1
        it.edit(helper, "(x) / 3", "x * 4 * 5")
        it.close(helper)  # without saving: the disk's counts again
        assert await traced(it, user) == 1


async def test_a_new_file_is_imported_before_it_is_saved_and_a_lost_one_is_missed(tmp_path):
    async with workspace(tmp_path) as it:
        async with it.settled():
            it.open("main.py", USER.format("fresh"))
        assert it.told("main.py") == [("NST503", "from fresh import times")]
        it.texts["fresh.py"], it.versions["fresh.py"] = HELPER, 1
        item = lsp.TextDocumentItem(it.uri("fresh.py"), "python", 1, HELPER)
        it.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        assert await traced(it, "main.py") == 1
        assert it.told("main.py") == []
        it.close("fresh.py")
        await traced(it, "main.py")
        assert ("NST503", "from fresh import times") in it.told("main.py")
        async with it.settled():  # written by another program: what could not be imported is tried again
            it.write("fresh.py", LONGER)
            created = lsp.FileEvent(it.uri("fresh.py"), lsp.FileChangeType.Created)
            it.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([created]))
        assert (it.told("main.py"), await operations(it, "main.py")) == ([], 3)


async def test_a_renamed_helper_is_missed_and_found_under_its_new_name(tmp_path):
    (tmp_path / "old.py").write_text(HELPER)
    async with workspace(tmp_path) as it:
        async with it.settled():
            it.open("main.py", USER.format("old"))
        async with it.settled():
            (tmp_path / "old.py").rename(tmp_path / "new.py")
            kinds = {"old.py": lsp.FileChangeType.Deleted, "new.py": lsp.FileChangeType.Created}
            events = [lsp.FileEvent(it.uri(name), kind) for name, kind in kinds.items()]
            it.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))
        assert it.told("main.py") == [("NST503", "from old import times")]
        async with it.settled():
            it.edit("main.py", "from old", "from new")
            it.save("main.py")
        assert (it.told("main.py"), await operations(it, "main.py")) == ([], 1)


async def test_without_a_watcher_changes_on_the_disk_are_noticed_at_the_next_save(tmp_path):
    (tmp_path / "helper.py").write_text(HELPER)
    async with workspace(tmp_path, watching=False) as it:
        async with it.settled():
            it.open("main.py", USER.format("helper"))
            it.open("other.py", HELPER)
        assert await operations(it, "main.py") == 1
        it.write("helper.py", LONGER)
        os.utime(tmp_path / "helper.py", (1, 1))  # the time is another one, though the clock is coarse
        async with it.settled():
            it.save("other.py")
        assert await operations(it, "main.py") == 3


async def test_what_python_shows_of_the_source_is_what_is_on_the_screen(tmp_path):
    text = "import inspect\nimport numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x\n\n\n"
    async with workspace(tmp_path) as it:
        async with it.settled():
            it.open("main.py", text)
        it.edit("main.py", "    return x\n", "    return x * 2\n\n\nassert 'x * 2' in inspect.getsource(f), 'old'\n")
        assert await traced(it, "main.py") == 1
        assert it.told("main.py") == []


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
