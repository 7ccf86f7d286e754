"""What every child of the warm parent would otherwise do for itself: fill caches of patterns, signatures and names.

A small function of ours is rewritten, traced and printed once, without files, in one thread, and without matrix
products (their library might start threads, which do not survive a fork).  Nothing of it stays but the caches.
"""

from __future__ import annotations

import pickle
from types import ModuleType

from .. import hooks, libraries
from ..examples import collect, evaluate
from ..loader import compile_rewritten
from ..positions import FILES
from ..recorder import USER_FILES
from ..report import graph_info
from ..rewrite import HOOKS
from ..tracing import trace_call

_PATH = "<nst: warming up>"
_TEXT = """
import numpy as np

# nst: example(np.linspace(0.0, 1.0, 6).reshape(2, 3), 2.0)
def warm(x, scale):
    if x.shape[0] > 2:
        x = x * scale
    centre = x.mean(axis=1, keepdims=True)
    spread = np.sqrt(((x - centre) ** 2).sum(axis=1, keepdims=True) + 1e-5)
    weights = np.exp(x / spread - x.max(axis=-1, keepdims=True))
    mixed = np.where(weights > 0.5, weights, 0.1 * weights).T.reshape(-1)
    return np.concatenate([mixed, np.zeros(2)]).clip(0.0, 1.0).std() + abs(float(mixed[0]))
"""


def warm_up() -> None:
    """Do once what is done for every example."""
    _trace(_TEXT)


def warm_up_libraries() -> None:
    """The same for arrays of other libraries, where they have been imported ahead."""
    for library in libraries.samples():
        threads = library.set_threads(1)
        try:
            _trace(library.sample)
        finally:
            library.set_threads(threads)


def _trace(text: str) -> None:
    module = ModuleType(_PATH)
    vars(module)[HOOKS] = hooks
    try:
        exec(compile_rewritten(text, _PATH), vars(module))
        examples, _ = collect(FILES[_PATH])
        function, args, kwargs = evaluate(examples[0], module)
        found = trace_call(function, args, kwargs, "symbolic")
        graph_info(found.graph, found.capture.example)
        pickle.dumps(found.output)  # as arguments and results are sent from process to process
    finally:
        FILES.pop(_PATH, None)
        USER_FILES.discard(_PATH)
