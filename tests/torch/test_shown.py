"""An editor shows of a torch call in which module it stands, and what it becomes."""

from __future__ import annotations

from tests.page.browser import address, tab
from tests.server.editor import editor

SOURCE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 5), nn.ReLU())

    # nst: example(Net(), torch.ones(4, 3))
    def forward(self, x):
        return self.layers(x).sum()
"""


async def test_hover_and_page_tell_module_and_operations(tmp_path):
    async with editor(tmp_path, timeout=20.0) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        called = await it.hover("model.py", "self.lay|ers(x)")
        assert "in `self.layers[0]: Linear(3, 5)`\n\nbecomes `aten.t`, `aten.addmm`" in called
        assert "in `self.layers[1]: ReLU`\n\nbecomes `aten.relu`" in called
        summed = await it.hover("model.py", ".su|m()")
        assert "becomes `aten.sum`" in summed
        assert "in `" not in summed
        async with tab(await address(it, "Net.forward")) as page:
            await page.until(lambda: any(node["becomes"] for node in page.picture.get("nodes", ())))
            nodes = {node["name"]: node for node in page.picture["nodes"]}
            assert [one["operation"] for one in nodes["linear"]["becomes"]] == ["aten.t.default", "aten.addmm.default"]
            around = page.picture["groups"][nodes["layers_0_weight"]["group"]]
            assert {key: around[key] for key in ("kind", "path", "label")} == {
                "kind": "module",
                "path": "self.layers[0]",
                "label": "[0]: Linear(3, 5)",
            }
