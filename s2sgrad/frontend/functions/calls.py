"""Floor 4: calls: inline user functions, construct objects, hand library calls on."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Set
from typing import Any, get_origin

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.islands import tools_of
from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend import refusals
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base, callable_class
from s2sgrad.frontend.builtins.keywords import placed
from s2sgrad.frontend.builtins.ufunc_methods import is_ufunc_method
from s2sgrad.frontend.containers.sparse import is_sparse
from s2sgrad.frontend.containers.trees import FACTS, is_tree_helper
from s2sgrad.frontend.doubtful_names import doubtful_names
from s2sgrad.frontend.exits import Unroll, may_fall_off
from s2sgrad.frontend.expressions.spreading import Rest
from s2sgrad.frontend.functions.entering import is_generated, is_transform
from s2sgrad.frontend.functions.library import defined_in, is_stdlib
from s2sgrad.frontend.functions.lifting import is_solver
from s2sgrad.frontend.functions.standing_in import fits, of_stacks, serves, spelled_out, stand_in
from s2sgrad.frontend.functions.unfolding import Unfold, runs
from s2sgrad.frontend.loops.generator_texts import yields
from s2sgrad.frontend.models.standins import is_model
from s2sgrad.frontend.outside import is_distribution
from s2sgrad.frontend.refusals import refused_function
from s2sgrad.frontend.scopes import holds_scope, local_names
from s2sgrad.frontend.source import find_source, unwrap
from s2sgrad.frontend.state import Clash, Frame
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Func,
    Heap,
    Mapping,
    Method,
    Partial,
    Static,
    Value,
    is_mixed,
    own_copy,
)
from s2sgrad.frontend.waiting import in_turn
from s2sgrad.ir.types import is_number
from s2sgrad.rules.declare import is_opaque, lookup
from s2sgrad.rules.methods import EQUIVALENTS

MAX_DEPTH = 60


def is_unbound(function: Any) -> bool:
    """Whether this is a method without its object: `str.strip`, `np.ndarray.sum`."""
    method = isinstance(function, types.MethodDescriptorType)
    return method and function.__objclass__ in (str, np.ndarray)


class Calls(Base):
    """Lowering of calls. spelled: functions with a rule that are read as plain code instead."""

    spelled: Set[Any] = frozenset()

    def _called(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Attribute):
            return self.attribute(self.expr(node.value), node.attr, node)
        return self.expr(node)

    def expr_Call(self, node: ast.Call) -> Value:
        if (made := self.call_of_chosen_rest(node)) is not None:
            return made
        function = self._called(node.func)
        if isinstance(function, Static) and function.value is super:
            return self._super(node)
        makers: list[Callable[[], list[Value]]] = [
            lambda: [function],
            lambda: self.arguments_of(function, node),
            *(functools.partial(self._alone, keyword.value) for keyword in node.keywords),
        ]
        (function,), args, *named = in_turn(makers, self)
        kwargs: dict[str, Value] = {}
        for keyword, (value,) in zip(node.keywords, named, strict=True):
            if keyword.arg is not None:
                kwargs[keyword.arg] = value
                continue
            contents = self.contents(value)
            if not isinstance(contents, Mapping):
                raise self.refuse("can't unpack this with **", node, *say.UNKNOWN_KEYS)
            kwargs.update(dict(contents.items))
        if any(isinstance(a, Rest) for a in args):
            return self.call_spread(function, args, kwargs, node)
        return self.call(function, args, kwargs, node)

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """The value of a call, by what kind of function is called."""
        if isinstance(function, Static) and any(map(is_mixed, args)):
            if function.value is isinstance and is_mixed(args[0]):
                return self.class_of_chosen(args, node)
            if function.value is callable:
                return self.on_callable(args, kwargs, node)
            return self.call_mixed(function, args, kwargs, node)
        match function:
            case Func():
                return self.inline(function, args, kwargs, node)
            case Bound(function=inner, owner=owner):
                return self.call(inner, [owner, *args], kwargs, node)
            case Partial(made_of=made) if made is not None:
                return self.call(self.made_again(function, node, len(args)), args, kwargs, node)
            case Partial(function=inner, args=first, kwargs=named):
                return self.call(inner, [*first, *args], {**dict(named), **kwargs}, node)
            case Chosen():
                return self.call_chosen(function, args, kwargs, node)
            case Method(owner=owner, name=name):
                return self._method(owner, name, args, kwargs, node)
            case Static():
                return self._known(function, args, kwargs, node)
            case Heap():
                cls = self.class_of(function)
                if cls is not None and callable_class(cls):
                    return self.call(self.attribute(function, "__call__", node), args, kwargs, node)
            case Dyn() if is_mixed(opened := self.opened(function, callable_class)):
                return self.call(opened, args, kwargs, node)
            case Dyn() if (cls := self.class_of(function)) is not None and callable_class(cls):
                return self.call(self.attribute(function, "__call__", node), args, kwargs, node)
            case Clash(loop=loop) if loop is not None and loop not in self.unroll:
                raise Unroll(loop)
        raise self.refuse("can't tell which function is called here", node, *say.CALLED)

    def _method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        if isinstance(owner, Chosen):
            return self.dispatch(
                owner, lambda v: self.call(self.attribute(v, name, node), args, kwargs, node), node
            )
        if isinstance(owner, Dyn) and is_number(owner.type):
            own = own_copy(owner, name)
            return owner if own else self.array_method(owner, name, args, kwargs, node)
        if isinstance(owner, Dyn) and is_sparse(owner):
            found = self.sparse_method(owner, name, args, kwargs, node)
            if found is not None:
                return found
        return self.container_method(owner, name, args, kwargs, node)

    def _vectorized(self, made: np.vectorize, node: ast.AST) -> Value:
        """What np.vectorize has made outside, made again."""
        options = ("otypes", "signature", "excluded")
        given = {name: self.object_value(getattr(made, name) or None) for name in options}
        return self.call(Static(np.vectorize), [Static(made.pyfunc)], given, node)

    def _check_allowed(self, target: Any, args: list[Value], node: ast.AST) -> None:
        self.refuse_unlisted(target, args, node)
        if (refused := refused_function(target)) is not None:
            name = getattr(target, "__name__", str(target))
            raise self.refuse(f"{name}() can't be transformed", node, *refused)

    def _known(
        self, function: Static, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a function known by identity: rule, builtin, library, class, user function."""
        target = function.value
        self._check_allowed(target, args, node)
        if (written := self.written_into(function, args, kwargs, node)) is not None:
            return written
        if is_tree_helper(target):
            return self.tree_helper(target, args, node)
        if is_tree_helper(target, FACTS) and not kwargs:
            fact = self.known_fact(target, args)
            if fact is not None:
                return fact
        if (special := self.special_builtin(target, args, kwargs, node)) is not None:
            return special
        handler, args = self.builtin(target), self.taken_by(target, args, node)
        args, kwargs = placed(target, self.taken_at_once(target, args, node), kwargs)
        if handler is not None:
            return handler(args, kwargs, node)
        if is_unbound(target) and args:
            method = self.attribute(args[0], target.__name__, node)
            return self.call(method, args[1:], kwargs, node)
        if is_ufunc_method(target):
            return self.ufunc_method(target, args, kwargs, node)
        if isinstance(target, np.vectorize):
            return self.call(self._vectorized(target, node), args, kwargs, node)
        origin = get_origin(target)
        if isinstance(origin, type):  # typing.Counter, list[int]
            return self.call(Static(origin), args, kwargs, node)
        remade = self.module_draws(target, args, kwargs, node) or self.remade(target, args)
        if remade is not None:
            return remade
        standin = self.for_class(target, args, node) or self.lazy_stand_in(target, args, node)
        standin = standin or stand_in(target) or self._further(target, args, kwargs)
        if standin is not None:
            return self.call(Static(standin), args, kwargs, node)
        if is_solver(target):
            args, kwargs = [], self.lift_arguments(target, args, kwargs, node)
        remembered = type(target) is functools._lru_cache_wrapper
        if remembered and inspect.isfunction(target.__wrapped__):  # not one of C's
            self.check_remembered(find_source(target.__wrapped__).node, node)
            return self.call(Static(target.__wrapped__), args, kwargs, node)
        plain = lookup(target) is None and not isinstance(target, type)
        if plain and is_stdlib(target) and target not in EQUIVALENTS:
            value = self.library_call(target, args, kwargs, node)
            if value is not None:
                return value
        rule = lookup(target)
        if rule is not None and (is_opaque(target) or not self._is_library(target)):
            value = self.apply(target, self.outside_name(target), args, kwargs, node=node)
            if is_opaque(target):  # called once, at this place
                return Dyn(self.named(value, "result", node))
            return value
        bound = isinstance(target, types.MethodType) and not is_distribution(target.__self__)
        if rule is None and bound:
            return self.call(
                Static(target.__func__), [self.object_value(target.__self__), *args], kwargs, node
            )
        return self._readable(function, unwrap(target), args, kwargs, node)

    def _further(self, target: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
        """What is read in place of a function whose rule does not serve this call."""
        stacks, standin = of_stacks(target, args, kwargs), spelled_out(target)
        if stacks or standin is None or (target in self.spelled and not self.is_reading(standin)):
            return stacks or standin
        if standin.__module__.endswith("sparse_joining"):
            if any(map(self.joins_entries, (*args, *kwargs.values()))):
                return standin
            if lookup(target) is None:
                return None
        if serves(target, args, kwargs, self.constant_value) or not fits(standin, args, kwargs):
            return None
        return standin

    def _readable(
        self,
        function: Static,
        target: Any,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value:
        """A call of something with source of its own, or of an object of a library."""
        if isinstance(function.value, functools.partial):
            given = [*map(Static, function.value.args), *args]
            named = {k: Static(v) for k, v in function.value.keywords.items()}
            return self.call(Static(function.value.func), given, {**named, **kwargs}, node)
        if hasattr(type(function.value), "__s2sgrad_called__"):
            return function.value.__s2sgrad_called__(self, args, kwargs, node)
        rule = lookup(target)
        if tools_of(target) is not None:
            return self.call_again(target, args, kwargs, node)
        if is_transform(target):
            return self.transform(target, args, kwargs, node)
        if is_generated(target):
            return self.enter(target, args, kwargs, node)
        if isinstance(target, type):
            return self._construct(target, args, kwargs, node)
        if inspect.isfunction(target) and not self._is_library(target):
            return self.call_function(target, args, kwargs, node)
        if rule is not None or self._is_library(target) or target in EQUIVALENTS:
            return self.call_numpy(target, args, kwargs, node)
        if callable(target) and inspect.isfunction(type(target).__call__):
            return self.call(
                self.attribute(self.object_value(target), "__call__", node), args, kwargs, node
            )
        raise self._no_source(function, node)

    def outside_name(self, function: Any) -> str:
        """The name of a user's function in generated code: one for each, and no variable's."""
        for given, known in self.outside_names.items():
            if known is function:
                return given
        name: str = getattr(function, "__name__", type(function).__name__)
        if getattr(s2sgrad_runtime, name, None) is function:
            return name
        name = self.builder.names.fresh(name if name.isidentifier() else "function")
        self.outside_names[name] = function
        return name

    def _no_source(self, function: Static, node: ast.AST) -> Exception:
        name = function.text or getattr(function.value, "__name__", str(function.value))
        return MissingRuleError(name, self.span(node), "it has neither Python source nor a rule")

    def _is_library(self, target: Any) -> bool:
        root = defined_in(target).split(".")[0]
        made = "<locals>" in getattr(target, "__qualname__", "")  # by a library: no rule's name
        return isinstance(target, np.ufunc) or (root in ("numpy", "scipy", "math") and not made)

    # --- user functions ----------------------------------------------------------------------
    def function_value(self, function: types.FunctionType) -> Func:
        """A real Python function as a value; defaults are read now, cells when called."""
        source = find_source(function)
        defaults = tuple(self.object_value(d) for d in function.__defaults__ or ())
        named = tuple((k, self.object_value(v)) for k, v in (function.__kwdefaults__ or {}).items())
        return Func(source, function.__name__, None, function, defaults, named)

    def make_function(self, node: ast.FunctionDef | ast.Lambda, name: str) -> Value:
        """A nested def or lambda of the function being lowered."""
        source = dataclasses.replace(self.source, node=node, name=name)
        defaults = tuple(self._settled("default", self.expr(d), d) for d in node.args.defaults)
        named = tuple(
            (a.arg, self._settled(a.arg, self.expr(d), d))
            for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if d is not None
        )
        return Func(source, name, self.frame, None, defaults, named)

    def inline(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """Run a user function's body in place of the call."""
        if len(self.frames) > MAX_DEPTH:
            raise self.refuse("functions call each other too deeply", node, *say.TOO_DEEP)
        if refusals.made_of_generator(function):
            return self.call(Static(function.function.__wrapped__), args, kwargs, node)
        again = self._active(function)
        if function.source.node in self.unfold:
            self.count_unfolded(function, node)
        elif function.source.node in self.recursive or (
            again and not self.unfolds(function, [*args, *kwargs.values()])
        ):
            if again and self.in_written_out(function):
                raise Unfold(function.source.node)
            return self.call_recursive(function, args, kwargs, node)
        frame = self.make_frame(function)
        frame.given = (*args, *kwargs.values())
        if is_model(frame.source.filename) or refusals.is_library_file(frame.source.filename):
            frame.stands_at = self.span(node)
        self.bind_arguments(function, frame, args, kwargs, node)
        if yields(function.source.node):
            return self.generator_of(function, frame, node)
        self.frames.append(frame)
        try:
            result = self.run_body(function)
        except UnsupportedError as error:
            said = refusals.of_the_library(error, [f.source for f in self.frames[-2:]])
            if said is None:
                raise
            raise UnsupportedError(said[0], self.frames[-2].source.span(node), *said[1:]) from None
        finally:
            self.frames.pop()
        if isinstance(result, Heap):
            self.settle(result, "result", node, function)
        self._forget(frame, result)
        return result

    def _active(self, function: Func) -> bool:
        """Whether a function is being run already. The runtime's helpers call themselves once at
        most, with other arguments, so they may be inlined again."""
        module = getattr(function.function, "__module__", None) or ""
        most = 2 if module.startswith("s2sgrad_runtime") else 0
        return sum(runs(f, function) for f in self.frames) > most

    def make_frame(self, function: Func) -> Frame:
        """The activation of a function about to be run."""
        real, node = function.function, function.source.node
        if real is not None:
            self.rely_on_code(real)
            names = real.__code__.co_freevars
            cells = dict(zip(names, real.__closure__ or (), strict=True))
            table = real.__globals__
        else:
            assert function.scope is not None
            cells, table = function.scope.cells, function.scope.globals
        frame = Frame(
            next(self.frame_ids), function.source, function.scope, table, cells, local_names(node)
        )
        self.builder.doubted |= doubtful_names(node)
        self.transformed[function.source.filename, node.lineno] = (function.name, node, real)
        frame.cls = getattr(cells.get("__class__"), "cell_contents", None)
        return frame

    def run_body(self, function: Func) -> Value:
        """Run a function's body in the innermost frame; what it returns."""
        node = function.source.node
        if isinstance(node, ast.Lambda):
            return self.expr(node.body)
        self.check_plain(node)
        ending = ast.copy_location(ast.Return(None), node.body[-1])
        body = [*node.body, ending] if may_fall_off(node.body) else node.body
        return self.result_of(self.run_block(body))

    def _forget(self, frame: Frame, result: Value) -> None:
        """Drop a finished activation's names, unless a function made in it may read them."""
        if any(place[1] == frame.id for place in self.local_classes):
            return  # methods of its classes may read them
        escaped = any(holds_scope(v, frame) for v in (result, *self.state.vars.values()))
        if not escaped and not self.is_read_later(frame):
            for key in [k for k in self.state.vars if k[0] == frame.id]:
                del self.state.vars[key]
