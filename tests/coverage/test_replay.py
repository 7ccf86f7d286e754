"""Every function of every list, traced and replayed against NumPy itself: one test a function, made from the lists."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy as np
import numpy.testing.overrides
import pytest
import scipy  # type: ignore[import-untyped]

from tests.coverage.catalogue import families, known, overridable
from tests.coverage.recipes import RECIPES
from tests.coverage.replay import Call, Tried, module_of
from tests.coverage.report import document, judged, tried_of
from tests.coverage.statuses import EXPLAINED, GAPS, REPORTED

NAMES = [name for family in families() for name in family.names]
DOCUMENT = Path(__file__).parents[2] / "docs" / "coverage.md"

Calls = dict[str, list[Call]]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    return module_of(tmp_path_factory.mktemp("coverage"))


@pytest.fixture(scope="module")
def replayed() -> dict[str, Tried | None]:
    """What became of each name so far: each is replayed once."""
    return {}


def test_numpys_own_lists_are_in_the_table() -> None:
    listed = numpy.testing.overrides.get_overridable_numpy_ufuncs()
    assert len(families()[0].names) == len(listed) > 80
    assert len(overridable()) > 250


def test_every_name_has_a_recipe_or_a_reason() -> None:
    """What is new in a NumPy shows here: give it a recipe (tables/), or say why it has none (statuses)."""
    assert [name for name in NAMES if not RECIPES.get(name) and name not in EXPLAINED] == []


def test_what_is_said_is_said_of_names_of_the_lists() -> None:
    assert [name for name in {*REPORTED, *GAPS} if name not in NAMES and known(name)] == []


@pytest.mark.parametrize("name", [name for name in NAMES if RECIPES.get(name) and name not in GAPS])
def test_replays(calls: Calls, replayed: dict[str, Tried | None], name: str) -> None:
    replayed[name] = judged(name, calls[name])


@pytest.mark.parametrize("name", sorted(set(GAPS) & set(NAMES)))
@pytest.mark.xfail(strict=True, reason="a known gap (statuses.GAPS)")
def test_a_known_gap(calls: Calls, name: str) -> None:
    """Fails for as long as the gap is there; the entry goes with it."""
    judged(name, calls[name])


def test_the_document_is_what_the_generator_gives(calls: Calls, replayed: dict[str, Tried | None]) -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    versions = f"NumPy {np.__version__} and SciPy {scipy.__version__}"
    if versions not in written:
        pytest.skip(f"docs/coverage.md speaks of other versions than {versions}")
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("docs/coverage.md speaks of NumPy's dtypes on Linux, x86_64")
    for name in NAMES:
        if name not in replayed:
            replayed[name] = tried_of(name, calls.get(name, []))
    assert document(replayed.get) == written, "run `python -m tests.coverage`"
