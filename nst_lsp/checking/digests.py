"""Short texts that stand for contents: the same for the same, another for anything else."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_BYTES = 20


def of_values(*values: Any) -> str:
    """Of what JSON knows."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).hexdigest()


def of_file(path: str) -> str:
    """Of a file's contents.  Raises OSError."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=_BYTES)).hexdigest()
