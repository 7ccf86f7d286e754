"""Whether code may ask what no run can be seen to ask: the time, the process, a file that native code reads.

Told by words, and rather too widely.  What runs for sure (all that is not in a function, the functions with examples,
the examples) is followed to every function, in any of the texts, whose name occurs in it, and so on; where words do not
tell what is called (`getattr` with a computed name, `eval`), to all.  If none of these names what is not pure, the
result may be kept.  Files read through Python, variables of the environment, other hosts and programs are seen while
it runs (`tracer.worker.basis`), as is entropy that generators of NumPy are seeded with here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_MODULES = frozenset({
    # clocks, identities and what differs from process to process
    "time", "datetime", "calendar", "uuid", "secrets", "getpass", "socket", "ssl", "platform", "pwd", "grp", "resource",
    "gc", "psutil", "tempfile", "threading", "_thread", "multiprocessing", "concurrent", "asyncio", "queue", "sched",
    "signal", "select", "selectors", "subprocess", "pendulum", "arrow", "dateutil",
    # other hosts
    "urllib", "http", "ftplib", "smtplib", "xmlrpc", "requests", "httpx", "aiohttp", "urllib3", "boto3", "botocore",
    "s3fs", "gcsfs", "fsspec", "paramiko", "redis", "pymongo", "psycopg", "psycopg2", "sqlalchemy", "pooch", "wandb",
    "huggingface_hub", "datasets", "dask", "distributed", "ray",
    # files that native code reads
    "mmap", "dbm", "shelve", "h5py", "netCDF4", "tables", "pyarrow", "polars", "duckdb", "lmdb", "cv2", "rasterio",
    "osgeo", "fiona", "geopandas", "xarray", "zarr", "soundfile", "librosa", "torchaudio", "torchvision", "av",
    "tensorflow", "tensorstore", "safetensors", "ctypes", "cffi",
})  # fmt: skip
"""Modules whose use is not pure, or not known to be."""
_ATTRIBUTES = frozenset({
    "urandom", "getrandom", "getpid", "getppid", "getpgid", "getsid", "getlogin", "uname", "getloadavg",
    "cpu_count", "process_cpu_count", "sched_getaffinity", "statvfs", "SystemRandom", "now", "utcnow", "today",
    "perf_counter", "monotonic", "process_time", "uuid1", "uuid4", "hostname", "gethostname", "memory_info",
    "read_parquet", "read_feather", "read_orc", "read_hdf", "read_sql", "imread", "datetime64",
})  # fmt: skip
"""Names of functions and attributes, whatever they are taken from (`datetime64("now")` is NumPy's clock)."""
_SEEDED = frozenset({
    "default_rng", "RandomState", "SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "Random", "seed",
})  # fmt: skip
"""What draws on the system's entropy where it is given no seed."""
_READING = frozenset({
    "open", "load", "loads", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "loadmat", "read", "read_text",
    "read_bytes", "readlines", "read_csv", "read_table", "read_json", "read_excel", "read_pickle", "environ", "getenv",
    "exists", "is_file", "is_dir", "isfile", "isdir", "listdir", "scandir", "iterdir", "glob", "rglob", "stat", "lstat",
    "access", "getmtime", "getsize", "readlink", "resources", "get_data",
})  # fmt: skip
"""What is seen where it runs on import, but not in the copies of the process in which functions are verified: there, a
function may read what it does not for its example."""
_ADDRESSES = frozenset({"id", "hash", "input", "breakpoint"})
"""Built-in functions whose answers are another process's another time."""
_ANYTHING = frozenset({"eval", "exec", "compile", "globals", "locals", "vars", "__import__", "importlib", "runpy"})
"""Names with which code may reach what it does not name."""
_WORD = re.compile(r"[^\W\d]\w*")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A function, or all of a file that is in none."""

    name: str
    """Empty for what is in no function."""
    words: frozenset[str]
    pure: bool
    owner: str = ""
    """The class of a method."""


def is_pure(texts: Mapping[str, str], functions: Iterable[str], examples: Iterable[str]) -> bool:
    """Whether nothing that may run in these texts, for these functions and examples, asks what cannot be seen.

    A text that does not parse is not pure.
    """
    examples = [f"_({source}\n)" for source in examples]
    sources = [*texts.values(), *examples]
    try:
        trees = [ast.parse(text) for text in sources]
    except (SyntaxError, ValueError, RecursionError):
        return False
    impure = _impure_names(trees)
    units = [unit for tree, text in zip(trees, sources, strict=True) for unit in _units(tree, text, impure)]
    words = {word for text in functions for word in _WORD.findall(text)}
    return all(unit.pure for unit in _reached(units, words))


def _reached(units: list[_Unit], words: set[str]) -> list[_Unit]:
    """The units that may run, from those that do and what `words` name."""
    by_name: dict[str, list[_Unit]] = {}
    for unit in units:
        by_name.setdefault(unit.name, []).append(unit)
        if unit.name.startswith("__") and unit.owner:
            by_name.setdefault(unit.owner, []).append(unit)  # Python calls it by itself
    waiting, found = ["", *words], set[int]()
    reached: list[_Unit] = []
    while waiting:
        for unit in by_name.get(waiting.pop(), ()):
            if id(unit) not in found:
                found.add(id(unit))
                reached.append(unit)
                if unit.words & _ANYTHING:
                    return units
                waiting += unit.words & by_name.keys()
    return reached


def _impure_names(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The names that imports of any text give to what is not pure, also where one text has them from another."""
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names, before = set(_ATTRIBUTES), set[str]()
    while names != before:
        before = set(names)
        names.update(name for node in imports for name in _given(node, before))
    return frozenset(names)


def _given(node: ast.Import | ast.ImportFrom, impure: set[str]) -> Iterator[str]:
    """The names that an import gives to what is not pure."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            wrong = alias.name.partition(".")[0] in _MODULES
        else:
            wrong = alias.name in impure or (not node.level and (node.module or "").partition(".")[0] in _MODULES)
        if wrong:
            yield alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)


def _units(tree: ast.Module, text: str, impure: frozenset[str]) -> Iterator[_Unit]:
    functions = list(_functions(tree, ""))
    inside = {id(node) for _, function in functions for part in function.body for node in ast.walk(part)}
    lines = text.splitlines(keepends=True)
    for owner, node in functions:
        source = "".join(lines[node.lineno - 1 : node.end_lineno])
        yield _Unit(node.name, frozenset(_WORD.findall(source)), _pure(ast.walk(node), impure | _READING), owner)
    rest = [node for node in _run(tree) if id(node) not in inside]
    yield _Unit("", frozenset(word for node in rest for word in _named(node)), _pure(rest, impure))


def _functions(tree: ast.AST, owner: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions that are in no other function, with the class that they are methods of."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _DEFINITIONS):
            yield owner, node
        else:
            yield from _functions(node, node.name if isinstance(node, ast.ClassDef) else owner)


def _run(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes, but those of what runs as a program only."""
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'":
            yield from (node for other in statement.orelse for node in ast.walk(other))
        else:
            yield from ast.walk(statement)


def _named(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Constant(value=str(text)):
            yield from _WORD.findall(text)


def _pure(nodes: Iterable[ast.AST], impure: frozenset[str]) -> bool:
    return not any(_asks(node, impure) for node in nodes)


def _asks(node: ast.AST, impure: frozenset[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="os"), attr="times"):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in impure
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _SEEDED:
            return not _is_seeded(node)
        case ast.Call():
            used = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
            return any(isinstance(one, ast.Name) and one.id in _ADDRESSES for one in used)
        case ast.ImportFrom(names=names):
            return any(alias.name == "*" for alias in names) and "*" in impure
    return False


def _is_seeded(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(given) and not any(isinstance(value, ast.Constant) and value.value is None for value in given)
