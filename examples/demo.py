"""The worked example: train a network on handwritten digits, and recover a fluid's viscosity.

    python examples/demo.py [PICTURE.png]

Both losses are plain NumPy. s2sgrad writes their gradients, SciPy's L-BFGS does the rest.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from scipy.optimize import minimize
from sklearn.datasets import load_digits

import s2sgrad

Params = dict[str, np.ndarray]
console = Console()

# ------------------------------------------------------------------------ the two losses


def network_loss(params, images, labels, decay):
    """Cross-entropy of a two-layer network, with weight decay."""
    hidden = np.tanh(images @ params["w1"] + params["b1"])
    logits = hidden @ params["w2"] + params["b2"]
    # subtract the largest logit, so that exp cannot overflow
    logits = logits - np.max(logits, axis=1, keepdims=True)
    log_norm = np.log(np.sum(np.exp(logits), axis=1))
    picked = logits[np.arange(len(labels)), labels]
    weights = np.sum(params["w1"] ** 2) + np.sum(params["w2"] ** 2)
    return np.mean(log_norm - picked) + decay * weights


def burgers(u0, nu, dt, dx, steps):
    """Burgers' equation, stepped in place: u_t + u u_x = nu u_xx, fixed at both ends."""
    u = u0.copy()
    for _ in range(steps):
        advection = u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx)
        diffusion = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (diffusion - advection)
    return u


def misfit(nu, u0, measured, dt, dx, steps):
    """Mean squared distance of the simulated final state from the measured one."""
    return np.mean((burgers(u0, nu, dt, dx, steps) - measured) ** 2)


# ------------------------------------------------------------------------ part one: digits


@dataclass
class Trained:
    """What the picture shows of the training."""

    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)


def digits(rng: np.random.Generator, held_out: int = 360) -> tuple[np.ndarray, ...]:
    """Training images and labels, held-out images and labels; pixels between 0 and 1."""
    data = load_digits()
    order = rng.permutation(len(data.target))
    images, labels = data.data[order] / 16.0, data.target[order]
    return images[held_out:], labels[held_out:], images[:held_out], labels[:held_out]


def start_params(rng: np.random.Generator, sizes: tuple[int, int, int]) -> Params:
    n_in, n_hidden, n_out = sizes
    return {
        "w1": rng.normal(size=(n_in, n_hidden)) / np.sqrt(n_in),
        "b1": np.zeros(n_hidden),
        "w2": rng.normal(size=(n_hidden, n_out)) / np.sqrt(n_hidden),
        "b2": np.zeros(n_out),
    }


def flatten(params: Params) -> np.ndarray:
    return np.concatenate([value.ravel() for value in params.values()])


def unflatten(theta: np.ndarray, like: Params) -> Params:
    stops = np.cumsum([value.size for value in like.values()])[:-1]
    pieces = np.split(theta, stops)
    return {
        key: piece.reshape(value.shape)
        for (key, value), piece in zip(like.items(), pieces, strict=True)
    }


def accuracy(params: Params, images: np.ndarray, labels: np.ndarray) -> float:
    hidden = np.tanh(images @ params["w1"] + params["b1"])
    return float(np.mean(np.argmax(hidden @ params["w2"] + params["b2"], axis=1) == labels))


def compare_with_differences(
    loss: Callable[..., float], gradient: Params, params: Params, *rest: Any
) -> float:
    """Largest relative error of the gradient against central differences, in 8 directions."""
    rng = np.random.default_rng(1)
    theta, flat, worst, eps = flatten(params), flatten(gradient), 0.0, 1e-5
    for _ in range(8):
        direction = rng.normal(size=theta.size)
        up = loss(unflatten(theta + eps * direction, params), *rest)
        down = loss(unflatten(theta - eps * direction, params), *rest)
        expected = (up - down) / (2 * eps)
        worst = max(worst, abs(flat @ direction - expected) / abs(expected))
    return worst


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[float], None]]:
    """Gives a function to call once an iteration with the current loss."""
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.5f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(what, total=total, loss=float("nan"))
        yield lambda loss: bar.update(task, advance=1, loss=loss)
        bar.update(task, total=bar.tasks[task].completed)


def train_digits(hidden: int = 48, decay: float = 1e-4, iterations: int = 150) -> Trained:
    console.rule("[bold]1. A two-layer network on 1,797 handwritten digits")
    rng = np.random.default_rng(0)
    images, labels, held_images, held_labels = digits(rng)
    params = start_params(rng, (images.shape[1], hidden, 10))
    loss_and_grad = s2sgrad.value_and_grad(network_loss)

    show("The loss, as you would write it:", inspect.getsource(network_loss))
    source = loss_and_grad.source(params, images, labels, decay)
    show("Its value and gradient, as s2sgrad writes it:", source)

    _, gradient = loss_and_grad(params, images, labels, decay)
    error = compare_with_differences(network_loss, gradient, params, images, labels, decay)
    console.print(f"Against central differences: largest relative error [bold]{error:.1e}")
    assert error < 1e-6

    done = Trained()

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        value, bar = loss_and_grad(unflatten(theta, params), images, labels, decay)
        return value, flatten(bar)

    with progress_bar("L-BFGS", iterations) as advance:

        def each_iteration(intermediate_result: Any) -> None:
            done.losses.append(float(intermediate_result.fun))
            now = unflatten(intermediate_result.x, params)
            done.accuracies.append(accuracy(now, held_images, held_labels))
            advance(done.losses[-1])

        minimize(
            objective,
            flatten(params),
            jac=True,
            method="L-BFGS-B",
            callback=each_iteration,
            options={"maxiter": iterations},
        )
    reached = done.accuracies[-1]
    console.print(f"Held-out accuracy on {len(held_labels)} images: [bold]{reached:.1%}\n")
    assert reached > 0.96
    return done


# ------------------------------------------------------------------------ part two: Burgers


@dataclass
class Recovered:
    """What the picture shows of the inverse problem."""

    x: np.ndarray
    fields: dict[str, np.ndarray]
    nu_true: float
    nu_found: float


def recover_viscosity(nu_true: float = 0.07, nu_guess: float = 0.25) -> Recovered:
    console.rule("[bold]2. The viscosity of a Burgers flow, from its final state")
    steps, dt = 60, 0.015
    x = np.linspace(0.0, 2.0 * np.pi, 65)
    dx = float(x[1] - x[0])
    u0 = np.sin(x) + 0.5 * np.sin(2.0 * x)
    true = burgers(u0, nu_true, dt, dx, steps)
    noise = 0.02 * np.random.default_rng(2).normal(size=x.size)
    measured = true + noise

    rest = (u0, measured, dt, dx, steps)
    misfit_and_grad = s2sgrad.value_and_grad(misfit)
    show(
        "The slices are written in place; the gradient walks the 60 steps backwards:",
        misfit_and_grad.source(nu_guess, *rest),
    )

    def objective(nu: np.ndarray) -> tuple[float, np.ndarray]:
        value, nu_bar = misfit_and_grad(float(nu[0]), *rest)
        return value, np.array([nu_bar])

    found = minimize(
        objective, [nu_guess], jac=True, method="L-BFGS-B", bounds=[(1e-3, 0.3)], tol=1e-14
    )
    nu = float(found.x[0])
    console.print(
        f"First guess {nu_guess}, true {nu_true}, recovered [bold]{nu:.4f}[/bold] "
        f"(2 % noise on the data, {found.nfev} gradient calls)\n"
    )
    assert abs(nu - nu_true) < 0.05 * nu_true
    fields = {
        "initial": u0,
        "first guess": burgers(u0, nu_guess, dt, dx, steps),
        "measured": measured,
        "true": true,
        "recovered": burgers(u0, nu, dt, dx, steps),
    }
    return Recovered(x, fields, nu_true, nu)


# ------------------------------------------------------------------------ showing


def show(title: str, source: str) -> None:
    console.print(title)
    console.print(Syntax(source, "python", theme="ansi_dark", background_color="default"))


def draw(trained: Trained, flow: Recovered, path: Path) -> None:
    """One picture: the loss curve on the left, the fields on the right."""
    plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "font.size": 10})
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.4), layout="constrained")
    blue, red, grey = "#2563a6", "#c8442c", "#8a8f98"

    left.semilogy(trained.losses, color=blue, lw=2)
    left.set(xlabel="L-BFGS iteration", title="Handwritten digits, two-layer network")
    left.set_ylabel("training loss", color=blue)
    wrong = left.twinx()
    wrong.plot(100 * (1 - np.array(trained.accuracies)), color=red, lw=1.2, alpha=0.8)
    wrong.set_ylabel("held-out errors (%)", color=red)
    wrong.set_ylim(0, 40)
    wrong.spines["right"].set_visible(True)
    reached = f"{trained.accuracies[-1]:.1%} correct on\nheld-out images"
    wrong.annotate(
        reached,
        (len(trained.losses) - 1, 100 * (1 - trained.accuracies[-1])),
        xytext=(0.6, 0.42),
        textcoords="axes fraction",
        color=red,
        arrowprops={"arrowstyle": "->", "color": red},
    )

    fields = flow.fields
    right.plot(flow.x, fields["initial"], color=grey, lw=1, ls=":", label="initial state")
    right.plot(flow.x, fields["first guess"], color=grey, lw=1.5, ls="--", label="first guess")
    right.plot(flow.x, fields["measured"], ".", color="#444", ms=3.5, label="measured (2 % noise)")
    right.plot(flow.x, fields["true"], color=blue, lw=4, alpha=0.35, label="true")
    right.plot(flow.x, fields["recovered"], color=red, lw=1.5, label="recovered")
    right.set(xlabel="x", ylabel="u", xlim=(flow.x[0], flow.x[-1]))
    right.set_title(f"Burgers, 60 steps: ν = {flow.nu_found:.4f} (true {flow.nu_true})")
    right.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main() -> None:
    default = Path(__file__).resolve().parent.parent / "build" / "demo.png"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", nargs="?", type=Path, default=default)
    path = parser.parse_args().picture
    trained = train_digits()
    flow = recover_viscosity()
    draw(trained, flow, path)
    console.print(f"Picture: {path.resolve()}", soft_wrap=True)


if __name__ == "__main__":
    main()
