"""The base of all optimizers: parameter groups, state, and saving them."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from s2sgrad.eager._core import (
    RemovableHandle,
    Tensor,
    add_hook,
    enable_grad,
    no_grad,
    type_name,
)

__all__ = ["Optimizer", "required"]


class _Required:
    """Marks an option without default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Updates parameters from their gradients.

    params: tensors, (name, tensor) pairs, or dicts with "params" and options of their own.
    Subclasses set `defaults` and implement `update(group)`, or override `step`.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts,"
                f" but got {type_name(params)}"
            )
        self.defaults = defaults
        self.state: Any = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: dict[int, Any] = OrderedDict()
        self._post_hooks: dict[int, Any] = OrderedDict()
        self._opt_called = False
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {i}"] if i else [f"Parameter Group {i}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])

    # ------------------------------------------------------------ stepping

    def update(self, group: dict[str, Any]) -> None:
        """Update the parameters of one group that have a gradient; grad mode is off."""
        raise NotImplementedError

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One update. `closure` computes the loss again and is called first; returns the loss."""
        given = () if closure is None else (closure,)
        for hook in self._pre_hooks.values():
            hook(self, (self, *given), {})
        self._opt_called = True
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                self.update(group)
        for hook in self._post_hooks.values():
            hook(self, (self, *given), {})
        return loss

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Reset all gradients to None, or to zeros in place."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                else:
                    if p.grad.grad_fn is not None:
                        p.grad.detach_()
                    else:
                        p.grad.requires_grad_(False)
                    p.grad.zero_()

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(optimizer, args, kwargs)` before every step."""
        return add_hook(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(optimizer, args, kwargs)` after every step."""
        return add_hook(self._post_hooks, hook)

    # ------------------------------------------------------------ groups

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        self._list_params(param_group)
        for p in param_group["params"]:
            _check_param(p)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter"
                    f" {name}"
                )
            param_group.setdefault(name, default)
        params = param_group["params"]
        if len(params) != len({id(p) for p in params}):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this"
                " will cause an error; see github.com/pytorch/pytorch/issues/40967 for more"
                " information",
                stacklevel=3,
            )
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def _list_params(self, group: dict[str, Any]) -> None:
        """`group["params"]` as a list of tensors; names go to `group["param_names"]`."""
        params = group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, (set, frozenset)):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the"
                " ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        named = [isinstance(p, tuple) for p in params]
        if any(named):
            if not all(named):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are"
                    " missing"
                )
            group["param_names"] = [name for name, _ in params]
            params = [p for _, p in params]
        group["params"] = params

    # ------------------------------------------------------------ saving

    def state_dict(self) -> dict[str, Any]:
        """State and options; parameters are replaced by their positions."""
        position: dict[int, int] = {}
        for p in chain.from_iterable(group["params"] for group in self.param_groups):
            position.setdefault(id(p), len(position))
        groups = []
        for group in self.param_groups:
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [position[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            position[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned, by position of the parameters."""
        saved = state_dict["param_groups"]
        if len(self.param_groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for own, new in zip(self.param_groups, saved, strict=True):
            if len(own["params"]) != len(new["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of"
                    " optimizer's group"
                )
        params = _flat(self.param_groups)
        by_position = dict(zip(_flat(saved), params, strict=True))
        self.state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            p = by_position.get(key)
            self.state[key if p is None else p] = _fitted(value, p)
        for own, new in zip(self.param_groups, saved, strict=True):
            options = {k: deepcopy(v) for k, v in new.items() if k != "params"}
            kept = {k: v for k, v in own.items() if k not in options and k != "params"}
            params = own["params"]
            own.clear()
            own.update({**options, **kept, "params": params})


def _flat(groups: Iterable[dict[str, Any]]) -> list[Any]:
    return list(chain.from_iterable(group["params"] for group in groups))


def _check_param(p: Any) -> None:
    if not isinstance(p, Tensor):
        raise TypeError(
            f"optimizer can only optimize Tensors, but one of the params is {type_name(p)}"
        )
    if not p.is_leaf and not p.retains_grad:
        raise ValueError("can't optimize a non-leaf Tensor")


def _fitted(value: Any, p: Tensor | None, key: str = "") -> Any:
    """A copy of loaded state, floats in the dtype of their parameter."""
    if isinstance(value, Tensor):
        copied = value.detach().clone()
        if p is not None and key != "step" and p.is_floating_point():
            return copied.to(p.dtype)
        return copied
    if isinstance(value, dict):
        return {k: _fitted(v, p, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_fitted(v, p, key) for v in value)
    return deepcopy(value)
