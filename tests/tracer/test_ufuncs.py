"""Every ufunc that NumPy has, in every way to use one, for several dtypes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tracer.gaps import cases
from tests.tracer.oracle import Table, table
from tests.tracer.versions import NUMPY, SINCE

pytestmark = pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")

DTYPES = "?blfdD"
UFUNCS = {name: ufunc for name, ufunc in vars(np).items() if isinstance(ufunc, np.ufunc) and name == ufunc.__name__}
PLAIN = {name: ufunc for name, ufunc in UFUNCS.items() if ufunc.signature is None}
BINARY = {name: ufunc for name, ufunc in PLAIN.items() if ufunc.nin == 2 and ufunc.nout == 1}
PAIRS = [name for name, ufunc in PLAIN.items() if ufunc.nout == 2]

FORMS = {
    "call": ("def call_{u}({a}):\n    return np.{u}({a})\n", PLAIN),
    "out": ("def out_{u}({a}, o):\n    np.{u}({a}, out=o)\n    return o * 1\n", PLAIN.keys() - PAIRS),
    "outs": (
        "def outs_{u}({a}, o):\n    left = o.copy()\n    np.{u}({a}, out=(left, o))\n    return left, o * 1\n",
        PAIRS,
    ),
    "where": ("def where_{u}({a}, o):\n    return np.{u}({a}, out=o, where=o == o[0])\n", PLAIN.keys() - PAIRS),
    "dtype": ("def dtype_{u}({a}):\n    return np.{u}({a}, dtype=np.float64, casting='unsafe')\n", PLAIN),
    "reduce": ("def reduce_{u}(a, b):\n    return np.{u}.reduce(a), np.{u}.reduce(b, axis=1, keepdims=True)\n", BINARY),
    "accumulate": (
        "def accumulate_{u}(a, b):\n    return np.{u}.accumulate(a, axis=1), np.{u}.accumulate(b)\n",
        BINARY,
    ),
    "reduceat": ("def reduceat_{u}(a, b):\n    return np.{u}.reduceat(a + b, [0, 2], axis=1)\n", BINARY),
    "outer": ("def outer_{u}(a, b):\n    return np.{u}.outer(a, b[0])\n", BINARY),
    "at": ("def at_{u}(a, b):\n    np.{u}.at(a, ([0, 1, 0], [1, 1, 1]), b[0, 0])\n    return a\n", BINARY),
}
CASES = [(form, name) for form, (_, ufuncs) in FORMS.items() for name in sorted(ufuncs)]


def operands(ufunc: np.ufunc, dtype: str, shift: int = 0) -> list[np.ndarray[Any, Any]]:
    """Small arrays that differ from each other; integers from 1 up, as shifts and powers want them."""
    count = np.arange(1 + shift, 13 + shift).reshape(3, 4)
    values = {"?": count % 3 == 0, "b": count % 5 + 1, "l": count % 5 + 1}.get(dtype, count * 0.375 - 2.0)
    second = values[::-1] if dtype in "?bl" else values[::-1] + 0.5
    return [array.astype(dtype) for array in (values, second)[: ufunc.nin]]


def arguments(form: str, ufunc: np.ufunc, dtype: str, shift: int = 0) -> list[np.ndarray[Any, Any]]:
    given = operands(ufunc, dtype, shift)
    if form in ("out", "outs", "where"):
        results = ufunc(*given)
        result = results[-1] if isinstance(results, tuple) else results
        given.append(np.arange(12).reshape(3, 4).astype(result.dtype))
    return given


@pytest.fixture(scope="module")
def ufuncs(tmp_path_factory: pytest.TempPathFactory) -> Table:
    sources = [FORMS[form][0].format(u=name, a="a, b"[: 3 * PLAIN[name].nin - 2]) for form, name in CASES]
    return table(tmp_path_factory.mktemp("ufuncs"), "import numpy as np\n\n" + "\n".join(sources))


def can(function: Callable[..., Any], form: str, ufunc: np.ufunc, dtype: str) -> bool:
    """Whether NumPy itself can do this."""
    try:
        function(*arguments(form, ufunc, dtype))
    except (TypeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("case", cases(CASES))
def test_a_ufunc(ufuncs: Table, case: tuple[str, str]) -> None:
    form, name = case
    function, ufunc = f"{form}_{name}", PLAIN[name]
    with np.errstate(all="ignore"):
        dtypes = [dtype for dtype in DTYPES if can(ufuncs.plain[function], form, ufunc, dtype)]
        for dtype in dtypes:
            others = [arguments(form, ufunc, dtype, shift=5)]
            traced = ufuncs.agrees(function, *arguments(form, ufunc, dtype), others=others)
            assert not traced.guards, "array arithmetic decides nothing"


def test_the_table_is_not_empty() -> None:
    assert len(PLAIN) > 80
    assert {"add", "exp", "arctan2", "divmod", "frexp"} <= PLAIN.keys()
    assert ("bitwise_count" in PLAIN) == (SINCE["np.bitwise_count"] <= NUMPY)


@pytest.mark.parametrize("name", sorted(UFUNCS.keys() - PLAIN.keys()))
def test_a_generalised_ufunc(tmp_path: Path, name: str) -> None:
    shapes = {"matmul": ((2, 3, 4), (4, 5)), "matvec": ((2, 3, 4), (4,)), "vecmat": ((3,), (3, 4))}
    left, right = shapes.get(name, ((3, 4), (4,)))
    source = f"import numpy as np\n\ndef call(a, b):\n    return np.{name}(a, b)\n"
    rng = np.random.default_rng(1)
    made = table(tmp_path, source)
    for dtype in "dD":
        args = [rng.normal(size=shape).astype(dtype) for shape in (left, right)]
        made.agrees("call", *args, others=[[a * 2 for a in args]])
