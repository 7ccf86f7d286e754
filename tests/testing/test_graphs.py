"""`assert_graph`: graphs that are kept beside the tests, in a real run of pytest."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.testing.project import make, run

pytest_plugins = ["pytester"]

FILTERS = """\
import numpy as np

window = np.linspace(0.0, 1.0, 4)


def smooth(x, gain=2.0):
    if x.shape[0] > 2:
        return x * window * gain
    return x
"""
TESTS = """\
import numpy as np
import pytest
from nst_lsp.testing import assert_graph
from filters import smooth


def test_smooth(assert_graph):
    assert_graph(smooth, np.ones(4))


class TestMany:
    def test_two(self):
        assert_graph(smooth, np.ones(4))
        assert_graph(smooth, np.ones(2), gain=1.0)

    @pytest.mark.parametrize("dtype", ["float32", "a/b"])
    def test_kinds(self, dtype):
        assert_graph(smooth, np.ones(4, "f4"))
"""


def kept(pytester: pytest.Pytester) -> dict[str, str]:
    home = Path(pytester.path, "tests", "__graphs__")
    return {path.relative_to(home).as_posix(): path.read_text() for path in sorted(home.rglob("*.*"))}


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    make(pytester, filters=FILTERS, tests__test_filters=TESTS)
    return pytester


def test_what_is_not_kept_fails_until_it_is(project: pytest.Pytester):
    result = run(project)
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        ["*no graph is kept for this test; `pytest --nst-update` writes __graphs__/test_filters/test_smooth.txt:"]
    )
    assert kept(project) == {}
    result = run(project, "--nst-update")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["5 new: kept in __graphs__"])
    assert sorted(kept(project)) == [
        "test_filters/TestMany.test_kinds[a-b]-b5d71d8f.txt",
        "test_filters/TestMany.test_kinds[float32].txt",
        "test_filters/TestMany.test_two-2.txt",
        "test_filters/TestMany.test_two.txt",
        "test_filters/test_smooth.txt",
    ]
    assert kept(project)["test_filters/test_smooth.txt"] == snapshot("""\
# holds for x.shape[0] > 2
# holds for gain == 2.0
import numpy as np

def smooth(x, gain=2.0):
    window = np.array([0.0, 0.333333333, 0.666666667, 1.0], dtype='float64')  # float64[4]
    mul = x * window  # float64[4]
    mul_1 = mul * 2.0  # float64[4]
    return mul_1
""")
    result = run(project)
    result.assert_outcomes(passed=5)
    assert "graphs" not in result.stdout.str().partition("test session starts")[2].replace("test_graphs", "")


def test_a_changed_graph_fails_with_the_difference(project: pytest.Pytester):
    run(project, "--nst-update")
    Path(project.path, "filters.py").write_text("# moved\n\n" + FILTERS.replace("* gain", "+ gain"))
    result = run(project, "-k", "test_smooth")
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(
        [
            "*the graph is not the one in __graphs__/test_filters/test_smooth.txt; `pytest --nst-update` accepts it:",
            "E * --- kept",
            "E * +++ traced now",
            "E *[-]    mul_1 = mul [*] 2.0  # float64[[]4[]]",
            "E *[+]    add = mul + 2.0  # float64[[]4[]]",
        ]
    )
    run(project, "-k", "test_smooth", "--nst-update").stdout.fnmatch_lines(["1 changed: kept in __graphs__"])
    run(project).assert_outcomes(passed=2, failed=3)


def test_lines_that_move_change_nothing(project: pytest.Pytester):
    run(project, "--nst-update")
    Path(project.path, "filters.py").write_text("# moved\n\n" + FILTERS)
    run(project).assert_outcomes(passed=5)


def test_processes_keep_graphs_together(project: pytest.Pytester):
    result = run(project, "-n2", "--nst-update")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["5 new: kept in __graphs__"])
    Path(project.path, "tests", "test_filters.py").write_text(TESTS.replace("test_two", "test_both"))
    result = run(project, "-n2", "--nst-update")
    result.stdout.fnmatch_lines(
        [
            "2 new: kept in __graphs__",
            "tests/__graphs__/test_filters/TestMany.test_two-2.txt is of no test any more: deleted",
            "tests/__graphs__/test_filters/TestMany.test_two.txt is of no test any more: deleted",
        ]
    )
    assert len(kept(project)) == 5


def test_what_no_test_has_any_more_is_told(project: pytest.Pytester):
    run(project, "--nst-update")
    tests = Path(project.path, "tests", "test_filters.py")
    tests.write_text(TESTS.replace("        assert_graph(smooth, np.ones(2), gain=1.0)\n", "").replace("float32", "f8"))
    result = run(project, "-k", "not kinds")
    result.assert_outcomes(passed=3, deselected=2)
    assert "no test any more" not in result.stdout.str()  # some tests were not asked for
    result = run(project)
    result.stdout.fnmatch_lines(
        [
            "tests/__graphs__/test_filters/TestMany.test_kinds[[]float32[]].txt is of no test any more",
            "tests/__graphs__/test_filters/TestMany.test_two-2.txt is of no test any more",
            "`pytest --nst-update` deletes what is of no test",
        ]
    )
    tests.unlink()
    result = run(project, "--nst-update")
    assert result.stdout.str().count("is of no test any more: deleted") == 5
    assert not Path(project.path, "tests", "__graphs__").exists()


def test_what_failed_may_still_need_its_graphs(project: pytest.Pytester):
    run(project, "--nst-update")
    tests = Path(project.path, "tests", "test_filters.py")
    tests.write_text(TESTS.replace("    def test_two(self):\n", "    def test_two(self):\n        assert False\n"))
    result = run(project)
    result.assert_outcomes(passed=4, failed=1)
    assert "no test any more" not in result.stdout.str()


def test_what_the_function_raises_is_raised(pytester: pytest.Pytester):
    raising = "from nst_lsp.testing import assert_graph\n\ndef test_it():\n    assert_graph(lambda x: x[5], [1, 2])\n"
    make(pytester, tests__test_raising=raising)
    run(pytester, "--nst-update").stdout.fnmatch_lines(["E *IndexError: list index out of range"])


def test_it_is_for_tests():
    """Within ours there is one running, so it is asked where there is none."""
    import contextvars

    from nst_lsp.testing import assert_graph

    with pytest.raises(RuntimeError, match="in a test that pytest runs"):
        contextvars.Context().run(assert_graph, abs, 1)
