"""For tests of numerical code: `assert_graph`, and the pytest plugin behind `--nst`, `--nst-record`, `--nst-update`.

Importing it costs next to nothing: whoever has nst-lsp installed loads the plugin in every run of pytest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["assert_graph"]


def assert_graph(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
    """Assert that `fn`, traced with these arguments, has the graph that is kept beside the test.

    The graph is kept as text in `__graphs__/<test file>/<test>.txt`, for review.  Where there is none, or it is
    another, the test fails with the difference; `pytest --nst-update` writes what is found.  Several calls in one test
    are numbered.  Raises what `fn` raises for the arguments, and RuntimeError outside of a test.
    """
    __tracebackhide__ = True
    from .graphs import graph_text
    from .snapshots import running_test

    test = running_test()
    test.compare(graph_text(fn, args, kwargs))
