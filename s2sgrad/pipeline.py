"""The passes in order: from a function and example arguments to running gradient code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.backend.module import Compiled, build
from s2sgrad.errors import OWN_MISTAKES, MissingRuleError, UnsupportedError, own_mistake
from s2sgrad.frontend.functions.islands import MADE_AT
from s2sgrad.frontend.functions.standing_in import spelled_out
from s2sgrad.frontend.inputs import Above
from s2sgrad.frontend.lower import Lowered, lower
from s2sgrad.frontend.values import Heap, Instance, Sequence, Static, Value
from s2sgrad.ir.assumptions import relying_on
from s2sgrad.ir.nodes import Function
from s2sgrad.transform.preparing.primal import output_type
from s2sgrad.transform.reverse.gradient import Request, differentiate
from s2sgrad.transform.reverse.pullback import Pair, pullback
from s2sgrad.transform.reverse.tapeless import value_and_vjp
from s2sgrad_runtime.objects import blank

Captures = tuple[tuple[str, tuple[str, Any]], ...]


@dataclass(frozen=True)
class Product:
    """Generated code (`function`, and loaded) and how to call it.

    captures: where extra arguments are read.
    rebuild: gradients of objects come as dicts; this turns them into objects.
    pair: the forward and backward functions, for `vjp`.
    """

    compiled: Compiled
    captures: Captures
    rebuild: Any
    lowered: Lowered
    output: Any
    function: Function
    pair: Pair | None = None

    @property
    def islands(self) -> dict[Any, UnsupportedError]:
        """The callees that run on tensors, and why."""
        lowering = self.lowered.lowering
        return {f: lowering.islands[getattr(f, MADE_AT, f)] for f in lowering.called}

    @property
    def calls_islands(self) -> bool:
        """Whether anything runs on tensors, here or in the generated code that this is made of."""
        lowered: Lowered | None = self.lowered
        while lowered is not None and not lowered.lowering.called:
            lowered = lowered.below
        return lowered is not None


def compile_gradient(
    function: Any,
    args: dict[str, Any],
    request: Request,
    members: dict[str, tuple[str, Any]] | None = None,
    tools: IslandTools | None = None,
) -> Product:
    """Lower, differentiate, print and load one specialisation.

    members: names for members of `*args` and `**kwargs`, which a request may use.
    tools: what runs callees that can't be transformed; None refuses them.
    """
    return with_islands(
        function,
        args,
        tools,
        lambda lowered: _gradient(lowered, request, members or {}),
        request.again,
    )


def with_islands(
    function: Any,
    args: dict[str, Any],
    tools: IslandTools | None,
    make: Callable[[Lowered], Product],
    again: bool = False,
) -> Product:
    """Lower a function and make code; a callee that this fails for becomes an island.

    A function of a library whose rule lacks the partial that is asked for is read as plain code.
    again: the code will be differentiated itself.
    """
    islands: dict[Any, UnsupportedError] = {}
    spelled: set[Any] = set()
    while True:
        lowered = lower(function, args, tools, islands, spelled, again)
        try:
            return make(lowered)
        except MissingRuleError as error:
            if error.function in spelled or spelled_out(error.function) is None:
                raise
            spelled.add(error.function)
        except UnsupportedError as error:
            error.placed(lowered.function.span)
            culprit = lowered.lowering.culprit_at(error.span)
            if tools is None or culprit is None or culprit in islands:
                raise
            islands[culprit] = error
        except OWN_MISTAKES as error:
            raise own_mistake(lowered.function.name, lowered.function.span, error) from error


def _gradient(lowered: Lowered, request: Request, members: dict[str, tuple[str, Any]]) -> Product:
    _name_members(lowered, members, request.wrt)
    output = output_type(lowered)
    with relying_on(lowered.assumptions):
        made = differentiate(lowered, request, lowered.arguments, lowered.initial_heap)
    last = not (request.loops or request.again)
    further = recursive_functions(lowered, taped=not request.again)
    compiled = build([made, *further], quiet=last)
    return Product(compiled, _captures(lowered), rebuilder(lowered, request), lowered, output, made)


def recursive_functions(lowered: Lowered, taped: bool = True) -> list[Function]:
    """Forward and backward functions of the recursive functions that the code calls."""
    found: list[Function] = []
    for pair in dict.fromkeys(lowered.lowering.pairs.values()):
        if not taped:
            with relying_on(None):
                found += value_and_vjp(pair)
            continue
        inner = pair.lowered
        with relying_on(None):
            made = pullback(inner, inner.function.parameters, inner.arguments, {})
        for function in (made.forward, made.backward):
            name = f"{pair.name}_{function.name.rsplit('_', 1)[1]}"
            found.append(replace(function, name=name))
    return found


def compile_pullback(
    function: Any,
    args: dict[str, Any],
    request: Request,
    members: dict[str, tuple[str, Any]],
    tools: IslandTools | None = None,
) -> Product:
    """The forward and backward functions of `vjp`, for one kind of arguments."""
    return with_islands(function, args, tools, lambda lowered: _pair(lowered, request, members))


def _pair(lowered: Lowered, request: Request, members: dict[str, tuple[str, Any]]) -> Product:
    if request.aux:
        _refuse_objects(lowered)
    _name_members(lowered, members, request.wrt)
    with relying_on(lowered.assumptions):
        heap, kinds = lowered.initial_heap, (request.aux, request.loops)
        pair = pullback(lowered, request.wrt, lowered.arguments, heap, *kinds, own=True)
    further = recursive_functions(lowered)
    pair = _named_apart(pair, {f.name for f in further})
    compiled = build([pair.forward, pair.backward, *further], quiet=not request.loops)
    rebuild = rebuilder(lowered, request)
    captures = _captures(lowered)
    return Product(compiled, captures, rebuild, lowered, output_type(lowered), pair.forward, pair)


def _named_apart(pair: Pair, taken: set[str]) -> Pair:
    """The pair by names that no other function has: of a recursive one there is a pair beside it,
    whose backward takes the same, and gives a part for each argument."""
    base = pair.forward.name.removesuffix("_forward")
    while {f"{base}_forward", f"{base}_backward"} & taken:
        base += "_called"
    forward = replace(pair.forward, name=f"{base}_forward")
    return replace(pair, forward=forward, backward=replace(pair.backward, name=f"{base}_backward"))


def _refuse_objects(lowered: Lowered) -> None:
    """The gradient by an object is a dict in generated code: no pair, nor rows of a matrix."""
    if lowered.rebuild is not None:
        raise UnsupportedError(
            "a gradient by an object can't be differentiated again in reverse here",
            why="generated code gives it as a dict of its fields",
            fix="take the arrays in the object as arguments, or use hvp, or vjp without has_aux",
        )


def _captures(lowered: Lowered) -> Captures:
    names = lowered.lowering.capture_names
    return tuple((names[p], where) for p, where in lowered.captures.items())


def _name_members(
    lowered: Lowered, members: dict[str, tuple[str, Any]], wrt: tuple[str, ...]
) -> None:
    for name in wrt:
        if name not in members:
            continue
        parameter, key = members[name]
        holder = lowered.arguments[parameter]
        contents = lowered.initial_heap[holder.id]  # type: ignore[attr-defined]
        items = dict(
            enumerate(contents.items) if isinstance(contents, Sequence) else contents.items
        )
        if key not in items:
            raise TypeError(f"the call gives no argument {key!r} to differentiate by")
        lowered.arguments[name] = items[key]


def rebuilder(lowered: Lowered, request: Request) -> Any:
    """A function from generated to user-facing gradients; None if they are the same."""
    heap = lowered.initial_heap
    if not any(_has_instance(lowered.arguments[n], heap) for n in request.wrt):
        return None
    values = [lowered.arguments[n] for n in request.wrt]

    def rebuild(grads: Any) -> Any:
        made: dict[int, Any] = {}
        if request.single:
            return _rebuilt(values[0], grads, heap, made)
        return tuple(_rebuilt(v, g, heap, made) for v, g in zip(values, grads, strict=True))

    return rebuild


def _has_instance(value: Value, heap: dict[int, Any]) -> bool:
    if not isinstance(value, Heap):
        return False
    contents = heap[value.id]
    if isinstance(contents, Instance) or getattr(contents, "made_by", None) is not None:
        return True
    parts = contents.items if isinstance(contents, Sequence) else [v for _, v in contents.items]
    return any(_has_instance(p, heap) for p in parts)


def _rebuilt(value: Value, grad: Any, heap: dict[int, Any], known: dict[int, Any]) -> Any:
    """known: the objects made so far, which the argument may hold in several places."""
    if isinstance(value, Static) and isinstance(value.value, Above):
        return known[value.value.id]
    if not isinstance(value, Heap) or grad is None:
        return grad
    contents = heap[value.id]
    if isinstance(contents, Instance) and hasattr(contents.cls, "FIELDS"):
        return grad  # of an object of NumPy: a dict
    if isinstance(contents, Instance):
        made: Any = blank(contents.cls)
        known[value.id] = made
        for name, part in contents.fields:
            object.__setattr__(made, name, _rebuilt(part, grad[name], heap, known))
        return made
    if isinstance(contents, Sequence):
        parts = [_rebuilt(v, g, heap, known) for v, g in zip(contents.items, grad, strict=True)]
        if contents.made_by is not None:
            return contents.made_by(*parts)
        return type(grad)(parts)
    return {k: _rebuilt(v, grad[k], heap, known) for k, v in contents.items}
