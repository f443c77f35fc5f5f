"""Numbers put into dicts by keys that only a run knows: groups, sums, counts."""

import itertools
import statistics
from collections import Counter, OrderedDict, defaultdict

import numpy as np

from programs.registry import program

V = np.array([0.7, 1.1, 0.45, 1.6, 0.9, 1.35])
LABELS = np.array([2, 0, 2, 1, 0, 2])
INTEGERS = [2, 0, 2, 1, 0, 2]
TEXTS = ["b", "a", "b", "c", "a", "b"]


@program(V, LABELS, second=True, jit=True)
def lists_extended_by_groups(x, labels):
    groups = {}
    for k, v in zip(labels, x):
        if k not in groups:
            groups[k] = []
        groups[k] += [v]
    total = 0.0
    for i, k in enumerate(sorted(groups)):
        total += (i + 1) * max(groups[k]) ** 2
    for k in groups:
        total += len(groups[k]) * groups[k][0]
    return total / len(groups)


@program(V, LABELS, second=True, jit=True)
def parts_of_lists_that_are_put_back(x, labels):
    held, before, tails = {}, [], []
    for k, v in zip(labels, x):
        before.append(held.get(k))
        held[k] = [v, x[0] * v, v**2]
    for k in reversed(labels):
        tail = held[k][1:]
        tails.append(tail)
        old = before.pop()
        if old is None:
            held.pop(k)
        else:
            held[k] = old
    for tail in tails:
        tail[0] *= 2.0
    return sum(tail[0] * tail[1] for tail in tails)


@program(V, LABELS, second=True, jit=True)
def means_of_groups(x, labels):
    groups = {}
    for k, v in zip(labels, x):
        groups.setdefault(k, []).append(v)
    total = 0.0
    for k, vs in groups.items():
        total += (k + 1) * np.mean(vs) ** 2
    return total


@program(V, INTEGERS, second=True, jit=True)
def means_by_a_list_of_integers(x, labels):
    groups = defaultdict(list)
    for k, v in zip(labels, x):
        groups[k].append(v * v)
    means = {k: np.mean(vs) for k, vs in groups.items()}
    return sum(m**2 for m in means.values())


@program(V, TEXTS, second=True, jit=True)
def means_by_texts(x, labels):
    groups = defaultdict(list)
    for k, v in zip(labels, x):
        groups[k].append(v * v)
    best = max(groups, key=lambda k: len(groups[k]))
    sizes = {k: len(vs) for k, vs in groups.items()}
    return np.std(groups[best]) * max(sizes.values())


@program(V, np.array(TEXTS), second=True, jit=True)
def sums_by_an_array_of_texts(x, names):
    sums = {}
    for name, v in zip(names, x):
        sums[name] = sums.get(name, 0.0) + v
    total = 0.0
    for name in sorted(sums):
        total = 0.5 * total + sums[name] ** 2
    for name in np.unique(names):
        total += np.mean(x[names == name]) ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def entropy_of_shares(x, labels):
    sums = defaultdict(float)
    for k, v in zip(labels, x):
        sums[k] += v * v
    total = sum(sums.values())
    shares = {k: v / total for k, v in sums.items()}
    return -sum(q * np.log(q) for q in shares.values())


@program(V, INTEGERS, second=True, jit=True)
def largest_and_smallest_sum(x, labels):
    sums = defaultdict(float)
    for k, v in zip(labels, x):
        sums[k] += v
    best, value = max(sums.items(), key=lambda pair: pair[1])
    worst = min(sums, key=lambda k: sums[k])
    second = sorted(sums, key=sums.get, reverse=True)[1]
    return value**2 + sums[worst] * sums[best] + 3.0 * sums[second]


@program(V, LABELS, second=True, jit=True)
def weights_by_counts(x, labels):
    counts = Counter(labels)
    total = 0.0
    for k, v in zip(labels, x):
        total += v * v / counts[k]
    for rank, (k, n) in enumerate(counts.most_common(2)):
        for label, v in zip(labels, x):
            if label == k:
                total += v ** (rank + 2) / n
    return total


@program(V, TEXTS, second=True, jit=True)
def counts_by_texts(x, labels):
    counts = Counter()
    for k in labels:
        counts[k] += 1
    total = 0.0
    for i, (_, n) in enumerate(sorted(counts.items())):
        total += n * x[i] ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def encoded_targets(x, labels):
    sums, counts = {}, {}
    for k, v in zip(labels, x):
        sums[k] = sums.get(k, 0) + v
        counts[k] = counts.get(k, 0) + 1
    prior = np.mean(x)
    encoded = np.array([(sums[k] + prior) / (counts[k] + 1) for k in labels])
    return np.sum(encoded**2)


@program(V, LABELS, second=True, jit=True)
def sums_and_counts_in_tuples(x, labels):
    table = {}
    for k, v in zip(labels, x):
        s, n = table.get(k, (0.0, 0))
        table[k] = (s + v, n + 1)
    return sum((s / n) ** 2 for s, n in table.values())


@program(V, INTEGERS, second=True, jit=True)
def sums_and_counts_in_lists(x, labels):
    table = {}
    for k, v in zip(labels, x):
        if k not in table:
            table[k] = [0.0, 0]
        table[k][0] += v
        table[k][1] += 1
    total = 0.0
    for s, n in table.values():
        total += (s / n) ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def sums_and_counts_in_dicts(x, labels):
    table = {}
    for k, v in zip(labels, x):
        if k in table:
            table[k]["values"].append(v)
            table[k]["total"] += v
        else:
            table[k] = {"values": [v], "total": v, "name": f"group {k}"}
    total = 0.0
    for k in sorted(table):
        row = table[k]
        total += row["total"] * max(row["values"]) * len(row["name"])
    return total


class Moments:
    """Mean and variance of what has come."""

    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def add(self, v):
        self.n += 1
        delta = v - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (v - self.mean)


@program(V, LABELS, second=True, jit=True)
def moments_of_groups(x, labels):
    groups = defaultdict(Moments)
    for k, v in zip(labels, x):
        groups[k].add(v)
    total = 0.0
    for _, m in sorted(groups.items(), key=lambda pair: pair[0]):
        total = 0.5 * total + m.m2 / m.n + m.mean**2
    return total


@program(V, LABELS, second=True, jit=True)
def arrays_of_groups(x, labels):
    sums = defaultdict(lambda: np.zeros(2))
    for k, v in zip(labels, x):
        sums[k] += np.array([v, v * v])
    total = 0.0
    for k, a in sums.items():
        a *= k + 1.0
        total += a[0] * a[1]
    return total


@program(V, LABELS, second=True, jit=True)
def centred_within_groups(x, labels):
    places = defaultdict(list)
    for i, k in enumerate(labels):
        places[k].append(i)
    y = x.copy()
    for idx in places.values():
        y[idx] -= x[idx].mean()
    return np.sum(y**3) + np.sum(y * x)


@program(V, LABELS, second=True, jit=True)
def groups_in_groups(x, labels):
    table = defaultdict(lambda: defaultdict(float))
    for i, (k, v) in enumerate(zip(labels, x)):
        table[k][i % 2] += v
    total = 0.0
    for k in table:
        for j in table[k]:
            total += (j + 1) * table[k][j] ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def dicts_in_dicts(x, labels):
    table = {}
    for i, (k, v) in enumerate(zip(labels, x)):
        table.setdefault(k, {})[i % 2] = v
    total = 0.0
    for inner in table.values():
        s = 0.0
        for j, v in inner.items():
            s += (j + 1) * v
        total += s**2
    return total


@program(V, LABELS, second=True, jit=True)
def keys_of_texts_made_here(x, labels):
    sums = {}
    for i, (k, v) in enumerate(zip(labels, x)):
        name = f"{k}-{i % 2}"
        sums[name] = sums.get(name, 0.0) + v
    total = 0.0
    for name in sorted(sums):
        total = 0.5 * total + sums[name] ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def keys_of_texts_and_numbers(x, labels):
    groups = defaultdict(list)
    for i, (k, v) in enumerate(zip(labels, x)):
        groups["even" if i % 2 == 0 else "odd", k].append(v)
    total = 0.0
    for (parity, k), vs in groups.items():
        weight = 2.0 if parity == "even" else 1.0
        total += weight * (k + 1) * statistics.mean(vs) ** 2
    return total


@program(V, np.array([0.5, 1.5, 0.5, 2.5, 1.5, 0.5]), jit=True)
def means_at_times_that_come_again(x, times):
    groups = defaultdict(list)
    for t, v in zip(times, x):
        groups[t].append(v)
    at = np.array(sorted(groups))
    means = np.array([np.mean(groups[t]) for t in sorted(groups)])
    return np.sum(np.interp([0.7, 1.9], at, means) ** 2) + sum(t * len(groups[t]) for t in at)


@program(V, second=True, jit=True)
def entries_under_what_varies(x):
    held = {}
    for k, v in zip(x, x[::-1]):
        held[k] = v * x[0]
    total = 0.0
    for k in held:
        total += held[k] ** 2
    return total


@program(V, second=True, jit=True)
def means_of_bins(x):
    bins = defaultdict(list)
    for v in x:
        bins[int(v // 0.5)].append(v)
    return sum((b + 1) * np.mean(bins[b]) ** 2 for b in sorted(bins))


@program(V, LABELS, second=True, jit=True)
def put_in_anew_and_so_last(x, labels):
    held = {}
    for k, v in zip(labels, x):
        if k in held:
            old = held[k]
            del held[k]
            held[k] = old * v
        else:
            held[k] = v
    total = 0.0
    for v in held.values():
        total = 0.5 * total + v**2
    return total


@program(V, LABELS, second=True, jit=True)
def oldest_left_out(x, labels):
    recent = OrderedDict()
    for k, v in zip(labels, x):
        if k in recent:
            recent.move_to_end(k)
            recent[k] += v
        else:
            recent[k] = v
        if len(recent) > 2:
            recent.popitem(last=False)
    total = 0.0
    for v in recent.values():
        total = 0.5 * total + v**2
    return total


@program(V, LABELS, second=True, jit=True)
def changed_while_others_stay(x, labels):
    sums = {}
    for k, v in zip(labels, x):
        sums[k] = sums.get(k, 0.0) + v
    for k in sums:
        sums[k] = sums[k] ** 2
    for k in list(sums):
        if sums[k] > 3.0:
            del sums[k]
    return sum(sums.values()) ** 2


@program(V, LABELS, second=True, jit=True)
def smallest_taken_first(x, labels):
    sums = {}
    for k, v in zip(labels, x):
        sums[k] = sums.get(k, 0.0) + v
    total = 0.0
    while len(sums) > 1:
        k = min(sums, key=sums.get)
        total += (k + 1) * sums[k] ** 2
        del sums[k]
    return total + 2 * sum(sums.values())


@program(np.array([0.7, 1.13, 0.4, 1.62, 0.98, 1.31]), second=True, jit=True)
def nearest_groups_joined(x):
    groups = {i: [v] for i, v in enumerate(x)}
    while len(groups) > 2:
        best = None
        for a, b in itertools.combinations(groups, 2):
            apart = abs(np.mean(groups[a]) - np.mean(groups[b]))
            if best is None or apart < best[0]:
                best = (apart, a, b)
        _, a, b = best
        groups[a] = groups[a] + groups.pop(b)
    return sum(np.var(vs) + np.mean(vs) ** 2 for vs in groups.values())


@program(V, LABELS, second=True, jit=True)
def keys_of_two_as_sets(x, labels):
    early, late = {}, {}
    for k, v in zip(labels[:4], x):
        early[k] = v
    for k, v in zip(labels[3:], x):
        late[k + 1] = v * v
    seen = early.keys()
    early[7] = x[5]
    total = 0.0
    for k in sorted(seen & late.keys()):
        total += early[k] * late[k]
    for k in sorted(seen | late.keys()):
        total += early.get(k, 0.5) * late.get(k, 0.25)
    for k in sorted(seen - late.keys()):
        total += early[k] ** 3
    doubled = {k: 2.0 * v for k, v in early.items()}
    if doubled.keys() == early.keys() and not early.keys().isdisjoint(late.keys()):
        total += doubled[7] ** 2
    return total


@program(V, LABELS, second=True, jit=True)
def merged_and_updated(x, labels):
    first = {k: v for k, v in zip(labels[:3], x[:3])}
    then = {k: v * v for k, v in zip(labels[3:], x[3:])}
    merged = first | then
    first.update(then)
    total = 0.0
    for (k, v), w in zip(merged.items(), first.values()):
        total = 0.5 * total + (k + 1) * v * w
    return total


@program(V, LABELS, jit=True)
def entries_that_are_known_to_be_there_or_not(x, labels):
    held = {}
    other = held if x[0] > 0.5 else {}
    total = 0.0
    for i, (k, v) in enumerate(zip(labels, x)):
        if k not in held:
            other[k] = [v * 3]
            held[k] = [v * v]
        elif i % 2 == 0 and k != 0:
            a = held.pop(k)
            held[k] = [a[0] * v]
        else:
            other[k] = other[k] + [v]
            held[k][0] *= 1.5
        total += held[k][0] ** 2 * len(held[k])
    for k in held:
        total = 0.5 * total + sum(held[k]) ** 2
        held[k] = [held[k][0] * 2.0]
        total += held[k][0] ** 3
    return total


@program(V, np.array([21, 0, 21, 17, 0, 8]), second=True, jit=True)
def each_of_a_set(x, labels):
    total = 0.0
    for k in set(labels):
        vs = [v for label, v in zip(labels, x) if label == k]
        total = 0.5 * total + np.mean(vs) ** 2
    for a, b in {(k, k % 3) for k in labels}:
        total = 0.7 * total + sum(v**2 for label, v in zip(labels, x) if label == a) * (b + 1)
    return total


@program(V, TEXTS, second=True, jit=True)
def each_of_a_set_of_texts(x, labels):
    seen = set()
    sums = {}
    for k, v in zip(labels, x):
        seen.add(k)
        sums[k] = sums.get(k, 0.0) + v
    places = {k: i for i, k in enumerate(list(set(labels)))}
    total = 0.0
    for k in seen:
        total = 0.5 * total + sums[k] ** 2 * (places[k] + 1)
    return total


@program(V, LABELS, second=True, jit=True)
def labels_changed_between_question_and_entry(x, labels):
    labels = labels.copy()
    held = {labels[0]: x[0]}
    total = 0.0
    for i in range(len(x)):
        if labels[i] not in held:
            labels[i] = labels[0]
            held[labels[i]] = x[i] ** 2
        total += held[labels[i]] * x[i] ** 2
    return total + held[labels[0]] ** 2
