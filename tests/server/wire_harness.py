"""A language client of forty lines, for what a well-behaved client never does."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from typing import Any

DEADLINE = 120
"""Seconds until a missing answer fails the test; nothing waits this long when all is well."""

SERVER = [sys.executable, "-c", "import sys; from nst_lsp.server import serve; sys.exit(serve())"]


class Raw:
    """A server process and its messages as plain JSON."""

    def __init__(self, command: list[str] | None = None, **env: str) -> None:
        import os

        self.process = subprocess.Popen(
            command or SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **env}
        )
        self.seen: list[dict[str, Any]] = []
        self._incoming: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            self._incoming.put(json.loads(out.read(length)))
        self._incoming.put(None)

    def send(self, method: str, params: Any = None, id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({} if id is None else {"id": id})}
        self.send_bytes(json.dumps(message).encode())

    def answer(self, id: int | str, result: Any) -> None:
        """Answer a request of the server."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, wanted) -> dict[str, Any]:
        """The next message of which `wanted` is true."""
        while True:
            message = self._incoming.get(timeout=DEADLINE)
            assert message is not None, "the server ended its output"
            self.seen.append(message)
            if wanted(message):
                return message

    def ask(self, method: str, params: Any, id: int) -> dict[str, Any]:
        self.send(method, params, id)
        return self.wait(lambda message: message.get("id") == id and "method" not in message)

    def initialize(self, **params: Any) -> dict[str, Any]:
        answer = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **params}, 1)
        self.send("initialized", {})
        return answer

    def end(self) -> int:
        """Close the server's input and wait for its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(DEADLINE)
