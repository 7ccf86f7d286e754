"""Arguments that a person tries, by the real server: compared within the limits, checked while typed, begun with."""

from __future__ import annotations

from tests.server.editor import editor

HELPER = "limit = 2\n"
SOURCE = """\
import numpy as np
from helper import limit

SHORT = (np.array([1.0, 2.0]),)


# nst: example(np.ones(3))
def scale(x):
    "🦊"; y = x if x.shape[0] > 2 else -x
    while y[0] > 100:
        pass
    return y * limit


def plain(x, n):
    return x
"""


async def test_function_and_graph_are_compared_on_what_one_writes(tmp_path):
    async with editor(tmp_path, timeout=1.0) as it:
        it.write("helper.py", HELPER)
        async with it.settled():
            it.open("model.py", SOURCE)
        about = {"uri": it.uri("model.py"), "function": "scale"}

        async def compared(arguments):
            return await it.execute("nst.compare", {**about, "arguments": arguments})

        (listed,) = await it.execute("nst.functions", about)
        (witness,) = [one for one in listed["witnesses"] if one["code"] == "NST102"]
        assert (await compared(witness["arguments"]))["equal"] is False

        assert await compared("np.ones(5)") == {
            "name": "scale",
            "arguments": "np.ones(5)",
            "equal": True,
            "function": "array([2., 2., 2., 2., 2.])",
            "graph": "array([2., 2., 2., 2., 2.])",
            "guards_failed": [],
            "partial": "",
            "raised": "",
            "places": [],
        }
        told = await compared("*SHORT")
        assert (told["equal"], told["guards_failed"]) == (False, ["x.shape[0] > 2"])
        (place,) = told["places"]
        assert place["uri"] == it.uri("model.py")
        condition = {"start": {"line": 8, "character": 19}, "end": {"line": 8, "character": 33}}  # the fox takes two
        assert place["range"] == condition

        assert "nothing" in (await compared("nothing"))["error"]
        stopped = await compared("np.full(3, 1e3)")
        assert "stopped" in stopped["error"], stopped

        it.open("helper.py")
        it.edit("helper.py", "2", "10")  # not saved
        it.edit("model.py", "limit\n\n\ndef", "limit + 1\n\n\ndef")
        assert (await compared("np.ones(3)"))["function"] == "array([11., 11., 11.])"

        assert await it.execute("nst.checkArguments", {**about, "arguments": "np.ones(3"}) != {"problem": None}
        assert await it.execute("nst.checkArguments", {**about, "arguments": "np.ones(3)"}) == {"problem": None}
        inside = {"uri": it.uri("model.py"), "position": it.position("model.py", "return |x\n")}
        told = await it.execute("nst.compare", {**inside, "arguments": "np.ones(3), 1"})
        assert (told["name"], "no function plain with an example" in told["error"]) == ("plain", True)
        outside = {"uri": it.uri("model.py"), "position": {"line": 0, "character": 0}}
        assert await it.execute("nst.compare", {**outside, "arguments": "np.ones(3)"}) is None
        line = it.texts["model.py"].split("\n").index("def plain(x, n):")
        assert await it.execute("nst.exampleTemplate", inside) == {
            "function": "plain",
            "uri": it.uri("model.py"),
            "head": {"line": line, "character": 0},
            "position": {"line": line, "character": 0},
            "snippet": "# nst: example(${1:np.ones(3)}, ${2:np.ones(3)})\n",
        }


async def test_nothing_is_compared_in_a_workspace_that_is_not_trusted(tmp_path):
    async with editor(tmp_path, own_trust=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE.replace("from helper import limit", "limit = 2"))
        async with it.settled():
            it.configure(trusted=False)
        inside = {"uri": it.uri("model.py"), "position": it.position("model.py", "pa|ss")}
        told = await it.execute("nst.compare", {**inside, "arguments": "np.ones(3)"})
        assert (told["name"], "not trusted" in told["error"]) == ("scale", True)
