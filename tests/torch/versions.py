"""What older versions of PyTorch have not, or tell less of: their tests are skipped there, and say why."""

from __future__ import annotations

import pytest
import torch

TORCH: tuple[int, ...] = tuple(int(part) for part in torch.__version__.split(".")[:2])

exact = pytest.mark.skipif(
    TORCH < (2, 7), reason="PyTorch 2.6 tells less exactly where and why (docs/torch-compilers.md)"
)
"""For tests of what Dynamo and `torch.export` tell."""
CASES_SINCE: dict[str, tuple[int, int]] = {"promised": (2, 7), "distributions": (2, 7)}
"""The cases that older versions have not: `nonstrict_trace`; stand-ins for a dtype or a size in any argument."""
