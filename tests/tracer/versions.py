"""What older versions of NumPy and Python have not: their cases are skipped there, and say why.

A name stands here with the version that brought it.  From that version on, a case that NumPy refuses is an error, and
before it, that the name is there: the table can hide nothing.
"""

from __future__ import annotations

import re
import sys

import numpy as np

NUMPY: tuple[int, ...] = tuple(int(part) for part in np.__version__.split(".")[:2])

SINCE: dict[str, tuple[int, int]] = {
    "np.astype": (2, 0),
    "np.bitwise_count": (2, 0),
    "np.concat": (2, 0),
    "np.cumulative_sum": (2, 1),
    "np.matrix_transpose": (2, 0),
    "np.ndarray.mT": (2, 0),
    "np.permute_dims": (2, 0),
    "np.trapezoid": (2, 0),
    "np.unstack": (2, 1),
    "np.vecdot": (2, 0),
}

EXACT = sys.version_info >= (3, 11)
"""Whether code objects know columns: in Python 3.10, an instruction knows its line."""

NO_COLUMNS = "code objects of Python 3.10 know lines, and no columns"


def missing(code: str) -> str | None:
    """Why this NumPy cannot run a piece of code, or None where it can."""
    for name, since in SINCE.items():
        if since > NUMPY and re.search(rf"{re.escape(name.replace('np.ndarray', ''))}\b", code):
            return f"{name} came with NumPy {since[0]}.{since[1]}; this is {np.__version__}"
    return None
