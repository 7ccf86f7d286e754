"""Ending a trace from outside, in the middle of the user's function: what was recorded until then is kept."""

from __future__ import annotations


class Halt(BaseException):
    """Raised where the user's function is; no `except Exception` of it holds this up.

    `reason` says why, in words; it is empty where somebody else reports that.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
