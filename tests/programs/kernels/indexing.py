"""Masks, scatter, gather, sorting: indices that are arrays themselves."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def mandelbrot(c):
    """Escape times, by masks on whole arrays (Mandelbrot, 1980)."""
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int64)
    for i in range(8):
        inside = np.less(abs(z), 2.0)
        count[inside] = i
        z[inside] = z[inside] ** 2 + c[inside]
    count[count == 7] = 0
    return z, count


def mandelbrot_shrinking(c):
    """Escape times where those that escaped are dropped from the working arrays."""
    flat = c.ravel()
    where = np.arange(flat.size)
    count = np.zeros(flat.size, dtype=np.int32)
    z = flat.copy()
    for i in range(1, 6):
        kept = np.abs(z) <= 2
        where, z, flat = where[kept], z[kept], flat[kept]
        z = z * z + flat
        count[where] = i
    return count.reshape(c.shape)


def histogram(values, bins):
    """Counts of what falls between each two edges, by unbuffered addition."""
    counts = np.zeros(bins.shape[0] - 1, dtype=np.int64)
    where = np.clip(np.searchsorted(bins, values, side="right") - 1, 0, bins.shape[0] - 2)
    np.add.at(counts, where, 1)
    return counts


def weighted_histogram(index, weights):
    """Sums by index, sizes written in the program: four bins."""
    sums = np.zeros(4)
    np.add.at(sums, index, weights)
    return sums / np.maximum(np.bincount(index, minlength=4)[:4], 1)


def scatter_gather(x, target, source):
    """Pull rows from some places, push them to others, add what meets."""
    out = np.zeros_like(x)
    out[target] = x[source]
    np.maximum.at(out, source, x[target])
    return out + np.take_along_axis(x, np.argsort(x, axis=1), axis=1)


def spmv_rows(pointers, columns, values, x):
    """A sparse product, row by row, in compressed sparse rows (Saad, 3.4)."""
    y = np.empty(pointers.shape[0] - 1, values.dtype)
    for i in range(y.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        inside = slice(pointers[i], pointers[i + 1])
        y[i] = values[inside] @ x[columns[inside]]
    return y


def spmv_segments(pointers, columns, values, x):
    """The same without a loop: sums of segments."""
    return np.add.reduceat(values * x[columns], pointers[:-1])


def spmv_coordinates(rows, columns, values, x):
    """A sparse product in coordinates, added up where rows meet."""
    y = np.zeros_like(x)
    np.add.at(y, rows, values * x[columns])
    return y


def azimuthal_mean(data, radius):
    """The mean in each of five rings of equal width (as X-ray diffraction images are integrated)."""
    outer = radius.max()
    means = np.zeros(5)
    for i in range(5):
        low, high = outer * i / 5, outer * (i + 1) / 5
        ring = np.logical_and(low <= radius, radius < high)
        means[i] = np.where(ring, data, 0.0).sum() / np.maximum(ring.sum(), 1)
    return means


def azimuthal_bins(data, radius, rings):
    """The same by one weighted and one plain count, rings a number."""
    total = np.histogram(radius, rings, weights=data)[0]
#                                ^^^^^ NST202
    return total / np.maximum(np.histogram(radius, rings)[0], 1)
#                                                  ^^^^^ NST202


def radix_sort(keys):
    """Least significant digit first, four bits a pass, stable (Knuth, 5.2.5)."""
    for shift in (0, 4, 8, 12):
        digit = (keys >> shift) & 15
        keys = keys[np.argsort(digit, kind="stable")]
    return keys


def counting_ranks(digits):
    """Where a stable counting sort puts each key: counts before, and equals to the left (Knuth, 5.2)."""
    one_hot = digits[:, np.newaxis] == np.arange(16)
    before = np.cumsum(one_hot.sum(axis=0)) - one_hot.sum(axis=0)
    left = np.cumsum(one_hot, axis=0) - one_hot
    rank = before[digits] + np.take_along_axis(left, digits[:, None], axis=1)[:, 0]
    placed = np.empty_like(digits)
    placed[rank] = digits
    return rank, placed


def nearest(points, centres):
    """The nearest centre of each point, and the mean of what each centre got (Lloyd, 1982)."""
    distance = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
    label = distance.argmin(axis=1)
    member = label[:, None] == np.arange(centres.shape[0])
    return label, (member.T @ points) / np.maximum(member.sum(axis=0), 1)[:, None]


def bilinear(image, y, x):
    """An image read between its pixels; places outside are moved to the edge."""
    y0 = np.clip(np.floor(y).astype(np.intp), 0, image.shape[0] - 2)
    x0 = np.clip(np.floor(x).astype(np.intp), 0, image.shape[1] - 2)
    dy, dx = y - y0, x - x0
    top = image[y0, x0] * (1 - dx) + image[y0, x0 + 1] * dx
    bottom = image[y0 + 1, x0] * (1 - dx) + image[y0 + 1, x0 + 1] * dx
    return top * (1 - dy) + bottom * dy


def union_find_labels(mask):
    """Connected pieces by spreading the largest label to neighbours, eight times."""
    label = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    for _ in range(8):
        padded = np.pad(label, 1)
        around = np.maximum(
            np.maximum(padded[:-2, 1:-1], padded[2:, 1:-1]), np.maximum(padded[1:-1, :-2], padded[1:-1, 2:])
        )
        label = np.where(mask, np.maximum(label, around), 0)
    return label


def page_rank(rows, columns, start):
    """Rank by random surfers over an edge list (Brin and Page, 1998)."""
    n = start.shape[0]
    degree = np.maximum(np.bincount(rows, minlength=n), 1)
    rank = start / start.sum()
    for _ in range(5):
        flow = np.zeros(n)
        np.add.at(flow, columns, rank[rows] / degree[rows])
        rank = 0.85 * flow + 0.15 / n
    return rank
