"""What an operation costs on eager tensors, beside PyTorch, HIPS autograd and MyGrad."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks import large_arrays
from tests.benchmarks.peers import LABELS, autograd_job, mygrad_job, torch_job
from tests.benchmarks.programs import network_arguments
from tests.benchmarks.settings import installed
from tests.benchmarks.timing import seconds_per_call, show_ratio, show_time, table

Job = Callable[[], Any]
EIGHT = np.linspace(0.1, 0.8, 8)
SQUARE = np.linspace(-0.5, 0.5, 16).reshape(4, 4)
ADDED = 0.01
OPERATIONS = 7  # add, mul, sin, exp, matmul, indexing, sum
LARGE = 1_000_000
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # names of options in glibc's malloc.h


def chain(m: Any, x: Any, square: Any) -> Any:
    """One of each: add, mul, sin, exp, a 4 x 4 product, indexing, a sum."""
    y = m.exp(m.sin((x + ADDED) * x))
    return m.sum(y[:4] @ square)


def torch_like(torch: Any) -> Job:
    """A forward and backward chain, for a package with PyTorch's names."""
    x = torch.tensor(EIGHT, requires_grad=True)
    square = torch.tensor(SQUARE)

    def run() -> Any:
        x.grad = None
        chain(torch, x, square).backward()
        return x.grad

    return run


def autograd_chain() -> Job:
    import autograd.numpy as anp
    from autograd import grad

    gradient = grad(lambda x: chain(anp, x, SQUARE))
    return lambda: gradient(EIGHT)


def mygrad_chain() -> Job:
    import mygrad as mg

    def run() -> Any:
        x = mg.tensor(EIGHT)
        chain(mg, x, SQUARE).backward()
        return x.grad

    return run


def eager_module() -> Any:
    from s2sgrad import eager

    return eager


def chain_jobs() -> dict[str, Job]:
    jobs = {"s2sgrad.eager": torch_like(eager_module())}
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
        jobs["PyTorch"] = torch_like(torch)
    if installed("autograd"):
        jobs["HIPS autograd"] = autograd_chain()
    if installed("mygrad"):
        jobs["MyGrad"] = mygrad_chain()
    return jobs


def eager_step(params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    torch = eager_module()
    p = {key: torch.tensor(value, requires_grad=True) for key, value in params.items()}
    x, y = torch.tensor(images), torch.tensor(labels)

    def step() -> Any:
        hidden = torch.tanh(x @ p["w1"] + p["b1"])
        loss = torch.nn.functional.cross_entropy(hidden @ p["w2"] + p["b2"], y)
        return loss, torch.autograd.grad(loss, list(p.values()))

    return step


def step_jobs() -> dict[str, Job]:
    args = network_arguments(32)
    jobs = {"s2sgrad.eager": eager_step(*args)}
    makers = (("torch", torch_job), ("autograd", autograd_job), ("mygrad", mygrad_job))
    for name, make in makers:
        if importlib.util.find_spec(name):
            jobs[LABELS[name]] = make(*args)
    return jobs


def module_step(torch: Any, params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    """The same network from `nn`, with an optimizer: what a training loop repeats."""
    nn = torch.nn
    inner, outer = params["w1"].shape, params["w2"].shape
    model = nn.Sequential(nn.Linear(*inner), nn.Tanh(), nn.Linear(*outer)).double()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    x, y = torch.tensor(images), torch.tensor(labels)

    def step() -> Any:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step


def module_jobs() -> dict[str, Job]:
    args = network_arguments(32)
    jobs = {"s2sgrad.eager": module_step(eager_module(), *args)}
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
        jobs["PyTorch"] = module_step(torch, *args)
    return jobs


def large_table(rounds: int) -> str:
    """Programs on large arrays: tensors, and NumPy code with its gradient by hand."""
    rows = []
    for name in large_arrays.PROGRAMS:
        tensors, by_hand = large_arrays.jobs(name, LARGE)
        # Long turns: the first call after the other candidate's finds the cache full of its arrays.
        pair = {"tensors": tensors, "by hand": by_hand}
        times = seconds_per_call(pair, 2 * rounds, slot=0.06, budget=6.0)
        own, hand = times["tensors"], times["by hand"]
        rows.append([name, show_time(own), show_time(hand), show_ratio(own / hand)])
    header = ["program", "s2sgrad.eager", "NumPy by hand", "times the latter"]
    return table(f"Eager: programs on {LARGE:,} entries", header, rows)


def keep_freed_memory() -> None:
    """Ask the C library to keep what arrays free, as far as it can be asked.

    Whether large blocks go back to the system depends on what else lies on the heap; getting them
    again costs up to half of these calls, and falls to one candidate or the other by chance.
    """
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_MMAP_THRESHOLD, 32 * LARGE)
        library.mallopt(_TRIM_THRESHOLD, 1000 * LARGE)


def eager_costs(rounds: int) -> str:
    keep_freed_memory()
    tables = []
    for title, jobs in (
        (
            f"Eager: a chain of {OPERATIONS} operations on 8 entries, forward and backward",
            chain_jobs(),
        ),
        ("Eager: training step of the two-layer network, batch 32", step_jobs()),
        ("Eager: the same with nn.Sequential and SGD with momentum", module_jobs()),
    ):
        times = seconds_per_call(jobs, 3 * rounds)
        own = times["s2sgrad.eager"]
        rows = [[n, show_time(t), show_ratio(t / own)] for n, t in times.items()]
        tables.append(table(title, ["", "time", "times s2sgrad.eager's"], rows))
    return "\n".join([*tables, large_table(rounds)])
