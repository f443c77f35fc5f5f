"""The part of Module that is called: forward, with the hooks around it and around backward."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import Function, RemovableHandle, Tensor, add_hook
from s2sgrad.eager.nn.module_state import ModuleState

_NO_INPUT = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since"
    " no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/"
    "torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details."
)


class _Hook:
    """A registered forward hook and how it wants to be called."""

    __slots__ = ("always", "call", "with_kwargs")

    def __init__(self, call: Callable[..., Any], with_kwargs: bool, always: bool = False) -> None:
        self.call, self.with_kwargs, self.always = call, with_kwargs, always


class BackwardHookFunction(Function):
    """The identity on tensors: a place in the graph whose cotangents a module hook sees."""

    _internal = True

    @staticmethod
    def forward(ctx: Any, report: Callable[[Any], Any], *tensors: Tensor) -> Any:
        ctx.report = report
        ctx.set_materialize_grads(False)
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx: Any, *y_bars: Any) -> Any:
        return None, *ctx.report(y_bars)


class ModuleHooks(ModuleState):
    """`__call__` and everything that can be hooked to it."""

    forward: Callable[..., Any]
    _forward_hooks: dict[int, _Hook]
    _forward_pre_hooks: dict[int, _Hook]
    _backward_hooks: dict[int, Callable[..., Any]]
    _backward_pre_hooks: dict[int, Callable[..., Any]]
    _global_hooks: tuple[dict[int, Any], dict[int, Any]]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        before, after = self._global_hooks
        if not (
            self._forward_hooks
            or self._forward_pre_hooks
            or self._backward_hooks
            or self._backward_pre_hooks
            or before
            or after
        ):
            return self.forward(*args, **kwargs)
        return self._call_hooked(args, kwargs)

    def _call_hooked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result, ran = None, set()
        try:
            args, kwargs = self._run_pre_hooks(args, kwargs)
            hooked = _BackwardHooks(self) if self._has_backward_hooks() else None
            if hooked:
                args = hooked.on_inputs(args)
            result = self.forward(*args, **kwargs)
            after = self._global_hooks[1]
            hooks = [*((i, _Hook(h, False)) for i, h in after.items())]
            for key, hook in [*hooks, *self._forward_hooks.items()]:
                ran.add(key)
                result = self._run_hook(hook, args, kwargs, result)
            return hooked.on_outputs(result) if hooked else result
        except Exception:
            self._run_always(args, kwargs, result, ran)
            raise

    def _has_backward_hooks(self) -> bool:
        return bool(self._backward_hooks or self._backward_pre_hooks)

    def _run_pre_hooks(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        hooks = [_Hook(h, False) for h in self._global_hooks[0].values()]
        for hook in [*hooks, *self._forward_pre_hooks.values()]:
            if hook.with_kwargs:
                found = hook.call(self, args, kwargs)
                if found is not None:
                    if not (isinstance(found, tuple) and len(found) == 2):
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args,"
                            f" new_kwargs), but got {found}."
                        )
                    args, kwargs = found
            else:
                found = hook.call(self, args)
                if found is not None:
                    args = found if isinstance(found, tuple) else (found,)
        return args, kwargs

    def _run_hook(self, hook: _Hook, args: Any, kwargs: Any, result: Any) -> Any:
        extra = (args, kwargs) if hook.with_kwargs else (args,)
        found = hook.call(self, *extra, result)
        return result if found is None else found

    def _run_always(self, args: Any, kwargs: Any, result: Any, ran: set[int]) -> None:
        """After an error: the hooks with `always_call` that have not run."""
        for key, hook in self._forward_hooks.items():
            if not hook.always or key in ran:
                continue
            try:
                self._run_hook(hook, args, kwargs, result)
            except Exception as error:
                warnings.warn(
                    "module forward hook with ``always_call=True`` raised an exception that was"
                    f" silenced as another error was raised in forward: {error}",
                    stacklevel=3,
                )

    # ------------------------------------------------------------ registration

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """`hook(module, args, output)` after forward; what it returns replaces the output."""
        entry = _Hook(hook, with_kwargs, always_call)
        return _registered(self._forward_hooks, entry, prepend)

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """`hook(module, args)` before forward; what it returns replaces the arguments."""
        return _registered(self._forward_pre_hooks, _Hook(hook, with_kwargs), prepend)

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """`hook(module, grad_input, grad_output)` once both are known; may replace grad_input."""
        return _registered(self._backward_hooks, hook, prepend)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """`hook(module, grad_output)` before the module's backward; may replace grad_output."""
        return _registered(self._backward_pre_hooks, hook, prepend)

    register_backward_hook = register_full_backward_hook


def _registered(table: dict[int, Any], entry: Any, prepend: bool) -> RemovableHandle:
    handle = add_hook(table, entry)
    if prepend:
        others = {key: value for key, value in table.items() if key != handle.id}
        for key in others:
            del table[key]
        table.update(others)
    return handle


class _BackwardHooks:
    """One call of a module with backward hooks: boundaries around its inputs and outputs."""

    def __init__(self, module: ModuleHooks) -> None:
        self.module = module
        self.inputs: tuple[Any, ...] = ()
        self.y_bars: Any = None
        self.tracked = False

    def on_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments behind a boundary that calls the backward hooks."""
        positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        self.tracked = any(args[i].requires_grad for i in positions)
        self.inputs = args
        if not self.tracked:
            return args
        replaced = BackwardHookFunction.apply(
            self._leaving(positions), *(args[i] for i in positions)
        )
        made = list(args)
        for i, t in zip(positions, replaced, strict=True):
            made[i] = t
        return tuple(made)

    def on_outputs(self, result: Any) -> Any:
        """The result behind a boundary that calls the backward pre-hooks."""
        single = isinstance(result, Tensor)
        outputs = (result,) if single else result
        if not (isinstance(outputs, tuple) and all(isinstance(y, Tensor) for y in outputs)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of"
                f" Tensors but received {type(result)}",
                stacklevel=4,
            )
            return result
        replaced = BackwardHookFunction.apply(self._entering, *outputs)
        return replaced[0] if single else replaced

    def _entering(self, y_bars: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in list(self.module._backward_pre_hooks.values()):
            found = hook(self.module, y_bars)
            if found is not None:
                y_bars = found if isinstance(found, tuple) else (found,)
        self.y_bars = y_bars
        if not self.tracked:
            warnings.warn(_NO_INPUT, stacklevel=2)
            empty = (None,) * len(self.inputs)
            for hook in list(self.module._backward_hooks.values()):
                hook(self.module, empty, y_bars)
        return y_bars

    def _leaving(self, positions: list[int]) -> Callable[[Any], Any]:
        def leaving(x_bars: tuple[Any, ...]) -> tuple[Any, ...]:
            inputs: list[Any] = [None] * len(self.inputs)
            for i, x_bar in zip(positions, x_bars, strict=True):
                inputs[i] = x_bar
            grad_input = tuple(inputs)
            for hook in list(self.module._backward_hooks.values()):
                found = hook(self.module, grad_input, self.y_bars)
                if found is None:
                    continue
                grad_input = found if isinstance(found, tuple) else (found,)
                if len(grad_input) != len(inputs):
                    raise RuntimeError(
                        "Backward hook returned an invalid number of grad_input, got "
                        f"{len(grad_input)}, but expected {len(inputs)}"
                    )
            return tuple(grad_input[i] for i in positions)

        return leaving
