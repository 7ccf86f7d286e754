"""PyTorch's other tracers beside ours, on demand: AOTDispatcher, Dynamo and `draft_export`, asked about one example.

Loaded only in a worker, in the user's interpreter, once the user's file has imported torch (2.6 or later).  Each module
here turns what one tracer says into plain data (`worker.wire`), at places of the user's source and in the user's words:
`aot`, `dynamo` and `export`; they share `call` (the example as a call of tensors), `places`, `sources` and `decisions`.
What differs between versions of torch is in `versions`.  No code is generated: Inductor is never started.

Errors:
    CannotBeAskedError: this torch is too old, or the example is nothing that these tracers take; the text says which.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

import torch

from ....worker.wire import Options, Studied, Study
from . import versions
from .call import CannotBeAskedError, call_of

__all__ = ["CannotBeAskedError", "study"]


def study(
    blank: Studied,
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    options: Options,
) -> Studied:
    """What the tracer that `blank.study` names says of a call of a function, whose qualified name is `name`.

    Raises CannotBeAskedError.
    """
    versions.check()
    logging.getLogger("torch").setLevel(logging.CRITICAL)  # what it has to say is in the answer
    call = call_of(name, function, args, kwargs)
    symbolic = options.mode == "symbolic"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        if blank.study is Study.DYNAMO:
            from . import dynamo

            return dynamo.study(blank, call, symbolic=symbolic)
        if blank.study is Study.EXPORT:
            from . import export

            return export.study(blank, call, symbolic=symbolic)
        from . import aot

        return aot.study(blank, call)
