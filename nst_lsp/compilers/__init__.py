"""PyTorch's other tracers beside ours, on demand: asking the worker, setting both side by side, telling it.

docs/torch-compilers.md says what is asked, and has the fields of the JSON.
"""
