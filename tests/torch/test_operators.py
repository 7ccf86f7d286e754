"""PyTorch's own database of operators: a graph of each gives what the operator gives, run, printed, and as ATen.

The first sample of each entry in float32 and in int64, on the CPU.  Entries that cannot be held against this are
listed, each with the reason, and must stay what they are: one that passes is to be taken off its list.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch

from tracer.graph import Graph
from tracer.lowering import text
from tracer.report import Result, compare_results, run_plainly
from tracer.tracing import trace_call
from tracer.trees import fetch

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

SEEDED = {
    "bernoulli", "geometric", "normal", "normal.in_place", "normal.number_mean", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "cauchy", "exponential", "log_normal", "uniform", "nn.functional.rrelu",
    "svd_lowrank", "pca_lowrank",
}  # fmt: skip
"""The entry sets the random state itself, each time it is called: no graph does that (NST304 says so)."""
UNSET = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
"""The result is memory that nobody set."""
ELSEWHERE = {name.name for name in op_db if name.name.startswith("jiterator")}
"""Operators of CUDA."""
AS_IT_IS = {"item", "broadcast_shapes"}
"""The entry asks a tensor by `torch.Tensor.item` itself, in code that is not rewritten; a size is a plain tuple."""
NOT_PRINTED = {
    "nn.functional.triplet_margin_with_distance_loss": "a lambda of the entry's own is an argument",
    "nn.functional.linear_cross_entropy": "an object without a literal is an argument",
}
WITH_VECTORS = {"linalg.cond", "linalg.eigvalsh", "linalg.svdvals"}
"""The operator computes vectors, too, wherever someone watches what is dispatched: bits of its values are others."""
DTYPES = (torch.float32, torch.int64)
EXCEPTED = SEEDED | UNSET | ELSEWHERE | AS_IT_IS


def full_name(entry: Any) -> str:
    return f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name


def samples(entry: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    for dtype in DTYPES:
        if dtype in entry.supported_dtypes("cpu"):
            torch.manual_seed(0)
            sample = next(iter(entry.sample_inputs("cpu", dtype, requires_grad=False)), None)
            if sample is not None:
                yield (sample.input, *sample.args), sample.kwargs


HELD = [entry for entry in op_db if not {entry.name, full_name(entry)} & EXCEPTED]


@pytest.mark.parametrize("entry", HELD, ids=full_name)
@pytest.mark.filterwarnings("ignore")
def test_a_graph_gives_what_its_operator_gives(entry):
    def operator(*args, **kwargs):
        return entry.op(*args, **kwargs)

    for args, kwargs in samples(entry):
        found = trace_call(operator, args, kwargs, "symbolic")
        plain = run_plainly(operator, args, kwargs)
        if plain.error is not None:
            continue
        assert found.error is None, found.error
        own = run_plainly(found.graph.replay, args, kwargs)
        assert compare_results(plain, own), f"{own.text} is not {plain.text}:\n{found.graph.code}"
        if entry.name not in NOT_PRINTED:
            space: dict[str, Any] = {}
            exec(compile(found.graph.code, "<graph>", "exec"), space)
            printed = run_plainly(space["operator"], args, kwargs)
            assert compare_results(plain, printed), f"{printed.text} is not {plain.text}:\n{found.graph.code}"
        if entry.name not in WITH_VECTORS:
            in_aten = run_plainly(*lowered(found.graph, args, kwargs), {})
            assert compare_results(plain_tuples(plain), in_aten), f"{in_aten.text} is not {plain.text}"


def lowered(graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The function of the operations that a graph becomes in ATen, and its arguments."""
    bound = graph.bound(*args, **kwargs)
    told = text(graph, bound)
    space: dict[str, Any] = {"torch": torch}
    exec(compile(told, "<aten>", "exec"), space)
    return space[graph.name], tuple(fetch(bound, node.args[0]) for node in graph.inputs)


def plain_tuples(result: Result) -> Result:
    """A result with a plain tuple in the place of one with names, such as `torch.return_types.max`."""
    return replace(result, value=tuple(result.value)) if isinstance(result.value, tuple) else result


def test_what_is_excepted_is_in_the_database():
    names = {entry.name for entry in op_db} | {full_name(entry) for entry in op_db}
    assert EXCEPTED | NOT_PRINTED.keys() <= names
