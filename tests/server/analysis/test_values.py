"""Where a variable's value may have come from: the last one that can be told, or silence."""

from __future__ import annotations

import ast

import pytest

from nst_lsp.analysis.outline import parse
from nst_lsp.analysis.values import sources

CASES = {
    "y = x + 1\nuse(y)": ["x + 1"],
    "y = x + 1\ny = x - 1\nuse(y)": ["x - 1"],
    "y = x + 1\ny = helper(y)\nuse(y)": ["helper(y)"],  # and nothing before it
    "y = x + 1\ny += 1\nuse(y)": ["y += 1"],
    "y = x + 1\nz = y\nuse(z)": ["x + 1"],
    "use(x)": ["x"],
    "y = x\nuse(y)": ["x"],
    "if c:\n    y = x + 1\nelse:\n    y = x - 1\nuse(y)": ["x - 1", "x + 1"],
    "y = x * 2\nif c:\n    y = x + 1\nuse(y)": ["x + 1", "x * 2"],
    "y = x * 2\nif c:\n    y = helper(x)\nuse(y)": [],  # nobody knows whether it ran
    "y = x * 2\nif c:\n    y = x\nuse(y)": [],
    "y = x * 2\nif c:\n    y = np.exp(x)\nuse(y)": ["np.exp(x)", "x * 2"],
    "y = x * 2\nwith np.errstate():\n    y = x + 1\nuse(y)": ["x + 1"],
    "a, b = np.split(x, 2)\nuse(b)": ["np.split(x, 2)[1]"],
    "a, *b = x\nuse(b)": [],
    "(a, b), d = x + 1, x - 1\nuse(d)": ["x - 1"],
    "for row in x:\n    use(row)": ["x[any]"],
    "for i, row in enumerate(x):\n    use(row)": [],
    "y = x + 1\nfor y in range(3):\n    pass\nuse(y)": [],
    "y = x + 1\nwith open() as y:\n    use(y)": [],
    "y = x + 1\nimport y\nuse(y)": [],
    "y = x + 1\ndef y(): pass\nuse(y)": [],
    "def inner():\n    y = x - 1\ny = x + 1\nuse(y)": ["x + 1"],
    "def inner():\n    y = x - 1\nuse(y)": [],
    "global y\ny = x + 1\nuse(y)": ["x + 1"],
    "use(lambda x: x)": [],
    "use([x for x in z])": [],
    "y = x + 1\nfor i in z:\n    use(y)\n    y = x - 1": ["x + 1 | x - 1"],
    "y = x + 1\nz = x if c else y\nuse(z)": [],  # which of two variables it was
    "y = x + 1\nz = x - 1 if c else y\nuse(z)": ["x - 1", "x + 1"],
    "if (y := x + 1).any():\n    use(y)": ["x + 1"],
    "match x:\n    case [y, *z]:\n        use(y)": [],
    "y = x + 1\ntry:\n    z()\nexcept A:\n    y = x - 1\nexcept B:\n    use(y)": ["x - 1", "x + 1"],
    "match x:\n    case 1:\n        y = x + 1\n        use(y)": ["x + 1"],
    "try:\n    y = x + 1\nexcept E as y:\n    pass\nuse(y)": [],
}


@pytest.mark.parametrize("body", CASES)
def test_a_value_comes_from_what_is_sure(body: str) -> None:
    source = "def f(x, c, z):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    tree = parse(source)
    assert tree is not None
    calls = [one for one in ast.walk(tree.module) if isinstance(one, ast.Call) and ast.unparse(one.func) == "use"]
    inner = calls[-1].args[0]
    name = getattr(inner, "body", getattr(inner, "elt", inner))
    found = []
    for one in sources(tree, name):
        ways = [(way.item, way.iterated, tree.text.at(way.span)) for way in (one, *one.later)]
        texts = [text + ("[any]" if any_ else "" if item is None else f"[{item}]") for item, any_, text in ways]
        found.append(" | ".join(texts))
    assert found == CASES[body]
