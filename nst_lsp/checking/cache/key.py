"""The part of what a result rests on that is known before a run, as one short text.

Environment variables that native libraries read without Python's knowledge are in it by their names' beginnings; those
that Python code reads are told by the worker.
"""

from __future__ import annotations

import os
import platform
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from tracer.worker import wire

from ...pool import environment
from .. import digests
from ..own import sources
from ..shares import Share

FORMAT = 1
_NATIVE = (
    "PYTHON", "LD_", "DYLD_", "LC_", "LANG", "TZ", "MALLOC_", "GLIBC_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_",
    "GOTO_", "BLIS_", "ATLAS_", "VECLIB_", "NUMEXPR_", "NPY_", "NUMPY_", "NUMBA_", "SCIPY_", "JAX_", "XLA_", "TF_",
    "TORCH", "PYTORCH_", "ATEN_", "CUDA_", "NVIDIA_", "CUBLAS_", "HIP_", "ROCM_", "DNNL_", "ONEDNN_", "NST_",
)  # fmt: skip
"""Beginnings of the names of variables that change what libraries compute or load."""
_SAYS_NOTHING = frozenset({"NST_DEBUG", "NST_CACHE_DIR"})


class Keys:
    """The keys of the shares of one check, which all have the same surroundings."""

    def __init__(self) -> None:
        self._surroundings = digests.of_values(FORMAT, sources(), _variables(), _machine())
        self._interpreters: dict[str, list[Any]] = {}

    def of(self, share: Share) -> str:
        """The key of a share's result; the text must be known."""
        if share.python not in self._interpreters:
            self._interpreters[share.python] = _interpreter(share.python)
        found = _packages(share.path), self._interpreters[share.python], self._surroundings
        return digests.of_values(share.path, share.text, share.root, wire.plain(share.options), *found)


def _packages(path: str) -> list[str]:
    """The folders above a file that are packages: with one more, it would be another module."""
    found, folder = [], Path(path).parent
    while (folder / "__init__.py").is_file():
        found.append(str(folder))
        folder = folder.parent
    return found


def _interpreter(python: str) -> list[Any]:
    """Which program a path means, and what its environment's file says."""
    try:
        real = os.path.realpath(shutil.which(python) or python)
        status = os.stat(real)
    except OSError:
        return [python]
    beside = (Path(python).parent.parent / "pyvenv.cfg", Path(python).parent / "pyvenv.cfg")
    return [python, real, status.st_size, status.st_mtime_ns, *(_text(path) for path in beside)]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _variables() -> dict[str, str]:
    given = environment()
    return {name: value for name, value in given.items() if name.startswith(_NATIVE) and name not in _SAYS_NOTHING}


@cache
def _machine() -> list[str]:
    """What libraries choose their kernels by."""
    said = [platform.system(), platform.machine(), str(os.cpu_count())]
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return [*said, platform.processor()]
    wanted = ("model name", "flags", "Features", "CPU part")
    return [*said, *sorted({line for line in lines if line.startswith(wanted)})]
