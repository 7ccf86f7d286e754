"""The primitive by itself: how a forked child can end, and what its parent learns of it."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.worker.processes import wait_until
from tracer.worker import guards, supervise
from tracer.worker.descriptors import Capture
from tracer.worker.frames import LOST_CHANNEL, Emit, Ending, Frames, Kind, Outcome, frame
from tracer.worker.supervise import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


def run(body: Callable[[Emit], None], seconds: float = 30.0) -> tuple[Outcome, list[tuple[Kind, bytes]]]:
    """Run a body in a process of its own interpreter's copy; returns its outcome and frames."""
    frames: list[tuple[Kind, bytes]] = []
    outcome = supervise.run(body, Limits(seconds), lambda kind, data: frames.append((kind, data)))
    return outcome, frames


def test_frames_and_output_of_a_child_that_finishes() -> None:
    def body(emit: Emit) -> None:
        os.write(1, b"before\n")
        emit(Kind.LOADED, b"one")
        os.write(2, b"after\n")
        emit(Kind.REPORT, b"two" * 1_000_000)

    outcome, frames = run(body)
    assert outcome == Outcome(Ending.FINISHED, output="before\nafter\n")
    assert frames == [(Kind.LOADED, b"one"), (Kind.REPORT, b"two" * 1_000_000)]


def test_what_was_printed_up_to_a_frame() -> None:
    def body(emit: Emit) -> None:
        os.write(1, b"first\n")
        emit(Kind.LOADED, b"")
        os.write(1, b"second\n")
        emit(Kind.REPORT, b"")

    printed: list[tuple[Kind, bool]] = []
    task = supervise.start(
        body, Limits(30.0), lambda kind, _: printed.append((kind, task.printed().startswith("first\n")))
    )
    while task.outcome is None:
        supervise.turn([task])
    assert printed == [(Kind.LOADED, True), (Kind.REPORT, True)]
    assert task.outcome.output == "first\nsecond\n"


def test_an_exception() -> None:
    def body(emit: Emit) -> None:
        raise ValueError("of two\nlines")

    outcome, _ = run(body)
    assert outcome.ending is Ending.RAISED
    first, second, *_ = outcome.stack.splitlines()
    assert first == "ValueError: of two lines"
    assert second.startswith(f'  File "{__file__}", line ')
    assert second.endswith(" in body")


def loop_in_python() -> None:
    while True:
        pass


def loop_in_c() -> None:
    sum(iter(int, 1))


def sleep() -> None:
    time.sleep(3600)


@pytest.mark.parametrize("endless", [loop_in_python, loop_in_c, sleep])
def test_past_the_deadline(endless: Callable[[], None]) -> None:
    outcome, _ = run(lambda emit: endless(), seconds=0.2)
    assert outcome.ending is Ending.TIMED_OUT
    assert f" in {endless.__name__}\n" in outcome.stack


def test_a_child_that_ignores_what_it_can_is_killed_all_the_same() -> None:
    def body(emit: Emit) -> None:
        for number in (signal.SIGABRT, signal.SIGTERM, signal.SIGINT, signal.SIGIO):
            signal.signal(number, signal.SIG_IGN)
        loop_in_python()

    outcome, _ = run(body, seconds=0.2)
    assert outcome.ending is Ending.TIMED_OUT


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_to_itself(number: signal.Signals) -> None:
    def send(emit: Emit) -> None:
        os.kill(os.getpid(), number)

    outcome, _ = run(send)
    assert (outcome.ending, outcome.status) == (Ending.SIGNALLED, number)
    assert " in send\n" in outcome.stack


def test_a_crash_in_c() -> None:
    def crash(emit: Emit) -> None:
        ctypes.string_at(0)

    outcome, _ = run(crash)
    assert (outcome.ending, outcome.status) == (Ending.SIGNALLED, signal.SIGSEGV)
    assert " in crash\n" in outcome.stack


def test_an_exit_without_a_word() -> None:
    def leave(emit: Emit) -> None:
        os._exit(5)

    outcome, _ = run(leave)
    assert (outcome.ending, outcome.status) == (Ending.EXITED, 5)
    assert " in leave\n" in outcome.stack


def test_closed_descriptors_are_noticed() -> None:
    def body(emit: Emit) -> None:
        libc = ctypes.CDLL(None)
        for descriptor in range(10_000):
            libc.close(descriptor)
        with open(os.devnull, "wb"):
            emit(Kind.REPORT, b"")

    outcome, frames = run(body)
    assert (outcome.ending, outcome.status, frames) == (Ending.EXITED, LOST_CHANNEL, [])


def test_a_copy_that_user_code_forks_says_nothing() -> None:
    def body(emit: Emit) -> None:
        os.fork()
        emit(Kind.REPORT, str(os.getpid()).encode())

    outcome, frames = run(body)
    assert outcome.ending is Ending.FINISHED
    assert len(frames) == 1


def test_what_a_child_leaves_in_its_group_is_ended() -> None:
    def body(emit: Emit) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        emit(Kind.REPORT, str(child.pid).encode())

    _, ((_, pid),) = run(body)
    wait_until(lambda: not _lives(int(pid)))


def test_input_is_empty() -> None:
    def body(emit: Emit) -> None:
        os.write(1, repr(os.read(0, 10)).encode())

    outcome, _ = run(body)
    assert outcome == Outcome(Ending.FINISHED, output="b''")


def test_several_tasks_at_once() -> None:
    frames: list[bytes] = []

    def body(emit: Emit) -> None:
        emit(Kind.REPORT, str(os.getpid()).encode())

    tasks = [supervise.start(body, Limits(30.0), lambda _, data: frames.append(data)) for _ in range(5)]
    while any(task.outcome is None for task in tasks):
        supervise.turn(tasks)
    assert {int(pid) for pid in frames} == {task.pid for task in tasks}
    assert {task.outcome.ending for task in tasks if task.outcome} == {Ending.FINISHED}


@pytest.mark.parametrize("system", ["linux", "any POSIX"])
def test_the_children_of_a_child_end_with_it(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """Also where the parent is killed, and cannot see to it."""
    if system != "linux":
        monkeypatch.setattr(guards, "_LIBC", None)
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)

    def grandchild(emit: Emit) -> None:
        os.write(writing, b"!")
        loop_in_python()

    def child(emit: Emit) -> None:
        os.close(reading)
        supervise.run(grandchild, Limits(3600.0), lambda kind, data: None)

    task = supervise.start(child, Limits(3600.0), lambda kind, data: None)
    os.close(writing)
    assert os.read(reading, 1) == b"!"
    os.kill(task.pid, signal.SIGKILL)
    while task.outcome is None:
        supervise.turn([task])
    assert select.select([reading], [], [], 30.0)[0]
    assert os.read(reading, 1) == b""  # nobody holds the writing end any more
    os.close(reading)


def test_no_descriptors_are_left_open() -> None:
    before = set(os.listdir("/dev/fd"))
    for _ in range(3):
        run(lambda emit: None)
        supervise.start(lambda emit: loop_in_python(), Limits(3600.0), lambda kind, data: None).discard()
    assert len(os.listdir("/dev/fd")) == len(before)


def test_frames_survive_any_cut() -> None:
    stream = frame(Kind.LOADED, b"abc") + frame(Kind.END, b"") + frame(Kind.REPORT, b"x" * 300)
    frames = Frames()
    got = [told for n in range(len(stream)) for told in frames.feed(stream[n : n + 1])]
    assert got == [(Kind.LOADED, b"abc"), (Kind.END, b""), (Kind.REPORT, b"x" * 300)]


def test_capture_keeps_head_and_tail() -> None:
    capture = Capture(keep=4)
    for part in (b"ab", b"cdef", b"gh", b"ijklmnop"):
        capture.add(part)
    assert capture.text() == "abcd\n... 8 bytes left out ...\nmnop"
    short = Capture(keep=4)
    short.add(b"abcdefgh")
    assert short.text() == "abcdefgh"


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/status") as status:
            return "State:\tZ" not in status.read()
    except OSError:
        return False
