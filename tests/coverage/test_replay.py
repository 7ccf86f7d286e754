"""Every function of every list, traced and replayed against NumPy itself: one test a function, made from the lists."""

from __future__ import annotations

import numpy as np
import pytest

from tests.coverage.catalogue import families, known
from tests.coverage.recipes import RECIPES
from tests.coverage.replay import Call, module_of, replay_of
from tests.coverage.statuses import EXPLAINED, GAPS, REPORTED, reported
from tracer.nodes import Kind

NAMES = [name for family in families() for name in family.names]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Call]]:
    return module_of(tmp_path_factory.mktemp("coverage"))


def test_numpys_own_lists_are_in_the_table() -> None:
    """127 ufuncs and 302 functions in NumPy 2.4; another version has others, and each is in the table."""
    overridable = np.testing.overrides  # type: ignore[attr-defined]
    assert len(families()[0].names) == len(overridable.get_overridable_numpy_ufuncs())
    assert len(families()[1].names) > 250


def test_every_name_has_a_recipe_or_a_reason() -> None:
    """What is new in a NumPy shows here: give it a recipe (tables/), or say why it has none (statuses)."""
    assert [name for name in NAMES if not RECIPES.get(name) and name not in EXPLAINED] == []


def test_what_is_said_is_said_of_names_of_the_lists() -> None:
    assert [name for name in {*EXPLAINED, *REPORTED, *GAPS} if name not in NAMES and known(name)] == []


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.xfail(strict=True, reason=GAPS[n])) if n in GAPS
                                  else n for n in NAMES if RECIPES.get(n)])  # fmt: skip
def test_replays(calls: dict[str, list[Call]], name: str) -> None:
    rule = reported(name)
    tried = replay_of(calls[name], frozen=rule in ("NST206", "NST401"))
    if not tried.calls:
        assert name in EXPLAINED, "plain NumPy refuses every recipe"
    elif rule is not None:
        assert rule in tried.codes
    elif name not in EXPLAINED:
        assert any(n.kind is Kind.CALL for t in tried.traces for n in t.graph.nodes), "not a node, and nothing reported"
    assert not tried.codes & {"NST403", "NST501", "NST601"}
