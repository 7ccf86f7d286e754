"""A size, by whatever road it becomes a number: at another size the graph is right or refuses, in every mode."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tracer.oracle import Table, same, table
from tracer import GuardError, trace

SIZES = [
    "x.shape[0]", "len(x)", "x.__len__()", "x.size", "x.nbytes", "x.itemsize", "x.ndim", "np.size(x)",
    "np.size(x, 0)", "np.shape(x)[0]", "np.ndim(x)", "x.T.size", "x.ravel().size", "x[:2].size", "len(x[1:])",
    "np.ones_like(x).size", "np.arange(x.size).sum()", "np.asarray(x.shape).sum()", "np.array(x.shape)[0]",
    "np.prod(x.shape)", "max(x.shape)", "sum(x.shape)", "min(len(x), 4)", "len(x.flat)", "len(x.tolist())",
    "len(list(x))", "len([v for v in x])", "sum(1 for _ in x)", "len(list(enumerate(x)))", "len(range(len(x)))",
    "len(range(0, x.size, 2))", "x.shape.count(3)", "len(str(x.shape))", "-len(x) // 2", "divmod(len(x), 2)[1]",
    "pow(len(x), 2)", "float(len(x))", "round(len(x) / 2)", "len(np.split(x, len(x)))",
    "np.zeros(x.shape[0] + 1).shape[0]", "np.pad(x, 1).size", "np.concatenate([x, x]).shape[0]",
    "int('1' * len(x))", "[10, 20, 30, 40, 50, 60][len(x)]", "len('a' * len(x))", "len([0] * x.size)",
    "bool(len(x) > 4)", "(len(x) > 4) + 1", "np.full(3, len(x)).sum()", "np.linspace(0, 1, len(x)).sum()",
    "np.eye(len(x)).sum()", "np.repeat(2.0, x.size).sum()", "len(x.reshape(-1, 1))", "x.reshape(1, -1).shape[1]",
    "np.broadcast_to(2, x.shape).sum()", "np.count_nonzero(x > -1)", "len(np.nonzero(x > -1)[0])", "x.strides[0]",
]  # fmt: skip

MODES = ("real", "symbolic", "fake")
BAKED = frozenset({"NST201", "NST203"})
EXAMPLE, OTHERS = np.arange(3.0), (np.arange(5.0), np.arange(1.0), np.arange(3.0) * 2)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Table:
    functions = (f"def size_{i}(x):\n    return x.sum() * ({e})\n" for i, e in enumerate(SIZES))
    return table(tmp_path_factory.mktemp("sizes"), "import numpy as np\n\n" + "\n".join(functions))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("i", [pytest.param(i, id=e) for i, e in enumerate(SIZES)])
def test_right_or_refused(mode: str, i: int, made: Table) -> None:
    found = trace(getattr(made.traced, f"size_{i}"), EXAMPLE, mode=mode)
    plain = made.plain[f"size_{i}"]
    if found.error is not None:
        assert mode == "fake"
        assert any(finding.severity.value == "error" for finding in found.findings)
        return
    same(found.graph(EXAMPLE), plain(EXAMPLE))
    for other in OTHERS:
        try:
            got = found.graph(other)
        except GuardError:
            continue
        if not BAKED & {finding.code for finding in found.findings}:
            same(got, plain(other), SIZES[i])
