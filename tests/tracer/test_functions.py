"""Array functions, creation, methods, attributes and operators, each as one expression, compared with NumPy itself."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tracer.gaps import cases
from tests.tracer.inputs import INPUTS, MORE_ROWS, SAME_SHAPES, lines_of, names_in, runs, take
from tests.tracer.oracle import Table, table
from tests.tracer.versions import missing

TABLES = ("functions", "creation", "methods", "operators")
CASES = [code for name in TABLES for code in lines_of(name)]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Table:
    sources = [f"def f{n}({', '.join(names_in(code))}):\n    return {code}\n" for n, code in enumerate(CASES)]
    return table(tmp_path_factory.mktemp("functions"), "import numpy as np\n\n" + "\n".join(sources))


@pytest.mark.parametrize("code", cases(CASES))
def test_an_expression(functions: Table, code: str) -> None:
    names = names_in(code)
    others = [take(names, pool) for pool in (SAME_SHAPES, MORE_ROWS) if runs(code, pool)]
    assert others, "nothing to compare with"
    functions.agrees(f"f{CASES.index(code)}", *take(names, INPUTS), others=others)


def test_sizes_stay_symbolic(functions: Table) -> None:
    """What an expression says by sizes, its graph does for other sizes, without a guard."""
    for code in (
        "np.zeros(x.shape) + x", "np.arange(x.shape[0])", "np.ones(len(x))", "np.eye(x.shape[0])",
        "x.reshape(x.shape[1], x.shape[0])", "x / x.shape[0]", "np.linspace(0, 1, x.shape[0])", "np.full(x.shape, 2.5)",
    ):  # fmt: skip
        traced = functions.agrees(f"f{CASES.index(code)}", INPUTS["x"], others=[[MORE_ROWS["x"]]])
        assert not traced.guards
        assert traced.graph(MORE_ROWS["x"]).shape != functions.plain[f"f{CASES.index(code)}"](INPUTS["x"]).shape


def test_numpy_can_do_all_of_them() -> None:
    """A case that NumPy refuses would test nothing."""
    with np.errstate(all="ignore"):
        assert [code for code in CASES if not missing(code) and not runs(code, INPUTS)] == []
