"""How findings name what a value came from."""

from __future__ import annotations

import pytest

from tracer.events import Origin, Source
from tracer.wording import in_words


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ([], ""),
        ([(Origin.CONTENTS, "x")], "the contents of `x`"),
        ([(Origin.CONTENTS, "x"), (Origin.SIZE, "y")], "the contents of `x` and a size of `y`"),
        ([(Origin.SIZE, "x"), (Origin.SIZE, "y"), (Origin.SIZE, "x")], "sizes of `x` and `y`"),
        (
            [(Origin.CONTENTS, "x"), (Origin.CONTENTS, "y"), (Origin.HIDDEN, "z"), (Origin.HIDDEN, "w")],
            "the contents of `x` and `y`, and the hidden input `z`",
        ),
        (
            [(Origin.CONTENTS, "x"), (Origin.HIDDEN, "z"), (Origin.ENVIRONMENT, "the clock")],
            "the contents of `x`, the hidden input `z` and the clock",
        ),
    ],
)
def test_sources_of_a_kind_are_named_together(sources: list[tuple[Origin, str]], words: str) -> None:
    assert in_words([Source(origin, label) for origin, label in sources]) == words
