"""Arguments and results in nested containers: tuples, lists, dicts, dataclasses, named tuples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.tracer.oracle import agrees
from tracer import make_graph

X = np.linspace(-1.0, 2.0, 6).reshape(2, 3)
W = np.linspace(0.5, 1.5, 6).reshape(3, 2)
B = np.array([0.25, -0.5])


class Moments(NamedTuple):
    mean: Any
    variance: Any


@dataclass
class Layer:
    weight: Any
    bias: Any
    name: str = "layer"

    def __call__(self, x):
        return x @ self.weight + self.bias


@dataclass(frozen=True)
class Model:
    layers: list[Layer]
    scale: Any
    table: dict[str, Any] = field(default_factory=dict)


def takes_a_tuple(pair):
    left, right = pair
    return left @ right


def takes_a_list(values):
    return values[0] + values[1][0]


def takes_a_dict(params):
    return X.shape[0] * params["w"] + params["b"]


def takes_nested_dicts(params, x):
    h = np.tanh(x @ params["hidden"]["w"] + params["hidden"]["b"])
    return h * params["out"][0] + params["out"][1]


def takes_a_dataclass(layer, x):
    return np.maximum(layer(x), 0)


def takes_nested_dataclasses(model, x):
    for layer in model.layers:
        x = layer(x) @ layer.weight.T
    return x * model.scale + model.table["shift"]


def takes_a_named_tuple(x, moments):
    return (x - moments.mean) / np.sqrt(moments.variance)


def takes_any_number(*arrays, **named):
    return arrays[0] + arrays[1] * named["scale"] + named["shift"]


def takes_keywords_only(x, *, scale, shift):
    return x * scale + shift


def takes_none(x, mask=None):
    return x if mask is None else x * mask


def takes_positional_only(x, y, /):
    return x - y


def gives_a_tuple(x):
    return x + 1, x.sum()


def gives_a_list_of_rows(x):
    return [row * 2 for row in x]


def gives_a_dict(x):
    return {"mean": x.mean(axis=0), "shape": {"rows": x[:1], 3: (x, [x.T])}}


def gives_a_dataclass(x):
    return Layer(x * 2, x[0], name="made")


def gives_a_named_tuple(x):
    return Moments(x.mean(), x.var())


def gives_back_what_it_was_given(x):
    return {"same": x}, x


def gives_constants_beside_arrays(x):
    return x * 2, 3, "three", None, 2.5


def gives_none(x):
    x += 1


def gives_an_empty_tuple_and_list(x):
    return (), [], {}, x + 0


def gives_sizes(x):
    return x.shape, x.shape[0] * 2, len(x), x.size


CASES = {
    takes_a_tuple: ((X, W),),
    takes_a_list: ([X, (X * 2, B)],),
    takes_a_dict: ({"w": W, "b": B},),
    takes_nested_dicts: ({"hidden": {"w": W, "b": B}, "out": [B, B * 2]}, X),
    takes_a_dataclass: (Layer(W, B), X),
    takes_nested_dataclasses: (Model([Layer(W, B), Layer(W * 2, B)], B[0], {"shift": X}), X),
    takes_a_named_tuple: (X, Moments(X.mean(axis=0), X.var(axis=0))),
    takes_none: (X,),
    takes_positional_only: (X, X[0]),
    gives_a_tuple: (X,),
    gives_a_list_of_rows: (X,),
    gives_a_dict: (X,),
    gives_a_dataclass: (X,),
    gives_a_named_tuple: (X,),
    gives_back_what_it_was_given: (X,),
    gives_constants_beside_arrays: (X,),
    gives_none: (X,),
    gives_an_empty_tuple_and_list: (X,),
    gives_sizes: (X,),
}


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_containers(function: Any) -> None:
    agrees(function, *CASES[function])


@pytest.mark.parametrize("mode", ["real", "symbolic"])
def test_variable_and_keyword_arguments(mode: str) -> None:
    graph = make_graph(takes_any_number, tracing_mode=mode)(X, X[0], scale=B[0], shift=X * 3)
    np.testing.assert_array_equal(
        graph(X + 1, X[1], scale=B[1], shift=X), takes_any_number(X + 1, X[1], scale=B[1], shift=X)
    )
    graph = make_graph(takes_keywords_only, tracing_mode=mode)(X, shift=X, scale=X * 2)
    np.testing.assert_array_equal(graph(X, scale=X, shift=X[0]), takes_keywords_only(X, scale=X, shift=X[0]))


def test_a_result_keeps_its_classes() -> None:
    assert type(make_graph(gives_a_named_tuple)(X).replay(X)) is Moments
    made = make_graph(gives_a_dataclass)(X).replay(X)
    assert type(made) is Layer
    assert made.name == "made"


def test_arguments_of_another_structure_are_refused() -> None:
    graph = make_graph(takes_nested_dicts)({"hidden": {"w": W, "b": B}, "out": [B, B * 2]}, X)
    with pytest.raises(TypeError, match=r"params\['hidden'\]\['w'\]"):
        graph({"hidden": {"b": B}, "out": [B, B]}, X)
    with pytest.raises(TypeError):
        graph(X)


def test_a_bound_method_and_a_callable_object() -> None:
    layer = Layer(W, B)
    agrees(layer.__call__, X, others=[[X * 2]])
    agrees(layer, X, others=[[X * 2]])


def test_tracing_changes_no_argument() -> None:
    def writes(values):
        values[0] += 1
        values.append(2)
        return values[0]

    given = [X.copy()]
    make_graph(writes)(given)
    assert len(given) == 1
    np.testing.assert_array_equal(given[0], X)
