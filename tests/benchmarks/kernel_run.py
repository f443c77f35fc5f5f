"""One kernel in a process of its own: `python -m tests.benchmarks.kernel_run NAME ...`.

Prints a line of JSON for each thing done: `{"start": label}` before a job is made and called for
the first time, `{"first": [label, seconds]}` after it, `{"refused": [label, why]}`, and at the end
`{"times": {label: seconds}}`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tests.benchmarks import settings

BY_HAND, OURS = "by hand", "generated jit"
WITHOUT_GRADIENT = ("numpy forward", "numba forward", "jit forward")


STARTED = time.monotonic()
MAKING, TIMING = 0.5, 0.8  # shares of the time limit after which no job, and no round, begins


def tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def own_forward(kernel: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel itself, compiled as the gradient is."""
    from s2sgrad.analysis.effects import effects
    from s2sgrad.backend.jit.compile import jitted
    from s2sgrad.backend.jit.options import Jit
    from s2sgrad.backend.module import build
    from s2sgrad.calls.binding import Binder
    from s2sgrad.frontend.functions.entering import held_value
    from s2sgrad.frontend.lower import lower
    from s2sgrad.ir import nodes
    from s2sgrad.ir.assumptions import relying_on
    from s2sgrad.pipeline import Product, output_type
    from s2sgrad.transform.preparing.primal import copy_written_inputs, prepare

    names = Binder(kernel.primal).names
    lowered = lower(kernel.primal, dict(zip(names, args, strict=True)), None, {})
    with relying_on(lowered.assumptions):
        primal = prepare(lowered, lowered.result)
        copy_written_inputs(primal, effects(primal.function.body))
    result = nodes.Sequence("tuple", (primal.output,))
    captured = [(lowered.lowering.capture_names[p], w) for p, w in lowered.captures.items()]
    function = replace(
        primal.function,
        parameters=(*primal.function.parameters, *lowered.captures),
        body=(*primal.function.body, nodes.Return(result)),
        inputs=primal.inputs,
    )
    product = Product(build([function]), (), None, lowered, output_type(lowered), function)
    compiled, outside = jitted(product, Jit()).compiled.fn, [held_value(n, w) for n, w in captured]
    return lambda *values: compiled(*values, *outside)


def own_makers(kernel: Any, args: tuple[Any, ...], threads: int) -> dict[str, Callable[[], Any]]:
    """Label -> what makes the function that is called with the kernel's arguments."""

    def numba_forward() -> Any:
        import numba

        return numba.njit(kernel.primal)

    def gradient(**options: Any) -> Any:
        import s2sgrad

        return s2sgrad.value_and_grad(kernel.primal, kernel.argnums, fallback="error", **options)

    many = {"parallel": True} if threads > 1 else {}
    return {
        BY_HAND: lambda: kernel.by_hand,
        OURS: lambda: gradient(jit=True, **many),
        "numpy forward": lambda: kernel.primal,
        "jit forward": lambda: own_forward(kernel, args),
        "generated": gradient,
        "numba forward": numba_forward,
    }


def gradients(result: Any, by_hand: bool) -> list[Any]:
    import numpy as np

    found = result[1:] if by_hand else result[1]
    return [np.asarray(g) for g in (found if isinstance(found, tuple | list) else (found,))]


def difference(found: list[Any], expected: list[Any]) -> float:
    """The largest difference of entries, relative to the largest entry."""
    import numpy as np

    return max(
        float(np.max(np.abs(f - e)) / (1.0 + np.max(np.abs(e))))
        for f, e in zip(found, expected, strict=True)
    )


def slope_error(kernel: Any, gradient: Callable[..., Any]) -> float:
    """The gradient at a small size against central differences along one direction."""
    import numpy as np

    rng = np.random.default_rng(1)
    args = kernel.arguments(np.random.default_rng(0), "test")
    found = gradients(gradient(*args), by_hand=False)
    steps = [rng.normal(size=np.shape(args[k])) for k in kernel.argnums]

    def moved(t: float) -> float:
        new = list(args)
        for k, step in zip(kernel.argnums, steps, strict=True):
            new[k] = args[k] + t * step
        return float(kernel.primal(*new))

    near, far = ((moved(h) - moved(-h)) / (2.0 * h) for h in (1e-5, 2e-5))
    slope = sum(float(np.sum(g * s)) for g, s in zip(found, steps, strict=True))
    expected = (4.0 * near - far) / 3.0
    return abs(slope - expected) / (1.0 + abs(expected))


def jobs_of(kernel: Any, args: tuple[Any, ...], options: Any) -> dict[str, Callable[[], Any]]:
    """The jobs that run; each is called once, and its gradient compared with the one by hand."""
    from tests.benchmarks.kernel_peers.jobs import peer_makers

    own = {
        label: partial(lambda make: partial(make(), *args), make)
        for label, make in own_makers(kernel, args, options.threads).items()
    }
    jobs: dict[str, Callable[[], Any]] = {}
    expected: list[Any] = []
    for label, make in {**own, **peer_makers(kernel, args, options.threads)}.items():
        if label in options.without:
            continue
        if time.monotonic() > STARTED + MAKING * options.limit:
            tell(refused=[label, "no time was left for it"])
            continue
        tell(start=label)
        start = time.perf_counter()
        try:
            job = make()
            if job is None:
                continue
            result = job()
        except Exception as error:
            tell(refused=[label, f"{type(error).__name__}: {error}".splitlines()[0][:100]])
            continue
        tell(first=[label, time.perf_counter() - start])
        jobs[label] = job
        if label == BY_HAND:
            expected = gradients(result, by_hand=True)
        elif label not in WITHOUT_GRADIENT:
            error = difference(gradients(result, by_hand=False), expected)
            if not error < 1e-7:
                raise AssertionError(f"{label}: the gradient is wrong by {error:.1e}")
    error = slope_error(kernel, own_makers(kernel, args, options.threads)[OURS]())
    if not error < 1e-6:
        raise AssertionError(f"{OURS}: wrong by {error:.1e} against central differences")
    return jobs


def first_call(options: argparse.Namespace) -> None:
    """The first call in a new process, with the disk cache, beyond what a second call takes.

    Counted from the call of the gradient function; what is imported before is told apart.
    """
    start = time.perf_counter()
    import numba  # noqa: F401
    import numpy as np

    others = time.perf_counter()
    from tests.benchmarks.kernels import load

    kernel = load(options.name)
    ready = time.perf_counter()
    gradient = own_makers(kernel, (), options.threads)[OURS]()
    ours = time.perf_counter() - ready
    args = kernel.arguments(np.random.default_rng(0), options.size)
    kernel.primal(*args)  # pages of the arrays, BLAS
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        gradient(*args)
        times.append(time.perf_counter() - begin)
    tell(again=max(times[0] - times[1], 0.0), imports=[others - start, ours])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--size", default="S")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--limit", type=float, default=100.0, help="seconds")
    parser.add_argument("--without", nargs="*", default=())
    parser.add_argument("--again", action="store_true", help="only the first call of our code")
    options = parser.parse_args()
    settings.threads(options.threads)  # before NumPy is loaded
    if options.again:
        first_call(options)
        return
    import numpy as np

    from tests.benchmarks.kernels import load
    from tests.benchmarks.timing import seconds_per_call

    kernel = load(options.name)
    args = kernel.arguments(np.random.default_rng(0), options.size)
    jobs = jobs_of(kernel, args, options)
    tell(start="timing")
    until = STARTED + TIMING * options.limit
    ours = {label: job for label, job in jobs.items() if label in (BY_HAND, OURS, "jit forward")}
    rest = 0.05 if options.threads > 1 else 0.0
    first = seconds_per_call(ours, 3, budget=1.0, rest=rest)  # in case another never ends
    tell(times=first)
    tell(times=seconds_per_call(jobs, options.rounds, budget=1.2, until=until, rest=rest))


if __name__ == "__main__":
    main()
