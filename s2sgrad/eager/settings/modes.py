"""Grad modes: block, decorator and call; one state per thread."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from s2sgrad.eager.settings.state import STATE, Anomaly, refresh


class Mode:
    """A context manager that is a decorator as well, of functions, generators and classes."""

    def clone(self) -> Mode:
        return type(self)()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You "
                "should only decorate functions or methods. To preserve the current behavior of "
                "class decoration, you can directly decorate the `__init__` method and nothing "
                "else.",
                FutureWarning,
                stacklevel=2,
            )
        if inspect.isgeneratorfunction(function):
            return self._generator(function)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapper

    def _generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A generator whose body runs in the mode while its consumer does not."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            try:
                with self.clone():
                    response = generator.send(None)
                while True:
                    try:
                        request = yield response
                    except GeneratorExit:
                        with self.clone():
                            generator.close()
                        raise
                    except BaseException as error:
                        with self.clone():
                            response = generator.throw(error)
                    else:
                        with self.clone():
                            response = generator.send(request)
            except StopIteration as stop:
                return stop.value

        return wrapper

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *exc: object) -> None:
        raise NotImplementedError


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread."""
    return STATE.grad


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode."""
    return STATE.inference


def _set_grad(value: bool) -> None:
    STATE.grad = value
    if value:
        refresh()
    else:
        STATE.fast = False


class _GradMode(Mode):
    value = True

    def __init__(self) -> None:
        self._before: list[bool] = []

    def __new__(cls, function: Any = None) -> Any:
        if function is not None:  # bare @no_grad
            return object.__new__(cls)._initialised()(function)
        return object.__new__(cls)

    def _initialised(self) -> _GradMode:
        self._before = []
        return self

    def __enter__(self) -> None:
        self._before.append(STATE.grad)
        _set_grad(self.value)

    def __exit__(self, *exc: object) -> None:
        _set_grad(self._before.pop())


class no_grad(_GradMode):
    """Nothing is recorded: `with no_grad():`, `@no_grad()`, `@no_grad`."""

    value = False


class enable_grad(_GradMode):
    """Recording is on again inside `no_grad`."""


class set_grad_enabled(Mode):
    """Switch recording: at once as a call, until the end of the block as a context manager."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.prev, self.mode = STATE.grad, mode
        _set_grad(self.mode)

    def clone(self) -> set_grad_enabled:
        return set_grad_enabled(self.mode)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        _set_grad(self.prev)
        return super().__call__(function)

    def __enter__(self) -> None:
        _set_grad(self.mode)

    def __exit__(self, *exc: object) -> None:
        _set_grad(self.prev)

    def __str__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}(mode={self.mode})"

    __repr__ = __str__


class inference_mode(Mode):
    """No recording, no version counters: tensors made inside never take part in autograd."""

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return object.__new__(cls)
        made = object.__new__(cls)
        made.__init__()  # type: ignore[misc]  # bare @inference_mode
        return made(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = bool(mode)
        self._before: list[tuple[bool, bool]] = []

    def clone(self) -> inference_mode:
        return inference_mode(self.mode)

    def __enter__(self) -> None:
        self._before.append((STATE.inference, STATE.grad))
        STATE.inference = self.mode
        STATE.grad = not self.mode
        refresh()

    def __exit__(self, *exc: object) -> None:
        STATE.inference, STATE.grad = self._before.pop()
        refresh()


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return Anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode looks for NaN."""
    return Anomaly.check_nan


def _set_anomaly(enabled: bool, check_nan: bool) -> None:
    Anomaly.enabled, Anomaly.check_nan = enabled, check_nan
    refresh()


class set_detect_anomaly(Mode):
    """Switch anomaly mode, silently: as a call or as a block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_anomaly_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.prev, self.prev_check_nan = Anomaly.enabled, Anomaly.check_nan
        _set_anomaly(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        _set_anomaly(self.prev, self.prev_check_nan)


class detect_anomaly(Mode):
    """Block in which NaN gradients raise and errors show where the forward call was."""

    def __init__(self, check_nan: bool = True) -> None:
        self.prev, self.check_nan = Anomaly.enabled, check_nan
        self.prev_check_nan = Anomaly.check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def clone(self) -> detect_anomaly:
        return detect_anomaly(self.check_nan)

    def __enter__(self) -> None:
        self.prev, self.prev_check_nan = Anomaly.enabled, Anomaly.check_nan
        _set_anomaly(True, self.check_nan)

    def __exit__(self, *exc: object) -> None:
        _set_anomaly(self.prev, self.prev_check_nan)


# What the printed forms show.
_MODULES: dict[Any, str] = {
    **dict.fromkeys((no_grad, enable_grad, set_grad_enabled, inference_mode), "grad_mode"),
    **dict.fromkeys((set_detect_anomaly, detect_anomaly), "anomaly_mode"),
}
for _mode, _module in _MODULES.items():
    _mode.__module__ = f"torch.autograd.{_module}"
