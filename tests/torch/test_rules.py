"""Shapes and costs of PyTorch's operations, held against PyTorch: its operators on other sizes, its counter of flop."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from tracer import libraries, trace
from tracer.frontends.torch import rules
from tracer.shapes import Abstract, Size, Unknown, hint

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db

SAMPLES = 2
OTHER_SIZES = (lambda n: 2 * n, lambda n: n + 1)
TOLD = 370
"""So many entries of the database, of those with samples in float32, have a shape that is told."""

libraries.attend(torch.ones(1))


def mapped(value: Any, leaf: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return leaf(value)
    if isinstance(value, (tuple, list)):
        return type(value)([mapped(part, leaf) for part in value])
    return {k: mapped(v, leaf) for k, v in value.items()} if isinstance(value, dict) else value


def shapes(result: Any) -> list[tuple[Any, ...]]:
    if isinstance(result, (torch.Tensor, Abstract)):
        return [tuple(result.shape)]
    return [shape for part in result for shape in shapes(part)] if isinstance(result, (tuple, list)) else []


def calls() -> Iterator[tuple[str, Any, tuple[Any, ...], dict[str, Any]]]:
    """Operators as functions and as methods, on samples without empty tensors."""
    for entry in op_db:
        if torch.float32 not in entry.supported_dtypes("cpu"):
            continue
        torch.manual_seed(0)
        variants = [entry.op, entry.method_variant]
        for sample in islice(entry.sample_inputs("cpu", torch.float32), SAMPLES):
            args, kwargs = (sample.input, *sample.args), sample.kwargs
            if not any(0 in shape for shape in shapes([*args, *kwargs.values()])):
                yield from ((entry.name, variant, args, kwargs) for variant in variants if variant is not None)


def ran(function: Any, args: Any, kwargs: Any, leaf: Any) -> Any:
    try:
        return function(*mapped(args, leaf), **mapped(kwargs, leaf))
    except Exception:  # of sizes that do not fit, or an operator that looks at contents
        return None


@pytest.mark.filterwarnings("ignore")
def test_what_is_told_of_a_shape_holds_for_other_sizes():
    names, wrong = set(), []
    for name, function, args, kwargs in calls():
        sizes: dict[str, int] = {}
        numbers = count()

        def abstract(tensor, sizes=sizes, numbers=numbers):
            number = next(numbers)
            atoms = {f"t{number}.{axis}": size for axis, size in enumerate(tensor.shape)}
            sizes.update(atoms)
            return Abstract(tuple(map(Size.atom, atoms, atoms.values())), tensor.dtype)

        try:
            told = rules.told(function, mapped(args, abstract), mapped(kwargs, abstract))
        except (Unknown, ValueError, KeyError, TypeError, IndexError, ZeroDivisionError):
            continue  # as `Sizes` does
        plain = ran(function, args, kwargs, torch.clone)
        if plain is None or told is NotImplemented or [tuple(map(hint, s)) for s in shapes(told)] != shapes(plain):
            continue  # of these, nothing is told
        names.add(name)
        for other in OTHER_SIZES:

            def larger(tensor, other=other):
                return torch.empty([other(n) for n in tensor.shape], dtype=tensor.dtype, device="meta")

            values = {text: other(size) for text, size in sizes.items()}
            found = [tuple(d.evaluate(values) if isinstance(d, Size) else d for d in s) for s in shapes(told)]
            real = ran(function, args, kwargs, larger)
            if real is not None and len(shapes(real)) == len(found) and shapes(real) != found:
                wrong.append((name, shapes(told), found, shapes(real)))
    assert not wrong, wrong[:5]
    assert len(names) >= TOLD, len(names)


def mixes(x, w, image, kernel):
    y = torch.mm(x, w).softmax(-1)
    z = F.conv2d(image, kernel, padding=1).flatten(2).transpose(1, 2)
    parts = torch.cat([y, y], 1).reshape(x.shape[0], 2, -1).mean(1), F.pad(z, (1, 2)), x[1:, None, ::2]
    if parts[0].shape[1] > 1 and parts[1].shape[1] > 1 and parts[1].shape[2] > 1 and parts[2].shape[0] > 0:
        return y + 1
    return y


def test_sizes_of_results_are_told_in_those_of_inputs():
    found = trace(mixes, torch.ones(3, 4), torch.ones(4, 6), torch.ones(2, 3, 8, 5), torch.ones(7, 3, 3, 3))
    assert [guard.text for guard in found.guards] == [
        "w.shape[1] > 1",
        "parts[1].shape[1] > 1",  # longer in the sizes of the inputs than as it is written
        "kernel.shape[0] + 3 > 1",
        "max(x.shape[0] - 1, 0) > 0",
    ]


PRODUCTS = {
    "linear": lambda x, w, i, k: F.linear(x, w.T),
    "mm": lambda x, w, i, k: torch.mm(x, w),
    "bmm": lambda x, w, i, k: torch.bmm(i[0], i[0].mT),
    "matmul": lambda x, w, i, k: i @ i.mT,
    "einsum": lambda x, w, i, k: torch.einsum("ij,jk->ik", x, w),
    "conv2d": lambda x, w, i, k: F.conv2d(i, k, stride=2, padding=1),
    "grouped": lambda x, w, i, k: F.conv2d(i, k[:6, :1], groups=3),
    "conv_transpose2d": lambda x, w, i, k: F.conv_transpose2d(i, k[:3, :2], stride=2),
}


@pytest.mark.parametrize("product", PRODUCTS.values(), ids=PRODUCTS)
def test_products_cost_what_pytorch_counts(product):
    given = torch.ones(3, 4), torch.ones(4, 6), torch.ones(2, 3, 8, 5), torch.ones(7, 3, 3, 3)
    with FlopCounterMode(display=False) as counter:
        product(*given)
    graph = trace(product, *given).graph
    assert graph.costs.total(dict.fromkeys(graph.nodes, "")).operations.number == counter.get_total_flops()


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm, self.drop = torch.nn.LayerNorm(8), torch.nn.Dropout(0.1)
        self.memory = torch.nn.LSTM(8, 4, bidirectional=True, batch_first=True)

    def forward(self, x):
        found, weights = self.heads(x, x, x)
        x = self.norm(x + self.drop(found))
        q, k = x.chunk(2, dim=-1)
        y = F.scaled_dot_product_attention(q, k, k)
        return F.cross_entropy(self.memory(x)[0].mean(1), y.argmax(-1)[:, 0]), weights


def test_no_node_of_a_block_is_of_unknown_cost():
    graph = trace(Attention(), torch.randn(2, 5, 8)).graph
    assert graph.costs.unknown(graph.nodes) == 0, [n.function for n in graph.nodes if graph.costs.work[n] is None]
