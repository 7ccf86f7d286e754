"""What an audit event (PEP 578) is about to do to the outside, in words and as what the setting `allow` names.

One function a kind of event, in a table by its name; each gives nothing where nothing of the outside would
change.  What would fail by itself is left to do so.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import landlock

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = ("/dev/", "\\\\.\\")
_LOOKING_AROUND = frozenset({"ctypes.util", "platform", "uuid"})
"""Modules of the standard library that ask a program of the system for something, and change nothing."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """`kind` and `target` are those of the setting; `code` is the rule that it falls under when it is reported."""

    kind: str
    target: str
    words: str
    code: str = "NST301"
    is_name: bool = False
    """Whether the target is the name of a host, which stands for addresses."""

    @property
    def setting(self) -> str:
        target = short(self.target) if self.kind == "write" else self.target
        return self.kind if self.kind == "signal" else f"{self.kind}:{target}"


Reader = Callable[[tuple[Any, ...]], Iterator[Attempt]]


# ---- files -----------------------------------------------------------------------------------------


def _opened(args: tuple[Any, ...]) -> Iterator[Attempt]:
    path, mode, flags = args
    writes = flags & WRITING if isinstance(flags, int) and flags else isinstance(mode, str) and set(mode) & set("wax+")
    if not writes or isinstance(path, int):
        return
    target = absolute(path)
    if target is None or target.startswith(_DEVICES) or os.path.isdir(target):
        return
    there = os.path.lexists(target)
    creates = flags & os.O_CREAT or not flags
    if (there and flags & os.O_EXCL) or (not there and not (creates and os.path.isdir(os.path.dirname(target)))):
        return
    yield _change(target, "opening `{}` for writing")


def _changed(words: str, folder: int | None = None) -> Reader:
    """An event whose first argument is the path of something that is there; `folder` is where its `dir_fd` stands."""

    def read(args: tuple[Any, ...]) -> Iterator[Attempt]:
        target = absolute(args[0], -1 if folder is None else args[folder])
        if target is not None and os.path.lexists(target):
            yield _change(target, words)

    return read


def _folder_made(args: tuple[Any, ...]) -> Iterator[Attempt]:
    target = absolute(args[0], args[2])
    if target is not None and not os.path.lexists(target) and os.path.isdir(os.path.dirname(target)):
        yield _change(target, "making the folder `{}`")


def _renamed(args: tuple[Any, ...]) -> Iterator[Attempt]:
    source, target = absolute(args[0], args[2]), absolute(args[1], args[3])
    if source is not None and target is not None and os.path.lexists(source):
        yield _change(source, "renaming `{}`")
        yield _change(target, "renaming a file to `{}`")


def _linked(args: tuple[Any, ...]) -> Iterator[Attempt]:
    target = absolute(args[1], args[-1])
    if target is not None and not os.path.lexists(target):
        yield _change(target, "making the link `{}`")


def _database(args: tuple[Any, ...]) -> Iterator[Attempt]:
    """`sqlite3.connect`: native code opens the file; one that is there is only read where the kernel sees to it."""
    target = absolute(args[0])
    name = os.path.basename(target or "")
    if target is None or name.startswith((":memory:", "file:")) or not args[0]:
        return
    if not os.path.exists(target) or not landlock.version():
        yield _change(target, "opening the database `{}`")


def _change(target: str, words: str) -> Attempt:
    return Attempt("write", target, words.format(short(target)))


def short(path: str) -> str:
    """A path as people write it: from the root, where the worker runs."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):
        return path
    return path if relative.startswith("..") else relative


def absolute(path: Any, folder: Any = -1) -> str | None:
    """A path of an audit event as text; it may be a descriptor, or start in a folder that is one."""
    try:
        if isinstance(path, int):
            return _path_of(path)
        text = os.fsdecode(path)
        if isinstance(folder, int) and folder >= 0 and not os.path.isabs(text):
            start = _path_of(folder)
            return None if start is None else os.path.normpath(os.path.join(start, text))
        return os.path.abspath(text)
    except (TypeError, ValueError, OSError):
        return None


def _path_of(descriptor: int) -> str | None:
    if sys.platform == "darwin":
        import fcntl

        return fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0").decode()
    return os.readlink(f"/proc/self/fd/{descriptor}") if sys.platform == "linux" else None


# ---- network ---------------------------------------------------------------------------------------


def _to_address(words: str, code: str) -> Reader:
    def read(args: tuple[Any, ...]) -> Iterator[Attempt]:
        address = args[-1]
        if isinstance(address, (str, bytes)):  # a socket of this machine
            text = os.fsdecode(address)
            if text and not text.startswith("\0"):
                yield Attempt("network", os.path.abspath(text), f"{words} `{text}`", code)
        elif isinstance(address, tuple) and len(address) >= 2:
            target = f"{address[0] or 'localhost'}:{address[1]}"
            yield Attempt("network", target, f"{words} `{target}`", code)

    return read


def _looked_up(args: tuple[Any, ...]) -> Iterator[Attempt]:
    host = args[0][0] if isinstance(args[0], tuple) else args[0]
    host = host.decode("idna", "replace") if isinstance(host, (bytes, bytearray)) else host
    if isinstance(host, str) and host and host != "localhost" and not _is_numeric(host):
        port = args[1] if len(args) > 1 and isinstance(args[1], int) else 0
        yield Attempt("network", f"{host}:{port}" if port else host, f"asking the network for `{host}`", "NST207", True)


def _is_numeric(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


# ---- processes -------------------------------------------------------------------------------------


def _started(args: tuple[Any, ...]) -> Iterator[Attempt]:
    """`subprocess.Popen`: (executable, arguments, folder, environment)."""
    frame = sys._getframe(1)
    reads, asks = False, False
    while frame.f_back is not None:
        if frame.f_code.co_name == "_execute_child" and isinstance(frame.f_locals.get("c2pread"), int):
            reads = frame.f_locals["c2pread"] >= 0
        asks |= frame.f_globals.get("__name__") in _LOOKING_AROUND
        frame = frame.f_back
    if not asks:
        yield _program(
            args[0] or (args[1] if isinstance(args[1], (str, bytes)) else args[1][0]), "NST207" if reads else "NST301"
        )


def _executed(args: tuple[Any, ...]) -> Iterator[Attempt]:
    yield _program(args[0])


def _spawned(args: tuple[Any, ...]) -> Iterator[Attempt]:
    yield _program(args[1])


def _command(args: tuple[Any, ...]) -> Iterator[Attempt]:
    command = os.fsdecode(args[0]).split()
    yield _program(command[0] if command else "sh")


def _program(path: Any, code: str = "NST301") -> Attempt:
    name = os.path.basename(os.fsdecode(path)) or "sh"
    return Attempt("subprocess", name, f"starting the program `{name}`", code)


# ---- signals ---------------------------------------------------------------------------------------


def _signalled(args: tuple[Any, ...]) -> Iterator[Attempt]:
    pid, number = args
    if number and pid not in (0, os.getpid(), -os.getpgrp()) and not _is_own(abs(pid)):
        yield Attempt("signal", str(pid), f"sending {_signal_name(number)} to the process {pid}")


def _group_signalled(args: tuple[Any, ...]) -> Iterator[Attempt]:
    group, number = args
    if number and group not in (0, os.getpgrp()) and not _is_own(group):
        yield Attempt("signal", str(group), f"sending {_signal_name(number)} to the process group {group}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _is_own(pid: int) -> bool:
    """Whether a process descends from this one."""
    for _ in range(100):
        if pid <= 1:
            return False
        if pid == os.getpid():
            return True
        try:
            with open(f"/proc/{pid}/stat", "rb") as stream:
                pid = int(stream.read().rpartition(b")")[2].split()[1])
        except OSError:
            return sys.platform != "linux" and _is_child(pid)
    return False


def _is_child(pid: int) -> bool:
    wait: Any = getattr(os, "waitid", None)
    if wait is None:
        return False
    try:
        wait(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except OSError:
        return False
    return True


# ---- native code -----------------------------------------------------------------------------------

_NATIVE = {
    **dict.fromkeys(("system", "popen", "execv", "execve", "execvp", "execl", "execlp", "posix_spawn"), "subprocess"),
    **dict.fromkeys(("kill", "killpg", "tgkill"), "signal"),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir", "remove", "rename", "renameat", "creat", "truncate"), "write"),
    **dict.fromkeys(("connect", "bind", "sendto", "gethostbyname", "getaddrinfo"), "network"),
}


def _named_in_library(args: tuple[Any, ...]) -> Iterator[Attempt]:
    """`ctypes.dlsym`: the functions of the C library that do what is stopped elsewhere."""
    kind = _NATIVE.get(args[1]) if isinstance(args[1], str) else None
    if kind is not None:
        yield Attempt(kind, "ctypes", f"looking up the C function `{args[1]}`")


READERS: dict[str, Reader] = {
    "open": _opened,
    "sqlite3.connect": _database,
    "os.mkdir": _folder_made,
    "os.rename": _renamed,
    "os.link": _linked,
    "os.symlink": _linked,
    **dict.fromkeys(("os.remove", "os.rmdir"), _changed("removing `{}`", 1)),
    "os.chmod": _changed("changing the permissions of `{}`", 2),
    "os.chown": _changed("changing the owner of `{}`", 3),
    "os.utime": _changed("changing the time of `{}`", 3),
    **dict.fromkeys(("os.truncate", "os.chflags", "os.setxattr", "os.removexattr"), _changed("changing `{}`")),
    "socket.connect": _to_address("a connection to", "NST207"),
    "socket.bind": _to_address("binding a socket to", "NST301"),
    "socket.sendto": _to_address("sending data to", "NST301"),
    "socket.sendmsg": _to_address("sending data to", "NST301"),
    **dict.fromkeys(
        ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"), _looked_up
    ),
    "subprocess.Popen": _started,
    "os.system": _command,
    "os.startfile": _executed,
    **dict.fromkeys(("os.exec", "os.posix_spawn"), _executed),
    "os.spawn": _spawned,
    "os.kill": _signalled,
    "os.killpg": _group_signalled,
    "ctypes.dlsym": _named_in_library,
}  # fmt: skip
