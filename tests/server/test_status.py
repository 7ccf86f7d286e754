"""The status in one line, the log without secrets, and files that go with the server."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile

import pytest

from nst_lsp.logs import LINES, Logs, Recorder
from nst_lsp.status import Status, status
from nst_lsp.written import Written

NO_WORKER = "nst: nothing can be traced with python9"


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({}, Status("ok", True)),
        ({"starting": True}, Status("ok", False, "starting Python")),
        ({"starting": True, "runs": ["/a/b.py"]}, Status("ok", False, "starting Python")),
        ({"runs": ["/a/b.py"]}, Status("ok", False, "tracing b.py")),
        ({"runs": ["/a/b.py", "/a/c.py"]}, Status("ok", False, "tracing 2 files")),
        ({"stopped": ["/a/b.py"]}, Status("ok", True, "tracing b.py was stopped")),
        ({"stopped": ["/a/b.py"], "runs": ["/a/c.py"]}, Status("ok", False, "tracing c.py")),
        ({"untrusted": True}, Status("warning", True, "nothing is run in a workspace that is not trusted")),
        ({"failures": ["b.py: it ended"], "stopped": ["/a/c.py"]}, Status("warning", True, "b.py: it ended")),
        ({"failures": ["b.py: it ended"], "runs": ["/a/c.py"]}, Status("warning", False, "b.py: it ended")),
        ({"troubles": [NO_WORKER], "untrusted": True}, Status("error", True, NO_WORKER)),
    ],
)
def test_the_worst_is_told_first(known, told):
    assert status(**{"runs": (), **known}) == told


def test_values_of_secrets_are_masked_and_paths_and_short_ones_are_not(tmp_path):
    agent = tmp_path / "agent.sock"
    agent.touch()
    environment = {
        "API_KEY": "abcdef-123",
        "GITHUB_TOKEN": "abcdef-12345",
        "DB_PASSWORD": "x y z 9",
        "KEYBOARD": "qwertz-layout",
        "GIT_AUTHOR_NAME": "Somebody Else",
        "SSH_AUTH_SOCK": str(agent),
        "DEBUG_TOKEN": "on",
    }
    logs = Logs(environment)
    text = f"abcdef-12345 abcdef-123 x y z 9 qwertz-layout Somebody Else {agent} on"
    assert logs.masked(text) == f"••• ••• ••• qwertz-layout Somebody Else {agent} on"
    assert logs.add("key abcdef-123") == "key •••"
    assert logs.text.endswith(" key •••\n")


def test_what_pythons_own_logging_is_told_is_remembered():
    logs = Logs({"TOKEN": "hush-hush"})
    record = logging.LogRecord("pygls", logging.ERROR, __file__, 1, "it failed with %s", ("hush-hush",), None)
    Recorder(logs).emit(record)
    assert logs.text.endswith(" ERROR pygls: it failed with •••\n")


def test_graphs_that_are_files_have_a_place_for_each_function_and_go_together():
    written = Written()
    one = written.write("f.<locals>.g-1.graph.py", "one", about="nst-graph:/a.py/f.py")
    other = written.write("f.<locals>.g-1.graph.py", "other", about="nst-graph:/b.py/f.py")
    assert (one.name, one.read_text(), other.read_text()) == ("f.locals.g-1.graph.py", "one", "other")
    assert one.parent.parent == other.parent.parent
    written.remove()
    assert not one.parent.parent.exists()


def test_what_a_killed_server_left_behind_goes_with_the_next_that_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, recent, ours = (
        tmp_path / f"nst-graphs-{name}" for name in (f"{gone.pid}-a", f"{gone.pid}-b", f"{os.getpid()}-c")
    )
    for folder in (left, recent, ours):
        folder.mkdir()
    for folder in (left, ours):
        os.utime(folder, (0, 0))
    Written().write("f.py", "")
    assert [folder.exists() for folder in (left, recent, ours)] == [False, True, True]


def test_the_log_remembers_its_last_lines():
    logs = Logs({})
    logs.add("\n".join(f"line {number}" for number in range(LINES + 10)))
    lines = logs.text.splitlines()
    assert (len(lines), lines[-1][9:]) == (LINES, f"line {LINES + 9}")
    assert lines[0].endswith("line 10")
