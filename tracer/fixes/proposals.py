"""Which fixes a finding may have: a table from its rule to those who propose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..worker.wire import Finding
from .candidate import Candidate
from .choices import choices
from .conversions import conversions, emptiness, extremes, lengths
from .inputs import hidden_inputs, random_draws
from .modules import registered
from .state import bound_as_default, copied_first, default_made_anew
from .text import Text

Proposer = Callable[[Text, Finding], Iterator[Candidate]]

_MOST = 4
"""Candidates that are tried for one finding, at most."""

PROPOSERS: dict[str, tuple[Proposer, ...]] = {
    "NST101": (choices, emptiness, conversions, extremes),
    "NST102": (choices, lengths),
    "NST106": (extremes, emptiness, conversions),
    "NST201": (extremes, conversions, emptiness),
    "NST203": (extremes, lengths),
    "NST204": (registered, default_made_anew, bound_as_default, hidden_inputs),
    "NST205": (default_made_anew, bound_as_default, hidden_inputs),
    "NST206": (random_draws,),
    "NST303": (copied_first,),
    "NST304": (default_made_anew,),
    "NST305": (default_made_anew,),
    "NST404": (extremes, conversions),
    "NST405": (choices, conversions),
}


def proposed(text: Text, finding: Finding) -> list[Candidate]:
    """The candidates for a finding, the first to be tried first; none where the finding is in another file."""
    if finding.place.path != text.file.path:
        return []
    found = [c for propose in PROPOSERS.get(finding.code, ()) for c in propose(text, finding)]
    return found[:_MOST]
