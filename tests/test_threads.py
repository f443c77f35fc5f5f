"""Threads that share a loop: every number once, errors come out, forks and other threads work."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba")

SHARED = """
import os, threading
import numba
import numpy as np
from s2sgrad_runtime.numba_threads import on_threads, part_of_loop, share, threads_for

@part_of_loop
def squares(first, last, x, y):
    for i in range(first, last):
        y[i] += x[i] * x[i]

@part_of_loop
def sums(first, last, x, parts, threads):
    for thread in range(first, last):
        part = 0.0
        stop = x.shape[0]
        for i in range(share(0, stop, thread, threads), share(0, stop, thread + 1, threads)):
            part += x[i]
        parts[thread] = part

@part_of_loop
def raising(first, last, x):
    for i in range(first, last):
        if x[i] > 0.5:
            raise ValueError("too large")

@numba.njit
def run(x, y, work):
    on_threads(squares, 0, x.shape[0], work, x, y)
    threads = threads_for(work)
    parts = np.zeros(threads)
    on_threads(sums, 0, threads, work, x, parts, threads)
    return threads, parts.sum()

@numba.njit
def stop(x, work):
    on_threads(raising, 0, x.shape[0], work, x)

def check(work, expected):
    for n in (0, 1, 2, 7, 1000, 30000):
        x, y = np.linspace(-1.0, 0.0, n), np.zeros(n)
        threads, total = run(x, y, work)
        np.testing.assert_array_equal(y, x * x)
        np.testing.assert_allclose(total, x.sum(), atol=1e-9)
        assert threads == expected, threads
"""


def shown(code: str) -> str:
    """What a process with three threads prints."""
    environment = {**os.environ, "NUMBA_NUM_THREADS": "3"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", SHARED + code], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_number_once() -> None:
    """Little work stays on one core."""
    assert shown("check(10**6, 3); check(10, 1); print('same')") == "same"


def test_errors_come_out() -> None:
    code = """
for work in (10**6, 10):
    try:
        stop(np.linspace(0.0, 1.0, 5000), work)
    except ValueError as error:
        print(error)
"""
    assert shown(code) == "too large\ntoo large"


def test_threads_of_python_and_forks() -> None:
    """One loop at a time has the threads; a child process starts its own."""
    code = """
def often():
    for _ in range(200):
        check(10**6, 3)
others = [threading.Thread(target=often) for _ in range(3)]
[t.start() for t in others]; [t.join() for t in others]
if hasattr(os, "fork"):
    child = os.fork()
    if child == 0:
        check(10**6, 3)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
check(10**6, 3)
numba.set_num_threads(1)
check(10**6, 1)
print("same")
"""
    assert shown(code) == "same"
