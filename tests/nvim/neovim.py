"""A real Neovim for the tests: headless, in a home of its own, with the plugin installed as a package.

Every question is a piece of Lua that runs inside Neovim (`driver.lua` has the words for it) and is asked
through Neovim's own `--remote-expr`, so that no client library stands between.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EDITORS = Path(__file__).parents[2] / "editors"
DRIVER = Path(__file__).with_name("driver.lua")
BIN = Path(sys.executable).parent
DEADLINE = 150


@dataclass(frozen=True, slots=True)
class Neovim:
    home: Path
    environment: dict[str, str]
    pid: int

    def lua(self, body: str, *arguments: Any) -> Any:
        """What the function body `body` returns inside Neovim; `driver` and `...` are known there."""
        question = json.dumps({"body": body, "arguments": arguments}).replace("'", "''")
        asked = self.remote("--remote-expr", f"v:lua.driver.ask('{question}')")
        assert asked.returncode == 0, f"Neovim did not answer: {asked.stderr}\n{self.log()}"
        reply = json.loads(asked.stdout)
        assert reply["ran"], f"{reply['answer']}\n{self.log()}"
        return reply["answer"]

    def remote(self, how: str, what: str) -> subprocess.CompletedProcess[str]:
        command = [str(BIN / "nvim"), "--server", str(self.home / "socket"), how, what]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=DEADLINE)

    def log(self) -> str:
        """What Neovim wrote about its language servers: for the reader of a failed test."""
        log = self.home / "state" / "nvim" / "lsp.log"
        return log.read_text(encoding="utf-8", errors="replace")[-4000:] if log.exists() else ""


@contextmanager
def neovim(init: str, *, plugin: bool = True) -> Iterator[Neovim]:
    """Start Neovim with `init` as its init.lua, and end it, whatever happens."""
    with tempfile.TemporaryDirectory(prefix="nst-") as folder:  # short: the path of a socket has 107 bytes
        home = Path(folder)
        environment = _furnish(home, init, plugin)
        process = subprocess.Popen(
            [
                BIN / "nvim", "--headless", "--listen", home / "socket",
                "--cmd", f"luafile {DRIVER}",
                "--cmd", r"autocmd VimEnter * lua io.stdout:write('ready\n')",
            ],
            env=environment, cwd=home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", "Neovim did not start"
            running = Neovim(home, environment, process.pid)
            yield running
            running.remote("--remote-send", "<Cmd>qall!<CR>")  # it may be gone before it has answered
            process.wait(DEADLINE)
        finally:
            process.kill()
            process.wait()


def _furnish(home: Path, init: str, plugin: bool) -> dict[str, str]:
    """Write the configuration, install the plugin, and say by which environment Neovim finds them."""
    config = home / "config" / "nvim"
    config.mkdir(parents=True)
    (config / "init.lua").write_text(init, encoding="utf-8")
    (home / "run").mkdir(mode=0o700)
    if plugin:
        shutil.copytree(EDITORS / "nvim", home / "data" / "nvim" / "site" / "pack" / "nst" / "start" / "nst")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("NVIM", "VIM", "XDG_"))}
    return inherited | {
        **{f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("config", "data", "state", "cache")},
        "XDG_RUNTIME_DIR": str(home / "run"),
        "HOME": str(home),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    }
