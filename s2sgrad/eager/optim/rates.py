"""Learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from s2sgrad.eager.optim.optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "StepLR",
]


NOT_RESUMED = (
    "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler with"
    " last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a"
    " checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0"
    " for a fresh training run (not recommended)"
)
EPOCH_GIVEN = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where"
    " possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if"
    " epoch is different from None, the closed form is used instead of the new chainable form,"
    " where available. Please open an issue if you are unable to replicate your use case:"
    " https://github.com/pytorch/pytorch/issues/new/choose."
)


class LRScheduler:
    """Sets the learning rate of every group: `factor(epoch, group number)` times the first one."""

    from_the_start = False  # whether it begins with the first scheduler's rates, not today's

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(NOT_RESUMED.format(i))
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch, self._step_count = last_epoch, 0
        self._is_initial = self._get_lr_called_within_step = False  # which torch's state holds
        self.step()

    def factor(self, epoch: int, group: int) -> float:
        """The learning rate at an epoch, as a multiple of the first."""
        raise NotImplementedError

    def change(self, epoch: int) -> float | None:
        """What the rate of the epoch before is multiplied by; None: it follows from `factor`.

        So a rate that someone else has changed meanwhile stays changed.
        """
        return None

    def get_lr(self) -> list[float]:
        """The learning rates of the present epoch."""
        epoch = self.last_epoch
        change = self.change(epoch) if epoch > 0 and not self._jumped else None
        if change is not None:
            return [group["lr"] * change for group in self.optimizer.param_groups]
        return [start * self.factor(epoch, i) for i, start in enumerate(self.starts())]

    def starts(self) -> list[float]:
        """The rates that the factors are of: today's where the schedule begins."""
        if self.last_epoch > 0 or self._jumped or self.from_the_start:
            return self.base_lrs
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[float]:
        """The learning rates set last."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch (or to a given one)."""
        if self._step_count == 1 and not self.optimizer._opt_called:
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch"
                " 1.1.0 and later, you should call them in the opposite order: `optimizer.step()`"
                " before `lr_scheduler.step()`.  Failure to do this will result in PyTorch"
                " skipping the first value of the learning rate schedule. See more details at"
                " https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=2)
        self.go_to(epoch)

    def go_to(self, epoch: int | None) -> None:
        """Set the rates of an epoch; None: of the next one."""
        self._jumped = epoch is not None
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = lr
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "_jumped")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        self.__dict__.update(state_dict)


class LambdaLR(LRScheduler):
    """The factor is a function of the epoch (or a list of them, one for each group)."""

    from_the_start = True

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * count if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return self.lr_lambdas[group](epoch)


class StepLR(LRScheduler):
    """Times gamma every step_size epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return self.gamma ** (epoch // self.step_size)

    def change(self, epoch: int) -> float:
        return 1.0 if epoch % self.step_size else self.gamma


class MultiStepLR(LRScheduler):
    """Times gamma at every milestone."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return self.gamma ** bisect_right(self.milestones, epoch)

    def change(self, epoch: int) -> float:
        return self.gamma ** self.milestones.count(epoch)


class ConstantLR(LRScheduler):
    """Times factor until epoch total_iters."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        self.start, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return self.start if epoch < self.total_iters else 1.0

    def change(self, epoch: int) -> float:
        return 1.0 / self.start if epoch == self.total_iters else 1.0


class LinearLR(LRScheduler):
    """From start_factor to end_factor in total_iters epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1.0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal"
                " to 1."
            )
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        done = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done

    def change(self, epoch: int) -> float:
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (epoch - 1) * rise
        return 1.0 if epoch > self.total_iters else 1.0 + rise / before


class ExponentialLR(LRScheduler):
    """Times gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return self.gamma**epoch

    def change(self, epoch: int) -> float:
        return self.gamma


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate to eta_min in T_max epochs."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch, least = self.last_epoch, self.eta_min
        now, before = (1 + math.cos(math.pi * e / self.T_max) for e in (epoch, epoch - 1))
        groups = self.optimizer.param_groups
        if epoch <= 0 or self._jumped or self._step_count == 1:
            return [least + (start - least) * now / 2 for start in self.starts()]
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(groups, self.base_lrs, strict=True)
            return [group["lr"] + (base - least) * rise for group, base in pairs]
        return [now / before * (group["lr"] - least) + least for group in groups]


class PolynomialLR(LRScheduler):
    """Down to 0 in total_iters epochs, along a power of what is left of them."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int, group: int) -> float:
        return float((1.0 - min(epoch, self.total_iters) / self.total_iters) ** self.power)

    def change(self, epoch: int) -> float:
        left = self.total_iters - epoch
        return 1.0 if left < 0 else float((left / (left + 1)) ** self.power)


class MultiplicativeLR(LambdaLR):
    """Times a function of the epoch (or one of a list, for each group) every epoch."""

    from_the_start = False

    def get_lr(self) -> list[float]:
        groups = self.optimizer.param_groups
        if self.last_epoch <= 0:
            return [group["lr"] for group in groups]
        pairs = zip(groups, self.lr_lambdas, strict=True)
        return [group["lr"] * change(self.last_epoch) for group, change in pairs]


class ReduceLROnPlateau:
    """Times factor when a measure has not improved for `patience` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        count = len(optimizer.param_groups)
        if isinstance(min_lr, (list, tuple)) and len(min_lr) != count:
            raise ValueError(f"expected {count} min_lrs, got {len(min_lr)}")
        self.factor, self.optimizer, self.default_min_lr = factor, optimizer, None
        if not isinstance(min_lr, (list, tuple)):
            self.default_min_lr, min_lr = min_lr, [min_lr] * count
        self.min_lrs = list(min_lr)
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]
        self.mode_worse = math.inf if mode == "min" else -math.inf  # which torch's state holds
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def _better(self, value: float) -> bool:
        sign = -1 if self.mode == "min" else 1
        margin = abs(self.best) * self.threshold if self.threshold_mode == "rel" else self.threshold
        bound = self.best if math.isinf(self.best) else self.best + sign * margin
        return value < bound if self.mode == "min" else value > bound

    def step(self, metrics: Any, epoch: int | None = None) -> None:
        """Report the measure of an epoch."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        value = float(metrics)
        if self._better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                lower = max(group["lr"] * self.factor, least)
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[float]:
        """The learning rates set last."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        self.__dict__.update(state_dict)
