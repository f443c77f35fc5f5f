"""Stochastic gradient descent, with momentum, Nesterov momentum and weight decay."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager._core import Tensor, from_numpy, touched
from s2sgrad.eager.optim.optimizer import Optimizer


class SGD(Optimizer):
    """p -= lr * v, where v is the gradient or its running sum with `momentum`.

    weight_decay adds `weight_decay * p` to the gradient; maximize goes uphill.
    foreach and fused are taken and change nothing.
    """

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if differentiable:
            raise NotImplementedError("differentiable=True: use autograd.grad and your own update")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, group: dict[str, Any]) -> None:
        lr, momentum, decay = float(group["lr"]), group["momentum"], group["weight_decay"]
        sign = -1.0 if group["maximize"] else 1.0
        for p in group["params"]:
            gradient = p._grad
            if gradient is None:
                continue
            array, g = p._array, gradient._array
            if decay:
                g = sign * g + decay * array
            elif sign < 0:
                g = -g
            if momentum:
                g = self._with_momentum(p, g, group)
            array -= lr * g
            touched(p)

    def _with_momentum(self, p: Tensor, g: Any, group: dict[str, Any]) -> Any:
        """The gradient plus what remains of the earlier ones."""
        momentum, state = group["momentum"], self.state[p]
        if state.get("momentum_buffer") is None:
            state["momentum_buffer"] = from_numpy(g.copy())
        else:
            buffer = state["momentum_buffer"]._array
            buffer *= momentum
            buffer += (1 - group["dampening"]) * g
        buffer = state["momentum_buffer"]._array
        return g + momentum * buffer if group["nesterov"] else buffer
