"""Objects of SciPy's classes on traced values: splines and interpolators by the compiler's models.

`CubicSpline(x, y)` in code that is traced makes an object that holds the model's, and follows
traced values through its methods. It says that it is of SciPy's class.
"""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.numpy_code.models import model_of, traced_call

PACKAGES = (
    "scipy.interpolate.",
    "scipy.stats._kde",
)  # whose objects are called with traced values later on


class Made:
    """An object of a model, in the place of one of SciPy's."""

    def __init__(self, inner: Any, original: Any) -> None:
        self._inner, self._original = inner, original

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self._original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _held(traced_call(self._inner.__call__, _bare(args), _bare(kwargs)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        def call(*args: Any, **kwargs: Any) -> Any:
            return _held(traced_call(found, _bare(args), _bare(kwargs)))

        return call


def _bare(given: Any) -> Any:
    """Arguments with what objects hold in their places."""
    if isinstance(given, dict):
        return {name: _bare((value,))[0] for name, value in given.items()}
    return tuple(v._inner if type(v) is Made else v for v in given)


def _held(found: Any, original: Any = None) -> Any:
    """A result, which may be another object of a model; and so may what that one holds."""
    if not type(found).__module__.startswith("s2sgrad.standins."):
        return found
    inside = getattr(found, "__dict__", {})
    inside.update({name: _held(value) for name, value in inside.items()})
    return Made(found, original or type(found))


class _Standing(type):
    """The kind of what stands for a class of SciPy's: the class's objects are instances of it."""

    original: type

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = traced_call(model_of(cls.original), _bare(args), _bare(kwargs))
        return _held(made, cls.original)

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, cls.original)

    def __subclasscheck__(cls, other: Any) -> bool:
        return issubclass(other, cls.original)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.original, name)


def modelled_class(cls: Any) -> Any:
    """What stands for a class of SciPy's that has a model; any other is itself."""
    if not str(cls.__module__).startswith(PACKAGES) or model_of(cls) is None:
        return cls
    return _Standing(cls.__name__, (), {"original": cls})


__all__ = ["modelled_class"]
