"""`np.logaddexp.reduce`: softmax, hidden Markov models, fields and alignments in logarithms."""

import numpy as np

from programs.registry import normal, program


@program(normal(5), jit=True, second=True)
def of_a_vector(x):
    return np.logaddexp.reduce(x) + np.sin(x[0]) * np.logaddexp.reduce(2.0 * x[1:])


@program(normal(4, 3, 2), jit=True, second=True)
def along_axes(x):
    a = np.logaddexp.reduce(x, axis=1, keepdims=True)
    b = np.logaddexp.reduce(x, axis=(0, 2))
    return np.sum(a * x) + np.sum(b**2) + np.sum(np.logaddexp.reduce(x, -1) * x[..., 0])


@program(normal(4, 3), jit=True)
def some_are_left_out(x):
    mask = np.tril(np.ones((4, 3), bool))
    z = np.where(mask, x, -np.inf)
    return np.sum(np.logaddexp.reduce(z, axis=1) * x[:, 0]) + np.logaddexp.reduce(z, axis=None)


@program(normal(4, 3), jit=True)
def with_a_start(x):
    kept = x > -0.9
    a = np.logaddexp.reduce(x, axis=0, initial=0.5)
    return np.sum(a * x[0]) + np.sum(np.logaddexp.reduce(x, axis=1, where=kept) * x[:, 1])


@program(normal(5, 3), normal(3, 3), [0, 2, 1, 1, 0], wrt=(0, 1), jit=True)
def conditional_random_field(emit, trans, tags):
    score = emit[0, tags[0]]
    for prev, (cur, e) in zip(tags, zip(tags[1:], emit[1:])):
        score += trans[prev, cur] + e[cur]
    f = emit[0]
    for e in emit[1:]:
        f = np.logaddexp.reduce(f[:, None] + trans, axis=0) + e
    return np.logaddexp.reduce(f) - score


@program(normal(6, 4), np.array([1, 2, 1]), jit=True)
def connectionist_loss(logits, labels):
    logp = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    ext = [0]
    for label in labels:
        ext += [int(label), 0]
    count, steps = len(ext), len(logp)
    alpha = np.full((steps, count), -np.inf)
    alpha[0, 0] = logp[0, 0]
    alpha[0, 1] = logp[0, ext[1]]
    for t in range(1, steps):
        for s in range(count):
            best = alpha[t - 1, s]
            if s > 0:
                best = np.logaddexp(best, alpha[t - 1, s - 1])
            if s > 1 and ext[s] != 0 and ext[s] != ext[s - 2]:
                best = np.logaddexp(best, alpha[t - 1, s - 2])
            alpha[t, s] = best + logp[t, ext[s]]
    return -np.logaddexp(alpha[-1, -1], alpha[-1, -2])
