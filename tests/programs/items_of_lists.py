"""Lists of arrays whose items have sizes that fit each other, or only seem to."""

from __future__ import annotations

import copy

import numpy as np
from scipy.special import logsumexp

from programs.registry import normal, program

LAYERS = [(normal(4, 5), normal(5)), (normal(5, 6), normal(6)), (normal(6, 3), normal(3))]
NARROW = [(normal(4, 3), normal(3)), (normal(3, 1), normal(1)), (normal(1, 5), normal(5))]
WEIGHTS, OFFSETS = [w for w, _ in LAYERS], [b for _, b in LAYERS]
V = [normal(3), normal(1), normal(3)]
U = [normal(4), normal(1), normal(4)]


@program(LAYERS, normal(7, 4), normal(7, 3), wrt=(0, 1), second=False)
def layers(params, x, t):
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return np.sum((x @ w + b - t) ** 2)


@program(LAYERS, normal(7, 4), normal(7, 3))
def outputs_are_read_behind(params, inputs, targets):
    for w, b in params:
        outputs = np.dot(inputs, w) + b
        inputs = np.tanh(outputs)
    scores = outputs - logsumexp(outputs, axis=1, keepdims=True)
    penalty = sum(np.sum(w * w) + np.sum(b * b) for w, b in params)
    return np.sum(scores * targets) - 0.1 * penalty


@program(NARROW, normal(7, 4), wrt=(0, 1))
def one_unit_wide(params, x):
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


@program(LAYERS, normal(4), wrt=(0, 1))
def one_sample(params, x):
    for p in params:
        w, b = p
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


@program(WEIGHTS, OFFSETS, normal(7, 4), wrt=(0, 1, 2))
def two_lists_side_by_side(ws, bs, x):
    for w, b in zip(ws[:-1], bs[:-1], strict=True):
        x = np.maximum(x @ w + b, 0.0)
    return np.sum((x @ ws[-1] + bs[-1]) ** 2)


@program(WEIGHTS, OFFSETS, normal(7, 4), wrt=(0, 1, 2))
def two_lists_by_number(ws, bs, x):
    for i in range(len(ws)):
        x = np.tanh(x @ ws[i] + bs[i])
    return np.sum(x**2)


@program(LAYERS, normal(7, 4), wrt=(0, 1))
def an_item_is_replaced(params, x):
    params[0] = (params[0][0] * 2.0, np.ones((1, 1)) * 2)
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


@program(LAYERS, normal(7, 4), wrt=(0, 1))
def items_are_written(params, x):
    for w, b in params:
        b[0] += 1.0
        w *= 2.0
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


@program(V)
def the_item_before(vs):
    before, total = np.ones(3), 0.0
    for v in vs:
        total += np.sum(np.sin(before * v))
        before = v
    return total


@program(V)
def the_item_before_unset(vs):
    total = 0.0
    for i, v in enumerate(vs):
        if i > 0:
            total += np.sum(np.sin(before * v))  # noqa: F821
        before = v
    return total


@program(V, V, wrt=(0, 1))
def shifted_by_one(vs, us):
    total = 0.0
    for v, u in zip(vs[1:], us, strict=False):
        total += np.sum(np.sin(u * v))
    for v, u in zip(vs[1:], us[1:], strict=True):
        total += np.sum(np.cos(u * v))
    return total


@program(V, V, wrt=(0, 1))
def one_list_lost_an_item(vs, us):
    total = 0.0
    more = vs + [np.ones(3)]
    more.pop(0)
    for v, u in zip(more, us, strict=True):
        total += np.sum(np.sin(u * v))
    return total


@program(V, V, wrt=(0, 1))
def lists_in_a_list_are_changed(vs, us):
    both = [vs, us]
    for k in range(2):
        both[k].pop(k)
    return sum(np.sum(np.sin(u * v)) for v, u in zip(vs, us, strict=True))


@program(V, V, wrt=(0, 1))
def turned_round(vs, us):
    vs.reverse()
    vs.append(us[0])
    total = 0.0
    for v, u in zip(vs, us, strict=False):
        total += np.sum(np.sin(u * v))
    return total


@program(V, V, wrt=(0, 1))
def swapped(vs, us):
    vs[0], vs[1] = vs[1], vs[0]
    total = 0.0
    for v, u in zip(vs, us, strict=True):
        total += np.sum(np.sin(u * v))
    return total


@program(V, V, wrt=(0, 1))
def other_orders(vs, us):
    total = 0.0
    for v, u in zip(reversed(vs), us, strict=True):
        total += np.sum(np.sin(u * v))
    for v, u in reversed(list(zip(vs, us, strict=True))):
        total += np.sum(np.cos(u * v))
    for v, u in zip(vs[::-1], us, strict=True):
        total += np.sum(np.cos(u * v))
    return total


@program(V, V, wrt=(0, 1))
def a_counter_is_moved_on(vs, us):
    total = 0.0
    for k in range(len(vs)):
        v = vs[k]
        k = (k + 1) % 3
        total += np.sum(np.sin(v * us[k])) + np.sum(vs[k] * us[k - 1])
    return total


@program(V, V, wrt=(0, 1))
def each_with_each(vs, us):
    total = 0.0
    for v in vs:
        for u in us:
            total += np.sum(np.sin(u * v))
    return total


@program(V)
def a_list_of_results(vs):
    sums = [v * 2.0 for v in vs]
    kept = [vs[0]]
    for v in vs:
        kept.append(kept[-1] * v)
    return np.sum(sums[0] * sums[1]) + np.sum(kept[-1]) + np.sum(kept[1] * kept[2])


@program(V)
def the_last_item(vs):
    for v in vs:  # noqa: B007
        pass
    return np.sum(v * vs[0]) + np.sum(v * vs[1])


@program(V)
def an_item_that_stops_the_loop(vs):
    for v in vs:
        w = v * 2.0
        if v.size == 1:
            break
    return np.sum(w * vs[0]) + np.sum(w * vs[1])


@program(V, U, wrt=(0, 1))
def two_sizes_in_step(vs, us):
    total = 0.0
    for v, u in zip(vs, us, strict=True):
        total += np.sum(np.sin(np.outer(v, u) @ u * v))
    return total


@program(LAYERS, normal(7, 4), wrt=(0, 1))
def cut_shorter_in_calls(params, x):
    if not params:
        return np.sum(x**2)
    w, b = params[0]
    return cut_shorter_in_calls(params[1:], np.tanh(x @ w + b))


@program(LAYERS, normal(7, 4), wrt=(0, 1))
def only_some_items(params, x):
    total = 0.0
    for k in range(2):
        w, b = params[k]
        x = x @ w + b
    for w, b in params:
        if w.shape[0] == 5:
            continue
        total += np.sum(w) * np.sum(b**2)
    return total + np.sum(x)


@program(LAYERS)
def rows_and_columns(params):
    total = 0.0
    for w, b in params:
        total += np.sum((w - w.mean(axis=0)) * b) + np.sum(w[0] * b[::-1])
    return total


@program(V, V)
def whole_lists_again_and_again(vs, us):
    total = 0.0
    for t in range(2):
        for k in range(len(vs)):
            total += np.sum(vs[k] * us[k]) * (t + 1.0)
        vs = [v * 0.5 for v in vs]
    return total


@program([normal(2), normal(1)], 2)
def lists_made_anew_in_steps(xs, n):
    for _ in range(n):
        xs = [y * 2.0 for y in xs]
    return sum(np.sum(y**2) for y in xs)


@program(V, V, wrt=(0, 1))
def a_copy_lost_an_item(vs, us):
    shorter, turned = vs.copy(), copy.copy(vs)
    shorter.pop(0)
    turned.reverse()
    total = sum(np.sum(np.sin(a * b)) for a, b in zip(shorter, us, strict=False))
    for a, b in zip(turned, us, strict=True):
        total += np.sum(np.cos(a * b))
    return total


@program(V, V, wrt=(0, 1))
def a_copy_lost_an_item_in_a_call(vs, us):
    def cut(items):
        items = items.copy()
        items.pop()
        items.reverse()
        return items

    total = 0.0
    for a, b in zip(cut(vs), us, strict=False):
        total += np.sum(np.sin(a * b))
    return total
