"""The order of messages, exit codes, descriptors, and clients that misbehave; every test has a server process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.server.wire_harness import DEADLINE, Raw

HOVER = {"textDocument": {"uri": "file:///x.py"}, "position": {"line": 0, "character": 0}}


@pytest.fixture
def raw():
    server = Raw()
    yield server
    server.process.kill()
    server.process.wait()


def test_before_initialize_requests_are_refused_and_notifications_dropped(raw):
    raw.send("textDocument/didSave", {"textDocument": {"uri": "file:///x.py"}})
    assert raw.ask("textDocument/hover", HOVER, 1)["error"]["code"] == -32002
    assert raw.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 2)["result"]


def test_a_second_initialize_is_refused(raw):
    raw.initialize()
    assert raw.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 2)["error"]["code"] == -32600


def test_after_shutdown_requests_are_refused_and_exit_is_clean(raw):
    raw.initialize()
    assert raw.ask("shutdown", None, 2)["result"] is None
    assert raw.ask("textDocument/hover", HOVER, 3)["error"]["code"] == -32600
    raw.send("exit")
    assert raw.process.wait(DEADLINE) == 0


def test_exit_without_shutdown_is_a_failure(raw):
    raw.initialize()
    raw.send("exit")
    assert raw.process.wait(DEADLINE) == 1


def test_the_end_of_input_ends_the_server(raw):
    raw.initialize()
    assert raw.end() == 1


def test_a_request_that_cannot_be_read_is_answered(raw):
    raw.initialize()
    assert raw.ask("textDocument/hover", {"bogus": 1}, 2)["error"]["code"] == -32602
    assert raw.ask("textDocument/hover", HOVER, 3)["result"] is None


def test_what_is_not_json_or_unknown_leaves_the_server_working(raw):
    raw.initialize()
    raw.send_bytes(b"{ this is not JSON")
    raw.send("nst/unknown", {})
    raw.send("$/unknown", {})
    assert raw.ask("nst/unknownRequest", {}, 2)["error"]["code"] == -32601
    assert raw.ask("textDocument/hover", HOVER, 3)["result"] is None


def test_capabilities_that_pygls_forgets_are_advertised(raw):
    capabilities = raw.initialize()["result"]["capabilities"]
    assert capabilities["workspace"]["textDocumentContent"] == {"schemes": ["nst-graph", "nst-log"]}
    assert capabilities["experimental"] == {"serverStatus": True}


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [(["utf-8", "utf-16"], "utf-8"), (["utf-16"], "utf-16"), (None, "utf-16"), (["utf-32"], "utf-32")],
)
def test_the_clients_encoding_is_taken(raw, offered, chosen):
    answer = raw.initialize(capabilities={"general": {"positionEncodings": offered}} if offered else {})
    assert answer["result"]["capabilities"]["positionEncoding"] == chosen


PRINTING = """
import os, sys
import nst_lsp.handlers as handlers
import nst_lsp.server as server
async def noise(ls, *arguments):
    print("printed")
    sys.stdout.flush()
    os.write(1, b"written\\n")
    return sys.stdin.read()
handlers.COMMANDS["test.noise"] = noise
sys.exit(server.serve())
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_whatever_is_printed_stays_out_of_the_protocol(unbuffered):
    raw = Raw([sys.executable, "-c", PRINTING], PYTHONUNBUFFERED=unbuffered)
    raw.initialize()
    assert raw.ask("workspace/executeCommand", {"command": "test.noise", "arguments": []}, 2)["result"] == ""
    assert raw.ask("shutdown", None, 3)["result"] is None
    raw.send("exit")
    assert raw.process.wait(DEADLINE) == 0


COUNTING = """
import asyncio
import sys
import nst_lsp.handlers as handlers
import nst_lsp.server as server
async def unfinished(ls, *arguments):
    return [len(ls.protocol._request_futures), len(ended)]
ended = []
async def endless(ls, *arguments):
    try:
        await asyncio.Event().wait()
    finally:
        ended.append(arguments)
handlers.COMMANDS |= {"test.unfinished": unfinished, "test.endless": endless}
sys.exit(server.serve())
"""


def test_a_notification_that_was_handled_is_forgotten_and_a_command_that_is_cancelled_ends():
    raw = Raw([sys.executable, "-c", COUNTING])
    raw.initialize()
    document = {"uri": "file:///none.py", "version": 1}
    for _ in range(50):
        raw.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "x"}]})
    raw.send("workspace/executeCommand", {"command": "test.endless"}, 2)
    raw.send("$/cancelRequest", {"id": 2})
    assert raw.wait(lambda message: message.get("id") == 2)["error"]["code"] == -32800
    counted, ended = raw.ask("workspace/executeCommand", {"command": "test.unfinished"}, 3)["result"]
    assert (counted < 50, ended) == (True, 1)
    raw.end()


def test_a_start_that_hangs_blocks_nobody_and_can_be_cancelled(raw, tmp_path):
    interpreter = tmp_path / "python"
    interpreter.write_text("#!/bin/sh\nsleep 600\n")
    interpreter.chmod(0o755)
    (tmp_path / "a.py").write_text("")
    uri = (tmp_path / "a.py").as_uri()
    raw.initialize(initializationOptions={"python": str(interpreter)}, rootUri=tmp_path.as_uri())
    document = {"uri": uri, "languageId": "python", "version": 1, "text": ""}
    raw.send("textDocument/didOpen", {"textDocument": document})
    raw.send("workspace/executeCommand", {"command": "nst.doctor"}, 2)
    assert raw.ask("textDocument/hover", {**HOVER, "textDocument": {"uri": uri}}, 3)["result"] is None
    raw.send("$/cancelRequest", {"id": 2})
    assert raw.wait(lambda message: message.get("id") == 2)["error"]["code"] == -32800
    assert raw.ask("shutdown", None, 4)["result"] is None
    raw.send("exit")
    assert raw.process.wait(DEADLINE) == 0


def is_alive(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return state not in ("", "Z", "Zs")


@pytest.mark.parametrize("signal", [None, "KILL"])
def test_no_worker_outlives_the_server(raw, tmp_path, signal):
    uri = (tmp_path / "a.py").as_uri()
    raw.initialize(initializationOptions={"python": sys.executable}, rootUri=tmp_path.as_uri())
    endless = "import numpy as np\n# nst: example(np.ones(3))\ndef f(x):\n    while True:\n        pass\n"
    document = {"uri": uri, "languageId": "python", "version": 1, "text": endless}
    raw.send("textDocument/didOpen", {"textDocument": document})
    found = raw.ask("workspace/executeCommand", {"command": "nst.doctor"}, 2)["result"]
    worker = found["projects"][0]["worker"]
    assert is_alive(worker)
    if signal:
        raw.process.kill()
    else:
        raw.end()
    end = time.monotonic() + DEADLINE
    while is_alive(worker):
        assert time.monotonic() < end, "the worker lives on"
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def serving(kind: str, port: int) -> subprocess.Popen[bytes]:
    program = f"import sys; from nst_lsp.server import serve; sys.exit(serve({kind}=('127.0.0.1', {port})))"
    return subprocess.Popen([sys.executable, "-c", program])


def connected(port: int) -> socket.socket:
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
        except ConnectionRefusedError:
            assert time.monotonic() < end, "the server does not listen"
            time.sleep(0.02)


SESSION: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
]


def test_it_serves_over_tcp():
    port = free_port()
    process = serving("tcp", port)
    with connected(port) as client, client.makefile("rwb") as stream:
        for message in SESSION:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            stream.flush()
            if "id" in message:
                length = int(stream.readline().split(b":")[1])
                while stream.readline().strip():
                    pass
                assert json.loads(stream.read(length))["id"] == message["id"]
    assert process.wait(DEADLINE) == 0


def test_it_serves_over_websockets():
    from websockets.sync.client import connect

    port = free_port()
    process = serving("ws", port)
    connected(port).close()
    with connect(f"ws://127.0.0.1:{port}") as client:
        for message in SESSION:
            client.send(json.dumps({"jsonrpc": "2.0", **message}))
            if "id" in message:
                assert json.loads(client.recv(timeout=DEADLINE))["id"] == message["id"]
    assert process.wait(DEADLINE) == 0
