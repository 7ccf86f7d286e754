"""Text frames: the carets stand under exactly what the finding speaks of, whatever the line holds."""

from __future__ import annotations

from itertools import pairwise

from inline_snapshot import snapshot
from rich.cells import cell_len

from nst_lsp.analysis.text import Text
from nst_lsp.frames import frame, text
from tests.cli.samples import PATH, SOURCE, WITNESS, finding
from tracer.rules import Severity
from tracer.worker.wire import Finding, Fix, Place, Related, Span, Witness


def shown(given: Finding, source: str = SOURCE) -> str:
    return text(frame(given, lambda path: Text(source) if path == PATH else None))


def underlined(source: str, span: Span) -> list[str]:
    """What stands above the carets, cell by cell, read back from the text."""
    lines = shown(finding(at=span, value=None), source).splitlines()
    found = []
    for above, marks in pairwise(lines):
        if "|" in marks and marks.split("|", 1)[1].strip(" ^") == "" and "^" in marks:
            start, end = cell_len(marks[: marks.index("^")]), cell_len(marks.rstrip())
            found.append("".join(char for place, char in cells(above) if start <= place < end))
    return found


def cells(line: str) -> list[tuple[int, str]]:
    """Each character with the terminal column it begins at."""
    return [(cell_len(line[:number]), char) for number, char in enumerate(line)]


def test_a_finding_with_everything():
    everything = finding(
        count=60,
        witness=WITNESS,
        related=(Related("`x` is this parameter", Place(PATH, Span(4, 11, 4, 12))),),
        fixes=(Fix("Use np.where", True),),
    )
    assert shown(everything) == snapshot("""\
warning[NST102] branch-on-shape: decided by a size: True for the example
 --> /project/ops.py:5:8  in scale
  |
5 |     if x.shape[0] > 2:
  |        ^^^^^^^^^^^^^^ True (60 times)
  = witness: function and graph differ for
      x = np.array([1., 2.])
      function: array([0., 1.])
      graph:    array([0.5, 0.7])
  = fix: Use np.where (verified)
  = help: nst rule NST102
note: `x` is this parameter
 --> /project/ops.py:4:11
  |
4 | def scale(x):
  |           -
""")


def test_the_least_finding():
    least = finding(value=None, severity=Severity.HINT, function="", message="a message")
    assert shown(least) == snapshot("""\
hint[NST102] branch-on-shape: a message
 --> /project/ops.py:5:8
  |
5 |     if x.shape[0] > 2:
  |        ^^^^^^^^^^^^^^
  = help: nst rule NST102
""")


def test_a_range_over_several_lines_is_underlined_on_each():
    assert shown(finding(at=Span(6, 16, 7, 23), value="4.0")) == snapshot("""\
warning[NST102] branch-on-shape: decided by a size: True for the example
 --> /project/ops.py:6:16  in scale
  |
6 |         return x / (x.sum() +
  |                ^^^^^^^^^^^^^^
7 |                     1)
  |                     ^^ 4.0
  = help: nst rule NST102
""")


def test_the_middle_of_a_tall_range_is_left_out():
    source = "f(\n" + "".join(f"    {number},\n" for number in range(20)) + ")\n"
    assert shown(finding(at=Span(1, 1, 22, 2), value=None), source) == snapshot("""\
warning[NST102] branch-on-shape: decided by a size: True for the example
  --> /project/ops.py:1:1  in scale
   |
 1 | f(
   | ^^
 2 |     0,
   |     ^^
 3 |     1,
   |     ^^
 4 |     2,
   |     ^^
..
19 |     17,
   |     ^^^
20 |     18,
   |     ^^^
21 |     19,
   |     ^^^
22 | )
   | ^
   = help: nst rule NST102
""")


def test_tabs_and_wide_characters_before_the_range():
    assert underlined(SOURCE, Span(8, 18, 8, 32)) == ["x.max().item()"]


def test_wide_and_combining_characters_within_the_range():
    source = "y = 'e\u0301' + 数値 + '🎉' + z\n"
    start = source.index("数値") + 1
    assert underlined(source, Span(1, start, 1, start + 8)) == ["数値 + '🎉'"]


def test_a_blank_line_inside_a_range():
    assert underlined("f(a,\n\n  b)\n", Span(1, 2, 3, 5)) == ["(a,", "b)"]


def test_a_long_line_is_cut_around_the_range():
    source = "y = " + " + ".join(f"x{number}" for number in range(500)) + "\n"
    start = source.index("x321") + 1
    assert underlined(source, Span(1, start, 1, start + 4)) == ["x321"]
    assert max(map(len, shown(finding(at=Span(1, start, 1, start + 4)), source).splitlines())) < 160


def test_an_empty_range_at_the_end_of_a_line_has_one_caret():
    assert "\n  |        ^\n" in shown(finding(at=Span(1, 8, 1, 8), value=None), "x = f(3\n")


def test_no_control_character_reaches_the_terminal():
    hostile = finding(at=Span(1, 5, 1, 14), value="'\x1b[31m'", message="bad \x1b]0;title\x07", text="")
    output = shown(hostile, "y = '\x1b[2J!'\n")
    assert not [char for char in output if char < " " and char != "\n"]
    assert "y = '␛[2J!'" in output


def test_a_message_and_a_value_of_several_lines_stay_on_theirs():
    output = shown(finding(message="first\nsecond", value="array([[1., 2.],\n       [3., 4.]])"))
    assert output.splitlines()[0].endswith("first second")
    assert "^ array([[1., 2.], [3., 4.]])\n" in output


def test_an_array_in_a_witness_keeps_its_columns():
    witness = Witness({"x": "np.array([[1., 2.],\n          [3., 4.]])", "n": "3"}, "1.0", "2.0")
    assert shown(finding(witness=witness)).split("help")[0] == snapshot("""\
warning[NST102] branch-on-shape: decided by a size: True for the example
 --> /project/ops.py:5:8  in scale
  |
5 |     if x.shape[0] > 2:
  |        ^^^^^^^^^^^^^^ True
  = witness: function and graph differ for
      x = np.array([[1., 2.],
                    [3., 4.]])
      n = 3
      function: 1.0
      graph:    2.0
  = \
""")


def test_a_file_that_is_gone_shows_its_place_only():
    assert shown(finding(path="/project/gone.py")) == snapshot("""\
warning[NST102] branch-on-shape: decided by a size: True for the example
 --> /project/gone.py:5:8  in scale
  = help: nst rule NST102
""")
