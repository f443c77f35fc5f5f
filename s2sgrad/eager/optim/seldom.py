"""Optimizers that are used less: Adadelta, Adamax, NAdam, RAdam, ASGD, Rprop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, ones, tensor, touched, zeros_like
from s2sgrad.eager.optim.adam import check_not_differentiable, check_rates
from s2sgrad.eager.optim.optimizer import Optimizer


class _ByParameter(Optimizer):
    """Optimizers that go from parameter to parameter.

    Subclasses implement `begin(p, group)`, the first state, and `descend(array, g, state, group)`,
    which changes the array.
    """

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        raise NotImplementedError

    def update(self, group: dict[str, Any]) -> None:
        for p in group["params"]:
            if p._grad is None:
                continue
            g = -p._grad._array if group["maximize"] else p._grad._array
            decay = group.get("weight_decay", 0)
            if decay and group.get("decoupled_weight_decay", False):
                array = p._array
                array *= 1 - float(group["lr"]) * decay
            elif decay:
                g = g + decay * p._array
            state = self.state[p]
            if not state:
                state.update(step=tensor(0.0), **self.begin(p, group))
            state["step"]._array += 1
            self.descend(p._array, g, state, group)
            touched(p)


def _checked_betas(betas: tuple[float, float]) -> None:
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def _mean_of(state: dict[str, Any], g: Any, beta: float) -> Any:
    """The running mean of gradients, updated."""
    mean = state["exp_avg"]._array
    mean += (g - mean) * (1 - beta)
    return mean


def _mean_square_of(state: dict[str, Any], g: Any, beta: float) -> Any:
    """The running mean of squared gradients, updated."""
    square = state["exp_avg_sq"]._array
    square *= beta
    square += (1 - beta) * g * g
    return square


class Adadelta(_ByParameter):
    """Steps as large as earlier ones were, relative to the gradients (Zeiler 2012)."""

    def __init__(
        self, params: Any, lr: Any = 1.0, rho: float = 0.9, eps: float = 1e-6,
        weight_decay: float = 0, foreach: bool | None = None, *, capturable: bool = False,
        maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, 0.0, 0.0)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_rates(lr, eps, weight_decay)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"square_avg": zeros_like(p), "acc_delta": zeros_like(p)}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        rho, eps = group["rho"], group["eps"]
        square, steps = state["square_avg"]._array, state["acc_delta"]._array
        square *= rho
        square += (1 - rho) * g * g
        delta = np.sqrt(steps + eps) / np.sqrt(square + eps) * g
        steps *= rho
        steps += (1 - rho) * delta * delta
        array -= float(group["lr"]) * delta


class Adamax(_ByParameter):
    """Adam with the largest gradient of late in place of the mean square (Kingma and Ba 2015)."""

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8, weight_decay: float = 0, foreach: bool | None = None, *,
        maximize: bool = False, differentiable: bool = False, capturable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, eps, 0.0)
        _checked_betas(betas)
        check_rates(lr, eps, weight_decay)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"exp_avg": zeros_like(p), "exp_inf": zeros_like(p)}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        mean, largest = _mean_of(state, g, beta1), state["exp_inf"]._array
        np.maximum(largest * beta2, np.abs(g) + group["eps"], out=largest)
        array -= float(group["lr"]) / (1 - beta1 ** state["step"].item()) * mean / largest


class NAdam(_ByParameter):
    """Adam with Nesterov's momentum (Dozat 2016)."""

    def __init__(
        self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8, weight_decay: float = 0, momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False, *, foreach: bool | None = None,
        maximize: bool = False, capturable: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, eps, 0.0)
        _checked_betas(betas)
        check_rates(lr, eps, weight_decay, momentum_decay=momentum_decay)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        first = ones((), dtype=p.dtype)
        return {"mu_product": first, "exp_avg": zeros_like(p), "exp_avg_sq": zeros_like(p)}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        step, lr = state["step"].item(), float(group["lr"])
        now, then = (
            beta1 * (1.0 - 0.5 * 0.96 ** (n * group["momentum_decay"])) for n in (step, step + 1)
        )
        state["mu_product"]._array *= now
        product = state["mu_product"].item()
        mean, square = _mean_of(state, g, beta1), _mean_square_of(state, g, beta2)
        scale = np.sqrt(square / (1 - beta2**step)) + group["eps"]
        array -= lr * (1.0 - now) / (1.0 - product) * g / scale
        array -= lr * then / (1.0 - product * then) * mean / scale


class RAdam(_ByParameter):
    """Adam that scales by the mean square only once its variance is known (Liu et al. 2020)."""

    def __init__(
        self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8, weight_decay: float = 0, decoupled_weight_decay: bool = False, *,
        foreach: bool | None = None, maximize: bool = False, capturable: bool = False,
        differentiable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, eps, 0.0)
        _checked_betas(betas)
        check_rates(lr, eps, weight_decay)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"exp_avg": zeros_like(p), "exp_avg_sq": zeros_like(p)}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        step = state["step"].item()
        mean, square = _mean_of(state, g, beta1), _mean_square_of(state, g, beta2)
        direction = mean / (1 - beta1**step)
        rest = 1 - beta2**step
        most = 2 / (1 - beta2) - 1
        length = most - 2 * step * beta2**step / rest
        if length > 5.0:
            over = (length - 4) * (length - 2) * most
            under = (most - 4) * (most - 2) * length
            scale = np.sqrt(square) + group["eps"]
            direction = direction * (math.sqrt(over / under) * math.sqrt(rest)) / scale
        array -= float(group["lr"]) * direction


class ASGD(_ByParameter):
    """Gradient descent that also keeps the mean of the parameters (Polyak and Juditsky 1992)."""

    def __init__(
        self, params: Any, lr: Any = 1e-2, lambd: float = 1e-4, alpha: float = 0.75,
        t0: float = 1e6, weight_decay: float = 0, foreach: bool | None = None,
        maximize: bool = False, differentiable: bool = False, capturable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, 0.0, weight_decay)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        return {"eta": tensor(float(group["lr"])), "mu": ones(()), "ax": zeros_like(p)}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        eta, mu, mean = state["eta"], state["mu"], state["ax"]._array
        array *= 1 - group["lambd"] * eta.item()
        array -= eta.item() * g
        mean += (array - mean) * mu.item()
        step, lr = state["step"].item(), float(group["lr"])
        eta._array[...] = lr / (1 + group["lambd"] * lr * step) ** group["alpha"]
        mu._array[...] = 1 / max(1, step - group["t0"])


class Rprop(_ByParameter):
    """Steps of their own size, longer while the sign stays (Riedmiller and Braun 1993)."""

    def __init__(
        self, params: Any, lr: Any = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50), *, capturable: bool = False,
        foreach: bool | None = None, maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        check_rates(lr, 0.0, 0.0)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def begin(self, p: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        size = zeros_like(p)
        size._array[...] = float(group["lr"])
        return {"prev": zeros_like(p), "step_size": size}

    def descend(self, array: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        before, size = state["prev"]._array, state["step_size"]._array
        (shrink, grow), (least, most) = group["etas"], group["step_sizes"]
        turned, stayed = g * before < 0, g * before > 0
        size[turned] *= shrink
        size[stayed] *= grow
        np.clip(size, least, most, out=size)
        g = np.where(turned, 0, g)
        array -= np.sign(g) * size
        before[...] = g
