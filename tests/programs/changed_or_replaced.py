"""Containers that an iteration either changes in place or replaces by a new one."""

import numpy as np

from programs.registry import positive, program


@program(positive(3), second=True)
def dict_in_a_branch(x):
    d = {"u": 0.4, "v": x[0]}
    for i in range(3):
        if x[i] > 0.35:
            d["u"] = 0.2 * x[0]
        else:
            d = {"u": d["u"] * 2, "v": d["v"] * 0.5}
    return d["u"] + d["v"]


@program(positive(3), second=True)
def dict_in_nested_loops(x):
    d = {"u": 0.4, "v": x[0]}
    for i in range(2):
        for j in range(2):
            if x[j] > 0.35:
                d["u"] = 0.2 * x[0]
            else:
                d = {"u": d["u"] * 2, "v": d["v"] * 0.5}
    return d["u"] + d["v"]


@program(positive(3), second=True)
def list_in_nested_loops(x):
    l = [x[0], x[1]]
    for i in range(2):
        for j in range(2):
            if x[j] > 0.35:
                l[0] = 0.2 * x[0]
            else:
                l = [v * 2 for v in l]
    return l[0] + l[1]


@program(positive(3), second=True)
def dict_before_continue(x):
    d = {"u": 0.4, "v": x[0]}
    for i in range(3):
        if x[i] > 0.35:
            d = {"u": d["v"], "v": x[i] * d["u"]}
            continue
        d["u"] = d["u"] * x[1]
    return d["u"] + d["v"]


@program(positive(3), second=True)
def dict_with_another_name(x):
    d = {"u": 0.4, "v": x[0]}
    e = d
    for i in range(3):
        if x[i] > 0.35:
            d["u"] = 0.2 * x[0]
        else:
            d = {"u": d["u"] * 2, "v": d["v"] * 0.5}
    return d["u"] + d["v"] + e["u"] * 3


@program(positive(3), second=True)
def changed_again_afterwards(x):
    d = {"u": 0.4, "v": x[0]}
    for i in range(3):
        if x[i] > 0.35:
            d["u"] = 0.2 * x[0]
        else:
            d = {"u": d["u"] * 2, "v": d["v"] * 0.5}
        if i == 1:
            d["v"] *= x[2]
    return d["u"] + d["v"]


@program(positive(3), second=True)
def list_of_lists(x):
    l = [[x[0], x[1]], [x[1]]]
    for i in range(3):
        if x[i] > 0.35:
            l[0] = [0.2 * x[0], l[1][0]]
        else:
            l = [[v * 2 for v in l[0]], [x[2]]]
    return l[0][0] + l[0][1] * l[1][0]


@program(positive(3), second=True)
def dict_in_while(x):
    d = {"u": 0.4, "v": x[0]}
    k = 0
    while k < 3:
        k += 1
        if x[k - 1] > 0.35:
            d["u"] = 0.2 * x[0] * d["v"]
            continue
        d = dict(d, v=x[1] * d["u"])
        d["v"] += x[0]
    return d["u"] + d["v"]


@program(positive(3), second=True)
def object_in_a_branch(x):

    class B:
        pass

    b = B()
    b.v = x[0]
    for i in range(3):
        if x[i] > 0.35:
            b.v = b.v * x[1]
        else:
            b = B()
            b.v = x[2]
    return b.v


@program(np.array([0.3, 0.5]))
def cumulants_of_rows_or_numbers(a):
    x = np.array([a[0], a[1]]) if a[0] > 0 else np.array([[a[0]], [a[1]]])
    v = [1, *list(x)]
    kappa = [1]
    for n, m in enumerate(v[1:]):
        kappa.append(m)
        for k in range(1, n + 1):
            kappa[n + 1] -= kappa[k] * v[n + 1 - k]
    return np.sum(np.array(kappa[1:]))


@program(np.array([0.3, 1.3, 2.3]))
def zeros_replaced_by_arrays(x):
    k = [0] * 3
    for i in range(3):
        k[i] = x * i
    for i in range(3):
        k[i] += x
    for i in range(3):
        k[i][0] = x[1] * k[i][2]
    d = {}
    for i in range(3):
        d[i] = 0
    for i in range(3):
        d[i] = d[i] + x
    for i in range(3):
        d[i][:2] = x[1:] * i
    return np.sum(k[2]) * np.sum(k[1]) + np.sum(d[2]) * np.sum(d[1])
