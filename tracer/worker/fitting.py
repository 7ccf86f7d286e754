"""Which of the arguments that annotations allow a function takes: nobody asked for this example, so nobody is bothered.

Annotations tell shapes and no contents, and not always which axes must be equal.  So the arrays are abstract at first;
a function that needs contents gets arrays with some, and one that raises for sizes of its axes is tried with others.
All of this happens in copies of the process, as if it had not been.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from types import ModuleType

from ..capture import capture
from ..examples import Example, evaluate
from ..hollow import NoContentsError
from ..trials import Trial, Trials
from .wire import Options


def fitting(example: Example, module: ModuleType, options: Options) -> Example:
    """An example of annotations with the first arguments for which the function neither raises nor needs more.

    Where there are none, it is the first one, with contents where its function came to the point of needing them.
    Examples of the user's own are what they are.
    """
    if example.origin != "annotation":
        return example
    best, before = example, ""
    for source in (example.source, *example.others):
        tried = replace(example, source=source)
        outcome = _outcome(tried, module, options)
        if outcome == _FITS or (outcome == _NEEDS_CONTENTS and options.mode == "fake"):
            return tried
        if best is example and before == _NEEDS_CONTENTS:
            best = tried
        before = outcome
    return best


_FITS, _NEEDS_CONTENTS, _RAISES = "fits", "needs contents", "raises"


def _outcome(example: Example, module: ModuleType, options: Options) -> str:
    seconds = options.timeout / 4
    with Trials(partial(_traced, example, module, options.mode), (), {}, options.mode) as trials:
        outcomes = trials.run([Trial()], seconds, time.monotonic() + seconds)
    if outcomes and not outcomes[0].known:
        return _FITS  # it takes long: whoever traces it will say so
    return str(outcomes[0].value) if outcomes and outcomes[0].error is None else _RAISES


def _traced(example: Example, module: ModuleType, mode: str) -> str:
    function, args, kwargs = evaluate(example, module)
    failure = capture(function, args, kwargs, mode).failure
    if failure is None:
        return _FITS
    return _NEEDS_CONTENTS if isinstance(failure.error, NoContentsError) else _RAISES
