"""What is put where a run decides, and is held elsewhere too: both stay one."""

from __future__ import annotations

from programs.registry import normal, program

X = normal(5)


class Held:
    def __init__(self, p):
        self.p = p


@program(X)
def a_row_put_in_place_of_another(x):
    g = [[x[0]], [x[1]]]
    g[int(x[0] > 2)] = g[1]
    g[1][0] *= 3.0
    return g[0][0] + g[1][0]


@program(X)
def a_named_list(x):
    l = [x[0], x[1]]
    g = [[x[1], x[2]], l]
    g[int(x[0] > 0.3)] = l
    return g[0][0] * l[1]


@program(X)
def entries_of_a_dict(x):
    g = {"a": [x[0]], "b": [x[1]]}
    g["b" if x[0] > 2 else "a"] = g["b"]
    g["b"][0] *= 3.0
    return g["a"][0] + g["b"][0]


@program(X)
def dicts_in_a_list(x):
    g = [{"m": x[0]}, {"m": x[1]}]
    g[int(x[0] > 2)] = g[1]
    g[1]["m"] *= 3.0
    return g[0]["m"] + g[1]["m"]


@program(X)
def one_list_at_two_places(x):
    k = int(x[0] > 0.3)
    g = [[x[0]], [x[1]]]
    g[k] = g[1 - k] = [x[2], x[3]]
    g[0][0] *= x[4]
    return g[0][0] * g[1][0]


@program(X)
def by_a_helper(x):
    def put(rows, i):
        rows[i] = rows[1]

    g = [[x[0]], [x[1]]]
    put(g, int(x[0] > 2))
    g[1][0] *= 3.0
    return g[0][0] + g[1][0]


@program(X)
def objects_in_a_dict(x):
    g = {"a": Held(x[0]), "b": Held(x[1])}
    g["b" if x[0] > 2 else "a"] = g["b"]
    g["b"].p *= 3.0
    return g["a"].p + g["b"].p


@program(X)
def a_new_object(x):
    os = [Held(x[0]), Held(x[1])]
    os[int(x[0] > 0.3)] = Held(x[2])
    return os[0].p * os[1].p


@program(X)
def swapped_with_itself(x):
    g = [[x[0]], [x[1]], [x[2]]]
    i = int(x[0] > 0)
    g[i], g[2] = g[2], g[2]
    g[2][0] *= 3.0
    return g[0][0] + g[1][0] * g[2][0]


@program(X)
def asked_whether_it_is(x):
    g = [[x[0]], [x[1]]]
    g[int(x[0] > 2)] = g[1]
    return x[0] * (2.0 if g[0] is g[1] else 3.0)


@program(X)
def inserted(x):
    g = [[x[0]], [x[1]]]
    k = int(x[0] > 0.3)
    g.insert(k, g[1])
    g[2][0] *= 3.0
    return g[0][0] + g[1][0] * g[2][0]


@program(X)
def a_default(x):
    d = {"a": [x[0]], "b": [x[1]]}
    k = "c" if x[0] > 0.3 else "a"
    d.setdefault(k, d["b"])
    d["b"][0] *= 3.0
    return sum(v[0] for v in d.values())


@program(X)
def taken_out_and_put_back(x):
    g = [[x[0]], [x[1]]]
    k = int(x[0] > 0.3)
    p = g.pop(k)
    g.append(p)
    p[0] *= x[2]
    return g[0][0] * g[1][0] ** 2


@program(X)
def a_slice_of_lists(x):
    g = [[x[0]], [x[1]], [x[2]]]
    k = int(x[0] > 0.3)
    g[k : k + 1] = [g[2], g[0]]
    g[0][0] *= x[3]
    return sum(v[0] ** 2 for v in g)


@program(X)
def together_with_a_name(x):
    a, b = [x[0]], [x[1]]
    g = [a, b]
    g[int(x[0] > 0.3)], a = a, b
    a[0] *= x[2]
    return g[0][0] * g[1][0] + a[0]


@program(X)
def an_object_with_a_name(x):
    q = Held(x[0])
    g = [q, Held(x[1])]
    g[int(x[0] > 0.3)] = q
    q.p *= x[2]
    return g[0].p * g[1].p


@program(X)
def lists_in_lists_in_lists(x):
    g = [[[x[0]], [x[2]]], [[x[1]], [x[3]]]]
    g[int(x[0] > 2)][1] = g[1][0]
    g[1][0][0] *= 3.0
    return g[0][0][0] + g[0][1][0] * g[1][0][0]
