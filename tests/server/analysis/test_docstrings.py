"""Arguments that docstrings tell."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from nst_lsp.analysis.docstrings import documented
from nst_lsp.analysis.offers import needed_of
from tracer.specs import spec


def told(signature: str, docstring: str) -> list[str]:
    body = "\n".join("    " + line if line else "" for line in docstring.splitlines())
    (node,) = ast.parse(f'def f({signature}):\n    """\n{body}\n    """\n').body
    assert isinstance(node, ast.FunctionDef)
    found = documented(node, list(needed_of(node)))
    for arguments in found:
        eval(f"dict(args=[{arguments}])" if "=" not in arguments else "0", {"np": np, "spec": spec})
    return found


NUMPYDOC = """\
Standardise.

Parameters
----------
{}

Returns
-------
ndarray, shape (q, r)
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x : ndarray, shape (n, d)", "spec((5, 3))"),
        ("x : ndarray of shape (n,)", "spec(5)"),
        ("x : array_like, shape (n, 3)", "spec((5, 3))"),
        ("x : (n, m) array", "spec((5, 3))"),
        ("x : 2-D array", "spec((5, 3))"),
        ("x : ndarray of int, shape (n,)", 'spec(5, "int64")'),
        ("x : np.ndarray\n    Samples, shape (n, n).", "spec((5, 5))"),
        ("x : ndarray", None),
        ("x : callable", None),
        ("x : int", None),
        ("y : ndarray, shape (n,)", None),
        ("x : ndarray, shape (2*n,)", None),
    ],
)
def test_numpydoc(line: str, expected: str | None):
    assert told("x", NUMPYDOC.format(line))[:1] == ([expected] if expected else [])


def test_a_name_has_one_size_and_contents_follow():
    text = NUMPYDOC.format(
        "x : array, shape (n, d)\nw, b : array, shape (d,)\nk : int\nmode : {'full', 'valid'}\nout : array, optional"
    )
    assert told("x, w, b, k, mode, out=None", text) == [
        "spec((5, 3)), spec(3), spec(3), 2, 'full'",
        ", ".join(f"np.random.default_rng({i}).random({size})" for i, size in enumerate(["(5, 3)", 3, 3]))
        + ", 2, 'full'",
    ]


def test_google():
    text = "Does.\n\nArgs:\n    x (ndarray): Samples, shape (n, 2).\n    rate (float): In hertz.\n\nReturns:\n    int"
    assert told("x, *, rate", text)[0] == "spec((5, 2)), rate=0.5"


def test_nothing_is_told_without_a_section():
    assert told("x", "x : ndarray, shape (n,)") == []
