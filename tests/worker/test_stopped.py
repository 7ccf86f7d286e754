"""What is said of a run that was stopped, where that was none of the user's doing."""

from __future__ import annotations

from typing import Any

from tracer.worker import frames
from tracer.worker.frames import Ending, Outcome
from tracer.worker.stopped import reason, summary
from tracer.worker.wire import Study, StudyCall


def test_a_fault_of_ours_is_told_as_one_and_at_no_line_of_the_users(tmp_path):
    nothing: Any = None
    try:
        reason(nothing, 1.0)
    except AttributeError as error:
        stack = frames.raised(error)
    request = StudyCall(1, str(tmp_path / "model.py"), "f", Study.JOINT, root=str(tmp_path))
    told = summary(Outcome(Ending.RAISED, 0, stack, ""), request)
    assert told.startswith("the tracer failed, which is a fault of nst's own: AttributeError: 'NoneType'")
    assert "(tracer/worker/stopped.py:" in told
    assert "model.py" not in told
