"""What arguments are made of."""

import numpy as np


def as_rows(table):
    """A table; one row for a signal.  Raises ValueError for more than two axes."""
    table = np.asarray(table, dtype=float)
    if table.ndim > 2:
        raise ValueError("a table has two axes at most")
    return table[None, :] if table.ndim == 1 else table
