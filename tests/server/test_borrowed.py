"""Annotations that a file has from other files of the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from nst_lsp.borrowed import borrows

TYPES = """\
from dataclasses import dataclass
import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray
Batch = Float[np.ndarray, "b d"]
Open = NDArray[np.float32]
size: int = 3
class Config:
    size: int
@dataclass
class Layer:
    w: Float[np.ndarray, "m n"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "pkg/__init__.py": "from .types import Batch\nfrom .core import *\n",
        "pkg/types.py": TYPES,
        "pkg/core.py": "from pkg.types import Layer as Dense\n",
        "pkg/round.py": "from .about import Batch\n",
        "pkg/about.py": "from .round import Batch\nimport jaxtyping\n",
        "src/more.py": TYPES,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("imported", "annotation"),
    [
        ("from .types import Batch", "Batch"),
        ("from .types import Batch as B", "tuple[B, ...]"),
        ("from .types import (\n    Config,\n    Batch,\n)", "'Batch | None'"),
        ("from .types import Layer", "Layer"),
        ("from .types import *", "Batch"),
        ("from . import types", "types.Batch"),
        ("from pkg import types as t", "t.Layer"),
        ("import pkg.types", "pkg.types.Batch"),
        ("import pkg.types as t", "t.Batch"),
        ("from . import Batch", "Batch"),
        ("from pkg import Dense", "Dense"),
        ("from more import Batch", "Batch"),
        ("import types\nimport numpy as np\nfrom pkg.types import Batch", "Batch"),
    ],
)
def test_names_are_followed_to_what_they_stand_for(root: Path, imported: str, annotation: str):
    assert borrows(f"{imported}\ndef f(x: {annotation}): ...\n", root / "pkg" / "file.py", str(root))


@pytest.mark.parametrize(
    "source",
    [
        "from .types import Config\ndef f(x: Config): launch_missiles()\n",
        "from .types import size\ndef f(x: size): ...\n",
        "from .types import Batch\ndef f(x): ...\n",
        "from .types import Batch\nx: Batch = 1\n",
        "from .types import Missing\ndef f(x: Missing): ...\n",
        "from .round import Batch\ndef f(x: Batch): ...\n",
        "from nowhere import Batch\ndef f(x: Batch): ...\n",
        "from ......... import Batch\ndef f(x: Batch): ...\n",
        "from .types import Batch\ndef f(x: Batch: ...\n",
        "import numpy as np\ndef f(x: np.ndarray): ...\n",
    ],
)
def test_other_names_tell_nothing(root: Path, source: str):
    assert not borrows(source, root / "pkg" / "file.py", str(root))


def test_open_ranks_are_enough_where_the_settings_tell_them(root: Path):
    source = "from .types import Open\ndef f(x: Open): ...\n"
    assert not borrows(source, root / "pkg" / "file.py", str(root))
    assert borrows(source, root / "pkg" / "file.py", str(root), ranked=True)
