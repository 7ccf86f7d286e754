"""Memory used over again: buffers that swap, views written through, `out=`, windows, masks that write."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view


def ping_pong(u):
    """Two buffers that take turns, every result by `out=`: diffusion on a ring."""
    now, then = u.copy(), np.empty_like(u)
    for _ in range(6):
        np.add(now[:-2], now[2:], out=then[1:-1])
        np.multiply(then[1:-1], 0.5, out=then[1:-1])
        then[0], then[-1] = now[-1], now[0]
        now, then = then, now
    return now, then


def shift_register(samples):
    """A delay line that is moved by one in place, the filter's taps reading it (Oppenheim and Schafer, 6.3)."""
    line = np.zeros(4)
    out = np.zeros(6)
    for t in range(6):
        line[1:] = line[:-1]
        line[0] = samples[t].sum()
        out[t] = line @ np.array([0.4, 0.3, 0.2, 0.1])
    return out, line


def overlapping(x):
    """Writes whose source and target overlap, forward, backward and strided."""
    x[1:] += x[:-1]
#   ^^^^^^^^^^^^^^^ NST303
    x[::-1] -= x
#   ^^^^^^^^^^^^ NST303
    x[::2] = x[::2][::-1] * 2
#   ^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    x[1:-1] = np.maximum(x[:-2], x[2:])
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x


def ring_buffer(x):
    """The last three rows kept in a ring, the oldest overwritten; its mean after each row of six."""
    ring = np.zeros((3, x.shape[1]))
    means = []
    for t, row in enumerate(x[:6]):
#                 ^^^^^^^^^^^^^^^^ NST106
        ring[t % 3] = row
        means.append(ring[: min(t + 1, 3)].mean(axis=0))
    return np.stack(means)


def quadrants(a):
    """Strassen's seven products on views of quadrants, sums into views of the result (Strassen, 1969)."""
    n = a.shape[0] // 2
    a11, a12, a21, a22 = a[:n, :n], a[:n, n:], a[n:, :n], a[n:, n:]
    c = np.zeros_like(a)
    c11, c12, c21, c22 = c[:n, :n], c[:n, n:], c[n:, :n], c[n:, n:]
    m = (a11 + a22) @ (a11 + a22)
    c11 += m
    c22 += m
    m = (a21 + a22) @ a11
    c21 += m
    c22 -= m
    m = a11 @ (a12 - a22)
    c12 += m
    c22 += m
    m = a22 @ (a21 - a11)
    c11 += m
    c21 += m
    m = (a11 + a12) @ a22
    c11 -= m
    c12 += m
    c22 += (a21 - a11) @ (a11 + a12)
    c11 += (a12 - a22) @ (a21 + a22)
    return c


def moving_statistics(x):
    """Mean, largest and middle of windows of three, windows as a view."""
    windows = sliding_window_view(x, 3, axis=-1)
    return windows.mean(axis=-1), windows.max(axis=-1), np.median(windows, axis=-1)


def toeplitz(r):
    """A symmetric Toeplitz matrix as strides of one buffer, two numbers written through it."""
    n = r.shape[0]
    line = np.concatenate([r[:0:-1], r])
    view = as_strided(line[n - 1 :], (n, n), (-line.itemsize, line.itemsize))
    line[n - 1] = 4.0
    return view @ view


def patches(image):
    """Patches of two by two without overlap, sorted, and put back through a transposed view."""
    rows, columns = image.shape[0] // 2, image.shape[1] // 2
    tiles = image[: rows * 2, : columns * 2].reshape(rows, 2, columns, 2).swapaxes(1, 2)
    ranked = np.sort(tiles.reshape(rows, columns, 4), axis=-1)
    out = np.zeros((rows * 2, columns * 2), image.dtype)
    out.reshape(rows, 2, columns, 2).swapaxes(1, 2)[...] = ranked.reshape(rows, columns, 2, 2)
    return out


def diagonals(a):
    """Diagonals by every road: filled, read as a view, written by index."""
    b = a.copy()
    np.fill_diagonal(b, 0.0)
    b += np.diag(a.diagonal() * 2)
    i = np.arange(a.shape[0])
    b[i, i[::-1]] -= a[i, i]
    b.flat[:: a.shape[0] + 1] += 1.0
    return b, np.trace(b), np.einsum("ii->i", b)


def masked_writes(x, y):
    """The functions that write under a mask: `copyto`, `putmask`, `place`, `put`, and `where=`."""
    out = x.copy()
    np.copyto(out, y, where=y > x)
    np.putmask(out, out < 0.2, 0.2)
    np.place(out, out > 0.9, [0.9])
    np.put(out, [0, -1], [5.0, 6.0])
    np.sqrt(out, out=out, where=x > 0.5)
    return out


def triangles(a):
    """Indices of triangles made from a size, reads and writes through them."""
    upper = np.triu_indices(a.shape[0], 1)
    packed = a[upper]
    out = np.zeros_like(a)
    out[upper] = packed
    out.T[upper] = -packed
    return packed, out, out[np.ix_([0, -1], [0, -1])]


def accumulate_into(x):
    """Reductions and running results into memory that is given."""
    total = np.empty(x.shape[1])
    running = np.empty_like(x)
    np.add.reduce(x, axis=0, out=total)
    np.multiply.accumulate(x, axis=1, out=running)
    np.cumsum(running, axis=0, out=running)
    return total, running, np.dot(x, total, out=np.empty(x.shape[0]))


def transposed_writes(x):
    """A matrix written through its transpose, a moved axis, a new axis and a reversed view."""
    x.T[0] = 1.0
#   ^^^^^^^^^^^^ NST303
    np.moveaxis(x, 0, -1)[-1] += 2.0
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    x[:, None][0, 0] *= 3.0
#   ^^^^^^^^^^^^^^^^^^^^^^^ NST303
    np.flip(x)[0, 0] = 4.0
#   ^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x.sum(axis=0)
