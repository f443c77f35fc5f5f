"""Floor 4: `grad(f)` and its kin, called while a function runs, also for an f made there.

`grad(lambda y: x * y)` is `grad` of `def function(y, x): return x * y`, by y: what the lambda
reads from outside is handed on as further arguments, through which derivatives pass.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from s2sgrad.frontend.functions.entering import Entering
from s2sgrad.frontend.functions.lifting import Lifted, Lifting
from s2sgrad.frontend.values import Bound, Func, Heap, Instance, Partial, Static, Value


class Deriving(Entering, Lifting):
    """Makes derivatives of functions while another one is lowered."""

    def transform(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A derivative of a function, made now."""
        inside = getattr(target, "__s2sgrad_inside__", None)
        if inside is not None:
            return inside(self, args, kwargs, node)
        values = [a.value for a in args if isinstance(a, Static)]
        named = {k: v.value for k, v in kwargs.items() if isinstance(v, Static)}
        if len(values) == len(args) and len(named) == len(kwargs):
            return Static(target(*values, **named))
        if args:
            kwargs = {
                **dict(zip(inspect.signature(target).parameters, args, strict=False)),
                **kwargs,
            }
        function = kwargs.pop("function", Static(None))
        options = {name: self._known_option(v, name, node) for name, v in kwargs.items()}
        count = None if isinstance(function, Static) else self.count_of(function, node)
        if count is not None and "argnums" in options:
            options["argnums"] = _from_the_front(options["argnums"], count)
        made, further = self.derivative_of(target, function, options, node, count)
        # what it holds (an object's fields, what a def reads) may be another at each call
        here = not isinstance(function, Static) and getattr(function, "function", None) is None
        here = here or isinstance(function, Bound | Partial)
        origin = (target, function, options) if here else None
        return Partial(Static(made), (), further, origin) if further or here else Static(made)

    def derivative_of(
        self, target: Any, function: Value, options: dict[str, Any], node: ast.AST,
        count: int | None = None,
    ) -> tuple[Any, tuple[tuple[str, Value], ...]]:  # fmt: skip
        """The derivative of a real function, and what it takes besides: what names hold now."""
        lifted = self.derivable(function, node, count)
        key = ("derivative", id(target), id(lifted.function), repr(options))
        made = self.kept_product(key, lambda: target(lifted.function, **options))
        return made, tuple(lifted.further.items())

    def made_again(self, value: Partial, node: ast.AST, given: int = 0) -> Partial:
        """A derivative of a function of what its names hold by now. given: the arguments of a
        call, of which the last may be for parameters that have a default."""
        if value.made_of is None:
            return value
        made, further = self.derivative_of(*value.made_of, node)
        placed = max(0, given + len(value.args) - _takes_direction(value.made_of[0]))
        names = list(inspect.signature(made).parameters)[:placed]
        return Partial(Static(made), value.args, tuple(p for p in further if p[0] not in names))

    def derivable(self, value: Value, node: ast.AST, count: int | None = None) -> Lifted:
        """A real function for one that is differentiated: the same in every attempt at a loop."""
        if isinstance(value, Static):
            return Lifted(value.value, {})
        count = self.count_of(value, node) if count is None else count
        found = self.lifted(value, count, "function", node, _required_names(value))
        cells = tuple(id(cell.cell_contents) for cell in found.function.__closure__ or ())
        key = ("lifted", found.function.__code__, cells)
        return Lifted(self.kept_product(key, lambda: found.function), found.further)

    def kept_product(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What was made for this key, however often the lowering starts again."""
        if key not in self.entered:
            self.entered[key] = make()
        return self.entered[key]

    def count_of(self, value: Value, node: ast.AST) -> int:
        """How many arguments without a default a function takes."""
        match value:
            case Func(args=spec, defaults=defaults):
                return len(spec.posonlyargs) + len(spec.args) - len(defaults)
            case Bound(function=inner):
                return self.count_of(inner, node) - 1
            case Partial(made_of=(target, function, _)):  # hvp takes a direction too
                return self.count_of(function, node) + _takes_direction(target)
            case Partial(function=inner, args=args, kwargs=kwargs):
                named = {key for key, _ in kwargs} & self._required_of(inner, node)
                return max(0, self.count_of(inner, node) - len(args)) - len(named)
            case Static(value=known) if inspect.isfunction(known):
                return self.count_of(self.function_value(known), node)
            case Static(value=known) if (made := _required_by(known)) is not None:
                return made
            case Heap():
                return self.count_of(self.attribute(value, "__call__", node), node)
        raise self.refuse(
            "can't tell how many parameters this function has",
            node,
            "the derivative needs one input for each",
            "give the function parameters with names, without * and **",
        )

    def _required_of(self, function: Value, node: ast.AST) -> set[str]:
        """The names of a function's arguments that have no default, by place or by name."""
        match function:
            case Func(args=spec, defaults=defaults):
                names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
                return set(names[: len(names) - len(defaults)])
            case Bound(function=inner) | Partial(function=inner):
                return self._required_of(inner, node)
            case Static(value=known) if inspect.isfunction(known):
                return self._required_of(self.function_value(known), node)
            case Static(value=known):
                found = getattr(getattr(known, "__signature__", None), "parameters", {})
                return {n for n, p in found.items() if p.default is p.empty}
            case Heap() if isinstance(self.contents(function), Instance):
                return self._required_of(self.attribute(function, "__call__", node), node)
        return set()

    def _known_option(self, value: Value, name: str, node: ast.AST) -> Any:
        items = self.static_items(value)
        if items is not None:
            return tuple(self._known_option(item, name, node) for item in items)
        if isinstance(value, Static):
            return value.value
        raise self.refuse(
            f"a derivative is made here, and {name} is known only when the code runs", node,
            "derivatives are generated before", f"write {name} as a constant",
        )  # fmt: skip


def _takes_direction(transform: Any) -> bool:
    """Whether a derivative takes a direction behind the function's arguments."""
    return bool(transform.__name__ == "hvp")


def _required_names(function: Value) -> tuple[str, ...]:
    """The arguments that a function takes by name only, and has no default for."""
    if isinstance(function, Partial) and function.made_of is not None:
        return _required_names(function.made_of[1])
    if not isinstance(function, Func):
        return ()
    given = dict(function.kw_defaults)
    return tuple(a.arg for a in function.args.kwonlyargs if a.arg not in given)


def _required_by(derivative: Any) -> int | None:
    """How many arguments without a default a derivative takes, where that is fixed."""
    signature = getattr(derivative, "__signature__", None)
    if not isinstance(signature, inspect.Signature):
        return None
    found = signature.parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found):
        return None
    return sum(p.default is p.empty and p.kind is not p.KEYWORD_ONLY for p in found)


def _from_the_front(argnums: Any, count: int) -> Any:
    """Positions counted from the end, counted from the front."""
    if isinstance(argnums, tuple):
        return tuple(_from_the_front(item, count) for item in argnums)
    return argnums + count if isinstance(argnums, int) and argnums < 0 else argnums
