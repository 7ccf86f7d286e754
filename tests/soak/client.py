"""A language client that notes everything the server says and answers what it asks, over plain JSON.

It lives in the test's thread; a second thread reads.  Every request is remembered until it is answered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.wire_harness import SERVER

DEADLINE = 180.0
"""Seconds until something that does not come is a failure; a busy machine takes long."""
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16", "utf-8"]},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", ""]}}},
        "codeLens": {},
        "inlayHint": {},
        "completion": {},
        "signatureHelp": {},
    },
    "window": {"workDoneProgress": True},
    "experimental": {"serverStatusNotification": True},
}


class SilentError(Exception):
    """The server did not say in time what it should have said, or has ended."""


class Client:
    """One server process in a folder; `settings` is what it is told when it asks for the `nst` section."""

    def __init__(
        self, folder: Path, scratch: Path, settings: dict[str, Any], log: Path, *, pulls: bool = False
    ) -> None:
        self.settings = settings
        self.diagnostics: dict[str, dict[str, Any]] = {}
        self.pending: dict[int, str] = {}
        self.refused: list[str] = []
        """Requests that were answered with an error other than that of a cancelled one."""
        self.shown: list[str] = []
        self.logged: list[str] = []
        self.tokens: list[Any] = []
        """Progress that is under way."""
        self.asked_for_settings = 0
        self._quiescent = True
        self._answers: dict[int, dict[str, Any]] = {}
        self._last = 0
        self._ended = False
        self._news = threading.Condition()
        self._writing = threading.Lock()
        environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                SERVER,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**environment, "VIRTUAL_ENV": sys.prefix, "TMPDIR": str(scratch)},
            )
        threading.Thread(target=self._read, daemon=True).start()
        uri = folder.as_uri()
        given = {"processId": os.getpid(), "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "soak"}]}
        can = {**CAPABILITIES, "textDocument": CAPABILITIES["textDocument"] | ({"diagnostic": {}} if pulls else {})}
        self.capabilities: dict[str, Any] = self.ask("initialize", {**given, "capabilities": can})["capabilities"]
        """The server's."""
        self.notify("initialized", {})
        self.until(lambda: self.asked_for_settings > 0)

    # ---- what is said -------------------------------------------------------------------------------

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> int:
        """Send a request and go on; its number."""
        self._last += 1
        with self._news:
            self.pending[self._last] = method
        self._send({"id": self._last, "method": method, "params": params})
        return self._last

    def answer(self, number: int) -> Any:
        """The result of a request that was sent; None where it was refused."""
        self.until(lambda: number in self._answers)
        return self._answers.pop(number).get("result")

    def ask(self, method: str, params: Any) -> Any:
        return self.answer(self.request(method, params))

    def cancel(self, number: int) -> None:
        self.notify("$/cancelRequest", {"id": number})

    def settle(self) -> None:
        """Wait until all that was asked is answered and all runs are over."""
        self.ask("textDocument/hover", {"textDocument": {"uri": "file:///none.py"}, "position": _START})
        self.until(lambda: self._quiescent and not self.pending)

    def end(self) -> int:
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(DEADLINE)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self.process.stdin
        assert stream is not None
        try:
            with self._writing:
                stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                stream.flush()
        except OSError as error:
            raise SilentError("the server does not read any more") from error

    # ---- what is heard ------------------------------------------------------------------------------

    def until(self, done: Callable[[], Any]) -> None:
        end = time.monotonic() + DEADLINE
        with self._news:
            while not done():
                if self._ended:
                    raise SilentError("the server has ended")
                if not self._news.wait(max(0.0, end - time.monotonic())) and time.monotonic() > end:
                    raise SilentError(f"nothing came; not answered: {self.pending}, quiescent: {self._quiescent}")

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            with self._news:
                self._hear(message)
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _hear(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            self._answered(message)
        elif "id" in message:
            self._send({"id": message["id"], "result": self._served(method, params)})
        elif method == "textDocument/publishDiagnostics":
            self.diagnostics[params["uri"]] = params
        elif method == "experimental/serverStatus":
            self._quiescent = params["quiescent"]
        elif method == "window/showMessage":
            self.shown.append(params["message"])
        elif method == "window/logMessage":
            self.logged.append(params["message"])
        elif method == "$/progress":
            kind = params["value"]["kind"]
            if kind == "begin":
                self.tokens.append(params["token"])
            elif kind == "end" and params["token"] in self.tokens:
                self.tokens.remove(params["token"])

    def _answered(self, message: dict[str, Any]) -> None:
        method = self.pending.pop(message["id"], None)
        if method is None:
            self.refused.append(f"an answer to nothing, or a second one: {message}")
            return
        self._answers[message["id"]] = message
        if "error" in message and message["error"]["code"] != _CANCELLED:
            self.refused.append(f"{method}: {message['error']}")

    def _served(self, method: str, params: Any) -> Any:
        if method == "workspace/configuration":
            self.asked_for_settings += 1
            return [dict(self.settings) for _ in params["items"]]
        if method == "window/showDocument":
            return {"success": True}
        if method == "workspace/applyEdit":
            return {"applied": False}
        return None


_START = {"line": 0, "character": 0}
_CANCELLED = -32800
