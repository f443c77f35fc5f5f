"""Floor 8: bind a call's arguments, and find its specialisation quickly."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from s2sgrad.analysis.memory import hashable
from s2sgrad.frontend.inputs import ANYTHING, object_fields
from s2sgrad.frontend.outside import is_code
from s2sgrad.frontend.parameters import opened_partial, own_signature

Place = tuple[str, tuple[str, Any]]  # a name, and where its value stands outside
_TEXTS = (str, bytes, frozenset)  # and classes made of them, np.str_ among them
_PLAIN = (str, bytes, bool, type(None), range, frozenset)


def holds_no_floats(name: str) -> TypeError:
    """The error for an argument that is chosen, but has no derivative."""
    return TypeError(
        f"can't differentiate by the argument {name!r}: it holds no floats here; pass a float or "
        "a float array (np.asarray(x, float)), or choose other argnums"
    )


def token(value: Any, known: dict[int, int] | None = None) -> Any:
    """What of an argument the generated code depends on: type, dtype and sizes, not numbers.

    known: the ids of the objects met in it so far, which it may hold in several places.
    """
    kind = type(value)
    if kind is np.ndarray:
        return (value.dtype, value.shape)
    if kind is float or kind is int or kind is complex:
        return kind
    if kind in _PLAIN:
        return (kind, value)
    known = {} if known is None else known
    if kind is list or kind is tuple:
        return (kind, *(token(v, known) for v in value))
    if kind is dict:
        return (dict, *((k, token(v, known)) for k, v in value.items()))
    return _other(value, kind, known)


def _other(value: Any, kind: type, known: dict[int, int]) -> Any:
    if isinstance(value, _TEXTS) and not isinstance(value, Enum):
        return (kind, value)
    if isinstance(value, np.generic):
        return kind
    if isinstance(value, np.ndarray):
        return (kind, value.dtype, value.shape)
    if isinstance(value, list | tuple):
        return (kind, *(token(v, known) for v in value))
    if isinstance(value, dict):  # of a class of its own, perhaps with attributes
        held = getattr(value, "__dict__", value)
        beside = () if held is value else token(held, known)
        return (kind, beside, *((k, token(v, known)) for k, v in value.items()))
    if isinstance(value, Enum):
        return (kind, value.name)
    if is_code(value) or isinstance(value, type | slice | np.dtype):
        return value if hashable(value) else repr(value)
    if id(value) in known:
        return ("again", known[id(value)])
    fields = object_fields(value)
    if fields is None:
        return kind
    known[id(value)] = len(known)
    return (kind, *((k, token(v, known)) for k, v in fields.items()))


def pattern(key: Any) -> Any:
    """The key with sizes above 1 replaced by their order of appearance: equal sizes stay equal."""
    seen: dict[int, str] = {}

    def go(part: Any) -> Any:
        if type(part) is tuple:
            if len(part) == 2 and isinstance(part[0], np.dtype):
                return (
                    part[0],
                    tuple(n if n < 2 else seen.setdefault(n, f"n{len(seen)}") for n in part[1]),
                )
            return tuple(map(go, part))
        return part

    return go(key)


class Binder:
    """Binds calls to a function's parameters.

    bind(*args, **kwargs) -> the values of all parameters, in order. It is a function with the
    primal's own parameter list, so that Python does the work, and words the errors.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._read_signature()
        found = list(self.signature.parameters.values())
        self.names = tuple(p.name for p in found)
        plain = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in found)
        self.plain = len(found) if plain else -1  # so many positional arguments need no binding
        if type(function) is types.FunctionType and self._defaults != (None, None):
            self.bind = self._bind_now
        self.members: dict[str, tuple[str, Any]] = {}

    def called(self, function: Callable[..., Any], values: tuple[Any, ...]) -> Any:
        """What a function gives for the values of all parameters. Keywords at their defaults are
        left out: some of NumPy's exclude each other."""
        bound = self.signature.bind_partial()
        pairs = zip(self.signature.parameters.items(), values, strict=True)
        for (name, parameter), value in pairs:
            if parameter.kind is not parameter.KEYWORD_ONLY or value is not parameter.default:
                bound.arguments[name] = value
        return function(*bound.args, **bound.kwargs)

    def _read_signature(self) -> None:
        """The parameters, and the defaults that they have now."""
        function = self.function
        self._defaults = (
            getattr(function, "__defaults__", None),
            getattr(function, "__kwdefaults__", None),
        )
        try:
            self.signature = own_signature(function)
        except ValueError:  # of code in C that does not say: it gets what it is called with
            self.signature = inspect.signature(_anything)
        found = list(self.signature.parameters.values())
        bind = _binding(getattr(function, "__name__", "f"), found)
        if isinstance(function, functools.partial):
            bind = _with_held(bind, function, found)
        self._bind = self.bind = bind

    def _bind_now(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """`bind` of a function whose defaults may be replaced between calls."""
        held, by_name = self._defaults
        if self.function.__defaults__ is not held or self.function.__kwdefaults__ is not by_name:
            self._read_signature()
            self.bind = self._bind_now
        return self._bind(*args, **kwargs)

    def unknown(self) -> tuple[Any, ...]:
        """Values for code that knows nothing of its arguments but flags that have defaults."""
        return tuple(_unknown(p) for p in self.signature.parameters.values())

    def names_of(self, argnums: Any) -> tuple[tuple[str, ...], bool]:
        """(argument names, whether a single one was asked for).

        A member of `*args` or `**kwargs` gets a name of its own, noted in `members`; such names
        may be asked for again.
        """
        single = not isinstance(argnums, tuple | list)
        wanted = (argnums,) if single else tuple(argnums)
        return tuple(self._name(a) for a in wanted), single

    def _name(self, which: Any) -> str:
        if isinstance(which, str):
            return self._by_keyword(which)
        if not isinstance(which, int | np.integer) or isinstance(which, bool):
            raise TypeError(f"argnums must be an int, a name, or a tuple of them, not {which!r}")
        found = list(self.signature.parameters.values())
        positional = [
            p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        rest = next((p.name for p in found if p.kind is p.VAR_POSITIONAL), None)
        if rest is not None and which >= len(positional):
            return self._member(rest, which - len(positional))
        if -len(positional) <= which < len(positional):
            return positional[which]
        raise TypeError(
            f"argnums={which} is out of range: the function has {len(positional)} arguments"
        )

    def _by_keyword(self, name: str) -> str:
        if name in self.names:
            return name
        for p in self.signature.parameters.values():
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and name.startswith(f"{p.name}["):
                return self._member(p.name, ast.literal_eval(name[len(p.name) + 1 : -1]))
        extra = next(
            (p.name for p in self.signature.parameters.values() if p.kind is p.VAR_KEYWORD), None
        )
        if extra is None:
            called = getattr(self.function, "__name__", None) or repr(self.function)
            raise TypeError(
                f"{called} has no argument named {name!r}; it has {', '.join(self.names)}"
            )
        return self._member(extra, name)

    def _member(self, parameter: str, key: Any) -> str:
        name = f"{parameter}[{key!r}]"
        self.members[name] = (parameter, key)
        return name

    def pick(self, name: str, values: tuple[Any, ...]) -> Any:
        """The value of an argument or member, out of the values of all parameters."""
        if name not in self.members:
            return values[self.names.index(name)]
        parameter, key = self.members[name]
        try:
            return values[self.names.index(parameter)][key]
        except (KeyError, IndexError):
            raise TypeError(f"the call gives no argument {key!r} to differentiate by") from None


def _anything(*args: Any, **kwargs: Any) -> None:
    """The signature of what has none."""


def _with_held(
    bind: Callable[..., tuple[Any, ...]],
    function: functools.partial[Any],
    parameters: list[inspect.Parameter],
) -> Callable[..., tuple[Any, ...]]:
    """`bind` that adds to `*args` and `**kwargs` of a call what a partial holds of them."""
    _, held = opened_partial(function)
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    rest = {
        i: held[p.name] for i, p in enumerate(parameters) if p.kind in several and p.name in held
    }
    if not rest:
        return bind

    def bound(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
        values = list(bind(*args, **kwargs))
        for i, first in rest.items():
            named = isinstance(first, dict)
            values[i] = {**first, **values[i]} if named else (*first, *values[i])
        return tuple(values)

    return bound


def _unknown(parameter: inspect.Parameter) -> Any:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return ()
    if parameter.kind is parameter.VAR_KEYWORD:
        return {}
    default = parameter.default
    flag = isinstance(default, str | bool) or default is None or type(default) is int
    return default if flag else ANYTHING


def _binding(name: str, parameters: list[inspect.Parameter]) -> Callable[..., tuple[Any, ...]]:
    """A function with these parameters that returns their values."""
    shown, last = [], None
    for p in parameters:
        if last is p.POSITIONAL_ONLY and p.kind is not last:
            shown.append("/")
        if p.kind is p.KEYWORD_ONLY and last not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            shown.append("*")
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        shown.append(stars + p.name + ("=None" if p.default is not p.empty else ""))
        last = p.kind
    if parameters and last is inspect.Parameter.POSITIONAL_ONLY:
        shown.append("/")
    values = "".join(f"{p.name}, " for p in parameters)
    scope: dict[str, Any] = {}
    exec(f"def bind({', '.join(shown)}): return ({values})", scope)
    bind = scope["bind"]
    bind.__name__ = bind.__qualname__ = name
    given = [p for p in parameters if p.default is not p.empty]
    bind.__defaults__ = tuple(p.default for p in given if p.kind is not p.KEYWORD_ONLY)
    bind.__kwdefaults__ = {p.name: p.default for p in given if p.kind is p.KEYWORD_ONLY}
    return bind


__all__ = ["Binder", "Place", "holds_no_floats", "pattern", "token"]
