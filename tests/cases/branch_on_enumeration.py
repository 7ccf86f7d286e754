"""Members of an enumeration: as arguments they are arguments, kept at module level they are hidden inputs."""
import enum
import numpy as np


class Kind(enum.Enum):
    sum = 1
    mean = 2

    def scale(self, x):
        return x * self.value
#                  ^^^^^^^^^^ NST202


current = Kind.mean


# nst: example(np.array([1., 2.]), Kind.sum)
def compared(x, kind):
    if kind == Kind.mean:
#      ^^^^^^^^^^^^^^^^^ NST103
        return x.mean()
    elif kind is not Kind.sum:
#        ^^^^^^^^^^^^^^^^^^^^ NST103
        return x.sum()
    return x


# nst: example(np.array([1., 2.]), Kind.sum)
def matched(x, kind):
    match kind:
        case Kind.mean:
#            ^^^^^^^^^ NST103
            return x.mean()
        case Kind.sum:
#            ^^^^^^^^ NST103
            return x.sum()


# nst: example(np.array([1., 2.]), Kind.sum)
def looked_up(x, kind):
    return x * {Kind.sum: 2.0, Kind.mean: 3.0}[kind] + kind.scale(x)
#                                              ^^^^ NST202


# nst: example(np.array([1., 2.]))
def hidden(x):
    if current == Kind.mean:
#      ^^^^^^^^^^^^^^^^^^^^ NST104
        return x.mean()
    return x
