"""A check over the machines of a Dask cluster: its client as an executor (the extra `nst-lsp[dask]`).

Dask does again what a killed worker had, elsewhere; a file that has killed as many workers as the cluster allows
(`distributed.scheduler.allowed-failures`) is given up, and gets that as its error.  Dask trusts whoever can reach its
scheduler, and so do we.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..pool import WorkerError
from . import own

if TYPE_CHECKING:
    from distributed import Client

_ANSWERS = 10.0
"""Seconds in which a scheduler must answer."""
_WORKERS = 60.0
"""Seconds in which a first worker must be there: a cluster may start its workers when they are needed."""


@contextmanager
def executor_of(address: str) -> Iterator[Executor]:
    """The workers of the scheduler at an address such as `tcp://host:8786`.  Raises WorkerError."""
    client = _connected(address)
    try:
        _check_workers(client, address)
        yield client.get_executor(pure=False)  # type: ignore[no-untyped-call]  # none of Dask's is
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise WorkerError("--scheduler needs Dask: pip install 'nst-lsp[dask]'") from error
    try:
        return Client(address, timeout=_ANSWERS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise WorkerError(f"no Dask scheduler answers at {address}: {error}") from error


def _check_workers(client: Client, address: str) -> None:
    """Those that are there must have what we have; those that come later are asked with each share."""
    try:
        client.wait_for_workers(1, timeout=_WORKERS)
    except TimeoutError as error:
        raise WorkerError(f"the Dask scheduler at {address} has no workers") from error
    for worker, told in client.run(own.sources, on_error="return").items():
        if isinstance(told, ModuleNotFoundError):
            raise WorkerError(f"{worker} cannot import nst-lsp: install it there ({told})")
        if told != own.sources():
            raise WorkerError(f"{worker} has another version of nst-lsp: install the same there{_in_words(told)}")


def _in_words(told: Any) -> str:
    return f" ({told})" if isinstance(told, BaseException) else ""
