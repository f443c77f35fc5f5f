"""Programs of many trades: what went wrong in one of them, shortened."""

import numpy as np

from programs.registry import positive, program

BINS = np.array([0, 1, 1, 3, 0])


@program(positive(5), second=True)
def lengths_of_vectors_turned_round(x):
    """Parts with negative steps, of floats and of complex numbers, one of them half of a matrix."""
    outer = np.outer(x, x + 1.0)
    wave = x[:3] + 1j * x[-3:]
    total = np.linalg.norm(x[::-1][:3]) * x[0] + np.linalg.norm(outer[::-1, 1][1:], ord=2)
    total += np.linalg.norm(wave[::-1][1:]) + np.linalg.norm(x[::-2], 3)
    return total + max(np.linalg.norm(row[::-1][1:]) for row in outer[::2])


@program(positive(5), second=True)
def entries_taken_and_summed_up_by_bins(x):
    """The cotangent of what a histogram sums up is taken by the same places, then added to."""
    y = np.sin(x)
    chosen = np.select([y > 0.6, y < 0.2], [y**2, -y], default=0.5 * y)
    sums = np.zeros(4)
    np.add.at(sums, BINS, y)
    return chosen.sum() + sums @ [1, 2, 3, 4]
