"""Costs of PyTorch's own functions: products with weights, normalisation, attention, windows, recurrence, losses.

Products are counted as `torch.utils.flop_counter` counts them, two operations for a multiplication that is summed: 2mnk
of `mm_flop`, `conv_flop_count` and `sdpa_flop_count`.  What comes with them there for free (biases, scaling, the
exponentials of a softmax) is counted, too, one operation for each scalar function value, as everywhere in `costs`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....costs.counts import log2, ratio
from ....costs.elementwise import EACH, each
from ....costs.moves import index_bytes, picked
from ....costs.operands import elements, operand, size_in_bytes
from ....costs.rule import Rule, Traffic
from ....shapes import Abstract, Reason, Unknown, hint
from ....shapes.dims import axis_of, product
from .layers import BY_HEADS
from .operands import FLOATING, named, several


def _nothing(result: Any, /, *args: Any, **named: Any) -> int:
    """Elements are moved, converted or made."""
    return 0


# ---- products with weights -------------------------------------------------------------------------


def _linear(result: Any, /, x: Any, weight: Any, bias: Any = None) -> Any:
    """`mm_flop`, and an addition for each element where there is a bias."""
    return 2 * elements(result) * x.shape[-1] + _once(result, bias)


def _bilinear(result: Any, /, input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """For each output a product with a matrix, and one with the other vector."""
    rows = product(input1.shape[:-1])
    return 2 * rows * operand(weight) + 2 * elements(result) * input2.shape[-1] + _once(result, bias)


def _added(result: Any, /, x: Any, first: Any, second: Any, *more: Any, **named: Any) -> Any:
    """`addmm_flop`, `baddbmm_flop`, and an addition for each element."""
    return (2 * first.shape[-1] + 1) * elements(result)


def _added_over(result: Any, /, x: Any, first: Any, second: Any, *more: Any, **named: Any) -> Any:
    return (2 * first.shape[0] * first.shape[2] + 1) * elements(result)


def _convolution(
    result: Any, /, x: Any, weight: Any, bias: Any = None, *more: Any, **named: Any
) -> Any:  # fmt: skip
    """`conv_flop_count`: 2 for each element of the result and of the filter that makes it."""
    return 2 * elements(result) * product(weight.shape[1:]) + _once(result, bias)


def _transposed_convolution(
    result: Any, /, x: Any, weight: Any, bias: Any = None, *more: Any, **named: Any
) -> Any:  # fmt: skip
    """`conv_flop_count` with `transposed`: 2 for each element of the input and of the filter that it is spread by."""
    return 2 * operand(x) * product(weight.shape[1:]) + _once(result, bias)


def _once(result: Any, bias: Any) -> Any:
    return elements(result) if type(bias) is Abstract else 0


# ---- attention -------------------------------------------------------------------------------------


def _softmax(result: Any, /, x: Any, dim: Any = None, *more: Any, **named: Any) -> Any:
    """As in ATen's `SoftMaxKernel.cpp`: the largest, differences, exponentials, their sum, quotients."""
    if dim is None:
        raise Unknown(Reason.RULE, "an axis that is chosen by the number of axes")
    return 5 * operand(x) - 2 * _lanes(x, dim)


def _log_softmax(result: Any, /, x: Any, dim: Any = None, *more: Any, **named: Any) -> Any:
    """As in ATen's `SoftMaxKernel.cpp`: largest, differences, exponentials, their sum, a logarithm, two differences."""
    if dim is None:
        raise Unknown(Reason.RULE, "an axis that is chosen by the number of axes")
    return 6 * operand(x) - _lanes(x, dim)


def _log_sum(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
    """The largest, differences, exponentials, their sum; of each result a logarithm and a sum."""
    return 4 * operand(x)


def _lanes(tensor: Any, dim: Any) -> Any:
    axis = axis_of(dim, len(tensor.shape)) if tensor.shape else 0
    return product([size for at, size in enumerate(tensor.shape) if at != axis])


def _attention(
    result: Any, /, query: Any, key: Any, value: Any, attn_mask: Any = None, *more: Any, **named: Any
) -> Any:  # fmt: skip
    """`sdpa_flop_count`, a scaling, a mask and a dropout where there are such, a softmax of what is alike."""
    pairs = product(query.shape[:-1]) * key.shape[-2]
    masked = (attn_mask is not None) * pairs + (3 * pairs if (more and more[0]) or named.get("dropout_p") else 0)
    soft = 5 * pairs - 2 * product(query.shape[:-1])
    return 2 * pairs * query.shape[-1] + 2 * pairs * value.shape[-1] + pairs + masked + soft


def _attention_by_heads(result: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Products with the weights of queries, keys, values and results, and attention for each head."""
    given = BY_HEADS.bind(*args, **kwargs).arguments
    if given["bias_k"] is not None or given["add_zero_attn"] or given.get("use_separate_proj_weight"):
        raise Unknown(Reason.RULE, "a way of attention that is not counted")
    query, key, value, heads, width = (given[n] for n in ("query", "key", "value", "num_heads", "embed_dim_to_check"))
    queries = product(query.shape[:-1])
    rows = 2 * queries + product(key.shape[:-1]) + product(value.shape[:-1])
    biases = rows * width if type(given["in_proj_bias"]) is Abstract else 0
    pairs = queries * key.shape[0]
    masks = sum(type(given.get(name)) is Abstract for name in ("attn_mask", "key_padding_mask"))
    dropped = 3 if given["training"] and given["dropout_p"] else 0
    soft = heads * ((6 + masks + dropped) * pairs - 2 * queries)
    averaged = heads * pairs if given.get("need_weights", True) else 0
    return 2 * rows * width**2 + biases + 4 * pairs * width + soft + averaged


# ---- normalisation ---------------------------------------------------------------------------------


def _normalised(groups: Callable[..., Any]) -> Rule:
    """Mean and variance (as in `costs.reductions`), `rsqrt(v + eps)`, a difference, products and a sum for each.

    `groups` says of how many there are a mean and a variance.
    """

    def rule(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
        n = operand(x)
        affine = sum(type(part) is Abstract for part in (*more[-3:], *named.values()))
        return 6 * n + 2 * groups(x, *more, **named) + affine * n

    return rule


def _rows(x: Any, shape: Any, *more: Any, **named: Any) -> Any:
    return product(x.shape[: len(x.shape) - len(shape)])


def _groups(x: Any, num_groups: Any, *more: Any, **named: Any) -> Any:
    return x.shape[0] * num_groups


def _normalised_by_batch(
    result: Any, /, x: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    training: Any = False, *more: Any, **named: Any,
) -> Any:  # fmt: skip
    """In training mean and variance of each channel, else those that ran along."""
    n, channels = operand(x), x.shape[1]
    affine = sum(type(part) is Abstract for part in (weight, bias))
    statistics = 4 * n if training else 0
    kept = 6 * channels if training and type(running_mean) is Abstract else 0
    return statistics + (2 + affine) * n + 2 * channels + kept


def _by_root(result: Any, /, x: Any, shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """Squares, their mean, `rsqrt(m + eps)`, a product; one more with a weight."""
    return (3 + (type(weight) is Abstract)) * operand(x) + 2 * _rows(x, shape)


def _unit(result: Any, /, x: Any, p: Any = 2.0, *more: Any, **named: Any) -> Any:
    """A norm (squares and their sum), a bound, a quotient."""
    if p != 2:
        raise Unknown(Reason.RULE, "another norm")
    return 4 * operand(x)


def _dropped(result: Any, /, x: Any, p: Any = 0.5, training: Any = True, *more: Any, **named: Any) -> Any:
    """A draw, a scaling, a product; nothing where it does nothing."""
    return 3 * operand(x) if training else 0


# ---- windows ---------------------------------------------------------------------------------------


def _pooled_by_largest(axes: int) -> Rule:
    def rule(result: Any, /, x: Any, kernel_size: Any, *more: Any, **named: Any) -> Any:
        """A comparison for each element of a window but the first."""
        made = result[0] if isinstance(result, tuple) else result
        return (product(several(kernel_size, axes)) - 1) * elements(made)

    return rule


def _pooled_by_mean(axes: int) -> Rule:
    def rule(result: Any, /, x: Any, kernel_size: Any, *more: Any, **named: Any) -> Any:
        """A sum, and a quotient."""
        return product(several(kernel_size, axes)) * elements(result)

    return rule


# ---- recurrence ------------------------------------------------------------------------------------


def _recurrent(gates: int, others: int) -> Rule:
    """For each step products with all weights, biases and gates, and `others` for each element of a state.

    As in ATen's `RNN.cpp`: of an LSTM `f * c + i * g` and `o * tanh(c)`, of a GRU `r * h + n` and `(h - n) * z + n`.
    """

    def rule(result: Any, /, x: Any, hx: Any, params: Any, *more: Any, **named: Any) -> Any:
        if type(params) is Abstract or not isinstance(params, (tuple, list)):
            raise Unknown(Reason.RULE, "a packed sequence")
        if isinstance(hx, (tuple, list)) and hint(hx[0].shape[-1]) != hint(hx[1].shape[-1]):
            raise Unknown(Reason.RULE, "states that are projected")
        steps = product(x.shape[:-1])
        weights = [part for part in params if len(part.shape) == 2]
        products = [2 * steps * operand(part) for part in weights]
        biases = [steps * operand(part) for part in params if len(part.shape) == 1]
        cells = [steps * ratio(1, 2) * part.shape[0] for part in weights]  # two matrices for each layer and direction
        found: Any = 0
        for count in (*products, *biases):
            found = found + count
        for rows in cells:
            found = found + rows + ratio(others, gates) * rows
        return found

    return rule


# ---- losses, and what picks ------------------------------------------------------------------------


def _loss(times: int) -> Rule:
    """So many operations for each pair, and a mean or sum of them."""

    def rule(result: Any, /, x: Any, target: Any, *more: Any, reduction: Any = "mean", **named: Any) -> Any:
        if any(given is not None for given in (*more, named.get("weight"))):
            raise Unknown(Reason.RULE, "weights")
        return (times + (reduction != "none")) * operand(x)

    return rule


def _class_loss(result: Any, /, x: Any, target: Any, *more: Any, reduction: Any = "mean", **named: Any) -> Any:
    """The logarithm of a softmax, a sign, and a mean of one for each target."""
    weighted = any(given is not None for given in (*more, named.get("weight"))) or named.get("label_smoothing")
    if weighted or target.dtype in FLOATING:
        raise Unknown(Reason.RULE, "weights, or likelihoods as targets")
    axis = 1 if len(x.shape) > 1 else 0
    return _log_softmax(result, x, axis) + (1 + (reduction != "none")) * operand(target)


def _sorted(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
    """An estimate as in `costs.ordering`: a partition, and the sort of what is kept."""
    kept = result[0] if isinstance(result, tuple) else result
    return ratio(5, 2) * operand(x) + elements(kept) * log2(kept.shape[-1] if kept.shape else 1)


def _embedded(result: Any, /, x: Any, weight: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    return size_in_bytes(result) + size_in_bytes(x), size_in_bytes(result)


def _selected(result: Any, /, x: Any, dim: Any, index: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    return size_in_bytes(result) + index_bytes(index), size_in_bytes(result)


def _in_place(result: Any, /, *args: Any, **named: Any) -> tuple[int, int]:
    """Views of what is there."""
    return 0, 0


def _shape_only(result: Any, /, *args: Any, **named: Any) -> tuple[Any, Any]:
    return 0, size_in_bytes(result)


def traffic() -> dict[Any, Traffic]:
    """The bytes of what does not read its operands as they are."""
    table: dict[str, Traffic] = {
        "embedding": _embedded, "index_select gather": _selected, "take": picked, "take_along_dim": picked,
        "__getitem__": picked, _LIKE: _shape_only, _VIEWS: _in_place,
    }  # fmt: skip
    return {function: its for names, its in table.items() for function in named(names)}


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "linear": _linear, "bilinear": _bilinear, "addmm addmv baddbmm": _added, "addbmm": _added_over,
        "addr": each(2), "softmax softmin": _softmax, "log_softmax": _log_softmax, "logsumexp": _log_sum,
        "scaled_dot_product_attention": _attention, "layer_norm": _normalised(_rows),
        "group_norm": _normalised(_groups), "batch_norm": _normalised_by_batch, "rms_norm": _by_root,
        "normalize": _unit, "dropout dropout1d dropout2d dropout3d": _dropped,
        "multi_head_attention_forward": _attention_by_heads,
        "lstm": _recurrent(4, 5),
        "gru": _recurrent(3, 5), "rnn_tanh rnn_relu": _recurrent(1, 0), "mse_loss l1_loss": _loss(2),
        "cross_entropy": _class_loss, "topk": _sorted, "cross": each(3), "glu": each(2), "relu6 hardtanh": each(2),
        "rand randn rand_like randn_like randint randint_like randperm bernoulli arange": EACH,
        "masked_fill": EACH, "linspace": each(2), _MOVING: _nothing,
    }  # fmt: skip
    for axes in (1, 2, 3):
        table[f"conv{axes}d"] = _convolution
        table[f"conv_transpose{axes}d"] = _transposed_convolution
        table[f"max_pool{axes}d"] = _pooled_by_largest(axes)
        table[f"avg_pool{axes}d"] = _pooled_by_mean(axes)
    return {function: rule for names, rule in table.items() for function in named(names)}


_LIKE = (
    "zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones new_empty new_full"
)
_VIEWS = "chunk split split_with_sizes unbind tensor_split hsplit vsplit dsplit broadcast_tensors"
"""Functions that give several views."""
_MOVING = (
    "clone contiguous detach to float double half bfloat16 long int short bool char byte type type_as cpu cuda "
    "requires_grad_ zeros_like ones_like empty_like full_like flip fliplr flipud roll index_select gather "
    "take_along_dim take embedding squeeze flatten unflatten expand expand_as view_as reshape_as reshape view permute "
    "transpose movedim moveaxis swapaxes swapdims t unsqueeze cat concat concatenate stack hstack vstack dstack "
    "column_stack repeat tile repeat_interleave diagonal diag diagflat diag_embed select narrow split chunk unbind "
    "tensor_split zeros ones empty full eye new_zeros new_ones new_empty new_full tensor as_tensor from_numpy meshgrid "
    "broadcast_to broadcast_tensors one_hot pad fill_ zero_ copy_ item tolist numpy pixel_shuffle pixel_unshuffle "
    "view_as_real view_as_complex unfold rot90 cartesian_prod atleast_1d atleast_2d atleast_3d ravel __getitem__ size "
    "numel dim index_copy scatter slice_scatter select_scatter resolve_conj resolve_neg"
)
