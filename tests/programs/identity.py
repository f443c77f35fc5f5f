"""Lists, dicts and objects that must stay one: in joined lists, by branch, round loops."""

import copy

import numpy as np

from programs.registry import normal, positive, program


def dyn(x, n=3):
    rows = []
    for k in range(n):
        rows.append([x[k]])
    return rows


@program(positive(4), second=True)
def list_joined_and_changed_later(x):
    rows = dyn(x)
    r = [x[0], x[1]]
    rows = [r] + rows
    r.append(x[1] ** 2)
    return sum((i + 1) * sum(q) for i, q in enumerate(rows))


@program(positive(4), second=True)
def list_twice_in_a_joined_list(x):
    rows = dyn(x)
    r = [x[0], x[1]]
    rows = rows + [r, r]
    r[0] = x[1] ** 2
    return sum((i + 1) * q[0] * q[-1] for i, q in enumerate(rows))


@program(positive(4), second=True)
def list_twice_in_an_extension(x):
    rows = dyn(x)
    r = [x[0], x[1]]
    rows.extend([r, r])
    r[0] = x[1] ** 2
    return sum((i + 1) * q[0] * q[-1] for i, q in enumerate(rows))


@program(positive(4), second=True)
def list_in_a_replaced_slice(x):
    rows = dyn(x)
    r = [x[0], x[1]]
    rows[1:2] = [r]
    r[0] = x[1] ** 2
    return sum((i + 1) * q[0] * q[-1] for i, q in enumerate(rows))


@program(positive(4), second=True)
def list_in_an_updated_dict(x):
    d = {}
    for k in range(3):
        d[k] = [x[k]]
    r = [x[0], x[1]]
    d.update({1: r})
    r[0] = x[1] ** 2
    d[1][1] = x[3] ** 3
    return sum((q[0] * q[-1] for q in d.values())) + r[1]


@program(positive(4), second=True)
def list_of_one_row_repeated(x):
    r = [x[0], x[1]]
    n = int(2 + 0 * x[0])
    rows = [r] * n
    r[0] = x[1] ** 2
    rows[1].append(x[3])
    return sum((sum(q) * q[1] for q in rows)) + r[-1]


@program(positive(4), second=True)
def rows_chosen_in_a_comprehension(x):
    r = [x[0], x[1]]
    q = [x[2], x[3]]
    rows = [r if v > 0.7 else q for v in x]
    r[0] = x[1] ** 2
    q[1] = x[0] ** 3
    return sum(q[0] * q[1] for q in rows)


@program(positive(4), second=True)
def one_row_in_a_comprehension(x):
    r = [x[0], x[1]]
    rows = [r for v in range(5)]
    r[0] = x[1] ** 2
    rows[3].append(x[2])
    return sum(q[0] * q[1] * q[-1] for q in rows)


@program(positive(4), second=True)
def one_of_two_lists_in_a_loop(x):
    r = [x[0], x[1]]
    c = [x[2], x[2]]
    for k in range(5):
        if x[k % 4] > 0.7:
            c = r
        c[k % 2] = c[k % 2] * x[k % 4]
    return r[0] * r[1] + c[0] * c[1]


@program(positive(4), second=True)
def one_of_two_lists_by_a_conditional(x):
    a = [x[0], x[1]]
    c = a if x[0] > 0.1 else [x[2], x[3]]
    c[0] = x[3] ** 2
    a[1] = x[2] ** 2
    return sum(a) * c[0] * c[1]


@program(positive(4), second=True)
def one_of_two_dicts_in_a_loop(x):
    a = {"u": x[0], "v": x[1]}
    b = {"u": x[2], "v": x[3]}
    for k in range(5):
        c = a if x[k % 4] > 0.7 else b
        c["u"] *= x[k % 4]
        c["v"] += c["u"]
    return a["u"] * b["v"] + a["v"] * b["u"]


class P:
    def __init__(self, u, v):
        self.u = u
        self.v = v


@program(positive(4), second=True)
def one_of_two_objects_in_a_loop(x):
    a = P(x[0], x[1])
    b = P(x[2], x[3])
    for k in range(5):
        c = a if x[k % 4] > 0.7 else b
        c.u *= x[k % 4]
        c.v += c.u
    return a.u * b.v + a.v * b.u


@program(positive(4), second=True)
def arrays_on_a_worklist(x):
    stack = [(x * 1.0, 0)]
    out = []
    while stack:
        a, d = stack.pop()
        if d == 2:
            out.append(a)
            continue
        a[d] *= x[d + 1]
        stack.append((a, d + 1))
        stack.append((a[::-1].copy(), d + 1))
    return sum((i + 1) * np.sum(a**2) for i, a in enumerate(out))


@program(positive(4), second=True)
def rows_sorted_by_swaps(x):
    rows = dyn(x)
    for i in range(2):
        for j in range(i + 1, 3):
            if rows[j][0] > rows[i][0]:
                rows[i], rows[j] = (rows[j], rows[i])
    top = rows[0]
    top.append(x[3])
    rows[-1] = top
    top[0] *= x[1]
    return sum((i + 1) * sum(r) * r[0] for i, r in enumerate(rows))


@program(positive(4))
def rows_appended_while_enumerated(x):
    rows = dyn(x, 3)
    for i, r in enumerate(rows):
        if len(rows) < 6:
            rows.append([r[0] * x[3]])
        r[0] = r[0] * x[i % 4]
    return sum((i + 1) * sum(r) for i, r in enumerate(rows))


@program(positive(4), second=True)
def list_appended_while_gone_through(x):
    it = [x[0], x[1]]
    out = []
    for v in it:
        if len(it) < 6:
            it.append(v * x[2])
        out.append(v * v)
    return sum(out) * it[-1]


@program(positive(4), second=True)
def list_appended_on_a_condition(x):
    it = [x[0], x[1]]
    out = []
    for v in it:
        if len(it) < 6 and v > 0.2:
            it.append(v * x[2])
        out.append(v * v)
    return sum(out) * it[-1]


@program(positive(4), second=True)
def rows_put_into_a_second_list(x):
    rows = dyn(x)
    out = []
    for r in rows:
        out.append(r)
    for r in out:
        r[0] = r[0] * x[3]
    return sum((i + 1) * sum(r) for i, r in enumerate(rows))


@program(positive(4), second=True)
def rows_added_while_gone_through(x):
    a = [[x[0]], [x[1]]]
    for r in a:
        b = [[r[0] * x[2]]]
        if len(a) < 4:
            a += b
        r[0] *= x[3]
    return sum((i + 1) * r[0] ** 2 for i, r in enumerate(a))


@program(positive(4), second=True)
def queue_of_tuples(x):
    st = [(0, x[0])]
    tot = 0.0
    for d, v in st:
        tot = tot + v * v
        if d < 3:
            st.append((d + 1, v * x[d]))
    return tot


@program(positive(4), second=True)
def queue_of_numbers(x):
    st = [0]
    seen = []
    val = [v for v in x]
    for n in st:
        for m in (2 * n + 1, 2 * n + 2):
            if m < 4:
                st.append(m)
                val[m] = val[m] * val[n]
    return sum(val)


@program(positive(4), second=True)
def list_grows_under_another_name(x):
    rows = dyn(x)
    q = rows
    s = 0.0
    for v in rows:
        s = s + v[0] ** 2
        if len(q) < 6:
            q.append([v[0] * x[3]])
        if s > 50:
            break
    return s


@program(positive(4), second=True)
def row_three_times(x):
    row = [x[0], x[1]]
    rows = [row] * 3
    rows[0][0] = x[2] ** 2
    for k in range(2):
        rows[k].append(x[k] * x[3])
    return sum(sum(r) * r[0] for r in rows)


@program(positive(4), second=True)
def array_three_times(x):
    row = x * 2.0
    rows = [row] * 3
    for k in range(3):
        rows[k][k] *= x[3]
    return sum(np.sum(r**2) for r in rows)


@program(positive(4), second=True)
def copies_of_a_list_of_arrays(x):
    rows = []
    for k in range(3):
        rows.append(x * x[k])
    b = list(rows)
    c = rows[:]
    d = rows.copy()
    e = copy.deepcopy(rows)
    b[0][0] = x[1] ** 2
    c[1] = x**2
    d[2] *= x
    e[0][0] = 5 * x[1]
    rows[1] += x
    return sum((np.sum(p * q * r * s) for p, q, r, s in zip(rows, b, c, d))) + np.sum(
        e[0] * e[1] * e[2]
    )


@program(positive(4), second=True)
def copies_of_a_list_of_lists(x):
    rows = []
    for k in range(3):
        rows.append([x[k]])
    b = list(rows)
    e = copy.deepcopy(rows)
    c = copy.copy(rows)
    b[0].append(x[1] ** 2)
    e[1].append(x[3])
    c[2][0] = x[1] * x[0]
    c.append([x[0]])
    return (
        sum(len(r) * r[-1] * r[0] for r in rows)
        + sum(r[-1] ** 2 for r in e)
        + len(c) * x[0]
        + sum(r[-1] for r in b)
    )


@program(positive(4), second=True)
def keys_chosen_at_run_time(x):
    d = {"a": [], "b": []}
    for k in range(4):
        d["a" if k % 2 else "b"].append(x[k])
    r = d["a"]
    d["b"] = r
    r.append(x[0] * x[1])
    d["b"][0] = x[3] ** 2
    return sum(d["a"]) * d["b"][0]


@program(positive(4), second=True)
def last_list_by_branch(x):
    a = [x[0]]
    last = a
    for k in range(3):
        if x[k] > 0.5:
            last = a
        else:
            last = [x[k]]
        last.append(x[k] ** 2)
    return sum(a) * sum(last)


@program(positive(4), second=True)
def row_of_a_joined_list(x):
    rows = []
    for k in range(3):
        rows.append([x[k]])
    r = rows[0]
    rows = [[x[3]]] + rows
    r.append(x[1] ** 2)
    rows[2] = r
    r[0] *= x[2]
    return sum(sum(r) * r[0] for r in rows)


@program(positive(4), second=True)
def tuples_of_numbers_arrays_lists(x):
    ts = []
    for k in range(3):
        ts.append((x[k], x * x[k], [x[0]]))
    for i in range(3):
        v, a, h = ts[i - 1]
        a[0] = v * x[3]
        h.append(v)
    t = ts[1]
    ts.append(t)
    ts[3][2][0] = t[0] * x[1]
    return sum(p * np.sum(q) * sum(r) for p, q, r in ts)


@program(positive(4), second=True)
def tuples_of_numbers(x):
    pts = []
    for k in range(3):
        pts.append((x[k], x[k] ** 2))
    st = [pts]
    q = st[0]
    q.append((x[3], x[0]))
    st.append(pts)
    st[1][0] = (x[1], x[2])
    return sum(a * b * (i + 1) for i, (a, b) in enumerate(pts))


@program(positive(4), second=True)
def tuples_counted_from_the_end(x):
    ts = []
    for k in range(3):
        ts.append((x[k], x * x[k]))
    t = ts[-1]
    ts.append((x[0], x**2))
    t[-1][0] = t[-2] * x[3]
    ts[0], ts[1] = (ts[1], t)
    t[1][:] *= x
    return sum((i + 1) * p * np.sum(q) for i, (p, q) in enumerate(ts))


@program(positive(4), second=True)
def keys_in_a_list(x):
    d = {}
    for k in range(3):
        d["n%d" % k] = [x[k], k]
    for n in ["n0", "n2", "n1"]:
        r = d[n]
        d["n1"] = r
        r[0] *= x[r[1]]
        r[1] = 1
    return sum(v[0] * (v[1] + 1) for v in d.values())


@program(positive(4), second=True)
def records_with_names_and_nothing(x):
    recs = []
    for k in range(3):
        recs.append({"name": "a%d" % k, "v": x[k], "n": k, "m": None, "w": x * 1.0})
    r = recs[0]
    recs.append(r)
    recs.pop(0)
    r["v"] *= x[3]
    r["n"] = 2
    r["w"][0] = r["v"]
    r["name"] = "z"
    r["m"] = x[0]
    return sum((q["v"] * (q["n"] + 1) * np.sum(q["w"]) for q in recs)) + r["m"]


@program(1.42)
def one_list_on_one_path(x):
    kept = [x]
    other = kept if x > 1 else [x]
    table = {"a": x}
    if x > 2:
        view = table
    else:
        view = {"a": x}
    return x * (1.0 if kept is other else 2.0) * (3.0 if view is not table else 4.0)


@program(normal(4), second=True)
def asked_ahead_of_a_copy(x):
    x = x * 1.0
    same = x
    rate = 1.0
    if same is x:
        for same in np.outer(x, x)[:2]:
            x *= 0.7
            rate += same[0]
    same = same.copy()
    return np.sum(x**2) * rate
