"""Floor 8: from the compiler to the tensors: what can't be transformed runs on them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad.calling import Binder
from s2sgrad.errors import S2sgradError

Run = Callable[..., Any]


def eager_gradient(function: Any, binder: Binder, request: Any, reason: S2sgradError) -> Run:
    """A stand-in for generated code: records on tensors, with the same results."""
    _warn(function, reason)

    def run(*values: Any) -> Any:
        call = _Recorded(function, binder, request.wrt, values)
        value, aux = call.result if request.aux else (call.result, None)
        value = call.tensor(value)
        if value.ndim or value.dtype.is_complex:
            raise TypeError(
                "grad needs a function that returns a real scalar, not shape "
                f"{tuple(value.shape)}; use s2sgrad.vjp"
            )
        found = call.cotangents([value], [None])
        answer = found[0] if request.single else found
        if not request.value:
            return answer
        plain = value.detach().numpy()[()]
        return ((plain, call.plain(aux)) if request.aux else plain), answer

    return run


def eager_pullback(function: Any, binder: Binder, request: Any, reason: S2sgradError) -> Run:
    """The same for `vjp`: a function that gives (value, backward, aux)."""
    _warn(function, reason)

    def run(*values: Any) -> Any:
        call = _Recorded(function, binder, request.wrt, values)
        value, aux = call.result if request.aux else (call.result, None)
        outputs: list[Any] = []
        call.mapped(value, lambda t: outputs.append(t) if t.requires_grad else None)

        def backward(value_bar: Any) -> tuple[Any, ...]:
            bars: list[Any] = []
            _pairs(value, value_bar, call, bars)
            return call.cotangents(outputs, bars)

        return call.plain(value), backward, call.plain(aux)

    return run


def _warn(function: Any, reason: S2sgradError) -> None:
    name = getattr(function, "__name__", "f")
    text = f"{name} runs on dynamic-graph tensors, because it can't be transformed:\n{reason}"
    warnings.warn(text, stacklevel=6)


class _Recorded:
    """One call of a function on tensors that record. wrt: the arguments that are lifted."""

    def __init__(self, function: Any, binder: Binder, wrt: tuple[str, ...], values: tuple[Any, ...]) -> None:
        from s2sgrad import eager

        self.eager = eager
        self.leaves: list[Any] = []
        self.wanted = [binder.pick(name, values) for name in wrt]
        placed = dict(zip(binder.names, values, strict=True))
        for name, value in zip(wrt, self.wanted, strict=True):
            lifted = self.lift(value)
            if name not in binder.members:
                placed[name] = lifted
                continue
            parameter, key = binder.members[name]
            inside = placed[parameter]
            items = dict(inside) if isinstance(inside, dict) else list(inside)
            items[key] = lifted
            placed[parameter] = items
        bound = binder.signature.bind_partial()
        bound.arguments.update(placed)
        self.result = function(*bound.args, **bound.kwargs)

    def tensor(self, value: Any) -> Any:
        return value if isinstance(value, self.eager.Tensor) else self.eager.tensor(value)

    def cotangents(self, outputs: list[Any], bars: list[Any]) -> tuple[Any, ...]:
        """The cotangents of the arguments that were lifted, in their structure."""
        pairs = [(o, b) for o, b in zip(outputs, bars, strict=True) if o.requires_grad]
        grads: list[Any] = [None] * len(self.leaves)
        if pairs and self.leaves:
            heads, seeds = [o for o, _ in pairs], [None if b is None else self.eager.tensor(b) for _, b in pairs]
            grads = self.eager.autograd.grad(heads, self.leaves, seeds, retain_graph=True, allow_unused=True)
        found = iter(grads)
        return tuple(_lower(value, found) for value in self.wanted)

    def mapped(self, value: Any, change: Callable[[Any], Any]) -> Any:
        if isinstance(value, self.eager.Tensor):
            return change(value)
        if isinstance(value, list | tuple):
            return type(value)([self.mapped(v, change) for v in value])
        return {k: self.mapped(v, change) for k, v in value.items()} if isinstance(value, dict) else value

    def plain(self, value: Any) -> Any:
        """Arrays and floats for tensors."""
        return self.mapped(value, lambda t: t.detach().numpy()[()] if not t.ndim else t.detach().numpy())

    def lift(self, value: Any) -> Any:
        """The argument with its floats as tensors that record."""
        if _is_leaf(value):
            leaf = self.eager.tensor(np.array(value), requires_grad=True)
            self.leaves.append(leaf)
            return leaf
        return _rebuilt(value, self.lift, value)


def _pairs(value: Any, bar: Any, call: _Recorded, bars: list[Any]) -> None:
    """Collect the cotangents that belong to tensors that need them, in order."""
    if isinstance(value, call.eager.Tensor):
        if value.requires_grad:
            bars.append(np.asarray(bar))
    elif isinstance(value, list | tuple):
        for one, its in zip(value, bar, strict=True):
            _pairs(one, its, call, bars)
    elif isinstance(value, dict):
        for key in value:
            _pairs(value[key], bar[key], call, bars)


def _is_leaf(value: Any) -> bool:
    number = isinstance(value, float | complex | np.ndarray | np.generic)
    return number and np.asarray(value).dtype.kind in "fc"


def _rebuilt(value: Any, change: Callable[[Any], Any], other: Any) -> Any:
    """A container or object with its parts changed; `other` for what holds none."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(change, value))
    if isinstance(value, list | tuple):
        return type(value)(map(change, value))
    if isinstance(value, dict):
        return {k: change(v) for k, v in value.items()}
    if hasattr(value, "__dict__") and not callable(value):
        made = object.__new__(type(value))
        for k, v in vars(value).items():
            object.__setattr__(made, k, change(v))
        return made
    return other


def _lower(value: Any, grads: Iterator[Any]) -> Any:
    """The gradients in the argument's structure, as arrays and floats; None for other things."""
    if not _is_leaf(value):
        return _rebuilt(value, lambda part: _lower(part, grads), None)
    grad = next(grads)
    if grad is None:
        plain = isinstance(value, np.ndarray | np.generic)
        return np.zeros_like(value)[()] if plain else type(value)(0)
    array = grad.detach().numpy().astype(np.asarray(value).dtype, copy=False)
    return array if isinstance(value, np.ndarray) else array[()]


__all__ = ["eager_gradient", "eager_pullback"]
