"""Several workspace folders: settings, interpreters and modules of their own, also while folders come and go."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

from lsprotocol import types as lsp

from tests.server.several import told, workspace

SOURCE = (
    "import numpy as np\nfrom helper import scale\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x * scale\n"
)
FOUND = [("NST205", "scale")]


def project(folder: Path, settings: str = "", helper: str = "scale = 2.0\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(f"[tool.nst]\n{settings}")
    (folder / "helper.py").write_text(helper)
    (folder / "main.py").write_text(SOURCE)
    return folder


def environment(folder: Path) -> Path:
    """A virtual environment that has our packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (folder / "lib" / version / "site-packages" / "ours.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "python"


async def opened(it, *files: Path) -> None:
    for file in files:
        async with it.settled():
            item = lsp.TextDocumentItem(file.as_uri(), "python", 1, file.read_text())
            it.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))


def of(it, file: Path):
    return told(it, file.as_uri(), file.read_text())


async def projects(it) -> dict[str, dict]:
    return {one["root"]: one for one in (await it.execute("nst.doctor"))["projects"]}


async def test_each_folder_has_its_own_settings(tmp_path):
    one, other = project(tmp_path / "one"), project(tmp_path / "other", 'ignore = ["NST205"]\n')
    third, loose = project(tmp_path / "third"), project(tmp_path / "loose")
    scoped = {third.as_uri(): {"ignore": ["NST205"]}}
    async with workspace(one, other, third, folder_settings=scoped) as it:
        await opened(it, *(folder / "main.py" for folder in (one, other, third, loose)))
        assert of(it, one / "main.py") == FOUND
        assert of(it, other / "main.py") == []
        assert of(it, third / "main.py") == []
        assert of(it, loose / "main.py") == FOUND  # outside of all folders: a project of its own
        assert set(await projects(it)) == {str(folder) for folder in (one, other, third, loose)}
        async with it.settled():  # the editor's settings of one folder change
            it.client.set_configuration({}, section="nst", scope_uri=third.as_uri())
            it.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=None))
        assert of(it, third / "main.py") == FOUND
        async with it.settled():  # and a project's
            (other / "pyproject.toml").write_text("[tool.nst]\n")
            changed = lsp.FileEvent((other / "pyproject.toml").as_uri(), lsp.FileChangeType.Changed)
            it.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([changed]))
        assert of(it, other / "main.py") == FOUND


async def test_modules_of_the_same_name_do_not_meet(tmp_path):
    one = project(tmp_path / "one", helper="scale = 2.0\nwhere = 'one'\n")
    other = project(tmp_path / "other", helper="scale = 3.0\nwhere = 'other'\n")
    for folder in (one, other):
        text = f"{SOURCE}\n\nfrom helper import where\nassert where == {folder.name!r}\n"
        (folder / "main.py").write_text(text)
    async with workspace(one, other) as it:
        await opened(it, one / "main.py", other / "main.py")
        assert (of(it, one / "main.py"), of(it, other / "main.py")) == (FOUND, FOUND)
        item = lsp.TextDocumentItem(
            (one / "helper.py").as_uri(), "python", 1, "scale = np.ones(3)\nimport numpy as np\n"
        )
        async with it.settled():  # an unsaved helper of one root is none of the other's
            it.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
            await it.execute("nst.retrace", {})
        assert of(it, other / "main.py") == FOUND


async def test_each_folder_has_its_own_interpreter(tmp_path):
    pythons = {}
    for name, place in {"by setting": "tools", "by environment": ".venv"}.items():
        python = environment(tmp_path / name / place)
        folder = project(tmp_path / name, f"python = '{python}'\n" if place == "tools" else "")
        pythons[str(folder)] = str(python)
        (folder / "main.py").write_text(f"{SOURCE}\n\nimport sys\nassert sys.prefix == {str(python.parents[1])!r}\n")
    folders = [Path(folder) for folder in pythons]
    async with workspace(*folders, environment={}) as it:
        await opened(it, *(folder / "main.py" for folder in folders))
        assert [of(it, folder / "main.py") for folder in folders] == [FOUND, FOUND]
        found = await projects(it)
        assert {root: one["interpreter"] for root, one in found.items()} == pythons
        assert len({one["worker"] for one in found.values()}) == 2


async def test_folders_come_and_go(tmp_path):
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    async with workspace(one) as it:
        await opened(it, one / "main.py", other / "main.py")
        workers = {root: found["worker"] for root, found in (await projects(it)).items()}

        async def change(added: list[Path], removed: list[Path]) -> None:
            came, went = ([lsp.WorkspaceFolder(path.as_uri(), path.name) for path in each] for each in (added, removed))
            event = lsp.WorkspaceFoldersChangeEvent(came, went)
            async with it.settled():
                it.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))

        it.client.set_configuration({"ignore": ["NST205"]}, section="nst", scope_uri=other.as_uri())
        await change([other], [])
        assert (of(it, one / "main.py"), of(it, other / "main.py")) == (FOUND, [])
        await change([], [other])
        assert (of(it, one / "main.py"), of(it, other / "main.py")) == (FOUND, FOUND)
        assert {root: found["worker"] for root, found in (await projects(it)).items()} == workers


async def test_of_nested_folders_the_inner_one_counts(tmp_path):
    outer = project(tmp_path / "outer")
    inner = outer / "inner"
    inner.mkdir()
    (inner / "helper.py").write_text("scale = 4.0\n")
    (inner / "main.py").write_text(SOURCE)
    async with workspace(outer, inner, folder_settings={inner.as_uri(): {"ignore": ["NST205"]}}) as it:
        await opened(it, outer / "main.py", inner / "main.py")
        assert set(await projects(it)) == {str(outer), str(inner)}
        assert (of(it, outer / "main.py"), of(it, inner / "main.py")) == (FOUND, [])


async def test_a_file_that_two_folders_hold_is_told_by_the_name_it_was_opened_by(tmp_path):
    real = project(tmp_path / "real")
    link = tmp_path / "link"
    link.symlink_to(real)
    async with workspace(real, link) as it:
        await opened(it, real / "main.py", link / "main.py")
        assert (of(it, real / "main.py"), of(it, link / "main.py")) == (FOUND, FOUND)


UNUSED_AT_ONCE = """
import sys
import nst_lsp.session.session as session
from nst_lsp.server import serve
session.UNUSED_PAUSE = 0.0
sys.exit(serve())
"""


async def test_a_worker_that_no_file_needs_is_closed(tmp_path):
    one, other = project(tmp_path / "one"), project(tmp_path / "other")
    async with workspace(one, command=[sys.executable, "-c", UNUSED_AT_ONCE]) as it:
        await opened(it, one / "main.py", other / "main.py")
        workers = {root: found["worker"] for root, found in (await projects(it)).items()}
        for folder in (one, other):
            uri = (folder / "main.py").as_uri()
            it.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        await opened(it, one / "main.py")
        assert (await projects(it))[str(one)]["worker"] == workers[str(one)]  # of a workspace folder: it stays
        await opened(it, other / "main.py")
        assert (await projects(it))[str(other)]["worker"] != workers[str(other)]
