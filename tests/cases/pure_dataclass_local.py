"""A dataclass replaced step by step, inside the call."""
import numpy as np
from dataclasses import dataclass, field, replace, astuple


@dataclass
class State:
    mean: np.ndarray
    parts: list = field(default_factory=list)
    step: int = 0
    def update(self, v):
        return replace(self, mean=self.mean + (v - self.mean) / (self.step + 1), step=self.step + 1)


# nst: example(*EXAMPLE)
def fn(x, y):
    state = State(np.zeros_like(x))
    for v in (x, y):
        state = state.update(v)
        state.parts.append(v)
    return state.mean, sum(state.parts)


EXAMPLE = (np.arange(6.), np.ones(6))
OTHER = (np.arange(8.) * 3, np.ones(8))
