"""The last lines of the server's log, for whoever has nothing but an editor to look for them.

What is kept and told never holds a secret: the values of environment variables that are named like one are masked.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections import deque
from collections.abc import Mapping

LINES = 1000
MASK = "•••"
_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH(?!OR)|COOKIE|APIKEY|(?:^|_)(?:KEY|PAT|PWD|DSN)(?:$|_)",
    re.IGNORECASE,
)
_SHORTEST = 6
"""Characters of a value that is masked: shorter ones are everywhere, and no secrets."""


class Logs:
    """A bounded memory of lines with their times."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._lines: deque[str] = deque(maxlen=LINES)
        self._secrets = _secrets(environment)

    def add(self, text: str) -> str:
        """Keep a message; what of it may be shown."""
        shown = self.masked(text)
        now = time.strftime("%H:%M:%S")
        self._lines.extend(f"{now} {line}" for line in shown.splitlines())
        return shown

    def masked(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)


class Recorder(logging.Handler):
    """Adds what Python's own logging is told: warnings of libraries, errors with their tracebacks."""

    def __init__(self, logs: Logs) -> None:
        super().__init__(logging.WARNING)
        self._logs = logs
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._logs.add(self.format(record))


def _secrets(environment: Mapping[str, str]) -> list[str]:
    """The values to mask, the longest first, as one may be part of another; paths are no secrets (`SSH_AUTH_SOCK`)."""
    values = {
        value
        for name, value in environment.items()
        if _SECRET.search(name) and len(value) >= _SHORTEST and not os.path.exists(value)
    }
    return sorted(values, key=len, reverse=True)
