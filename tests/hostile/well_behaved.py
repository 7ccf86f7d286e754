"""What is traced after each of the others, to see that the worker still can."""


# nst: example(np.ones(3))
def fine(x):
    return x * 2 + 1
