"""PyTorch as a library of arrays: tensors are traced as NumPy's arrays are, by the same recorder and the same hooks.

`LIBRARY` is what the core asks (`libraries`).  A traced tensor is a `TracedArray` around a real tensor: the user's
calls come through the hooks of rewritten code, those of PyTorch's own Python code through a mode (`interception`).
Parameters and buffers of modules are inputs (`modules`); what an operation is made of in ATen is told afterwards by
PyTorch's own dispatcher and tracer (`aten`).
"""

from .library import LIBRARY

__all__ = ["LIBRARY"]
