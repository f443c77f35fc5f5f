"""Containers that an iteration either changes in place or replaces by a new one."""

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
