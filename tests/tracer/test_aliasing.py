"""Views and writes: what a function sees through aliasing, its graph sees on replay."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from tests.tracer.gaps import cases
from tests.tracer.inputs import INPUTS, SAME_SHAPES, take
from tests.tracer.oracle import agrees


def a_view_sees_what_is_written_to_its_base(x):
    r = x[1]
    x[1, 2] = 50.0
    return r


def a_base_sees_what_is_written_to_its_view(x):
    r = x[:, 1]
    r += 100
    return x


def a_view_of_a_view(x):
    r = x[1:][:, ::2]
    r[0, 0] = -7.0
    return x, r


def a_transposed_view(x):
    r = x.T
    r[0, 1] = 5.0
    return x + 0


def a_reshaped_view(x):
    r = x.reshape(-1)
    r[5] = 5.0
    return x * 1


def a_copy_stands_alone(x):
    r = x[1].copy()
    x[1] = 0
    return r, x


def an_indexed_copy_stands_alone(x):
    r = x[[0, 1]]
    r[:] = 0
    return r, x * 1


def a_flattened_copy(x):
    r = x.flatten()
    r[0] = 9
    return x + 0, r


def a_ravelled_view(x):
    r = x.ravel()
    r[0] = 9
    return x + 0


def two_views_overlap(x):
    p, q = x[:2], x[1:]
    p += q
    return x


def a_real_part(z):
    r = z.real
    r[0] = 0
    return z


def a_diagonal(s):
    r = np.diagonal(s)
    s[0, 0] = 50.0
    return r + 0


def a_split(x):
    p, q = np.split(x, 2, axis=1)
    p[0] = 1.0
    return x + 0, q


def a_broadcast(y):
    r = np.broadcast_to(y, (2, 4))
    y[0] = 9.0
    return r + 0


def an_iterated_row(x):
    for row in x:
        row[0] = 0.0
    return x


def an_unpacked_row(s):
    p, q, r = s
    p[0] = 11.0
    return s, q + r


def asarray_is_no_copy(x):
    r = np.asarray(x)
    r[0] = 1.0
    return x


def array_is_a_copy(x):
    r = np.array(x)
    r[0] = 1.0
    return x, r


def astype_without_copy(x):
    r = x.astype(float, copy=False)
    r[0] = 2.0
    return x


def a_buffer_filled_row_by_row(s):
    r = np.zeros(s.shape)
    for n in range(3):
        r[n] = s[n] * n
    return r


def a_buffer_filled_by_index(y):
    r = np.empty(4)
    for n in range(4):
        r[n] = y[n] ** 2
    return r


def a_value_before_and_after(x):
    p = x[0, 0] * 1
    x[0, 0] = 99.0
    q = x[0, 0] * 1
    return p, q


def a_sum_between_writes(x):
    p = x.sum()
    x += 1
    q = x.sum()
    return p, q, x


def an_accumulator(x):
    r = np.zeros(4)
    for n in range(3):
        r += x[n]
    return r


def a_stencil(x):
    r = x.copy()
    r[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
    return r


def an_in_place_stencil(x):
    x[1:-1] = (x[:-2] + x[2:]) / 2
    return x


def swapping_names(x):
    p, q = x, x + 1
    p, q = q, p
    p[0] = 0
    return p, q


def the_argument_itself(x):
    return x


def a_view_of_the_argument(x):
    return x[1:], x.T


def the_same_result_twice(x):
    r = x * 2
    return r, r


def an_out_argument(x):
    r = np.empty_like(x)
    q = np.multiply(x, 2, out=r)
    q[0] = 0
    return r


def a_chain_of_outs(y):
    r = np.zeros(4)
    np.add(y, 1, out=r)
    np.multiply(r, r, out=r)
    return r


def where_keeps_what_was_there(x):
    r = np.full(x.shape, 9.0)
    np.sqrt(x, out=r, where=x > 0)
    return r


PROGRAMS = [
    a_view_sees_what_is_written_to_its_base,
    a_base_sees_what_is_written_to_its_view,
    a_view_of_a_view,
    a_transposed_view,
    a_reshaped_view,
    a_copy_stands_alone,
    an_indexed_copy_stands_alone,
    a_flattened_copy,
    a_ravelled_view,
    two_views_overlap,
    a_real_part,
    a_diagonal,
    a_split,
    a_broadcast,
    an_iterated_row,
    an_unpacked_row,
    asarray_is_no_copy,
    array_is_a_copy,
    astype_without_copy,
    a_buffer_filled_row_by_row,
    a_buffer_filled_by_index,
    a_value_before_and_after,
    a_sum_between_writes,
    an_accumulator,
    a_stencil,
    an_in_place_stencil,
    swapping_names,
    the_argument_itself,
    a_view_of_the_argument,
    the_same_result_twice,
    an_out_argument,
    a_chain_of_outs,
    where_keeps_what_was_there,
]


@pytest.mark.parametrize("function", cases(PROGRAMS))
def test_views_alias_on_replay(function: Any) -> None:
    names = list(inspect.signature(function).parameters)
    agrees(function, *take(names, INPUTS), others=[take(names, SAME_SHAPES)])


def test_results_that_share_memory_share_it_on_replay() -> None:
    def views(x):
        return x, x[1:], x.T

    graph = agrees(views, INPUTS["x"]).graph
    x = INPUTS["x"].copy()
    base, tail, flipped = graph.replay(x)
    assert base is x
    assert np.shares_memory(tail, x)
    assert np.shares_memory(flipped, x)


def test_one_array_given_twice_is_written_twice() -> None:
    def both(p, q):
        p += 1
        return q * 2

    graph = agrees(both, INPUTS["y"], INPUTS["v"][:4]).graph
    mine, its = INPUTS["y"].copy(), INPUTS["y"].copy()
    np.testing.assert_array_equal(graph.replay(mine, mine), both(its, its))
    np.testing.assert_array_equal(mine, its)
