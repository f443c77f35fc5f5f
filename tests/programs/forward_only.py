"""Statements that only matter for the forward sweep, and those that cut or skip derivatives."""

import contextlib
import io
import logging
import os
import sys
import warnings

import numpy as np

import s2sgrad
from programs.registry import normal, positive, program

logger = logging.getLogger(__name__)


@program(normal(3), jit=True)
def prints(x):
    y = x * x
    print("sum of squares:", np.sum(y))
    return np.sum(y * x)


@program(normal(3))
def prints_in_loop(x):
    s = 0.0
    for i, v in enumerate(x):
        s += np.sin(v) * s + v
        print(f"step {i}: {s:.3f} after {v!r}", end="\n")
    return s


@program(normal(3), jit=True)
def asserts(x):
    assert x.ndim == 1, "a vector"
    y = np.exp(x)
    assert np.all(y > 0), f"negative: {y}"
    return np.sum(y)


@program(normal(3), "square")
def raises(x, kind):
    if kind == "square":
        y = x**2
    elif kind == "cube":
        y = x**3
    else:
        raise ValueError(f"unknown kind {kind!r}")
    if x.shape[0] != 3:
        raise TypeError("three numbers, please")
    return np.sum(y)


@program(normal(3))
def logs(x):
    logger.debug("called with %s", x)
    y = np.tanh(x)
    logging.getLogger("corpus").debug(f"{y.sum()}")
    return np.sum(y)


@program(normal(3))
def formats(x):
    label = "x has %d entries" % len(x)
    label += ", the first is {:.2f}".format(x[0])
    label = f"{label} and the last {x[-1]:.2f}"
    parts = label.split(",")
    name = parts[0].upper().strip() + "!"
    return np.sum(x**2) * (2.0 if name.startswith("X") else 1.0)


@program(normal(3), jit=True)
def docstring_and_comments(x):
    """A docstring that says nothing.

    It has several lines.
    """
    # first a square
    y = x * x  # elementwise

    # then its sine
    "a string that stands alone"
    return np.sum(np.sin(y))  # and the sum


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def annotated(x: np.ndarray, scale: float = 1.0, *, verbose: bool = False) -> float:
    result: float = 0.0
    for v in x:
        result += scale * v**2
    if verbose:
        print(result)
    return result


@program(normal(3))
def with_errstate(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.log(np.abs(x) + 1.0) / (x * x + 1.0)
    return np.sum(y)


@program(normal(3))
def with_suppressed_warnings(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x**2
        with np.printoptions(precision=3):
            print(y)
            y = y * np.cos(x)
    return np.sum(y)


@program(normal(3))
def import_inside(x):
    import math

    import numpy.linalg as la
    from numpy import sin

    return math.pi * np.sum(sin(x)) + la.norm(x)


@program(normal(3))
def timing(x):
    import time

    start = time.perf_counter()
    y = np.sin(x) ** 2
    elapsed = time.perf_counter() - start
    if elapsed > 1e6:
        print("slow")
    return np.sum(y)


@program(normal(4), jit=True)
def counts_and_history(x):
    history = []
    counts = {"up": 0, "down": 0}
    s = 0.0
    for v in x:
        s = np.tanh(s + v)
        history.append(float(s))
        counts["up" if v > 0 else "down"] += 1
    print(history, counts)
    return s * counts["up"] + s


@program(normal(3), jit=True)
def pass_and_ellipsis(x):
    for _ in range(2):
        pass
    ...
    if x[0] > 1e9:
        ...
    return np.sum(x**3)


@program(normal(3))
def random_but_seeded(x):
    rng = np.random.default_rng(3)
    noise = rng.normal(size=3)
    mask = rng.random(3) < 2.0
    return np.sum((x * mask + noise) ** 2)


@program(normal(4), jit=True)
def integers_beside(x):
    n = len(x)
    half = n // 2
    bits = (n & 3) ^ (half << 1)
    order = np.argsort(np.array([3, 1, 2, 0]))
    table = np.bincount(np.array([0, 1, 1]))
    return np.sum(x[order] * np.arange(n)) ** 2 + x[table[1]] * bits + x[half] ** 2


@program(normal(3))
def cotangent_block(x):
    y = np.sin(x)
    with s2sgrad.cotangent(y) as y_bar:
        print("cotangent", y_bar)
    return np.sum(y * x)


@program(normal(3))
def lambda_unused(x):
    f = lambda v: open("/nonexistent").read()  # noqa: E731
    return np.sum(x**2) if callable(f) else x[0]


@program(normal(3))
def type_checks(x):
    if type(x) is not np.ndarray:
        raise TypeError(type(x).__name__)
    n = int(x.shape[0])
    assert isinstance(n, int)
    return np.sum(np.sin(x)) / n


@program(normal(3), jit=True)
def raise_in_untaken_loop(x):
    for k in range(5):
        if k > 10:
            raise RuntimeError("never")
        if k == 3:
            break
        x = x * 1.1
    return np.sum(x**2)


@program(normal(3), jit=True)
def semicolons_and_one_liners(x):
    a = x[0]; b = x[1]  # fmt: skip  # noqa: E702
    if a > -1e9: c = a * b  # fmt: skip  # noqa: E701
    else: c = b  # fmt: skip  # noqa: E701
    for v in x: c += v * v  # fmt: skip  # noqa: E701
    return c


@program(normal(6), jit=True)
def long_lines_and_continuations(x):
    total = (
        x[0] * x[1]
        + x[2] * x[3]  # the middle
        - x[4]
    ) * np.sum(
        x,
    )
    total = total + \
        x[5] ** 2  # fmt: skip
    return total


@program(normal(3), jit=True)
def nothing_to_save(x):
    s = 0.0
    for i in range(3):
        s += 2.0 * x[i] - 1.0
    return s


@program(normal(3), None)
def sentinel_object(x, callback):
    if callback is not None:
        callback(x)
    _ = callback
    return np.sum(x * x)


@program(normal(3), jit=True, second=True)
def written_to_the_stream_of_the_moment(x):
    s = 0.0
    out = sys.stdout
    for i, v in enumerate(x):
        s += v**3
        sys.stdout.write(f"\r{i + 1}/{len(x)}")
    out.write("\n")
    print("done", file=sys.stderr, flush=True)
    sys.stderr.flush()
    return s


@program(normal(3), jit=True, second=True)
def settings_of_the_environment(x):
    if os.environ.get("S2SGRAD_NO_SUCH_NAME"):
        x = x * 2.0
    if "S2SGRAD_NO_SUCH_NAME" in os.environ or os.environ.get("S2SGRAD_NOR_THIS", "sq") != "sq":
        return x[0]
    n = int(os.environ.get("S2SGRAD_NOR_THIS", "2"))
    return (x**n).sum() * float(os.environ.get("S2SGRAD_NOR_THIS", "1.5"))


@program(normal(3), second=True)
def text_that_was_printed_into_a_buffer(x):
    into = io.StringIO()
    with contextlib.redirect_stdout(into):
        print("a b")
    first, *_ = into.getvalue().upper().split()
    return (x**2).sum() * len(first)


@program(normal(3), jit=True, second=True)
def texts_with_signs_that_are_not_seen(x):
    for i, v in enumerate(x):
        print(f"\r{i}\t{v:.2f}\x1b[0m\x00\x0c\x85\u2028\"'{{\\n}}", "\r\n\0", end="\r")
        print(f"\x1b[{i}m{v:>{8 + i}.2f}" + "\r")
    return x @ x
