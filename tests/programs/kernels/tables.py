"""Dynamic programming and paths: tables filled by minimum and maximum, decisions by `where`."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def edit_distance(a, b):
    """Insertions, deletions and substitutions (Levenshtein, 1966), the table filled cell by cell."""
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    table[:, 0] = np.arange(len(a) + 1)
    table[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
#            ^^^^^^^^^^^^^^^^^^^^ NST106
        for j in range(1, len(b) + 1):
#                ^^^^^^^^^^^^^^^^^^^^ NST106
            substituted = table[i - 1, j - 1] + np.where(a[i - 1] == b[j - 1], 0, 1)
            table[i, j] = np.minimum(np.minimum(table[i - 1, j], table[i, j - 1]) + 1, substituted)
    return table[-1, -1]


def edit_distance_by_rows(a, b):
    """The same, a row at a time: the running minimum takes the place of the inner loop."""
    steps = np.arange(b.shape[0] + 1)
    row = steps.copy()
    for letter in a:
#                 ^ NST106
        best = np.minimum(row[1:] + 1, row[:-1] + np.where(b == letter, 0, 1))
        best = np.concatenate([row[:1] + 1, best])
        row = np.minimum.accumulate(best - steps) + steps
    return row[-1]


def floyd_warshall(paths):
    """All shortest paths (Floyd, 1962), each middle point an outer sum."""
    for k in range(paths.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^^ NST106
        paths[:] = np.minimum(paths, np.add.outer(paths[:, k], paths[k, :]))
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def bellman_ford(weights, source):
    """Shortest paths from one node by relaxing all edges (Bellman, 1958)."""
    distance = np.where(np.arange(weights.shape[0]) == source, 0.0, np.inf)
#                                                      ^^^^^^ NST202
    for _ in range(weights.shape[0] - 1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        distance = np.minimum(distance, (distance[:, np.newaxis] + weights).min(axis=0))
    return distance


def min_plus_power(weights):
    """Paths of at most eight edges by squaring thrice in the tropical semiring."""
    for _ in range(3):
        weights = np.minimum(weights, (weights[:, :, None] + weights[None, :, :]).min(axis=1))
    return weights


def nussinov(bases):
    """The most base pairs of a folded strand (Nussinov, 1978); complementary bases sum to three."""
    n = bases.shape[0]
    table = np.zeros((n, n), np.int32)
    for i in range(n - 2, -1, -1):
#            ^^^^^^^^^^^^^^^^^^^^ NST106
        for j in range(i + 1, n):
#                ^^^^^^^^^^^^^^^ NST106
            best = np.maximum(table[i, j - 1], table[i + 1, j])
            if i + 1 <= j - 1:
                best = np.maximum(best, table[i + 1, j - 1] + (bases[i] + bases[j] == 3))
            for k in range(i + 1, j):
                best = np.maximum(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


def knapsack(weights, values, capacity):
    """The best value for every capacity (Bellman, 1957); an item is taken where that is better."""
    best = np.zeros(capacity + 1)
#                   ^^^^^^^^^^^^ NST202
    room = np.arange(capacity + 1)
#                    ^^^^^^^^^^^^ NST202
    for weight, value in zip(weights, values, strict=True):
#                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        with_it = np.where(room >= weight, best[np.maximum(room - weight, 0)] + value, -np.inf)
        best = np.maximum(best, with_it)
    return best


def viterbi(start, transition, emission, observed):
    """The likeliest hidden states (Viterbi, 1967), traced back through the table of best predecessors."""
    score = start + emission[:, observed[0]]
    back = np.zeros((observed.shape[0], start.shape[0]), dtype=np.intp)
    for t in range(1, observed.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        candidates = score[:, None] + transition
        back[t] = candidates.argmax(axis=0)
        score = candidates.max(axis=0) + emission[:, observed[t]]
    path = np.zeros(observed.shape[0], dtype=np.intp)
    path[-1] = score.argmax()
    for t in range(observed.shape[0] - 1, 0, -1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        path[t - 1] = back[t, path[t]]
    return path, score.max()


def seam(energy):
    """The energy of the cheapest seam down to each pixel (Avidan and Shamir, 2007)."""
    cost = energy[0]
    for row in energy[1:]:
#              ^^^^^^^^^^ NST106
        padded = np.pad(cost, 1, constant_values=np.inf)
        cost = row + np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    return cost


def smith_waterman_score(similarity, gap):
    """The best local alignment by antidiagonals of a similarity matrix (Smith and Waterman, 1981)."""
    rows, columns = similarity.shape
    table = np.zeros((rows + 1, columns + 1))
    for d in range(2, rows + columns + 1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        i = np.arange(max(1, d - columns), min(rows, d - 1) + 1)
        j = d - i
        diagonal = table[i - 1, j - 1] + similarity[i - 1, j - 1]
        table[i, j] = np.maximum(0, np.maximum(diagonal, np.maximum(table[i - 1, j], table[i, j - 1]) - gap))
#                                                                                                       ^^^ NST202
    return table.max()
