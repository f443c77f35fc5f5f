"""Floor 4: functions made inside others become functions of their own.

A solver of a library needs a real function, one that exists when generated code runs. What a
nested def or a lambda reads from outside goes into further parameters of it: `lambda x: x - a`
becomes `def function(x, a): return x - a`, and `a` is handed on where the solver takes `args`.
Functions and modules that it reads are known while compiling; they go into its closure.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from typing import Any

import numpy as np

from s2sgrad.frontend.base import callable_class
from s2sgrad.frontend.functions.lifted_texts import (
    compiled,
    definition,
    statement_at,
    with_parameters,
)
from s2sgrad.frontend.functions.rebuilding import Rebuilding, entered, fresh
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Func,
    Heap,
    Instance,
    Mapping,
    Partial,
    Sequence,
    Static,
    Value,
    is_function,
)
from s2sgrad.ir.types import Array, Number, Scalar


@dataclasses.dataclass
class Lifted:
    """A real function, and the values of the parameters that it has beyond those it was called
    with before."""

    function: Any
    further: dict[str, Value]


@dataclasses.dataclass
class Wanted:
    """A function that a solver is given, and what it is called with: `lead` arguments of the
    solver's, the solver's `args` too if it takes them, or arguments of its own."""

    function: Value
    lead: int
    takes_args: bool = True
    given_args: tuple[Value, ...] = ()


def is_solver(function: Any) -> bool:
    """Whether a function stands in for a solver of SciPy, which is given functions."""
    name = getattr(function, "__module__", None)
    module = sys.modules.get(name) if name in SOLVERS else None
    return module is not None and getattr(function, "__name__", "") in module.READ


class Lifting(Rebuilding):
    """Makes real functions of those that exist only while compiling.

    lifting: those that are being made.
    """

    lifting: list[ast.AST]

    def is_closure(self, value: Value) -> bool:
        """Whether a value is a function that generated code could not name."""
        if isinstance(value, Func):
            return value.function is None
        contents = self.contents(value)
        called = isinstance(contents, Instance) and callable_class(contents.cls)
        return isinstance(value, Bound | Partial) or called

    def lift_arguments(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> dict[str, Value]:
        """The arguments of a solver's stand-in by name, with real functions, and in `args` what
        those take besides."""
        signature = inspect.signature(target)
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise self.refuse(
                f"{target.__name__}(): {error}",
                node,
                "Python raises an error here as well",
                "call it with the arguments that it takes",
            ) from error
        rest = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), "")
        given: dict[str, Value] = {**bound, **bound.get(rest, {})}
        given.pop(rest, None)
        leads = {
            name: _LEADS[p.annotation] or self._lead(given[name], given.get("ranges"), node)
            for name, p in signature.parameters.items()
            if p.annotation in _LEADS and name in given and is_function(given[name])
        }
        if "count" in signature.parameters:
            given["count"] = Static(max(leads.values(), default=1) - 1)
        already = self._passed_on(target.__name__, given)
        wanted = {n: Wanted(given[n], lead, n not in ALONE) for n, lead in leads.items()}
        rules = self._constraints(given.get("constraints"), node)
        wanted |= {f"constraint_{i}": rule for i, (_, rule) in enumerate(rules)}
        ranges = self._given_items(given.get("ranges"))
        wanted |= {
            f"range_{i}": Wanted(f, len(ranges) - 1 - i)
            for i, f in enumerate(ranges)
            if is_function(f)
        }
        events = self._given_items(given.get("events")) if "events" not in leads else []
        wanted |= {f"event_{i}": Wanted(f, 2) for i, f in enumerate(events) if is_function(f)}
        plain = not any(w.given_args or w.takes_args < bool(already) for w in wanted.values())
        if plain and not any(self.is_closure(w.function) for w in wanted.values()):
            made = {name: w.function for name, w in wanted.items()}
        else:
            made = self._together(wanted, already, given, node)
        given |= {name: made[name] for name in leads}
        if "constraints" in given:
            pairs = [(kind, made[f"constraint_{i}"]) for i, (kind, _) in enumerate(rules)]
            given["constraints"] = self.sequence([self.sequence(pair) for pair in pairs])
        if events:
            named = [made.get(f"event_{i}", value) for i, value in enumerate(events)]
            given["events"] = self.sequence(named)
        if ranges:
            ends = [made.get(f"range_{i}", value) for i, value in enumerate(ranges)]
            given["ranges"] = self.sequence(ends)
        return given

    def _together(
        self,
        wanted: dict[str, Wanted],
        already: list[Value],
        given: dict[str, Value],
        node: ast.AST,
    ) -> dict[str, Value]:
        """Real functions that all take the same `args`, which hold what any of them needs."""
        taken: dict[str, Value] = {}
        made: dict[str, Value] = {}
        lifted: dict[str, tuple[Any, int, list[str]]] = {}
        for name, one in wanted.items():
            count = one.lead + (len(already) if one.takes_args else 0)
            found = self.lifted(one.function, count + len(one.given_args), name, node)
            further = {f"given_{i}": v for i, v in enumerate(one.given_args)} | found.further
            lifted[name] = (
                found.function,
                count,
                [entered(taken, *item) for item in further.items()],
            )
        for name, (function, count, passed) in lifted.items():
            skipped = 0 if wanted[name].takes_args else len(already)
            function = with_parameters(function, count, skipped, passed, tuple(taken), name)
            named = wanted[name].function
            if isinstance(named, Static) and inspect.isfunction(named.value):
                vars(function).update(vars(named.value))  # `event.terminal = True`
            made[name] = Static(function, self.outside_name(function))
        given["args"] = self.sequence([*already, *taken.values()])
        return made

    def _constraints(self, value: Value | None, node: ast.AST) -> list[tuple[Value, Wanted]]:
        """Kind and function of each constraint of scipy.optimize.minimize."""
        if value is None:
            return []
        items = [value] if isinstance(self.contents(value), Mapping) else self._given_items(value)
        found = []
        for rule in (r for item in items for r in self._given_items(item)):
            contents = self.contents(rule)
            if not isinstance(contents, Mapping):
                raise self.refuse(
                    "can't tell what this constraint is", node, "it is not made here",
                    "write {'type': 'eq', 'fun': function} or LinearConstraint(...) in the call",
                )  # fmt: skip
            parts = dict(contents.items)
            first = tuple(self._given_items(parts.get("args")))
            found.append((parts["type"], Wanted(parts["fun"], 1, False, first)))
        return found

    def _lead(self, value: Value, ranges: Value | None, node: ast.AST) -> int:
        """How many arguments a solver gives a function: one for each range of an integral, or as
        many as it has parameters without default."""
        if ranges is not None:
            return len(self._given_items(ranges))
        if isinstance(value, Static) and inspect.isfunction(value.value):
            value = self.function_value(value.value)
        if not isinstance(value, Func):
            raise self.refuse(
                "can't tell how many parameters this function has",
                node,
                "it becomes a function with an argument for each",
                "give the function parameters with names, without * and **",
            )
        return len(value.args.posonlyargs) + len(value.args.args) - len(value.defaults)

    def _passed_on(self, solver: str, given: dict[str, Value]) -> list[Value]:
        """What a solver hands on in `args`. One value that is no tuple is one argument, as in
        SciPy, and gets a tuple around it."""
        value = given.get("args")
        contents = None if value is None else self.contents(value)
        listed = isinstance(contents, Sequence) and contents.kind == "list"
        number = isinstance(value, Dyn) and isinstance(value.type, Array | Number | Scalar)
        number |= isinstance(value, Static) and isinstance(value.value, np.ndarray | float | int)
        if value is not None and solver not in _SPREADING and (listed or number):
            given["args"] = self.sequence([value])
            return [value]
        return self._given_items(value)

    def _given_items(self, value: Value | None) -> list[Value]:
        if value is None:
            return []
        items = self.static_items(value)
        return [value] if items is None else items

    def lifted(
        self, value: Value, count: int, name: str, node: ast.AST, named: tuple[str, ...] = ()
    ) -> Lifted:
        """A real function for `value`, which is called with `count` arguments and some by name."""
        match value:
            case Static():
                return Lifted(value.value, {})
            case Func(function=None):
                return self._lifted_def(value, count, name, node, named)
            case Func():
                return Lifted(value.function, {})
            case Bound(function=inner, owner=owner):
                return self._lifted_call(inner, [owner], [], count, name, node)
            case Partial(made_of=made) if made is not None:
                again = self.made_again(value, node)  # type: ignore[attr-defined]
                return self.lifted(again, count, name, node, named)
            case Partial(function=inner, args=args, kwargs=kwargs):
                return self._lifted_call(inner, list(args), list(kwargs), count, name, node, named)
            case Heap() if isinstance(self.contents(value), Instance):
                inner = self.attribute(value, "__call__", node)
                return self.lifted(inner, count, name, node)
            case Chosen():
                pass
        raise self.refuse(
            "can't tell while compiling which function this is", node,
            "it is one of several, by the path", "call it, or the solver, on each path",
        )  # fmt: skip

    def _lifted_call(
        self,
        inner: Value,
        first: list[Value],
        named: list[tuple[str, Value]],
        count: int,
        name: str,
        node: ast.AST,
        taken: tuple[str, ...] = (),
    ) -> Lifted:
        """`def name(x, ...): return inner(*first, x, ..., **named)`. taken: others by name."""
        by_name = (*taken, *(key for key, _ in named))
        within = self.lifted(inner, len(first) + count, name, node, by_name)
        known: dict[str, Any] = {"inner": within.function}
        values: dict[str, Value] = {}
        firsts = [self.taken_apart(v, f"given_{i}", known, values) for i, v in enumerate(first)]
        pairs = [f"{key}={self.taken_apart(v, f'given_{key}', known, values)}" for key, v in named]
        places = [f"place_{i}" for i in range(count)]
        own = [fresh(key, values) for key in within.further]
        values |= dict(zip(own, within.further.values(), strict=True))
        pairs += [f"{key}={key}" for key in taken]
        passed, given = [*firsts, *places, *own, *pairs], ", ".join([*places, *values, *taken])
        text = f"def {name}({given}):\n return inner({', '.join(passed)})"
        made = statement_at(text, node)
        assert isinstance(made, ast.FunctionDef)
        function = compiled(made, known, self.frame.globals, self.source)
        return Lifted(function, values)

    def _lifted_def(
        self, value: Func, count: int, name: str, node: ast.AST, named: tuple[str, ...]
    ) -> Lifted:
        if value.source.node in self.lifting:
            raise self.refuse(
                "a function that is made here calls itself",
                node,
                "it has to be known as a whole before it is differentiated, or a solver calls it",
                "write the recursion as a loop, or define the function at the top of the module",
            )
        self.lifting.append(value.source.node)
        try:
            return self._lifted_alone(value, count, name, node, named)
        finally:
            self.lifting.pop()

    def _lifted_alone(
        self, value: Func, count: int, name: str, node: ast.AST, named: tuple[str, ...]
    ) -> Lifted:
        source, frame = value.source, value.scope
        assert frame is not None
        names = [a.arg for a in (*value.args.posonlyargs, *value.args.args)]
        found_outside = self.names_outside(value, node)
        defaults = dict(zip(names[len(names) - len(value.defaults) :], value.defaults, strict=True))
        optional = {
            **{n: defaults[n] for n in names[count:] if n in defaults},
            **dict(value.kw_defaults),
        }
        values = {n: v for n, v in optional.items() if n not in named}
        known: dict[str, Any] = {}
        prelude: list[ast.stmt] = []
        for free in found_outside:
            found = self._captured_value(frame, free, source.node)
            if found is None or free in values or free in names:
                continue
            if isinstance(found, Static) and not isinstance(found.value, int | float | complex):
                known[free] = found.value
            elif isinstance(found, Heap) and isinstance(self.contents(found), Instance):
                self.refuse_written(free, source.node)
                text = f"{free} = {self.taken_apart(found, free, known, values)}"
                prelude.append(statement_at(text, node))
            elif isinstance(found, Bound) and isinstance(found.function, Static):
                owner = self.taken_apart(found.owner, free, known, values)
                text = f"{free} = {owner}.{found.function.value.__name__}"
                prelude.append(statement_at(text, node))
            elif is_function(found):
                prelude.append(self._inner(found, free, known, values, node))
            else:
                values[free] = found
        further = (*values, *named)
        made = definition(source.node, name, names[:count], further, prelude)
        return Lifted(compiled(made, known, frame.globals, source), values)

    def _inner(
        self,
        value: Value,
        name: str,
        known: dict[str, Any],
        values: dict[str, Value],
        node: ast.AST,
    ) -> ast.stmt:
        """A function that a lifted one calls, as a def inside of it: lifted too."""
        if isinstance(value, Func):
            parameters = [a.arg for a in (*value.args.posonlyargs, *value.args.args)]
            defaults = value.defaults
        else:
            count = self.count_of(value, node)  # type: ignore[attr-defined]
            parameters, defaults = [f"place_{i}" for i in range(count)], ()
        found = self.lifted(value, len(parameters), name, node)
        held = fresh(f"{name}_alone", known)
        known[held] = found.function
        further = []
        for key, item in found.further.items():
            key = key if values.get(key) == item else fresh(key, values)
            values[key] = item
            further.append(key)
        start = len(parameters) - len(defaults)
        shown = list(parameters)
        for i, default in enumerate(defaults, start):
            key = fresh(f"{name}_{parameters[i]}", values)
            values[key] = default
            shown[i] += f"={key}"
        text = f"def {name}({', '.join(shown)}):\n return {held}("
        return statement_at(text + ", ".join([*parameters, *further]) + ")", node)

    def _captured_value(self, frame: Frame, name: str, node: ast.AST) -> Value | None:
        """What a name means in an enclosing function; None for globals and builtins."""
        scope: Frame | None = frame
        while scope is not None:
            if self.get(scope, name) is not None or name in scope.cells:
                return self.lookup(scope, name, node)
            if name in scope.local_names:
                return None
            scope = scope.parent
        return None


SOLVERS = (
    "s2sgrad.standins.integrating",
    "s2sgrad.standins.integrating_events",
    "s2sgrad.standins.integrating_several",
    "s2sgrad.standins.minimizing",
    "s2sgrad.standins.older_solvers",
    "s2sgrad.standins.solving",
)
_LEADS = {
    "Function": 1, "Function | None": 1, "FunctionOfTwo": 2, "FunctionOfTwo | None": 2,
    "FunctionOfThree": 3, "Model": 0, "Model | None": 0, "Slope": 1,
}  # fmt: skip
_SPREADING = ("fixed_point", "least_squares", "newton", "solve_ivp")  # take any sequence apart
ALONE = ("gfun", "hfun", "qfun", "rfun")  # functions that are not given a solver's `args`
