"""Attributes of standard modules that tell of the process, its machine and its interpreter.

Others (`sys.maxsize`, `sys.float_info`, `math.pi`) are constants as literals are, and not told.
"""

from __future__ import annotations

_TELLING = {
    "sys": frozenset({
        "argv", "orig_argv", "path", "executable", "prefix", "exec_prefix", "base_prefix", "base_exec_prefix",
        "platform", "version", "version_info", "hexversion", "implementation", "flags", "modules",
    }),
    "os": frozenset({"name"}),
    "time": frozenset({"timezone", "altzone", "daylight", "tzname"}),
}  # fmt: skip
NAMES = frozenset[str]().union(*_TELLING.values())
"""What such attributes are called: code that reads no such name need not ask."""


def is_environment(module: str, name: str) -> bool:
    """Whether an attribute of a module tells of the process."""
    return name in _TELLING.get(module, ())
