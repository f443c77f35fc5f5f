"""Arrays made from lists of integers and truth values: floats written into them are rounded."""

import numpy as np

from programs.registry import positive, program


@program(positive(4), jit=True)
def written_into_collected_integers(x):
    places = []
    for k, v in enumerate(x):
        if v > 0:
            places.append(k)
    held = np.array(places)
    held[0] = x[0] * 7.1
    counts = np.array([int(v * 10 + 0.43) for v in x]) // 2
    counts[1] = x[1] * 9.01
    flags = np.array([v > 0 for v in x])
    flags[2] = x[2] * 3
    return held @ x + counts @ x + flags @ x + (flags + flags) @ x


@program(positive(4))
def written_into_stacked_integers(x):
    counts = [int(v * 10 + 0.43) for v in x]
    pairs = []
    for k in range(4):
        pairs.append([k, k + 1])
    both = np.array([counts, counts])
    both[1] = x * 8.03
    rows = np.stack([np.array(counts), np.array(counts)])
    rows[0] = x * 6.07
    columns = np.array(pairs).T.copy()
    columns[1] = x * 8.03
    kind = x[1] if np.array(counts).dtype.kind == "i" else x[2] ** 2
    return ((both + rows + columns) @ x).sum() + kind


@program(positive(4), jit=True)
def truth_values_of_reductions_added(x):
    m = x > 0
    both = np.any(m) + np.all(m)
    more = m.max() + m.min() + m.any()
    a, b = x[0] > 0, float(x[1]) > 0
    kinds = 0.0
    if isinstance(a, bool):
        kinds += x[0]
    if isinstance(b, bool):
        kinds += x[1]
    if isinstance(a, int | np.bool_):
        kinds += x[2]
    if isinstance(a * 1.5, np.floating):
        kinds += x[3]
    return both * x[0] + more * x[1] + kinds


@program(positive(4), [0, 0, 1])
def entries_taken_twice_by_collected_places(x, places):
    y = x.copy()
    y[0] *= 3
    pairs = np.asarray([[i, j] for i in places for j in range(i + 1)])
    w = y[pairs[:, 0]]
    kept = np.where(x > 0.4, pairs[:1, 0], places[0])
    kept[1] = x[1] * 3.07
    return np.sum(w**2) + y @ y + kept @ x
