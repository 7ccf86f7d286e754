"""What one of PyTorch's own tracers says of an example: the worker's side of `nst graph --joint|…|--export`.

The file is loaded as it is written, without our hooks: these tracers read its bytecode, or run it themselves.  PyTorch
is never imported on its own account; a file that does not use it has nothing to be asked about.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from importlib.util import find_spec

from ..examples import BadExample, evaluate
from . import run
from .fitting import fitting
from .wire import Studied, StudyCall, file_of


def study(request: StudyCall) -> Studied:
    """Load the file, evaluate the example and ask the tracer; `error` says why that was not possible."""
    began = time.perf_counter()
    blank, refused = Studied(request.id, request.study), Studied(request.id, request.study, refused=True)
    if find_spec("torch") is None:
        way_out = "install it there (`pip install torch`), or name another interpreter with --python"
        return replace(refused, error=f"{sys.executable} has no PyTorch, whose tracers this is about: {way_out}")
    loaded = run.load(file_of(request), plain=True)
    name = os.path.basename(request.path)
    if loaded.module is None:
        return replace(blank, error=f"{name} cannot be loaded", findings=loaded.message.findings)
    if "torch" not in sys.modules:
        return replace(refused, error=f"{name} does not use PyTorch, whose tracers this is about")
    example = next((one for one in loaded.examples if one.index == request.example), None)
    if example is None:
        has = ", ".join(str(one.index) for one in loaded.examples)
        there_is = f"no example {request.example}; it has {has}" if has else f"no example in {name}"
        return replace(refused, error=f"{request.function} has {there_is}")
    from ..frontends.torch import compilers

    try:
        function, args, kwargs = evaluate(fitting(example, loaded.module, request.options), loaded.module)
        answer = compilers.study(blank, example.function, function, args, kwargs, request.options)
    except (BadExample, compilers.CannotBeAskedError) as error:
        return replace(refused, error=str(error))
    findings = tuple(replace(found, example=example.index) for found in answer.findings)
    return replace(answer, findings=findings, milliseconds=round((time.perf_counter() - began) * 1000, 3))
