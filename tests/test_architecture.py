"""Who may import whom, read from the syntax trees; the rules are those of ARCHITECTURE.md.

    server → session → analysis → wire          worker → tracer → NumPy

Imports under `if TYPE_CHECKING:` bind nothing at run time and are held to the same rules.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "tracer").rglob("*.py"), *(ROOT / "nst_lsp").rglob("*.py")])
FRAMEWORKS = {"torch": "tracer.frontends.torch", "jax": "tracer.frontends.jax", "sympy": "tracer.frontends.torch"}
"""What a frontend alone may import; sympy comes with PyTorch."""


@dataclass(frozen=True, slots=True)
class Import:
    importer: str
    target: str
    """The dotted name of the module (`tracer.worker.wire`), relative imports resolved."""
    relative: bool
    place: str


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(dotted: str) -> bool:
    path = ROOT.joinpath(*dotted.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def imports_of(path: Path) -> Iterator[Import]:
    importer = module_of(path)
    package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import):
            yield from (Import(importer, alias.name, False, place) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:  # `from . import rules` names a module, `from .rules import RULES` does not
                inner = f"{base}.{alias.name}"
                yield Import(importer, inner if is_module(inner) else base, bool(node.level), place)


IMPORTS = [found for path in SOURCES for found in imports_of(path)]


def within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def offenders(chosen: Iterator[Import]) -> list[str]:
    return [f"{found.place}: {found.importer} imports {found.target}" for found in chosen]


def test_the_walk_sees_both_packages():
    assert {"tracer", "nst_lsp"} <= {found.importer.split(".")[0] for found in IMPORTS}


def test_the_tracer_needs_the_standard_library_and_numpy_only():
    allowed = {*sys.stdlib_module_names, "numpy", "tracer"}
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "tracer")
        and found.target.split(".")[0] not in allowed
        and not within(found.importer, *[home for name, home in FRAMEWORKS.items() if within(found.target, name)])
    )


def test_inside_the_tracer_every_import_of_it_is_relative():
    """The worker loads the package under a private name, so that a user's own `tracer` is left alone."""
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "tracer") and within(found.target, "tracer") and not found.relative
    )


def test_the_core_does_not_know_the_worker():
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "tracer")
        and not within(found.importer, "tracer.worker")
        and within(found.target, "tracer.worker")
        and found.target != "tracer.worker.wire"
    )


SHARED = {"tracer.rules", "tracer.units", "tracer.worker.wire"}
"""What server and tracer both know: the rules, the messages, and how amounts are told."""


def test_what_is_shared_stands_on_the_standard_library():
    assert not offenders(
        found
        for found in IMPORTS
        if found.importer in SHARED
        and found.target.split(".")[0] not in sys.stdlib_module_names
        and found.target not in SHARED
    )


def test_frontends_do_not_import_each_other():
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "tracer.frontends")
        and within(found.target, "tracer.frontends")
        and not within(found.target, ".".join(found.importer.split(".")[:3]))
    )


IN_USER_TESTS = "nst_lsp.testing.graphs"
"""What `assert_graph` does, it does in the process of the user's tests, where the function is."""


def test_the_server_takes_only_what_is_shared_from_the_tracer():
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "nst_lsp")
        and found.importer != IN_USER_TESTS
        and within(found.target, "tracer")
        and found.target not in SHARED
    )


def test_the_server_never_imports_array_libraries():
    assert not offenders(
        found for found in IMPORTS if within(found.importer, "nst_lsp") and within(found.target, "numpy", *FRAMEWORKS)
    )


def test_the_tracer_does_not_know_the_server():
    assert not offenders(
        found for found in IMPORTS if within(found.importer, "tracer") and within(found.target, "nst_lsp")
    )


def test_analysis_is_pure():
    """Documents and results in, plain data out: no protocol types, no server, no processes, no terminal."""
    impure = ("lsprotocol", "pygls", "asyncio", "subprocess", "socket", "click", "rich")
    above = (
        "nst_lsp.server",
        "nst_lsp.handlers",
        "nst_lsp.connection",
        "nst_lsp.session",
        "nst_lsp.convert",
        "nst_lsp.pool",
        "nst_lsp.cli",
    )
    assert not offenders(
        found
        for found in IMPORTS
        if within(found.importer, "nst_lsp.analysis") and within(found.target, *impure, *above)
    )


PROTOCOL = {"nst_lsp.protocol", "nst_lsp.reading"}


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("lsprotocol", {"nst_lsp.connection", "nst_lsp.handlers", "nst_lsp.convert", *PROTOCOL}),
        ("pygls", {"nst_lsp.connection", "nst_lsp.sockets", *PROTOCOL}),
    ],
)
def test_protocol_types_stay_at_the_edge(library, homes):
    assert not offenders(
        found for found in IMPORTS if within(found.target, library) and not within(found.importer, *homes)
    )


def test_jedi_is_used_in_at_most_one_module():
    assert len({found.importer for found in IMPORTS if within(found.target, "jedi", "parso")}) <= 1


WEB = ("starlette", "uvicorn", "markdown_it")


def test_the_web_server_is_known_to_the_page_alone():
    assert not offenders(
        found for found in IMPORTS if within(found.target, *WEB) and not within(found.importer, "nst_lsp.page")
    )


def test_a_server_that_serves_no_page_loads_no_web_server():
    """With all handlers, as in an idle server: the page's libraries come with the first page."""
    program = "import sys, nst_lsp.server; from nst_lsp import handlers; handlers.load(); nst_lsp.server.create()\n"
    program += "sys.exit(', '.join({'starlette', 'uvicorn', 'h11', 'anyio', 'markdown_it'} & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "module",
    ["nst_lsp.server", "nst_lsp.cli", "nst_lsp.testing.plugin", "tracer", *sorted(SHARED)],
)
def test_importing_it_does_not_load_numpy(module):
    program = f"import sys, {module}; sys.exit('numpy is loaded' if 'numpy' in sys.modules else 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
