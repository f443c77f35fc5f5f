"""What further derivatives cost, in gradients: Hessian times a vector, Jacobians, sparse ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import s2sgrad
from tests.benchmarks.timing import seconds_per_call

SIZE = 2000


def rosenbrock(x: np.ndarray) -> float:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def logistic(w: np.ndarray, features: np.ndarray, labels: np.ndarray) -> float:
    z = features @ w
    return np.mean(np.logaddexp(0.0, z) - labels * z) + 1e-3 * np.sum(w * w)


def network(w: np.ndarray, features: np.ndarray, labels: np.ndarray) -> float:
    hidden = np.tanh(features @ w[: 40 * 30].reshape(40, 30))
    return np.mean((hidden @ w[40 * 30 :] - labels) ** 2)


def pendulum(x: np.ndarray, steps: int) -> float:
    angle, speed = x[: SIZE // 2] * 1.0, x[SIZE // 2 :] * 1.0
    for _ in range(steps):
        speed = speed - 0.01 * np.sin(angle)
        angle = angle + 0.01 * speed
    return np.sum(angle**2)


def heat(u: np.ndarray, steps: int) -> float:
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * np.cos(u[1:-1])
    return np.sum(u**2)


def tridiagonal(u: np.ndarray) -> np.ndarray:
    r = u**3
    r[1:-1] += (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
    return r


def cases() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Name -> function and arguments; by the first of them it is differentiated."""
    rng = np.random.default_rng(0)
    features, labels = rng.standard_normal((500, 40)), rng.uniform(size=500)
    x = 0.1 * rng.standard_normal(SIZE)
    return {
        "rosenbrock": (rosenbrock, (x,)),
        "logistic regression": (logistic, (x[:40], features, labels)),
        "network": (network, (x[: 40 * 30 + 30], features, labels)),
        "pendulums, 50 steps": (pendulum, (x, 50)),
        "heat in place, 50 steps": (heat, (x, 50)),
    }


def hvp_ratios(rounds: int = 5) -> dict[str, float]:
    """Name -> time of Hessian times vector over that of the gradient."""
    found = {}
    for name, (function, args) in cases().items():
        gradient, product = s2sgrad.grad(function), s2sgrad.hvp(function)
        v = np.ones_like(args[0])
        jobs = {
            "gradient": lambda g=gradient, a=args: g(*a),
            "product": lambda p=product, a=args, v=v: p(*a, v),
        }
        times = seconds_per_call(jobs, rounds)
        found[name] = times["product"] / times["gradient"]
    return found


def sparse_seconds(size: int = 10_000) -> tuple[float, float, int]:
    """Seconds of the first tridiagonal Jacobian of this size and of a further one, and sweeps."""
    from time import perf_counter

    jacobian, u = s2sgrad.sparse_jacobian(tridiagonal), np.linspace(0.0, 1.0, size)
    times = []
    for _ in range(2):
        start = perf_counter()
        jacobian(u)
        times.append(perf_counter() - start)
    return times[0], times[1], jacobian.sweeps(u)


def layer(x: np.ndarray, w: np.ndarray, xp: Any = np) -> np.ndarray:
    return xp.tanh(w @ x) * xp.sum(x**2)


def neighbours(x: np.ndarray, xp: Any = np) -> np.ndarray:
    return xp.sin(x[1:] * x[:-1]) + xp.exp(-(x[1:] ** 2))


def jacobian_seconds(rounds: int, size: int) -> dict[str, dict[str, float]]:
    """Function -> seconds of whole Jacobians, by rows and by columns, beside JAX where it is."""
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal(size), rng.standard_normal((size, size)) / size
    found = {}
    for function, args in ((layer, (x, w)), (neighbours, (x,))):
        jobs: dict[str, Callable[[], Any]] = {}
        for kind in ("jacrev", "jacfwd"):
            for jit in (False, True):
                made = getattr(s2sgrad, kind)(function, jit=jit)
                jobs[f"{kind}{' jit' if jit else ''}"] = lambda m=made, a=args: m(*a)
            jobs |= _jax(kind, function, args)
        found[function.__name__] = seconds_per_call(jobs, rounds)
    return found


def _jax(kind: str, function: Callable[..., Any], args: tuple[Any, ...]) -> dict[str, Any]:
    try:
        import jax
    except ImportError:
        return {}
    jax.config.update("jax_enable_x64", True)
    made = jax.jit(getattr(jax, kind)(lambda *a: function(*a, xp=jax.numpy)))
    given = [jax.numpy.asarray(a) for a in args]
    return {f"jax {kind}": lambda: made(*given).block_until_ready()}


def _jacobian_lines(rounds: int) -> list[str]:
    lines = ["Whole Jacobians of square functions, microseconds"]
    for size in (5, 50, 500):
        for name, times in jacobian_seconds(rounds, size).items():
            shown = ", ".join(f"{job} {seconds * 1e6:.0f}" for job, seconds in times.items())
            lines.append(f"  {name} of {size}: {shown}")
    return lines


def derivative_costs(rounds: int) -> str:
    """The cost of an hvp, in gradients, and of a sparse Jacobian, as text."""
    lines = ["", "Hessian times a vector, in gradients (the aim: at most 4)"]
    lines += [f"  {name:26s} {ratio:5.2f}" for name, ratio in hvp_ratios(rounds).items()]
    first, again, sweeps = sparse_seconds()
    lines += [
        f"Tridiagonal Jacobian, 10,000 x 10,000: {sweeps} sweeps; {first:.2f} s with its pattern,",
        f"  {again * 1e3:.1f} ms from then on",
        *_jacobian_lines(rounds),
    ]
    return "\n".join(lines)
