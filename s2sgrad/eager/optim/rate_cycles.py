"""Learning rates (and momenta) that go up and down (Smith 2017, Smith and Topin 2018)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from s2sgrad.eager.optim.optimizer import Optimizer
from s2sgrad.eager.optim.rates import LRScheduler

NO_MOMENTUM = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"


def for_each_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """One value for every group, or those of a list."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has"
            f" {len(value)} values, param_groups has {len(optimizer.param_groups)}."
        )
    return list(value)


def set_momentum(group: dict[str, Any], momentum: float) -> None:
    """Set the momentum of a group: of Adam and its kin, the first beta."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


def has_momentum(optimizer: Optimizer) -> bool:
    """Whether an optimizer has a momentum that can be set."""
    return "momentum" in optimizer.defaults or "betas" in optimizer.defaults


def by_cosine(start: float, end: float, share: float) -> float:
    """Half a cosine from start to end."""
    return end + (start - end) / 2.0 * (1 + math.cos(math.pi * share))


def by_line(start: float, end: float, share: float) -> float:
    """A line from start to end."""
    return (end - start) * share + start


class OneCycleLR(LRScheduler):
    """Up to max_lr and down to almost nothing, in total_steps steps; the momentum the other way."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        self.total_steps = _count(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type, self.cycle_momentum = anneal_strategy, cycle_momentum
        self._schedule_phases = _phases(pct_start * self.total_steps, self.total_steps, three_phase)
        if last_epoch == -1:
            for group, high in zip(
                optimizer.param_groups, for_each_group("max_lr", optimizer, max_lr), strict=True
            ):
                group["initial_lr"], group["max_lr"] = high / div_factor, high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            if not has_momentum(optimizer):
                raise ValueError(NO_MOMENTUM)
            low = for_each_group("base_momentum", optimizer, base_momentum)
            high = for_each_group("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                for group, m, n in zip(optimizer.param_groups, low, high, strict=True):
                    set_momentum(group, n)
                    group["base_momentum"], group["max_momentum"] = m, n
            self.use_beta1 = "betas" in optimizer.defaults  # which torch's state holds
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is"
                f" {self.total_steps}"
            )
        along = by_cosine if self._anneal_func_type == "cos" else by_line
        start = 0.0
        phase = self._schedule_phases[-1]
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            start = phase["end_step"]
        share = (step - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(along(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                set_momentum(group, along(*ends, share))
        return rates


def _count(total: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """How many steps there are; ValueError where the options do not say."""
    if total is None:
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
            if not isinstance(value, int) or value <= 0:
                raise ValueError(f"Expected positive integer {name}, but got {value}")
        return int(epochs * steps_per_epoch)
    if not isinstance(total, int) or total <= 0:
        raise ValueError(f"Expected positive integer total_steps, but got {total}")
    return total


def _phases(rising: float, total: int, three: bool) -> list[dict[str, Any]]:
    """When each phase ends, and between which values of a group it goes."""
    names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
    up = (float(rising) - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three:
        down: Any = [(total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    else:
        down = [
            (float(2 * rising) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
            (total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
        ]
    return [dict(zip(names, phase, strict=True)) for phase in (up, *down)]


class CyclicLR(LRScheduler):
    """Up from base_lr to max_lr and down again, over and over; the momentum the other way."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if last_epoch == -1:
            for group, low in zip(
                optimizer.param_groups, for_each_group("base_lr", optimizer, base_lr), strict=True
            ):
                group["lr"] = low
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up) + float(down)
        self.step_ratio = float(step_size_up) / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale = mode, gamma, scale_fn
        by_cycle = scale_mode == "cycle" if scale_fn is not None else mode != "exp_range"
        self.scale_mode = "cycle" if by_cycle else "iterations"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if not has_momentum(optimizer):
                raise ValueError(NO_MOMENTUM)
            self.base_momentums = for_each_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = for_each_group("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                for group, high in zip(optimizer.param_groups, self.max_momentums, strict=True):
                    set_momentum(group, high)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = for_each_group("base_lr", optimizer, base_lr)

    def scale_fn(self, x: float) -> float:
        """What the height of a cycle is multiplied by, by its number or by the step's."""
        if self._scale is not None:
            return self._scale(x)
        if self.mode == "triangular2":
            return 1 / (2.0 ** (x - 1))
        return 1.0 if self.mode == "triangular" else self.gamma**x

    def get_lr(self) -> list[float]:
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        ratio = self.step_ratio
        height = x / ratio if x <= ratio else (x - 1) / (ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                set_momentum(group, high - (high - low) * height)
        pairs = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height for low, high in pairs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down to eta_min in T_0 epochs, then T_0 * T_mult, and so on."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0, self.T_i, self.T_mult = T_0, T_0, T_mult
        self.eta_min, self.T_cur = eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]

    def step(self, epoch: Any = None) -> None:
        """Go to the next epoch, or to a given one, which may be a fraction."""
        if epoch is None:
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
            self.go_to(None)
            return
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        self.T_cur, self.T_i = epoch, self.T_0
        if epoch >= self.T_0 and self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        elif epoch >= self.T_0:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n
        self.go_to(math.floor(epoch))
