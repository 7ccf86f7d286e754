"""Calls in tests and scripts as examples; every one that is found is evaluated."""

from __future__ import annotations

import numpy as np
import pytest

from nst_lsp.analysis.calls import own_calls, written_calls
from nst_lsp.callers import Callers

HEAD = """\
import numpy as np
import numpy
import pytest
from numpy import random as r, ones
from numpy.random import default_rng
from pkg.model import f, Layer
import pkg.model as m
"""


def arguments(body, head=HEAD):
    found = [call.arguments for call in written_calls(head + body) if call.names[-1] == "f"]
    for one in found:
        eval(f"f({one})", {"np": np, "f": lambda *args, **kwargs: None})
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("f(np.ones(3), 2, mode='a')", ["np.ones(3), 2, mode='a'"]),
        ("f(numpy.ones(3))", ["np.ones(3)"]),
        ("f(ones(3))", ["np.ones(3)"]),
        ("f(r.default_rng(0).normal(size=3))", ["np.random.default_rng(0).normal(size=3)"]),
        ("g = default_rng(1)\nf(g.random(2))", ["np.random.default_rng(1).random(2)"]),
        ("m.f(-1.5, [1, (2, None)], {'a': slice(1)})", ["-1.5, [1, (2, None)], {'a': slice(1)}"]),
        ("def test():\n    x: object = np.arange(4)\n    y = x * 2\n    f(y)", ["np.arange(4) * 2"]),
        ("f(*[1, 2], **{'k': 3})", ["*[1, 2], **{'k': 3}"]),
        ("np.testing.assert_allclose(f(np.ones(2)), 1)", ["np.ones(2)"]),
        ("@pytest.mark.parametrize('x, n', [(np.ones(2), 3), 4])\ndef test(x, n):\n    f(x, n)", ["np.ones(2), 3"]),
        ("@pytest.mark.parametrize('x', [5, 4])\ndef test(x):\n    f(x)", ["5"]),
        ("def test(x):\n    f(x)", []),
        ("x = 1\nx = 2\nf(x)", []),
        ("x = 1\nx += 2\nf(x)", []),
        ("f(x)\nx = 1", []),
        ("for i in range(3):\n    f(i)", []),
        ("f([i for i in range(3)])", []),
        ("f(load('a'))", []),
        ("f(lambda: 1)", []),
        ("with pytest.raises(ValueError):\n    f(1)", []),
        ("def test(f):\n    f(1)", []),
        ("f = make()\nf(1)", []),
        (f"f({list(range(100))})", []),
        (f"f({'1 + ' * 3000}1)", []),
    ],
)
def test_what_stands_for_itself_is_an_example(body, expected):
    assert arguments(body) == expected


def test_a_method_is_called_on_what_made_the_object():
    found = written_calls(
        HEAD + "layer = Layer(3, w=np.ones(2))\nlayer.forward(1)\nLayer().forward()\nother.forward(1)"
    )
    calls = [
        one.example_of("Layer.forward") for one in found if one.names[-1] == "forward" and one.receiver is not None
    ]
    assert calls == ["Layer(3, w=np.ones(2)), 1", "Layer()"]


OWN = '''\
"""What it is for.

>>> import numpy
>>> x = numpy.ones(2)
>>> f(x)
"""


def f(x):
    return x


def g(f):
    return f(1)


if __name__ == "__main__":
    import numpy as xp

    data = xp.ones(3)
    print(f(data), f(data))
'''


def test_the_file_itself_is_read_with_its_docstrings_and_its_main_block():
    assert [(one.arguments, one.line) for one in own_calls(OWN, "m.py", "f")] == [("np.ones(2)", 1), ("np.ones(3)", 21)]


@pytest.fixture
def workspace(tmp_path):
    def write(name, text):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


def found(callers, root, path, function="f", texts=None):
    return [one.arguments for one in callers.find(str(root), str(path), function, texts or {})]


@pytest.mark.parametrize(
    ("where", "imports"),
    [
        ("tests/test_model.py", "from pkg.model import f"),
        ("tests/test_model.py", "from pkg import f"),
        ("tests/test_model.py", "from pkg import model\nf = None\nmodel.f(1)\n"),
        ("tests/test_model.py", "import pkg.model as m\nm.f(1)\n"),
        ("pkg/test_model.py", "from .model import f"),
        ("pkg/test_model.py", "from . import f"),
        ("pkg/tests/test_model.py", "from ..model import f"),
        ("scripts/run.py", "from pkg.model import f as g\ng(1)"),
    ],
)
def test_calls_are_found_by_what_is_imported(where, imports, workspace, tmp_path):
    workspace("pkg/__init__.py", "")
    model = workspace("pkg/model.py", "def f(x): ...\n")
    workspace(where, imports if "(1)" in imports else f"{imports}\nf(1)\n")
    assert found(Callers(), tmp_path, model) == ["1"]


@pytest.mark.parametrize(
    "text",
    ["from other.model2 import f\nf(1)", "from .. import f\nf(1)", "def f(x): ...\nf(1)", "import model\nmodel.g.f(1)"],
)
def test_other_functions_of_that_name_are_not_meant(text, workspace, tmp_path):
    model = workspace("pkg/model.py", "def f(x): ...\n")
    workspace("tests/test_model.py", text)
    assert found(Callers(), tmp_path, model) == []


def test_tests_come_first_environments_never_and_changes_are_seen(workspace, tmp_path):
    model = workspace("model.py", "def f(x): ...\n")
    workspace("a.py", "from model import f\nf(2)\n")
    workspace("venv/pyvenv.cfg", "")
    workspace("venv/a.py", "from model import f\nf(3)\n")
    test = workspace("tests/test_model.py", "from model import f\nf(1)\nf(1)\nf(b)\n")
    callers = Callers()
    assert found(callers, tmp_path, model) == ["1", "2"]
    assert found(callers, tmp_path, model, texts={str(test): "from model import f\nf(4)\n"}) == ["4", "2"]
    test.write_text("# nothing\n")
    assert found(callers, tmp_path, model) == ["2"]
