"""Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, from_numpy, tensor, touched, zeros_like
from s2sgrad.eager.optim.optimizer import Optimizer


def check_rates(lr: Any, eps: float, weight_decay: float, **further: float) -> None:
    """Refuse negative options; `further`: the optimizer's own."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    named = {"weight_decay": weight_decay, **further}
    for name, value in {"epsilon": eps, **named}.items():
        if not value >= 0.0:
            raise ValueError(f"Invalid {name} value: {value}")


def check_not_differentiable(differentiable: bool) -> None:
    """Steps are not recorded."""
    if differentiable:
        raise NotImplementedError("differentiable=True: use autograd.grad and your own update")


class Adam(Optimizer):
    """Steps of about lr, scaled by running means of the gradient and of its square.

    weight_decay adds `weight_decay * p` to the gradient (decoupled_weight_decay: shrinks p
    directly); amsgrad uses the largest mean square so far.
    foreach, capturable and fused are taken and change nothing.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_rates(lr, eps, 0.0)
        for i, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)
        if fused and foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def _state_of(self, p: Tensor, amsgrad: bool) -> dict[str, Any]:
        state = self.state[p]
        if not state:
            state["step"] = tensor(0.0)
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
            if amsgrad:
                state["max_exp_avg_sq"] = zeros_like(p)
        return state

    def update(self, group: dict[str, Any]) -> None:
        lr, decay = float(group["lr"]), group["weight_decay"]
        for p in group["params"]:
            if p._grad is None:
                continue
            array, g = p._array, p._grad._array
            if group["maximize"]:
                g = -g
            if decay and group["decoupled_weight_decay"]:
                array *= 1 - lr * decay
            elif decay:
                g = g + decay * array
            self._descend(p, g, lr, group)
            touched(p)

    def _descend(self, p: Tensor, g: Any, lr: float, group: dict[str, Any]) -> None:
        """Update the running means with g, then p."""
        beta1, beta2 = group["betas"]
        state = self._state_of(p, group["amsgrad"])
        state["step"]._array += 1
        step = float(state["step"]._array)
        mean, square = state["exp_avg"]._array, state["exp_avg_sq"]._array
        mean += (g - mean) * (1 - beta1)
        square *= beta2
        square += (1 - beta2) * (g * np.conj(g) if np.iscomplexobj(g) else g * g)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]._array
            np.maximum(largest, square, out=largest)
            square = largest
        scale = np.sqrt(square) / math.sqrt(1 - beta2**step) + group["eps"]
        array = p._array
        array -= (lr / (1 - beta1**step)) * mean / scale


class AdamW(Adam):
    """`Adam` whose weight decay shrinks the parameters directly."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        options["decoupled_weight_decay"] = True
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)


class Adagrad(Optimizer):
    """Steps divided by the root of the sum of squared gradients (Duchi et al. 2011)."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_rates(lr, eps, weight_decay, lr_decay=lr_decay,
                    initial_accumulator_value=initial_accumulator_value)  # fmt: skip
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, group: dict[str, Any]) -> None:
        for p in group["params"]:
            if p._grad is None:
                continue
            g = -p._grad._array if group["maximize"] else p._grad._array
            if group["weight_decay"]:
                g = g + group["weight_decay"] * p._array
            state = self.state[p]
            if not state:
                start = np.full_like(p._array, group["initial_accumulator_value"])
                state.update(step=tensor(0.0), sum=from_numpy(start))
            state["step"]._array += 1
            total = state["sum"]._array
            total += g * g
            lr = group["lr"] / (1 + (float(state["step"]._array) - 1) * group["lr_decay"])
            array = p._array
            array -= lr * g / (np.sqrt(total) + group["eps"])
            touched(p)


class RMSprop(Optimizer):
    """Steps divided by the root of a running mean of squared gradients."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_rates(lr, eps, weight_decay, momentum=momentum, alpha=alpha)
        check_not_differentiable(differentiable)
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, group: dict[str, Any]) -> None:
        alpha = group["alpha"]
        for p in group["params"]:
            if p._grad is None:
                continue
            g, state = p._grad._array, self.state[p]
            if group["maximize"]:
                g = -g
            if group["weight_decay"]:
                g = g + group["weight_decay"] * p._array
            if not state:
                state["step"] = tensor(0.0)
                state["square_avg"] = zeros_like(p)
                for option, name in (("momentum", "momentum_buffer"), ("centered", "grad_avg")):
                    if group[option]:
                        state[name] = zeros_like(p)
            state["step"]._array += 1
            square = variance = state["square_avg"]._array
            square *= alpha
            square += (1 - alpha) * g * g
            if group["centered"]:
                mean = state["grad_avg"]._array
                mean += (g - mean) * (1 - alpha)
                variance = square - mean * mean
            direction = g / (np.sqrt(variance) + group["eps"])
            if group["momentum"] > 0:
                buffer = state["momentum_buffer"]._array
                buffer *= group["momentum"]
                buffer += direction
                direction = buffer
            array = p._array
            array -= group["lr"] * direction
            touched(p)
