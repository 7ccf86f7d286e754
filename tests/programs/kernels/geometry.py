"""Points, rays and shapes: vectors along the last axis, decisions by `where`."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import math

import numpy as np


def shoelace(polygon):
    """The area and the centre of a polygon (Gauss)."""
    x, y = polygon.T
#          ^^^^^^^^^ NST106
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    return area, np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (6 * area)


def inside_polygon(points, polygon):
    """Even or odd crossings of a ray (Shimrat, 1962)."""
    start, end = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, 0, None], points[:, 1, None]
    straddles = (start[:, 1] > y) != (end[:, 1] > y)
    slope = (end[:, 0] - start[:, 0]) / np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    return np.logical_xor.reduce(straddles & (x < slope * (y - start[:, 1]) + start[:, 0]), axis=1)


def trace_rays(origin, direction, spheres):
    """The nearest sphere that each ray meets, shaded by its normal (Whitted, 1980)."""
    nearest = np.full(direction.shape[0], np.inf)
    shade = np.zeros(direction.shape[0])
    for centre, radius in spheres:
        offset = origin - centre
        b = (direction * offset).sum(axis=-1)
        discriminant = b * b - (offset @ offset - radius**2)
#                                                 ^^^^^^^^^ NST202
        distance = -b - np.sqrt(np.maximum(discriminant, 0.0))
        hit = (discriminant > 0) & (distance > 0) & (distance < nearest)
        nearest = np.where(hit, distance, nearest)
        normal = (origin + distance[:, None] * direction - centre) / radius
#                                                                    ^^^^^^ NST202
        shade = np.where(hit, np.clip(-(normal * direction).sum(axis=-1), 0, 1), shade)
    return shade


def quaternion_rotation(q, points):
    """Points turned by unit quaternions, one for each (Hamilton, 1843)."""
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
    matrix = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])
    return np.einsum("ijn,nj->ni", matrix, points)


def rasterise(triangles, canvas):
    """Triangles filled by edge functions, the nearest kept in a depth buffer (Pineda, 1988)."""
    rows, columns = np.mgrid[: canvas.shape[0], : canvas.shape[1]]
    depth = np.full(canvas.shape, np.inf)
    for i in range(triangles.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangles[i]
#       ^^^^^^^^^^^^ NST106
#                     ^^^^^^^^^^^^ NST106
#                                   ^^^^^^^^^^^^ NST106
#                                                  ^^^^^^^^^^^^ NST106
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        u = ((bx - columns) * (cy - rows) - (by - rows) * (cx - columns)) / area
        v = ((cx - columns) * (ay - rows) - (cy - rows) * (ax - columns)) / area
        w = 1 - u - v
        z = u * az + v * bz + w * cz
        seen = (u >= 0) & (v >= 0) & (w >= 0) & (z < depth)
        depth[seen] = z[seen]
        canvas[seen] = i + 1
#       ^^^^^^^^^^^^^^^^^^^^ NST303
    return canvas, depth


def k_nearest(points, k):
    """Distances to the nearest others, partitioned, the point itself set aside."""
    distance = np.linalg.norm(points[:, None] - points[None], axis=-1)
    np.fill_diagonal(distance, np.inf)
    order = np.argpartition(distance, k, axis=1)[:, :k]
#                                     ^ NST202
#                                                    ^ NST202
    return np.sort(np.take_along_axis(distance, order, axis=1), axis=1)


def great_circle(latitude, longitude):
    """All distances on the globe by the haversine (Sinnott, 1984)."""
    phi, theta = np.radians(latitude), np.deg2rad(longitude)
    half = np.sin(np.subtract.outer(phi, phi) / 2) ** 2
    half += np.multiply.outer(np.cos(phi), np.cos(phi)) * np.sin(np.subtract.outer(theta, theta) / 2) ** 2
    return 2 * 6371.0 * np.arcsin(np.sqrt(np.clip(half, 0, 1)))


def bezier(control, parameters):
    """De Casteljau's corner cutting (1959), a curve of as many control points as there are rows."""
    points = np.broadcast_to(control, (parameters.shape[0], *control.shape))
    t = parameters[:, None, None]
    while points.shape[1] > 1:
#         ^^^^^^^^^^^^^^^^^^^ NST102
        points = (1 - t) * points[:, :-1] + t * points[:, 1:]
    return points[:, 0]


def koch(start):
    """A snowflake's outline after three rounds; each has four times the points (von Koch, 1904)."""
    points = start[:, 0] + 1j * start[:, 1]
    for _ in range(3):
        edge = (np.roll(points, -1) - points) / 3
        tip = points + edge * (1 + np.exp(-1j * math.pi / 3))
        points = np.stack([points, points + edge, tip, points + 2 * edge], axis=1).ravel()
    return points


def procrustes(a, b):
    """The rotation that brings one cloud to another (Kabsch, 1976)."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    turn = np.diag(np.append(np.ones(a.shape[1] - 1), np.sign(np.linalg.det(u @ vt))))
    rotation = u @ turn @ vt
    return a @ rotation, np.sqrt(((a @ rotation - b) ** 2).mean())
