"""Indexing in all its forms, read and written."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tracer.gaps import cases
from tests.tracer.inputs import INPUTS, MORE_ROWS, SAME_SHAPES, lines_of, names_in, runs, take
from tests.tracer.oracle import Table, table
from tests.tracer.versions import missing

KEYS = lines_of("keys")
READS = [f"x[{key}]" for key in KEYS] + lines_of("reads")
WRITES = [f"x[{key}] = 7.5" for key in KEYS] + [f"x[{key}] += 2" for key in KEYS] + lines_of("writes")


@pytest.fixture(scope="module")
def indexing(tmp_path_factory: pytest.TempPathFactory) -> Table:
    sources = ["import numpy as np\n"]
    for n, code in enumerate(READS):
        sources.append(f"def read{n}({', '.join(names_in(code))}):\n    return {code}\n")
    for n, code in enumerate(WRITES):
        names = names_in(code)
        sources.append(f"def write{n}({', '.join(names)}):\n    {code}\n    return {names[0]} * 1\n")
    return table(tmp_path_factory.mktemp("indexing"), "\n".join(sources))


@pytest.mark.parametrize("code", cases(READS))
def test_reading(indexing: Table, code: str) -> None:
    names = names_in(code)
    others = [take(names, pool) for pool in (SAME_SHAPES, MORE_ROWS) if runs(code, pool)]
    indexing.agrees(f"read{READS.index(code)}", *take(names, INPUTS), others=others)


@pytest.mark.parametrize("code", cases(WRITES))
def test_writing(indexing: Table, code: str) -> None:
    names = names_in(code)
    others = [take(names, pool) for pool in (SAME_SHAPES, MORE_ROWS) if runs(code, pool)]
    indexing.agrees(f"write{WRITES.index(code)}", *take(names, INPUTS), others=others)


def test_numpy_can_do_all_of_them() -> None:
    with np.errstate(all="ignore"):
        assert [code for code in READS + WRITES if not missing(code) and not runs(code, INPUTS)] == []
