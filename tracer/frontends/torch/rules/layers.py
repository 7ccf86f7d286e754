"""Shapes of the functions of `torch.nn.functional`: products with weights, windows, attention, recurrence, losses.

The formulas are those of the documentation of the layer that calls a function (`nn.Conv2d`: "Shape").
"""

from __future__ import annotations

import inspect
import operator
from typing import Any

import torch

from ....shapes import Abstract, Reason, Shape, Unknown
from ....shapes.dims import broadcast, dims, product, removed
from .combining import as_first
from .operands import FLOATING, Rule, like, named, several

BY_HEADS = inspect.signature(torch.nn.functional.multi_head_attention_forward)
"""A function of many arguments, which layers give by name."""

# ---- products with weights -------------------------------------------------------------------------


def _linear(x: Abstract, weight: Abstract, bias: Any = None) -> Abstract:
    return like(x, (*x.shape[:-1], *weight.shape[:-1]))


def _bilinear(input1: Abstract, input2: Abstract, weight: Abstract, bias: Any = None) -> Abstract:
    return like(input1, (*input1.shape[:-1], weight.shape[0]))


def _embedded(x: Abstract, weight: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(weight, (*x.shape, weight.shape[1]))


def _attended(query: Abstract, key: Abstract, value: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(query, (*query.shape[:-1], value.shape[-1]))


def _attended_by_heads(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """The result, and the weights, if they are asked for: for each of a batch those of queries to keys."""
    given = BY_HEADS.bind(*args, **kwargs).arguments
    query, key = given["query"], given["key"]
    if len(query.shape) != 3:
        raise Unknown(Reason.RULE, "no batch")
    weights: Shape = (query.shape[1], query.shape[0], key.shape[0])
    if not given.get("average_attn_weights", True):
        weights = (weights[0], given["num_heads"], *weights[1:])
    return query, like(query, weights) if given.get("need_weights", True) else None


# ---- windows ---------------------------------------------------------------------------------------


def _convolution(axes: int) -> Rule:
    def rule(
        x: Abstract, weight: Abstract, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: Any = 1,
    ) -> Abstract:  # fmt: skip
        if padding == "same":
            spatial = x.shape[-axes:]
        else:
            settings = (weight.shape[2:], stride, 0 if padding == "valid" else padding, dilation)
            spatial = _windows(x.shape[-axes:], *settings)
        return like(x, (*x.shape[: -axes - 1], weight.shape[0], *spatial))

    return rule


def _transposed_convolution(axes: int) -> Rule:
    def rule(
        x: Abstract, weight: Abstract, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: Any = 1, dilation: Any = 1,
    ) -> Abstract:  # fmt: skip
        settings = [several(given, axes) for given in (stride, padding, output_padding, dilation)]
        spatial = [
            (size - 1) * s - 2 * p + d * (k - 1) + more + 1
            for size, k, s, p, more, d in zip(x.shape[-axes:], weight.shape[2:], *settings, strict=True)
        ]
        return like(x, (*x.shape[: -axes - 1], weight.shape[1] * groups, *spatial))

    return rule


def _pooled_by_largest(axes: int) -> Rule:
    def rule(
        x: Abstract, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: Any = False, return_indices: Any = False,
    ) -> Any:  # fmt: skip
        made = _pooled(x, axes, kernel_size, stride, padding, dilation, ceil_mode)
        return (made, Abstract(made.shape, torch.int64)) if return_indices else made

    return rule


def _pooled_by_mean(axes: int) -> Rule:
    def rule(
        x: Abstract, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, *more: Any,
        **named: Any,
    ) -> Abstract:  # fmt: skip
        return _pooled(x, axes, kernel_size, stride, padding, 1, ceil_mode)

    return rule


def _pooled(x: Abstract, axes: int, kernel: Any, stride: Any, padding: Any, dilation: Any, up: Any) -> Abstract:
    if up:
        raise Unknown(Reason.RULE, "windows that go past the end")
    steps = kernel if stride in (None, [], ()) else stride
    return like(x, (*x.shape[:-axes], *_windows(x.shape[-axes:], kernel, steps, padding, dilation)))


def _windows(shape: Shape, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Shape:
    """How many windows fit along each axis."""
    settings = [several(given, len(shape)) for given in (kernel, stride, padding, dilation)]
    return tuple([(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(shape, *settings, strict=True)])


def _adaptive(axes: int) -> Rule:
    def rule(x: Abstract, output_size: Any, *more: Any, **named: Any) -> Any:
        given = zip(x.shape[-axes:], several(output_size, axes), strict=True)
        made = like(x, (*x.shape[:-axes], *[n if size is None else dims(size)[0] for n, size in given]))
        with_places = (more and more[0]) or named.get("return_indices")
        return (made, Abstract(made.shape, torch.int64)) if with_places else made

    return rule


def _unfolded(
    x: Abstract, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Abstract:  # fmt: skip
    blocks = _windows(x.shape[-2:], kernel_size, stride, padding, dilation)
    return like(
        x, (*x.shape[:-3], x.shape[-3] * product(several(kernel_size, 2)), product(blocks))
    )  # fmt: skip


def _folded(x: Abstract, output_size: Any, kernel_size: Any, *more: Any, **named: Any) -> Abstract:
    channels = x.shape[-2] // product(several(kernel_size, 2))
    return like(x, (*x.shape[:-2], channels, *dims(several(output_size, 2))))


# ---- images ----------------------------------------------------------------------------------------


def _padded(x: Abstract, pad: Any, *more: Any, **named: Any) -> Abstract:
    """Pairs of how much comes before and behind, from the last axis on."""
    shape = list(x.shape)
    for axis in range(len(pad) // 2):
        shape[-1 - axis] = shape[-1 - axis] + pad[2 * axis] + pad[2 * axis + 1]
    return like(x, tuple(shape))


def _resized(x: Abstract, size: Any = None, scale_factor: Any = None, *more: Any, **named: Any) -> Abstract:
    axes = len(x.shape) - 2
    if size is not None:
        return like(x, (*x.shape[:2], *dims(several(size, axes))))
    factors = several(scale_factor, axes)
    if any(not isinstance(factor, (int, float)) or factor != int(factor) for factor in factors):
        raise Unknown(Reason.RULE, "a factor that is no whole number")
    scaled = [n * int(factor) for n, factor in zip(x.shape[2:], factors, strict=True)]
    return like(x, (*x.shape[:2], *scaled))


def _shuffled(x: Abstract, upscale_factor: Any) -> Abstract:
    *batch, channels, height, width = x.shape
    r = operator.index(upscale_factor)
    return like(x, (*batch, channels // (r * r), height * r, width * r))


def _unshuffled(x: Abstract, downscale_factor: Any) -> Abstract:
    *batch, channels, height, width = x.shape
    r = operator.index(downscale_factor)
    return like(x, (*batch, channels * r * r, height // r, width // r))


def _sampled(x: Abstract, grid: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(x, (*x.shape[:2], *grid.shape[1:-1]))


# ---- recurrence ------------------------------------------------------------------------------------


def _long_short(x: Abstract, hx: Any, *more: Any, **named: Any) -> tuple[Abstract, ...]:
    """`lstm(input, (h, c), weights, biases, layers, dropout, train, bidirectional, batch_first)`."""
    packed = type(hx) is Abstract
    h, c = more[0] if packed else hx
    return _recurred(x, h, bool(more[-1] if packed else more[-2])), h, c


def _recurrent(x: Abstract, hx: Abstract, *more: Any, **named: Any) -> tuple[Abstract, ...]:
    """`gru(input, h, weights, biases, …)`, or of a packed sequence `gru(data, sizes, h, weights, biases, …)`."""
    packed = type(more[0]) is Abstract
    h = more[0] if packed else hx
    return _recurred(x, h, bool(more[-1] if packed else more[-2])), h


def _recurred(x: Abstract, h: Abstract, both_ways: bool) -> Abstract:
    return like(x, (*x.shape[:-1], h.shape[-1] * (2 if both_ways else 1)))


def _long_short_cell(x: Abstract, hx: Any, *more: Any, **named: Any) -> tuple[Abstract, ...]:
    return tuple(hx)


def _cell(x: Abstract, hx: Abstract, *more: Any, **named: Any) -> Abstract:
    return hx


# ---- losses and likenesses -------------------------------------------------------------------------


def _loss(x: Abstract, target: Abstract, *more: Any, reduction: Any = "mean", **named: Any) -> Abstract:
    """One number, or one for each pair."""
    if more or reduction not in ("none", "mean", "sum"):
        raise Unknown(Reason.RULE, "settings by position")
    return like(x, broadcast(x.shape, target.shape) if reduction == "none" else ())


def _class_loss(x: Abstract, target: Abstract, *more: Any, reduction: Any = "mean", **named: Any) -> Abstract:
    """One number, or one for each target; targets are classes, or the likelihood of each."""
    if any(type(setting) is not Abstract and setting is not None for setting in more):
        raise Unknown(Reason.RULE, "settings by position")
    if reduction != "none":
        return like(x, ())
    likely = target.dtype in FLOATING
    return like(x, removed(target.shape, 1 if len(target.shape) > 1 else 0) if likely else target.shape)


def _other_loss(x: Abstract, *more: Any, reduction: Any = "mean", **named: Any) -> Abstract:
    if reduction not in ("mean", "sum"):
        raise Unknown(Reason.RULE, "one for each of whatever it is of")
    return like(x, ())


def _likeness(x1: Abstract, x2: Abstract, dim: Any = 1, *more: Any, **named: Any) -> Abstract:
    shape = broadcast(x1.shape, x2.shape)
    return like(x1, removed(shape, operator.index(dim) % len(shape)))


def _pair_distance(x1: Abstract, x2: Abstract, *more: Any, keepdim: Any = False, **named: Any) -> Abstract:
    if len(more) > 2 or keepdim:
        raise Unknown(Reason.RULE, "axes that stay")
    return like(x1, broadcast(x1.shape, x2.shape)[:-1])


def _gated(x: Abstract, dim: Any = -1) -> Abstract:
    axis = operator.index(dim) % len(x.shape)
    return like(x, (*x.shape[:axis], x.shape[axis] // 2, *x.shape[axis + 1 :]))


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "linear": _linear, "bilinear": _bilinear, "embedding": _embedded, "scaled_dot_product_attention": _attended,
        "multi_head_attention_forward": _attended_by_heads, "pad": _padded, "interpolate upsample": _resized,
        "pixel_shuffle": _shuffled, "pixel_unshuffle": _unshuffled, "grid_sample": _sampled, "fold": _folded,
        "lstm": _long_short, "gru rnn_tanh rnn_relu": _recurrent, "lstm_cell": _long_short_cell,
        "gru_cell rnn_tanh_cell rnn_relu_cell": _cell, "cosine_similarity": _likeness,
        "pairwise_distance": _pair_distance, "glu": _gated, "cross_entropy nll_loss": _class_loss,
        _LOSSES: _loss, _OTHER_LOSSES: _other_loss, _AS_FIRST: as_first,
    }  # fmt: skip
    for axes in (1, 2, 3):
        table[f"conv{axes}d"] = _convolution(axes)
        table[f"conv_transpose{axes}d"] = _transposed_convolution(axes)
        table[f"max_pool{axes}d"] = _pooled_by_largest(axes)
        table[f"avg_pool{axes}d"] = _pooled_by_mean(axes)
        table[f"adaptive_avg_pool{axes}d adaptive_max_pool{axes}d"] = _adaptive(axes)
    made = {function: rule for names, rule in table.items() for function in named(names)}
    made[torch.nn.functional.unfold] = _unfolded
    return made


_LOSSES = (
    "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div "
    "soft_margin_loss poisson_nll_loss"
)
_OTHER_LOSSES = (
    "triplet_margin_loss cosine_embedding_loss margin_ranking_loss hinge_embedding_loss multi_margin_loss "
    "multilabel_margin_loss multilabel_soft_margin_loss gaussian_nll_loss"
)
_AS_FIRST = (
    "softmax log_softmax softmin gumbel_softmax normalize layer_norm batch_norm group_norm instance_norm rms_norm "
    "local_response_norm dropout dropout1d dropout2d dropout3d alpha_dropout feature_dropout feature_alpha_dropout "
    "native_dropout relu relu6 elu selu celu gelu silu mish leaky_relu prelu rrelu hardtanh hardswish hardsigmoid "
    "hardshrink softshrink tanhshrink softplus softsign logsigmoid threshold tanh sigmoid channel_shuffle"
)
