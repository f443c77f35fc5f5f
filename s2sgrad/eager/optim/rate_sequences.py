"""Learning rates by several schedulers, in turn or at once."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from s2sgrad.eager.optim.optimizer import Optimizer

COUNT = (
    "Sequential Schedulers expects number of schedulers provided to be one more than the number of"
    " milestone points, but got number of schedulers {} and the number of milestones to be equal"
    " to {}"
)


class _Combined:
    """What holds several schedulers."""

    optimizer: Any
    _schedulers: list[Any]
    _last_lr: list[float]

    def get_last_lr(self) -> list[float]:
        """The learning rates set last."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; the schedulers' own states in a list."""
        kept = {k: v for k, v in vars(self).items() if k not in ("optimizer", "_schedulers")}
        return {**kept, "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update({k: v for k, v in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(state)


def check_owners(name: str, schedulers: Any, optimizer: Any) -> None:
    """All schedulers must be of one optimizer."""
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
        if scheduler.optimizer != optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got"
                f" scheduler {type(scheduler).__name__} at index {i} has {scheduler.optimizer},"
                f" which is different from {type(optimizer).__name__}."
            )


class SequentialLR(_Combined):
    """One scheduler after the other: the next one begins at each milestone."""

    def __init__(
        self, optimizer: Optimizer, schedulers: list[Any], milestones: list[int],
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler, but got no scheduler."
            )
        check_owners(type(self).__name__, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(COUNT.format(len(schedulers), len(milestones)))
        self._schedulers, self._milestones = list(schedulers), milestones
        self.last_epoch, self.optimizer = last_epoch + 1, optimizer
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:  # each has begun when it was made
            scheduler.last_epoch -= 1
        first = schedulers[0]
        first._step_count -= 1
        first.step()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:
        """Go to the next epoch."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler._step_count += 1
            scheduler.go_to(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Combined):
    """All schedulers in every epoch, each changing what the one before has set."""

    def __init__(self, schedulers: Any, optimizer: Optimizer | None = None) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no"
                " scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        check_owners(type(self).__name__, schedulers, optimizer)
        self._schedulers, self.optimizer = list(schedulers), optimizer
        self._last_lr = [group["lr"] for group in self._schedulers[-1].optimizer.param_groups]

    def step(self) -> None:
        """Go to the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [group["lr"] for group in self._schedulers[-1].optimizer.param_groups]
