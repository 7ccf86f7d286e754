"""Points in space: one step of k-means, and principal components by singular values."""

import numpy as np

POINTS = np.array([[0.0, 0.1], [0.2, 0.0], [4.0, 4.1], [3.9, 4.0], [0.1, 0.2]])


# nst: example(POINTS, np.array([[0.5, 0.5], [3.0, 3.0]]))
def kmeans_step(points, centres):
    """Each centre moves to the mean of the points that are nearest to it."""
    distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    member = nearest[:, None] == np.arange(centres.shape[0])
    counts = np.maximum(member.sum(axis=0), 1)
    return member.T @ points / counts[:, None]


# nst: example(np.array([[2.0, 0.5, 1.0], [0.0, -1.0, 0.2], [1.0, 1.5, -0.7], [-3.0, 0.3, 0.4]]))
def principal_components(samples):
    """The samples along the two directions of largest variance, and the share of variance of each."""
    centred = samples - samples.mean(axis=0)
    _, singular, directions = np.linalg.svd(centred, full_matrices=False)
    variance = singular**2
    return {"scores": centred @ directions[:2].T, "explained": variance[:2] / variance.sum()}
