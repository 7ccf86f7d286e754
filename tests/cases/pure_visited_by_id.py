"""Objects made in the call, told apart by their ids."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    nodes = [[x, []], [y, []]]
    nodes[1][1].append(nodes[0])
    seen, order = set(), []
    def visit(node):
        if id(node) in seen:
            return
        seen.add(id(node))
        for parent in node[1]:
            visit(parent)
        order.append(node[0])
    visit(nodes[1])
    visit(nodes[0])
    return order[0] - 2 * order[1]


EXAMPLE = (np.arange(3.), np.ones(3))
OTHER = (np.arange(4.), np.ones(4))
