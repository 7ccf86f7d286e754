"""What lens and hover say of the change that a save made, with the real server and real workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.editor import Editor, editor

SOURCE = """\
import numpy as np

gain = 3.0


# nst: example(np.ones(3))
def f(x):
    y = np.tanh(x) * gain
    return y


# nst: example(np.ones(3))
def g(x):
    return x - 1
"""


@pytest.fixture
async def opened(tmp_path: Path):
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        yield it


async def saved(it: Editor, *edits: tuple[str, str]) -> None:
    async with it.settled():
        for old, new in edits:
            it.edit("model.py", old, new)
        it.save("model.py")


async def lens(it: Editor, function: int = 0) -> str:
    """What the lens of a function's graph says."""
    graphs = [title for _, title in await it.titles("model.py") if title.startswith("graph")]
    return graphs[function]


async def told(it: Editor) -> str:
    """What the hover of `f` says of the last change."""
    text = await it.hover("model.py", "def |f")
    return next((part for part in text.split("\n\n") if "since the last save" in part or "last changed" in part), "")


async def test_a_save_tells_what_it_changed_and_the_next_one_that_nothing_did(opened: Editor):
    assert await lens(opened) == "graph: 2 operations · differs from the function"
    assert await told(opened) == ""
    await saved(opened, ("np.tanh(x) * gain", "np.tanh(np.sin(x)) * gain"))
    assert await lens(opened) == "graph: 3 operations · differs from the function · 1 operation added: np.sin(x)"
    assert await lens(opened, 1) == "graph: 1 operation"
    assert (await told(opened)).splitlines() == [
        "**since the last save**: 1 operation added: `np.sin(x)`  ",
        "added: `np.sin(x)` (line 8)",
    ]
    about = {"uri": opened.uri("model.py"), "function": "f"}
    changed = await opened.execute("nst.changes", about)
    assert changed["told"] == ["since the last save: 1 operation added: `np.sin(x)`", "added: `np.sin(x)` (line 8)"]
    assert (changed["title"], "np.sin" in changed["before"], "np.sin" in changed["after"]) == ("f", False, True)
    assert await opened.execute("nst.changes", {**about, "function": "g"}) is None
    await saved(opened)  # the same text once more
    assert await lens(opened) == "graph: 3 operations · differs from the function · 1 operation added: np.sin(x)"
    await saved(opened, ("x - 1", "x - 2"))
    assert await lens(opened) == "graph: 3 operations · differs from the function"
    assert await lens(opened, 1) == "graph: 1 operation · 1 operation changed: x - 1 → x - 2"
    assert (await told(opened)).startswith("**when it last changed**: 1 operation added")


async def test_what_is_undone_is_told_too(opened: Editor):
    await saved(opened, ("gain = 3.0", "gain = 4.0"))
    assert await lens(opened) == "graph: 2 operations · differs from the function · 1 constant changed: gain 3.0 → 4.0"
    await saved(opened, ("gain = 4.0", "gain = 3.0"))
    assert await lens(opened) == "graph: 2 operations · differs from the function · 1 constant changed: gain 4.0 → 3.0"
    assert "`gain` is 3.0, was 4.0 (line 3)" in await told(opened)


async def test_lines_move_with_the_text_and_what_went_away_has_its_old_one(opened: Editor):
    await saved(opened, ("np.tanh(x) * gain", "x * gain"))
    assert "removed: `np.tanh(x)` (it was in line 8)" in await told(opened)
    await saved(opened, ("x * gain", "np.exp(x) * gain"))
    opened.edit("model.py", "gain = 3.0\n", "\n\ngain = 3.0\n")
    assert "added: `np.exp(x)` (line 10)" in await told(opened)


async def test_a_text_that_does_not_run_leaves_the_text_before_it_to_compare_with(opened: Editor):
    await saved(opened, ("return y", "return y[7]"))
    assert await lens(opened) == "graph: 2 operations · partial"
    assert "traced only in part now (line 9)" in await told(opened)
    await saved(opened, ("return y[7]", "return y + ("))
    await saved(opened, ("return y + (", "return y + 1"))
    assert await lens(opened) == "graph: 3 operations · differs from the function · 1 operation added: y + 1"


async def test_a_helper_in_another_file_is_named(tmp_path: Path):
    async with editor(tmp_path) as it:
        it.write("tools.py", "import numpy as np\n\n\ndef scale(x):\n    return x * 2\n")
        async with it.settled():
            source = SOURCE.replace("np.tanh(x) * gain", "scale(x)")
            it.open("model.py", source.replace("gain = 3.0", "from tools import scale"))
        async with it.settled():
            it.open("tools.py")
        async with it.settled():
            it.edit("tools.py", "x * 2", "np.abs(x) * 2")
            it.save("tools.py")
        assert "added: `np.absolute(x)` (tools.py, line 5)" in await told(it)
