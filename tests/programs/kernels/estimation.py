"""Statistics and learning: expectation and maximisation, samples that are given, trees of tests."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

from dataclasses import replace

import numpy as np


def gaussian_mixture(x, mixture):
    """Expectation and maximisation in one dimension (Dempster, Laird and Rubin, 1977)."""
    for _ in range(4):
        z = (x[:, None] - mixture.means) / mixture.spreads
        density = mixture.weights * np.exp(-0.5 * z**2) / mixture.spreads
        share = density / density.sum(axis=1, keepdims=True)
        count = share.sum(axis=0)
        means = (share * x[:, None]).sum(axis=0) / count
        spreads = np.sqrt((share * (x[:, None] - means) ** 2).sum(axis=0) / count) + 1e-3
        mixture = replace(mixture, weights=count / len(x), means=means, spreads=spreads)
    return mixture


def principal_components(x):
    """Directions of greatest variance; signs such that the largest entry is positive."""
    centred = x - x.mean(axis=0)
    _, s, vt = np.linalg.svd(centred, full_matrices=False)
    signs = np.sign(np.take_along_axis(vt, np.abs(vt).argmax(axis=1)[:, None], axis=1))
    return s**2 / (x.shape[0] - 1), vt * signs


def forward_backward(start, transition, likelihood):
    """Posteriors of hidden states in logarithms (Baum and others, 1970)."""
    alpha = [start + likelihood[0]]
    for row in likelihood[1:]:
#              ^^^^^^^^^^^^^^ NST106
        alpha.append(np.logaddexp.reduce(alpha[-1][:, None] + transition, axis=0) + row)
    beta = [np.zeros_like(start)]
    for row in likelihood[:0:-1]:
#              ^^^^^^^^^^^^^^^^^ NST106
        beta.insert(0, np.logaddexp.reduce(transition + row + beta[0], axis=1))
    joint = np.array(alpha) + np.array(beta)
    return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)


def bootstrap(x, samples):
    """Percentiles of a median over resamples whose indices are given (Efron, 1979)."""
    medians = np.median(x[samples], axis=1)
    return np.percentile(medians, [2.5, 50, 97.5])


def kernel_density(x, grid):
    """Gaussian bumps with Silverman's width (1986)."""
    spread = np.minimum(x.std(ddof=1), np.subtract(*np.percentile(x, [75, 25])) / 1.34)
    width = 0.9 * spread * x.shape[0] ** -0.2
    return np.exp(-0.5 * ((grid[:, None] - x) / width) ** 2).mean(axis=1) / (width * np.sqrt(2 * np.pi))


def isotonic(y):
    """The monotone fit: the largest of the smallest means (Barlow and others, 1972)."""
    n = y.size
    sums = np.concatenate([[0.0], np.cumsum(y)])
    i, j = np.ogrid[:n, :n]
    means = np.where(i <= j, (sums[j + 1] - sums[i]) / np.maximum(j - i + 1, 1), -np.inf)
    largest = np.maximum.accumulate(means, axis=0)
    return np.where(i <= j, largest, np.inf)[np.arange(n)].min(axis=1)


def k_means(x, centres):
    """Five rounds; a centre without points stays where it was (Lloyd, 1982)."""
    for _ in range(5):
        label = np.argmin(np.linalg.norm(x[:, None] - centres, axis=-1), axis=1)
        counts = np.bincount(label, minlength=centres.shape[0])
        sums = np.stack([np.bincount(label, weights=column, minlength=centres.shape[0]) for column in x.T], axis=1)
#                                                                                                     ^^^ NST106
        centres = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)
    return centres, label


def ridge_path(x, y, penalties):
    """Ridge regressions for a row of penalties by one singular value decomposition."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    filtered = s / (s**2 + penalties[:, None]) * (u.T @ y)
    return filtered @ vt


def lasso(x, y, penalty):
    """Coordinate descent with soft thresholds (Friedman, Hastie and Tibshirani, 2010)."""
    w = np.zeros(x.shape[1])
    for _ in range(3):
        for j in range(x.shape[1]):
#                ^^^^^^^^^^^^^^^^^ NST106
            rest = y - x @ w + x[:, j] * w[j]
            rho = x[:, j] @ rest
            w[j] = np.sign(rho) * np.maximum(np.abs(rho) - penalty, 0.0) / (x[:, j] @ x[:, j])
#                                                          ^^^^^^^ NST202
    return w


def decision_tree(x, feature, threshold, leaves):
    """A complete tree of three levels, all rows walked at once by index arithmetic."""
    node = np.zeros(x.shape[0], dtype=np.intp)
    for _ in range(3):
        goes_right = x[np.arange(x.shape[0]), feature[node]] > threshold[node]
        node = 2 * node + 1 + goes_right
    return leaves[node - 7]


def gibbs(x, precision, noise):
    """Gibbs sweeps over a Gaussian, the draws given (Geman and Geman, 1984)."""
    x = x.copy()
    for draws in noise:
#                ^^^^^ NST106
        for i in range(x.shape[0]):
#                ^^^^^^^^^^^^^^^^^ NST106
            others = precision[i] @ x - precision[i, i] * x[i]
            x[i] = -others / precision[i, i] + draws[i] / np.sqrt(precision[i, i])
    return x


def rank_correlation(x, y):
    """Spearman's: the correlation of ranks, ties not averaged."""
    ranks = np.stack([np.argsort(np.argsort(v)) for v in (x, y)]) - (x.size - 1) / 2
    return np.prod(ranks, axis=0).sum() / np.sqrt(np.prod((ranks**2).sum(axis=1)))


def naive_bayes(counts, labels):
    """Multinomial naive Bayes, three classes, counts smoothed (Manning and others, 13.2)."""
    one_hot = np.eye(3)[labels]
    totals = one_hot.T @ counts + 1
    words = np.log(totals / totals.sum(axis=1, keepdims=True))
    prior = np.log(one_hot.mean(axis=0) + 1e-9)
    return (counts @ words.T + prior).argmax(axis=1)


def adam(w, x, y):
    """Adam on least squares, moments kept in a dictionary (Kingma and Ba, 2015)."""
    moments = {"first": np.zeros_like(w), "second": np.zeros_like(w)}
    for t in range(1, 5):
        gradient = 2 * x.T @ (x @ w - y) / y.size
        moments["first"] = 0.9 * moments["first"] + 0.1 * gradient
        moments["second"] = 0.999 * moments["second"] + 0.001 * gradient**2
        first = moments["first"] / (1 - 0.9**t)
        second = moments["second"] / (1 - 0.999**t)
        w = w - 0.1 * first / (np.sqrt(second) + 1e-8)
    return w, moments
