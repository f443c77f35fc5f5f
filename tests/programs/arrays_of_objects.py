"""Arrays of texts, and of objects that are numbers, texts or None: labels that decide."""

import numpy as np

from programs.registry import normal, positive, program

LABELS = np.array(["a", "b", "a"], dtype=object)
MIXED = np.array(["a", "b", None], dtype=object)
TEXTS = np.array(["a", "b", "a"])


@program(normal(3))
def labels(x):
    kinds = np.empty(3, dtype=object)
    kinds[0], kinds[1], kinds[2] = "a", "b", "a"
    total = 0.0
    for i in range(3):
        if kinds[i] == "a":
            total += x[i] ** 2
        else:
            total += np.sin(x[i])
    return total


@program(normal(3))
def numbers_put_one_by_one(x):
    y = np.zeros(3, dtype=object)
    y[0] = x[0]
    y[1] = x[1] * x[0]
    y[2] = 1.0
    return y[0] * y[1] + y.sum() ** 2


@program(normal(3))
def chosen_by_labels(x):
    kinds = np.array(["a", "b", None], dtype=object)
    return np.sum(x[kinds == "a"] ** 2) + x[2] * x[1]


@program(positive(3), MIXED)
def entries_of_one_group(x, kinds):
    return np.sum(x[kinds == "a"] ** 2) + x[2]


@program(positive(3), TEXTS)
def groups_beside_numbers(x, kinds):
    s = 0.0
    for k, v in zip(kinds, x):
        if k == "a":
            s += v**2
        elif k in ("b", "c"):
            s += np.sin(v)
        else:
            s += v
    return s


@program(positive(3), LABELS)
def weights_by_label(x, kinds):
    w = {"a": 2.0, "b": 3.0, None: 0.5}
    return sum(w[k] * v**2 for k, v in zip(kinds, x))


@program(positive(3), TEXTS)
def one_of_two_by_label(x, kinds):
    return np.sum(np.where(kinds == "a", x**2, np.sin(x)))


@program(positive(3), MIXED)
def labels_that_may_be_none(x, kinds):
    s = 0.0
    for i in range(len(x)):
        if kinds[i] is None:
            s += x[i] ** 3
        elif kinds[i].startswith("a"):
            s += x[i]
        else:
            s += x[i] ** 2
    return s


@program(positive(3), MIXED)
def labels_as_tests(x, kinds):
    s = 0.0
    for i in range(len(x)):
        if kinds[i]:
            s += x[i] ** 3
        else:
            s += x[i]
    return s


@program(positive(3), LABELS)
def masks_of_labels_as_numbers(x, kinds):
    return np.sum(x**2 * (kinds != "b")) + np.mean(x[kinds != "a"])


@program(positive(3), LABELS)
def grouped_by_label(x, kinds):
    groups = {}
    for k, v in zip(kinds, x):
        groups.setdefault(k, []).append(v)
    return sum(np.prod(np.array(v)) for v in groups.values())


@program(positive(3))
def labels_made_inside(x):
    kinds = np.array(["a", "b", None], dtype=object)
    s = 0.0
    for i in range(3):
        if kinds[i] in ("a", "c"):
            s += x[i] ** 2
        elif kinds[i] is None:
            s += np.sin(x[i])
    return s


@program(positive(3))
def labels_that_a_run_makes(x):
    kinds = np.empty(3, dtype=object)
    for i in range(3):
        kinds[i] = "up" if x[i] > 0.4 else "down"
    return np.sum(x[kinds == "up"] ** 2) + x[0]


@program(positive(3))
def labels_put_all_at_once(x):
    kinds = np.empty(3, dtype=object)
    kinds[:] = ["a", "b", "a"]
    if kinds[1] == "b" and not kinds[0] == "b":
        return np.sum(x**2)
    return np.sum(x)


@program(positive(3))
def labels_changed(x):
    kinds = np.full(3, "a", dtype=object)
    kinds[1] = "b"
    return np.sum(np.where(kinds == "b", x**2, x))


@program(positive(3))
def labels_by_where(x):
    kinds = np.where(x > 0.4, "hi", "lo")
    return np.sum(x[kinds == "hi"] ** 2) + x[0]


@program(positive(3), np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[D]"))
def days_in_an_array(x, days):
    total = 0.0
    for day, v in zip(days, x):
        if day > np.datetime64("2020-01-02"):
            total += v**2
        else:
            total += v * (day - np.datetime64("2020-01-01")).astype(float)
    return total


@program(positive(3))
def entries_that_are_still_none(x):
    y = np.empty(3, dtype=object)
    y[0] = x[0]
    total = 0.0
    for i in range(3):
        if y[i] is None:
            total += x[i] ** 2
        else:
            total += y[i]
    return total


@program(positive(3))
def entries_filled_in_a_loop(x):
    y = np.empty(2, dtype=object)
    total = 0.0
    for i in range(3):
        if y[i % 2] is not None:
            total += x[0] * y[i % 2]
        y[i % 2] = x[i] * 2
    return total


@program(positive(3))
def entries_under_a_name(x):
    y = np.empty(3, dtype=object)
    y[1] = x[0]
    total = 0.0
    for i in range(3):
        v = y[i]
        if v is None:
            total += x[i] ** 2
    for v in y:
        if v is not None:
            total += v * x[1]
    return total
