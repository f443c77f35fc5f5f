"""Floor 2: the decorators that declare a derivative, and the table they fill.

A rule is an ordinary function `(y_bar, y, ...)` with NumPy's own argument names. Its array
arguments are the parameters without default, a `*variadic` one, and those named in `optional`;
it returns one cotangent for each, or `None` for one that must not be active (an index, a
shape). See docs/rules.md.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.errors import RuleError, Span
from s2sgrad.rules.naming import spelled
from s2sgrad.rules.renewal import declared_by_user, renew
from s2sgrad.rules.slicing import Partial, cut, may_overflow, parse_rule, with_names

Function = Callable[..., Any]
# Keywords of every ufunc that rules need not know. `out` and `where` are the callers' business.
UFUNC_KEYWORDS = frozenset({"casting", "dtype", "order", "signature", "subok"})
_MISSING = inspect.Parameter.empty


@dataclass(frozen=True)
class Rule:
    """The declared derivative of one function.

    kind: "elementwise" (broadcasting, the partial may ignore shapes), "structural" (the
    partial returns the argument's shape), "zero" (flat almost everywhere) or "none" (the
    result carries no derivative).
    linear: names of the arguments in which the function is linear (with the others fixed).
    affine: parameters to leave out where a linear function is applied to a tangent, since
    they add a constant (`initial` of np.sum).
    holomorphic: False where the rule itself deals with complex conjugates.
    sequences: arguments that are sequences of arrays; their cotangents are sequences too
    (to be stacked where the caller passed one array for the sequence of its rows).
    singular: the partial is infinite or NaN somewhere, at the edge of the domain or where the
    value is: there an exact zero in y_bar comes out as NaN unless the caller guards it. Derived
    from the text (`infinite_slope`) where it is not declared.
    harmless: for a function of two arguments, whether a second one that is this number leaves
    it without singular points (a divisor other than zero).
    rooted: the slope may be infinite where the value is finite; or for which second arguments.
    kinks: arguments at whose zeros the slope is 0 by convention (np.abs).
    selects: it leaves entries out by value or condition, with cotangent zero (np.maximum).
    reduces: y is made of the first argument along `axis`: what has a zero in y_bar is left out.
    flat: array arguments that only choose: no derivative passes through them.
    optional: array arguments with a default; their partial is asked for where an array came.
    aliases: other keywords of a parameter (`min` for `a_min` of np.clip).
    flat_if_real: for real arguments the derivative is zero (almost) everywhere.
    tuple_output: the function returns a tuple or list; `y_bar` and `y` are tuples.
    """

    function: Function
    name: str
    kind: str
    declaration: Function | None = None
    linear: tuple[str, ...] = ()
    holomorphic: bool = True
    affine: tuple[str, ...] = ()
    sequences: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict, compare=False)
    flat_if_real: bool = False
    tuple_output: bool = False
    singular: bool | None = None
    harmless: Function | None = field(default=None, compare=False)
    rooted: Any = field(default=False, compare=False)
    kinks: tuple[str, ...] = ()
    selects: bool = False
    reduces: bool = False
    flat: tuple[str, ...] = ()
    tangent_declaration: Function | None = None
    span: Span | None = None
    why: str = ""
    extra: dict[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def _declared(self) -> tuple[inspect.Parameter, ...]:
        if self.declaration is None:
            return ()
        own = tuple(inspect.signature(self.declaration).parameters.values())[2:]
        return tuple(p.replace(name=self._canonical.get(p.name, p.name)) for p in own)

    @cached_property
    def _canonical(self) -> dict[str, str]:
        """Names in the declaration -> those used here: `y_bar` and `y` come first, and no argument
        is called so."""
        if self.declaration is None or not self.extra.get("by_user"):
            return {}
        bar, y, *own = inspect.signature(self.declaration).parameters
        taken = {name: f"{name}_argument" for name in own if name in ("y_bar", "y")}
        return {**taken, **{a: b for a, b in ((bar, "y_bar"), (y, "y")) if a != b}}

    @cached_property
    def signature(self) -> tuple[tuple[str, Any], ...]:
        """(name, default) of every parameter after `y_bar, y`; no default: Parameter.empty."""
        return tuple((p.name, p.default) for p in self._declared)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.signature)

    @cached_property
    def variadic(self) -> str | None:
        """The parameter that takes any number of positional arguments, bound as one tuple."""
        names = [p.name for p in self._declared if p.kind is p.VAR_POSITIONAL]
        return names[0] if names else None

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """Names of the array arguments: parameters without a default, then `optional` ones."""
        return tuple(
            name for name, default in self.signature if default is _MISSING or name in self.optional
        )

    @cached_property
    def shape_only(self) -> frozenset[str]:
        """Arguments without derivative: `flat` ones, and those read for their shape alone."""
        positions = getattr(self.function, "shape_only", ())
        shapes = (self.parameters[i] for i in positions if i < len(self.parameters))
        return frozenset((*shapes, *self.flat))

    @cached_property
    def infinite_slope(self) -> bool:
        """Whether a partial may be infinite or NaN: as declared, or where it divides or calls."""
        if self.singular is not None:
            return self.singular
        return self.kind == "elementwise" and any(
            p.reads - {"y_bar"} and may_overflow(p) for p in self.partials.values()
        )

    @property
    def sequence(self) -> bool:
        """Whether the first array argument is a sequence of arrays."""
        return bool(self.arguments) and self.arguments[0] in self.sequences

    @cached_property
    def partials(self) -> dict[str, Partial]:
        """Argument name -> the slice of the rule for it. Cut on first use."""
        if self.declaration is None:
            return {}
        tree, span = parse_rule(self.declaration)
        tree = with_names(tree, self._canonical)
        slices = cut(tree, span, self.arguments, _scope(self.declaration))
        return {name: p for name, p in slices.items() if name not in self.shape_only}

    @cached_property
    def tangents(self) -> dict[str, Partial]:
        """Argument name -> the slice of the declared tangent (parameter `<argument>_dot`)."""
        if self.tangent_declaration is None:
            return {}
        tree, span = parse_rule(self.tangent_declaration)
        return cut(tree, span, self.arguments, _scope(self.tangent_declaration), True)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Parameter name -> value, defaults filled in; TypeError for an unknown keyword.

        A variadic parameter is bound to the tuple of its arguments.
        """
        bound = self._bind_positional(args)
        for keyword, value in kwargs.items():
            if keyword in UFUNC_KEYWORDS and isinstance(self.function, np.ufunc):
                continue  # they change the result's dtype or layout, not its derivative
            name = self.aliases.get(keyword, self._canonical.get(keyword, keyword))
            if name not in self.parameters:
                raise TypeError(f"{self.name}: its rule does not know the argument '{name}'")
            if name in bound:
                raise TypeError(f"{self.name}: argument '{name}' is given twice")
            bound[name] = value
        for name, default in self.signature:
            if name not in bound:
                if default is _MISSING:
                    raise TypeError(f"{self.name}: argument '{name}' is missing")
                bound[name] = default
        return {name: bound[name] for name in self.parameters}

    def _bind_positional(self, args: tuple[Any, ...]) -> dict[str, Any]:
        if self.variadic is not None:
            leading = self.parameters.index(self.variadic)
            return {
                **dict(zip(self.parameters[:leading], args, strict=False)),
                self.variadic: tuple(args[leading:]),
            }
        if len(args) > len(self.signature):
            raise TypeError(f"{self.name}: too many arguments for its rule")
        return dict(zip(self.parameters, args, strict=False))


RULES: dict[Any, Rule] = {}  # function -> rule
_BY_ID: dict[int, Rule] = {}  # rules of callables that can't be hashed
_BY_PATH: dict[str, Rule] = {}  # "scipy.special.erf" -> rule; resolved once scipy is loaded
_WRAPPERS = "s2sgrad_runtime.scipy_helpers"
_LATE: dict[str, tuple[str, ...]] = {}  # "scipy.special" -> modules with its rules


def _hashable(function: Any) -> bool:
    """Whether a callable can be a key; functions loaded by ctypes can't."""
    try:
        hash(function)
    except TypeError:
        return False
    return True


def _scope(declaration: Function) -> dict[str, Any]:
    """Names a rule may use: those where it is written, NumPy and every runtime helper."""
    helpers = {name: getattr(s2sgrad_runtime, name) for name in s2sgrad_runtime.__all__}
    cells = inspect.getclosurevars(declaration).nonlocals
    return {"np": np, **helpers, **declaration.__globals__, **cells}


def qualified_name(function: Any) -> str:
    """`numpy.linalg.solve` for a function, as short as users write it (`np.` for NumPy)."""
    if isinstance(function, str):
        return function
    known = RULES.get(function) if _hashable(function) else None
    if known is not None and known.name.startswith("scipy."):
        return known.name
    return spelled(function)


def register(function: Any, rule: Rule) -> None:
    """Enter a rule; a string path names a function whose package is not imported yet."""
    if declared_by_user(rule.tangent_declaration or rule.declaration):
        renew(function, declared(function) is not None)
    if isinstance(function, str):
        _BY_PATH[function] = rule
    elif not _hashable(function):
        _BY_ID[id(function)] = rule  # the rule keeps the function alive
    else:
        RULES[function] = rule


def declared(function: Any) -> Rule | None:
    """The rule of a function as far as rules are loaded, or None."""
    try:
        return RULES.get(function)
    except TypeError:
        return _BY_ID.get(id(function))


def lookup(function: Any) -> Rule | None:
    """The rule of a function, or None. Imports rules only of packages that are imported."""
    try:
        found = RULES.get(function)
    except TypeError:
        return _BY_ID.get(id(function))
    if found is None and (_BY_PATH or _LATE):
        _resolve_paths()
        found = RULES.get(function)
    if found is None and getattr(function, "__module__", "") == _WRAPPERS:
        found = _rule_of_wrapper(function)
    return found


def _rule_of_wrapper(wrapper: Any) -> Rule | None:
    """The runtime's `scipy_digamma` has the rule of `scipy.special.digamma`."""
    package, topic, *chain = getattr(wrapper, "path", "a.b").split(".")
    target = importlib.import_module(f"{package}.{topic}") if chain else None
    for name in chain:
        target = getattr(target, name)
    rule = lookup(target) if chain else None
    if rule is not None:
        RULES[wrapper] = rule = replace(rule, function=wrapper)
    return rule


def rules_on_import(module: str, *rule_modules: str) -> None:
    """Import `rule_modules` at the first look-up after `module` has been imported."""
    _LATE[module] = rule_modules


def _import_late_rules() -> None:
    for module in [name for name in _LATE if name in sys.modules]:
        for rule_module in _LATE.pop(module):
            importlib.import_module(rule_module)


def _resolve_paths() -> None:
    """Enter the rules declared by path whose module has been imported meanwhile.

    `scipy.stats.norm.pdf` is a method of an object of `scipy.stats`: modules have two parts or
    more. Bound methods of one object are equal, so they can be keys of the table.
    """
    _import_late_rules()
    for home in {path.rsplit(".", 1)[0] for path in _BY_PATH}:
        module = home if home in sys.modules or home.count(".") < 2 else home.rsplit(".", 1)[0]
        if module in sys.modules:
            for path in [p for p in _BY_PATH if p.rsplit(".", 1)[0] == home]:
                _resolve(sys.modules[module], path, path[len(module) + 1 :])


def _resolve(module: Any, path: str, chain: str) -> None:
    rule, function = _BY_PATH.pop(path), module
    for name in chain.split("."):
        function = getattr(function, name, None)
    if function is not None:
        RULES[function] = replace(rule, function=function)


def _declare(kind: str, functions: tuple[Any, ...], **facts: Any) -> Callable[[Function], Function]:
    def decorate(declaration: Function) -> Function:
        code = declaration.__code__
        span = Span(code.co_filename, code.co_firstlineno)
        for function in functions:
            name = qualified_name(function)
            register(function, Rule(function, name, kind, declaration, span=span, **facts))
        return declaration

    return decorate


def elementwise(
    *functions: Any, holomorphic: bool = True, linear: tuple[str, ...] = (), **facts: Any
) -> Callable[[Function], Function]:
    """Declare a rule for functions that act entry by entry, with broadcasting.

    `@elementwise(np.tanh) def tanh(y_bar, y, x): return y_bar * (1.0 - y * y)`
    """
    return _declare("elementwise", functions, holomorphic=holomorphic, linear=linear, **facts)


def structural(
    *functions: Any,
    linear: tuple[str, ...] = (),
    holomorphic: bool = True,
    sequence: bool = False,
    **facts: Any,
) -> Callable[[Function], Function]:
    """Declare a rule whose cotangents come out in the arguments' own shapes.

    `sequence=True`: the first argument is a sequence of arrays. Other `facts` are `Rule` fields:
    `sequences`, `affine`, `optional`, `tuple_output`.
    """

    def decorate(declaration: Function) -> Function:
        if sequence:
            first = list(inspect.signature(declaration).parameters)[2]
            facts["sequences"] = (first,)
        declare = _declare("structural", functions, linear=linear, holomorphic=holomorphic, **facts)
        return declare(declaration)

    return decorate


def tangent(*functions: Any) -> Callable[[Function], Function]:
    """Declare the tangent of functions that are neither linear nor holomorphic and elementwise.

    `@tangent(np.prod) def prod_dot(y, a, axis=None, keepdims=False, *, a_dot): return ...`
    Returns one contribution to `y_dot` per array argument, each linear in `<argument>_dot`.
    Elementwise functions that are not holomorphic declare one too.
    """

    def decorate(declaration: Function) -> Function:
        for function in functions:
            rule = _BY_PATH.get(function) if isinstance(function, str) else lookup(function)
            if rule is None:
                raise RuleError(f"tangent of {qualified_name(function)} comes before its rule")
            facts = {k: getattr(rule, k) for k in Rule.__dataclass_fields__}
            register(function, Rule(**{**facts, "tangent_declaration": declaration}))
        return declaration

    return decorate


def keep_whole(function: Any) -> None:
    """A function that is called as it is, once, where it stands: it is not looked into."""
    rule = lookup(function) or Rule(function, qualified_name(function), "none")
    register(function, replace(rule, extra={**rule.extra, "opaque": True}))


def is_opaque(function: Any) -> bool:
    """Whether a function may have effects, so that its calls stay as they are."""
    rule = declared(function)
    return rule is not None and bool(rule.extra.get("opaque"))


def zero_derivative(*functions: Any, kind: str = "zero", why: str = "") -> None:
    """Functions that are flat almost everywhere (floor, sign): their derivative is zero."""
    for function in functions:
        register(function, Rule(function, qualified_name(function), kind, why=why))


def no_derivative(*functions: Any) -> None:
    """Functions whose result carries no derivative (argmax, comparisons, shapes)."""
    zero_derivative(*functions, kind="none")


def not_yet(*functions: Any, why: str) -> None:
    """Functions that have a derivative but no rule; asking for it says why."""
    zero_derivative(*functions, kind="not_yet", why=why)
