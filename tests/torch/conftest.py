"""Tests of PyTorch's frontend: `make test-torch` runs them, in an environment that has PyTorch."""

import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # tests run beside each other, and beside children that are forked
