"""`library`: functions of the user's own (NumPy, SciPy, C) as operations with a derivative.

>>> @custom_op("mylib::numpy_sin", mutates_args=())
... def numpy_sin(x: Tensor) -> Tensor:
...     return from_numpy(np.sin(x.numpy()))
>>> numpy_sin.register_autograd(
...     lambda ctx, y_bar: y_bar * ctx.saved_tensors[0].cos(),
...     setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
... )
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from s2sgrad.eager.passes.function import Function
from s2sgrad.eager.schemas import Schema
from s2sgrad.eager.settings.modes import no_grad
from s2sgrad.eager.tensors.tensor import Tensor

__all__ = ["CustomOpDef", "custom_op", "register_autograd", "register_fake"]

Call = Callable[..., Any]
_ALIAS = (
    "{} (with implementation in {}): The output of this custom operator (1) must not also be an"
    " input to this custom operator and (2) may not alias any inputs to this custom operator or"
    " other returns. The most common way to trigger this error is if we have y = custom_op(x) and"
    " y and x are the same Tensor. Please instead return a clone of the offending output tensor(s)"
    " (e.g. return x.clone()) or refactor the custom operator to not return y."
)
_NO_FORMULA = (
    "Trying to backward through {} but no autograd formula was registered. Please use"
    " register_autograd to add one."
)
_REGISTERED: dict[str, CustomOpDef] = {}


class CustomOpDef:
    """An operation made by `custom_op`: call it like its function."""

    def __init__(self, name: str, function: Call, mutates_args: Iterable[str] | str) -> None:
        self._qualname, self._function = name, function
        self._namespace, self._name = name.split("::")
        names = _checked_signature(function).parameters
        self._mutated = tuple(names) if mutates_args == "unknown" else tuple(mutates_args)
        self._schema = Schema(name, function, self._mutated)
        self._backward: Call | None = None
        self._setup_context: Call | None = None
        self._fake: Call | None = None
        self._node = self._made_function()
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def register_autograd(self, backward: Call, /, *, setup_context: Call | None = None) -> None:
        """`backward(ctx, *y_bars)` gives one gradient per argument (None for no tensor).

        `setup_context(ctx, inputs, output)` runs after the function, to save what it needs.
        """
        self._backward, self._setup_context = backward, setup_context

    def register_fake(self, function: Call, /) -> Call:
        """Kept for compatibility: says what shapes come out. Usable as a decorator."""
        self._fake = function
        return function

    def register_kernel(self, device_types: Any, function: Call | None = None, /) -> Call:
        """The implementation for a device; "cpu" replaces the function. Usable as a decorator."""

        def register(given: Call) -> Call:
            kinds = (device_types,) if isinstance(device_types, str) else device_types
            if kinds is None or "cpu" in kinds:
                self._function = given
            return given

        return register if function is None else register(function)

    def register_vmap(self, func: Call | None = None) -> Any:
        """`func(info, in_dims, *args)` gives a batch of results and where its axis is, for `vmap`.

        Without it the function runs for each example. Usable as a decorator.
        """

        def register(given: Call) -> Call:
            self._node.vmap = staticmethod(given)
            return given

        if func is None:
            return register
        register(func)
        return None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._node.apply(*self._schema.bound(args, kwargs).values())

    # ------------------------------------------------------------ one node per call

    def _run(self, args: tuple[Any, ...]) -> Any:
        """The function on the arguments' values, with recording off."""
        with no_grad():
            values = [a.detach() if isinstance(a, Tensor) else a for a in args]
            count = len(values) - len(self._schema.by_name)
            named = dict(zip(self._schema.by_name, values[count:], strict=True))
            result = self._function(*values[:count], **named)
        for name, value in zip(self._schema.signature.parameters, args, strict=True):
            if name in self._mutated and isinstance(value, Tensor):
                value._vc[0] += 1
        self._check_alias(result, args)
        return result

    def _check_alias(self, result: Any, args: tuple[Any, ...]) -> None:
        outputs = result if isinstance(result, tuple) else (result,)
        inputs = [a._array for a in args if isinstance(a, Tensor)]
        for y in outputs:
            if isinstance(y, Tensor) and any(np.may_share_memory(y._array, x) for x in inputs):
                raise RuntimeError(_ALIAS.format(self._name, self._function.__module__))

    def _made_function(self) -> Any:
        """The Function whose node stands for this operation in graphs."""
        definition = self
        label = f"{self._namespace}.{self._name}.default"

        def forward(*args: Any) -> Any:
            return definition._run(args)

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            if definition._setup_context is None:
                return
            names = definition._schema.by_name
            if names:
                count = len(inputs) - len(names)
                named = dict(zip(names, inputs[count:], strict=True))
                definition._setup_context(
                    ctx=ctx, inputs=inputs[:count], keyword_only_inputs=named, output=output
                )
            else:
                definition._setup_context(ctx, inputs, output)

        def backward(ctx: Any, *y_bars: Any) -> Any:
            if definition._backward is None:
                raise RuntimeError(_NO_FORMULA.format(label))
            bars = definition._backward(ctx, *y_bars)
            unnamed = bars if isinstance(bars, tuple) else (bars,)
            return (*unnamed, *(None for _ in definition._schema.by_name))

        name = f"GeneratedBackwardFor_{label.replace('.', '_')}"
        methods = (forward, setup_context, backward)
        fields: dict[str, Any] = {m.__name__: staticmethod(m) for m in methods}
        return type(name, (Function,), {**fields, "_internal": True})


def _checked_signature(function: Call) -> inspect.Signature:
    """The signature; ValueError where annotations are missing."""
    signature = inspect.signature(function)
    got = f"Got func with signature {signature})"
    for name, parameter in signature.parameters.items():
        if parameter.annotation is inspect.Parameter.empty:
            raise ValueError(
                f"infer_schema(func): Parameter {name} must have a type annotation. {got}"
            )
    if signature.return_annotation is inspect.Signature.empty:
        raise ValueError(
            "infer_schema(func): No return type annotation was provided. Please add one. " + got
        )
    return signature


def custom_op(
    name: str,
    fn: Call | None = None,
    /,
    *,
    mutates_args: Iterable[str] | str,
    device_types: Any = None,
    schema: str | None = None,
) -> Any:
    """Make a function an operation of its own: it gets detached tensors and returns new ones.

    name: "namespace::name". mutates_args: names of the arguments that it changes in place.
    Without `register_autograd` it can't be differentiated. Usable as a decorator.
    """

    def make(function: Call) -> CustomOpDef:
        if "::" not in name:
            raise ValueError(
                f"custom_op(..., name={name!r}): expected name to be in the format"
                " 'namespace::name'"
            )
        made = _REGISTERED[name] = CustomOpDef(name, function, mutates_args)
        return made

    return make if fn is None else make(fn)


def _found(op: Any) -> CustomOpDef:
    if isinstance(op, CustomOpDef):
        return op
    if op not in _REGISTERED:
        raise ValueError(f"no custom operator called {op!r} has been defined")
    return _REGISTERED[op]


def register_autograd(
    op: Any, backward: Call, /, *, setup_context: Call | None = None, lib: Any = None
) -> None:
    """`CustomOpDef.register_autograd` by name."""
    _found(op).register_autograd(backward, setup_context=setup_context)


def register_fake(op: Any, func: Call | None = None, /, *, lib: Any = None) -> Any:
    """`CustomOpDef.register_fake` by name. Usable as a decorator."""
    return _found(op).register_fake if func is None else _found(op).register_fake(func)
