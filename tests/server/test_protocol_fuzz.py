"""What no client should send: the server answers with the right error or ignores it, and works on.

A case is some bytes and what must come of them.  After each case, or each hundred drawn ones, a hover is asked for
and answered.  One server serves many cases, as a client that is broken goes on being broken.
"""

from __future__ import annotations

import collections.abc
import enum
import itertools
import json
import typing
from typing import Any, Union

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.server.wire_harness import DEADLINE, Raw

PARSE, INVALID, UNKNOWN, PARAMETERS = -32700, -32600, -32601, -32602
SOURCE = 'import numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x * 2 + "𝛼".count("b")\n'
NUMBERS = itertools.count(1000)


class Fuzzed(Raw):
    """A server with one open file; `works` is whether it still answers about it."""

    uri = "file:///nowhere/model.py"

    def opened(self) -> Fuzzed:
        self.initialize(initializationOptions={"trigger": "manual"}, capabilities=CAPABILITIES)
        document = {"uri": self.uri, "languageId": "python", "version": 1, "text": SOURCE}
        self.send("textDocument/didOpen", {"textDocument": document})
        return self

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def outcome(self, message: Any) -> dict[str, Any]:
        """Send a request as it is, and what is answered to it."""
        self.send_bytes(json.dumps(message).encode())
        return self.wait(lambda one: one.get("id") == message["id"] and "method" not in one)

    def error(self) -> int:
        """The code of the next error that is an answer to nothing in particular."""
        found = self.wait(lambda one: "error" in one and one.get("id") is None)
        return int(found["error"]["code"])

    def works(self) -> bool:
        params = {"textDocument": {"uri": self.uri}, "position": {"line": 4, "character": 5}}
        answer = self.ask("textDocument/codeLens", {"textDocument": {"uri": self.uri}}, next(NUMBERS))
        hover = self.ask("textDocument/hover", params, next(NUMBERS))
        return "result" in hover and len(answer["result"]) == 1


CAPABILITIES = {"experimental": {"serverStatusNotification": True}, "window": {"workDoneProgress": True}}


@pytest.fixture(scope="module")
def server():
    """One server for all cases that leave it alive."""
    raw = Fuzzed().opened()
    yield raw
    assert raw.ask("shutdown", None, next(NUMBERS))["result"] is None
    raw.send("exit")
    assert raw.process.wait(DEADLINE) == 0


@pytest.fixture
def fresh():
    raw = Fuzzed()
    yield raw
    raw.process.kill()
    raw.process.wait()


def request(method: Any, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": next(NUMBERS), "method": method, "params": params, **more}


# ---- bytes ------------------------------------------------------------------------------------------

HEADERS = [
    b"Content-Length: 0\r\n\r\n",
    b"Content-Length: -5\r\n\r\n",
    b"Content-Length: ten\r\n\r\n",
    b"Content-Length: 99999999999999999999999999\r\n\r\n",
    b"Content-Length: 9999999999\r\n\r\n",
    b"Content-Type: application/json\r\n\r\n",
    b"\r\n\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x00\xff\xfe\r\n",
    b"x" * 200_000 + b"\r\n\r\n",
    b"Content-Length: 5\r\nContent-Length: 0\r\n\r\n",
]


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_a_header_that_makes_no_sense_is_skipped(server, header):
    server.write(header)
    assert server.works()


@pytest.mark.parametrize("name", ["content-length: %d", "CONTENT-LENGTH:%d", "Content-Length:   %d  "])
def test_a_header_may_be_spelled_otherwise(server, name):
    message = request("textDocument/codeLens", {"textDocument": {"uri": server.uri}})
    body = json.dumps(message).encode()
    server.write((name % len(body)).encode() + b"\r\nContent-Type: x\r\n\r\n" + body)
    assert server.wait(lambda one: one.get("id") == message["id"])["result"]


@pytest.mark.parametrize("off", [-30, -1, 1])
def test_after_a_wrong_length_the_next_messages_are_found_again(server, off):
    body = json.dumps(request("textDocument/codeLens", {"textDocument": {"uri": server.uri}})).encode()
    server.write(b"Content-Length: %d\r\n\r\n%s" % (len(body) + off, body))
    server.send("$/filler")  # a length that is too long takes its first bytes
    server.send("$/filler")
    assert server.works()


NOT_JSON = [
    b"{ this is not JSON",
    b"",
    b"\xff\xfe\x00",
    b'{"a": "\xc3\x28"}',
    b"[" * 100_000,
    b"{}{}",
    b"nul",
    b"1e999999x",
]


@pytest.mark.parametrize("body", [one for one in NOT_JSON if one], ids=range(len(NOT_JSON) - 1))
def test_what_is_not_json_is_a_parse_error(server, body):
    server.send_bytes(body)
    assert server.error() == PARSE
    assert server.works()


# ---- messages ---------------------------------------------------------------------------------------

NO_MESSAGE: list[Any] = [
    [],
    [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}],
    7,
    None,
    "shutdown",
    {},
    {"jsonrpc": "1.0", "method": "shutdown"},
    {"method": "textDocument/hover", "params": {}},
    {"jsonrpc": "2.0", "id": None, "method": "shutdown"},
    {"jsonrpc": "2.0", "id": [1], "method": "shutdown"},
    {"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"},
    {"jsonrpc": "2.0", "id": True, "method": "shutdown"},
    {"jsonrpc": "2.0", "id": {}, "result": None},
]


@pytest.mark.parametrize("message", NO_MESSAGE, ids=json.dumps)
def test_what_is_no_message_is_an_invalid_request(server, message):
    server.send_bytes(json.dumps(message).encode())
    assert server.error() == INVALID
    assert server.works()


def test_requests_get_the_error_that_fits(server):
    assert server.outcome(request("nst/unknown"))["error"]["code"] == UNKNOWN
    assert server.outcome(request("$/unknown"))["error"]["code"] == UNKNOWN
    assert server.outcome(request(7))["error"]["code"] == INVALID
    assert server.outcome(request("textDocument/didOpen", {}))["error"]["code"] == INVALID
    assert server.outcome({"jsonrpc": "2.0", "id": next(NUMBERS)})["error"]["code"] == INVALID
    assert server.outcome(request("textDocument/hover"))["error"]["code"] == PARAMETERS
    assert server.outcome(request("textDocument/hover", [1, 2]))["error"]["code"] == PARAMETERS
    assert server.outcome(request("workspace/executeCommand", {"command": "none"}))["error"]["code"] == PARAMETERS
    assert server.works()


def test_notifications_that_are_wrong_are_dropped(server):
    for method in ("nst/unknown", "$/unknown", "textDocument/hover", "textDocument/didChange", "$/cancelRequest"):
        params: Any
        for params in (None, [], {}, {"textDocument": 3}, "text"):
            server.send(method, params)
    assert server.works()


def test_answers_to_nothing_and_cancels_of_nothing_are_ignored(server):
    for number in (0, -1, "unknown", 2**70, "\ud800"):
        server.send_bytes(json.dumps({"jsonrpc": "2.0", "id": number, "result": [1]}).encode())
        server.send_bytes(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": 1, "message": "x"}}).encode())
        server.send("$/cancelRequest", {"id": number})
        server.send("window/workDoneProgress/cancel", {"token": number})
    assert server.works()


def test_an_object_inside_of_a_message_is_no_message(server):
    inner = {"jsonrpc": "2.0", "id": 4242, "method": "shutdown", "params": None}
    params = {"command": "nst.graph", "arguments": [{"uri": server.uri, "position": inner}, inner]}
    assert server.outcome(request("workspace/executeCommand", params))["result"] is None
    assert not [one for one in server.seen if one.get("id") == 4242]
    assert server.works()


def test_requests_with_one_number_are_all_answered(server):
    number = next(NUMBERS)
    for _ in range(3):
        server.send("textDocument/codeLens", {"textDocument": {"uri": server.uri}}, number)
    for _ in range(3):
        assert server.wait(lambda one: one.get("id") == number)["result"]
    assert server.works()


def test_an_answer_that_cannot_be_used_does_no_harm(fresh):
    """The settings are asked for; the client answers with nonsense, twice, and late."""
    capabilities = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}
    fresh.initialize(capabilities=capabilities)
    asked = fresh.wait(lambda one: one.get("method") == "workspace/configuration")
    result: Any
    for result in (42, [None], {"nst": []}):
        fresh.send_bytes(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode())
    document = {"uri": fresh.uri, "languageId": "python", "version": 1, "text": SOURCE}
    fresh.send("textDocument/didOpen", {"textDocument": document})
    assert fresh.works()


# ---- documents --------------------------------------------------------------------------------------


def change(server: Fuzzed, version: Any, *changes: dict[str, Any], uri: str | None = None) -> None:
    document = {"uri": uri or server.uri, "version": version}
    server.send("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})


def reopened(server: Fuzzed) -> None:
    """The file as it was, whatever was done to it."""
    server.send("textDocument/didClose", {"textDocument": {"uri": server.uri}})
    document = {"uri": server.uri, "languageId": "python", "version": 1, "text": SOURCE}
    server.send("textDocument/didOpen", {"textDocument": document})


def test_documents_that_are_not_open_and_versions_that_go_back(server):
    other = {"textDocument": {"uri": "file:///nowhere/other.py"}}
    for method in ("textDocument/didClose", "textDocument/didSave", "textDocument/willSave"):
        server.send(method, {**other, "reason": 1})
    change(server, 2, {"text": "x = 1\n"}, uri="file:///nowhere/other.py")
    change(server, -4, {"text": "broken ("})
    change(server, 0, {"text": SOURCE})
    for uri in ("untitled:one", "http://x/y.py", "", "file://", "%%%", "file:///nowhere/%00.py", "\ud800"):
        params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert "id" in server.outcome(request("textDocument/hover", params))
        server.send(
            "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": ""}}
        )
        server.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert server.works()


def test_a_file_may_be_opened_twice_and_closed_twice(server):
    reopened(server)
    document = {"uri": server.uri, "languageId": "python", "version": 1, "text": SOURCE}
    server.send("textDocument/didOpen", {"textDocument": document})
    assert server.works()
    server.send("textDocument/didClose", {"textDocument": {"uri": server.uri}})
    reopened(server)
    assert server.works()


def test_text_that_nobody_could_encode(server):
    change(server, 2, {"text": SOURCE.replace("𝛼", "\ud800") + "# \x00\x0c\u2028\r"})
    assert server.works()
    reopened(server)


def test_a_message_of_many_megabytes(server):
    change(server, 2, {"text": SOURCE + "# " + "x" * 24_000_000 + "\n"})
    assert server.works()
    server.send("nst/unknown", {"data": "x" * 24_000_000})
    reopened(server)
    assert server.works()


SOMEWHERE = st.integers(-2, 2**31) | st.sampled_from([0, 1, 4, 5, 6, 2**31 - 1, 2**63, 10**30])
POSITION = st.fixed_dictionaries({"line": SOMEWHERE, "character": SOMEWHERE})
RANGE = st.fixed_dictionaries({"start": POSITION, "end": POSITION})


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(range=RANGE, text=st.text(max_size=5), at=POSITION)
def test_positions_outside_of_the_text(server, range, text, at):
    document = {"textDocument": {"uri": server.uri}}
    change(server, 2, {"range": range, "text": text})
    for message in (
        request("textDocument/hover", {**document, "position": at}),
        request("textDocument/codeAction", {**document, "range": range, "context": {"diagnostics": []}}),
        request("textDocument/inlayHint", {**document, "range": range}),
        request("textDocument/completion", {**document, "position": at}),
        request("textDocument/signatureHelp", {**document, "position": at}),
    ):
        answer = server.outcome(message)
        assert "result" in answer or answer["error"]["code"] in (PARAMETERS, UNKNOWN), answer
    reopened(server)
    assert server.works()


# ---- drawn parameters -------------------------------------------------------------------------------

WORDS = st.sampled_from(["uri", "textDocument", "position", "range", "version", "text", "arguments", "settings", "nst"])
TEXTS = st.text(max_size=6) | st.sampled_from(
    [Fuzzed.uri, "file:///nowhere/other.ipynb", "nst.graph", "nst.doctor", ""]
)
PLAIN = st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats() | TEXTS
ANYTHING = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)
KEPT_AWAY = {lsp.EXIT, lsp.SHUTDOWN, lsp.TEXT_DOCUMENT_DID_CLOSE}
METHODS = sorted(method for method in lsp.METHOD_TO_TYPES if method not in KEPT_AWAY)


def shaped(wanted: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """JSON that can be read as a type of the protocol; what a client may leave out is mostly left out."""
    origin, inside = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is Union:
        some = [one for one in inside if one is not type(None)]
        if len(some) < len(inside) and depth > 3:
            return st.none()
        return st.one_of([st.none()] * (len(some) < len(inside)) + [shaped(one, depth) for one in some])
    if isinstance(wanted, type) and attrs.has(wanted):
        hints = typing.get_type_hints(wanted, localns=lsp.ALL_TYPES_MAP)
        needed = {_camel(one.name): one for one in attrs.fields(wanted) if one.default is attrs.NOTHING}
        return st.fixed_dictionaries({name: shaped(hints[one.name], depth + 1) for name, one in needed.items()})
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return st.sampled_from([one.value for one in wanted])
    if origin in (list, collections.abc.Sequence):
        return st.lists(shaped(inside[0], depth + 1), max_size=2)
    return {int: SOMEWHERE, str: TEXTS, bool: st.booleans()}.get(wanted, ANYTHING)


def _camel(name: str) -> str:
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(map(str.capitalize, rest))


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    method = draw(st.sampled_from(METHODS))
    wanted = lsp.METHOD_TO_TYPES[method][2]
    params = draw(st.one_of([shaped(wanted)] * 3 + [ANYTHING]) if wanted else ANYTHING)
    asks = lsp.METHOD_TO_TYPES[method][1] is not None
    return {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": next(NUMBERS)} if asks else {})


@settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(message=messages())
def test_any_parameters_of_any_method(server, message):
    """Every request is answered, with a result or an error that is the client's fault, never the server's."""
    if "id" in message:
        answer = server.outcome(message)
        assert "result" in answer or answer["error"]["code"] in (INVALID, UNKNOWN, PARAMETERS), answer
    else:
        server.send_bytes(json.dumps(message).encode())
        reopened(server)
        assert server.works()


def test_the_server_works_after_all_that_and_complains_of_nothing(server):
    assert server.works()
    told = [one["params"] for one in server.seen if one.get("method") in ("window/showMessage", "window/logMessage")]
    assert not [one["message"] for one in told if "error of the server" in one["message"] or one["type"] == 1]


# ---- lifecycle --------------------------------------------------------------------------------------


def test_every_method_before_initialize(fresh):
    for method in METHODS:
        if method != lsp.INITIALIZE and lsp.METHOD_TO_TYPES[method][1] is not None:
            assert fresh.outcome(request(method, {}))["error"]["code"] == -32002, method
        fresh.send(method, {})
    assert fresh.opened().works()


def test_initialize_that_cannot_be_read_may_be_sent_again(fresh):
    assert fresh.outcome(request("initialize", {"capabilities": 3}))["error"]["code"] == PARAMETERS
    assert fresh.opened().works()


def test_everything_after_shutdown_is_refused_but_exit(fresh):
    fresh.opened()
    assert fresh.outcome(request("shutdown", {"surprise": 1}))["result"] is None
    for method in ("textDocument/hover", "initialize", "shutdown", "nst/unknown"):
        assert fresh.outcome(request(method, {}))["error"]["code"] == INVALID
    fresh.send("textDocument/didSave", {"textDocument": {"uri": fresh.uri}})
    fresh.send("exit", {"surprise": 1})
    assert fresh.process.wait(DEADLINE) == 0


def test_exit_before_initialize_is_a_failure(fresh):
    fresh.send("exit")
    assert fresh.process.wait(DEADLINE) == 1


def test_a_command_is_answered_when_what_it_waits_for_is_ended(fresh, tmp_path):
    """The doctor waits for a worker that does not start, and a restart ends that."""
    interpreter, path = tmp_path / "python", tmp_path / "model.py"
    interpreter.write_text("#!/bin/sh\nexec sleep 600\n")
    interpreter.chmod(0o755)
    path.write_text(SOURCE)
    fresh.initialize(initializationOptions={"python": str(interpreter)}, rootUri=tmp_path.as_uri())
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": SOURCE}
    fresh.send("textDocument/didOpen", {"textDocument": document})
    fresh.send("workspace/executeCommand", {"command": "nst.doctor"}, 2)
    fresh.send("workspace/executeCommand", {"command": "nst.restart"}, 3)
    fresh.wait(lambda _: {2, 3} <= {one.get("id") for one in fresh.seen if "method" not in one})


def test_a_message_that_is_cut_off_at_the_end_of_input(fresh):
    fresh.opened()
    fresh.write(b'Content-Length: 500\r\n\r\n{"jsonrpc"')
    assert fresh.end() == 1
