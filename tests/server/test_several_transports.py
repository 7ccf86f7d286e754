"""The same session over stdio, TCP and WebSockets; clients that vanish, come again, and are several."""

from __future__ import annotations

import asyncio
import json
import socket
import sys

import pytest

from tests.server.several import listening, workspace
from tests.server.wire_harness import DEADLINE

SOURCE = """\
import numpy as np

bias = 2.0


# nst: example(np.ones(3))
def f(x):
    return x * bias
"""


async def test_a_session_over_stdio(tmp_path):
    async with workspace(tmp_path) as it:
        await a_session(it)


@pytest.mark.parametrize("transport", ["tcp", "ws"])
async def test_sessions_over_sockets(tmp_path, transport):
    async with listening(transport) as server:
        async with workspace(tmp_path, server=server, polite=False) as it:
            await a_session(it)
            worker = (await it.execute("nst.doctor"))["projects"][0]["worker"]
        # It vanished.  It may come again, and others may be there at the same time.
        async with workspace(tmp_path, server=server) as one:
            async with workspace(tmp_path, server=server) as other:
                for it, name in ((one, "bias"), (other, "gain")):
                    async with it.settled():
                        it.open("model.py", SOURCE.replace("bias", name))
                    assert it.told("model.py") == [("NST205", name)]
                assert (await one.execute("nst.doctor"))["projects"][0]["worker"] != worker
            assert "NST205" in await one.hover("model.py", "x * b|ias")  # one is served on though the other said exit
        assert await server.exit_code() == 0


async def a_session(it):
    """The same over every transport."""
    large = SOURCE + "#" * (3 << 20) + "\n"  # more than a WebSocket takes unless it is told to
    async with it.settled():
        it.open("model.py", large)
    assert it.told("model.py") == [("NST205", "bias")]
    assert "NST205" in await it.hover("model.py", "x * b|ias")
    async with it.settled():
        it.edit("model.py", "x * bias", "x * 3")
        it.save("model.py")
    assert it.told("model.py") == []
    assert (await it.titles("model.py"))[0][1].startswith("graph: 1 operation")


async def test_a_message_that_breaks_off_ends_only_its_session(tmp_path):
    async with listening("tcp") as server:
        for broken in (b"", b"Content-Length: 100\r\n\r\n{", b"x" * (1 << 17), b"GET / HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE) as client:
                client.sendall(broken)
        async with workspace(tmp_path, server=server) as it:
            async with it.settled():
                it.open("model.py", SOURCE)
            assert it.told("model.py") == [("NST205", "bias")]
        assert await server.exit_code() == 0


async def test_exit_without_shutdown_is_a_failure_over_sockets_too():
    async with listening("tcp") as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        initialize = {
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": None, "capabilities": {}},
        }
        for message in (initialize, {"method": "exit"}):
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        while await reader.read(1 << 16):
            pass
        assert await server.exit_code() == 1
        writer.close()


async def test_a_signal_ends_a_server_that_listens():
    async with listening("ws") as server:
        server.process.terminate()
        assert await server.exit_code() == 0


async def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "nst_lsp", "server", "--tcp", f"127.0.0.1:{port}"]
        process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
        _, said = await process.communicate()
    assert process.returncode == 2
    assert f"cannot serve on 127.0.0.1:{port}" in said.decode()
