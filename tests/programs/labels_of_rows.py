"""Arrays of texts beside arrays of numbers: groups, masks, codes, as in a table of measurements."""

import numpy as np

from programs.registry import positive, program

KINDS = np.array(["a", "b", "a", "b"])
OBJECTS = np.array(["a", "b", "a", "b"], dtype=object)


@program(positive(4), KINDS)
def labels_and_numbers(x, kinds):
    return np.sum(x[(kinds == "a") & (x > 0.4)] ** 2) + x[0]


@program(positive(4), OBJECTS)
def labels_in_a_set(x, kinds):
    return np.sum(x[np.isin(kinds, ["a", "c"])] ** 2) + x[1]


@program(positive(4), KINDS)
def sums_by_group(x, kinds):
    u, inv = np.unique(kinds, return_inverse=True)
    s = np.zeros(len(u))
    np.add.at(s, inv, x**2)
    return np.prod(s)


@program(positive(4), KINDS)
def means_by_group(x, kinds):
    u, inv, n = np.unique(kinds, return_inverse=True, return_counts=True)
    return np.sum((np.bincount(inv, weights=x) / n) ** 2)


@program(positive(4), OBJECTS)
def groups_in_a_loop(x, kinds):
    s = 0.0
    for k in np.unique(kinds):
        m = kinds == k
        s += np.mean(x[m]) ** 2 * np.sum(m)
    return s


@program(positive(4), KINDS)
def written_by_label(x, kinds):
    y = x * 1.0
    y[kinds == "a"] *= 2.0
    y[kinds != "a"] = np.sin(y[kinds != "a"])
    return np.sum(y**2)


@program(positive(4), KINDS)
def codes_of_labels(x, kinds):
    code = {k: i for i, k in enumerate(sorted(set(kinds)))}
    s = np.zeros(len(code))
    for k, v in zip(kinds, x):
        s[code[k]] += v**2
    return s[0] * s[1]


@program(positive(4), OBJECTS)
def groups_in_a_generator(x, kinds):
    return sum(np.sum(x[kinds == g]) ** 2 for g in ("a", "b"))


@program(positive(4), KINDS)
def labels_beside_labels(x, kinds):
    return np.sum(x * (kinds == kinds[::-1])) + np.sum(x[kinds[0] == kinds] ** 3)


@program(positive(4), KINDS)
def one_hot(x, kinds):
    onehot = (kinds[:, None] == np.array(["a", "b"])[None, :]) * 1.0
    return np.sum((x @ onehot) ** 2)


@program(positive(4), OBJECTS)
def selected_by_label(x, kinds):
    w = np.select([kinds == "a", kinds == "b"], [x**2, np.sin(x)], 0.0)
    return np.sum(w)


@program(positive(4), KINDS)
def any_and_all_labels(x, kinds):
    if np.any(kinds == "b") and not np.all(kinds == "a"):
        return np.sum(x**2)
    return np.sum(x)


@program(positive(4), KINDS)
def places_of_labels(x, kinds):
    i = np.where(kinds == "b")[0][0]
    j = np.flatnonzero(kinds == "a")
    return x[i] ** 2 + np.prod(x[j])


@program(positive(4), OBJECTS)
def first_of_a_label(x, kinds):
    i = list(kinds).index("b")
    return x[i] ** 2 * len([k for k in kinds if k == "a"]) + x[0]


@program(positive(4), KINDS)
def labels_in_capitals(x, kinds):
    up = np.char.upper(kinds.astype(str))
    return np.sum(x[up == "A"] ** 2)


@program(positive(4), KINDS)
def in_order_of_labels(x, kinds):
    o = np.argsort(kinds, kind="stable")
    return np.sum(x[o] * np.array([1.0, 2.0, 3.0, 4.0]))


@program(positive(4), OBJECTS)
def parts_of_labels(x, kinds):
    return np.sum(np.where(kinds[:2] == "a", x[:2] ** 2, np.sin(x[2:])))


@program(positive(4), KINDS)
def capitals_that_choose(x, kinds):
    up = np.char.upper(kinds.astype(str))
    return np.sum(np.where(up == "A", x**2, x))


@program(positive(4), KINDS)
def labels_by_rows(x, kinds):
    return np.sum(
        np.where(kinds[:, None] == np.array(["a", "b"]), x[:, None] ** 2, np.sin(x[:, None]))
    )


@program(positive(4), OBJECTS)
def different_labels(x, kinds):
    return np.sum(np.where(kinds == "b", x, 0.0)) * np.sum(
        np.where(np.unique(kinds) == "b", 2.0, x[0])
    )


@program(positive(4), KINDS)
def labels_turned_round(x, kinds):
    return np.mean(x[kinds[::-1] == "b"] ** 3)


@program(positive(4), KINDS)
def labels_beside_others(x, kinds):
    s = 0.0
    for k, v in zip(kinds[1:], x[:-1]):
        s += v**2 if k == "a" else v
    return s


@program(positive(4), KINDS)
def labels_that_are_in_others(x, kinds):
    others = kinds[1:3]
    known = np.array(["a", "c"])
    total = 0.0
    for i in range(len(x)):
        if kinds[i] in known:
            total += x[i] ** 2
        if kinds[i] not in others[1:]:
            total += np.sin(x[i])
        if kinds[i] == kinds[-1]:
            total *= 1.0 + x[i]
    return total + x[0] * ("b" in others) + x[1] * ("c" in kinds)
