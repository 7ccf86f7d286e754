"""What Linux itself enforces for a process and all that it starts, without privileges: Landlock.

It holds for native code too, which an audit hook never sees.  A kernel that has less of it enforces less.
See landlock(7); the numbers are those of the kernel's `linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38
_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_CHANGES = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
"""Writing a file, removing and making files and folders of every kind."""
_TCP = 1 | 2
"""Binding and connecting."""
_SIGNALS = 1 << 1
_DEVICES = "/dev"
_SHARED_MEMORY = "/dev/shm"


def version() -> int:
    """The version that the kernel offers; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return max(0, int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _VERSION)))
    except (OSError, AttributeError):
        return 0


def restrict(writable: Iterable[str] | None, *, network: bool, signals: bool) -> bool:
    """Bind this thread and what it starts; False where the kernel refused.

    Only below the paths `writable` may files change (None: anywhere), besides devices and shared memory.  `network`
    and `signals` tell whether TCP and signals to other processes stay possible.
    """
    offered = version()
    if not offered:
        return False
    changes = 0 if writable is None else _CHANGES | (_REFER if offered >= 2 else 0) | (_TRUNCATE if offered >= 3 else 0)
    tcp = _TCP if offered >= 4 and not network else 0
    scoped = _SIGNALS if offered >= 6 and not signals else 0
    if not (changes or tcp or scoped):
        return True
    fields = struct.pack("=QQQ", changes, tcp, scoped)[: 24 if offered >= 6 else 16 if offered >= 4 else 8]
    libc = ctypes.CDLL(None)
    ruleset = libc.syscall(_CREATE_RULESET, fields, len(fields), 0)
    if ruleset < 0:
        return False
    try:
        for path in (*(writable or ()), _DEVICES, _SHARED_MEMORY):
            _allow(libc, ruleset, path, changes)
        bound = libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.syscall(_RESTRICT_SELF, ruleset, 0)
        return int(bound) == 0
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, changes: int) -> None:
    if not changes:
        return
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # nothing is there that could be written
    try:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode) and path != _DEVICES
        allowed = changes if is_folder else changes & (_WRITE_FILE | _TRUNCATE)
        libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", allowed, descriptor), 0)
    finally:
        os.close(descriptor)
