"""Floor 4: lower one function, specialised to example arguments."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.analysis.relations import Relations
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.builtins.comparing import Comparing
from s2sgrad.frontend.builtins.names import Builtins
from s2sgrad.frontend.builtins.numbers import NumberBuiltins
from s2sgrad.frontend.builtins.random_methods import RandomMethods
from s2sgrad.frontend.builtins.sequences import SequenceBuiltins
from s2sgrad.frontend.builtins.spelled import SpelledOut
from s2sgrad.frontend.builtins.ufunc_methods import UfuncMethods
from s2sgrad.frontend.checks import check_filled, check_progress
from s2sgrad.frontend.containers.containers import Containers
from s2sgrad.frontend.containers.copies import Copies
from s2sgrad.frontend.containers.dict_views import DictViews
from s2sgrad.frontend.containers.identity import Identity
from s2sgrad.frontend.containers.methods import ContainerMethods
from s2sgrad.frontend.containers.records import Records
from s2sgrad.frontend.containers.sparse import SparseConstants
from s2sgrad.frontend.containers.trees import Trees
from s2sgrad.frontend.expressions.arrays import Arrays
from s2sgrad.frontend.expressions.choices import Choices
from s2sgrad.frontend.expressions.comparisons import Comparisons
from s2sgrad.frontend.expressions.expressions import Expressions
from s2sgrad.frontend.expressions.index_tricks import IndexTricks
from s2sgrad.frontend.expressions.special import SpecialMethods
from s2sgrad.frontend.expressions.spreading import Spreading
from s2sgrad.frontend.expressions.texts import Texts
from s2sgrad.frontend.freeze import freeze
from s2sgrad.frontend.functions.arguments import Arguments
from s2sgrad.frontend.functions.calls import Calls
from s2sgrad.frontend.functions.classes import Classes
from s2sgrad.frontend.functions.deriving import Deriving
from s2sgrad.frontend.functions.dispatching import Dispatching
from s2sgrad.frontend.functions.entering import generated_product, held_value, is_generated
from s2sgrad.frontend.functions.handing_back import HandBack
from s2sgrad.frontend.functions.islands import MADE_AT, Islands, blame
from s2sgrad.frontend.functions.library import Library
from s2sgrad.frontend.functions.recursion import Recursion, Recursive
from s2sgrad.frontend.functions.unfolding import Unfold, Unfolding
from s2sgrad.frontend.inputs import Inputs, Letters, structure
from s2sgrad.frontend.loops.comprehensions import Comprehensions
from s2sgrad.frontend.loops.generators import Generators
from s2sgrad.frontend.loops.iteration import Iteration
from s2sgrad.frontend.loops.loops import Loops
from s2sgrad.frontend.loops.searches import Searches
from s2sgrad.frontend.loops.stepping import Stepping
from s2sgrad.frontend.loops.unrolling import Roll, Unroll
from s2sgrad.frontend.models.standins import Standins
from s2sgrad.frontend.relations import Relating, Supposed
from s2sgrad.frontend.source import find_source, unwrap
from s2sgrad.frontend.state import Together
from s2sgrad.frontend.statements.assignments import Assignments
from s2sgrad.frontend.statements.contexts import Contexts
from s2sgrad.frontend.statements.definitions import Definitions
from s2sgrad.frontend.statements.local_classes import LocalClasses
from s2sgrad.frontend.statements.matching import Matching
from s2sgrad.frontend.statements.rebinding import Rebinding, Rebound
from s2sgrad.frontend.statements.refining import Refining
from s2sgrad.frontend.statements.reshaping import Reshaping
from s2sgrad.frontend.statements.statements import Statements
from s2sgrad.frontend.values import Func, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import Assumptions, anything_known, relying_on


class Lowering(
    Identity,
    Expressions,
    Comparisons,
    Statements,
    Refining,
    UfuncMethods,
    SpecialMethods,
    Records,
    SparseConstants,
    Definitions,
    LocalClasses,
    Assignments,
    Rebinding,
    Reshaping,
    Matching,
    Loops,
    Stepping,
    Generators,
    Searches,
    Comprehensions,
    Calls,
    Arguments,
    Islands,
    Choices,
    Classes,
    Recursion,
    Unfolding,
    Builtins,
    NumberBuiltins,
    SequenceBuiltins,
    SpelledOut,
    Comparing,
    Spreading,
    Texts,
    Standins,
    Deriving,
    Dispatching,
    Library,
    Arrays,
    IndexTricks,
    Containers,
    Copies,
    Iteration,
    ContainerMethods,
    DictViews,
    RandomMethods,
    Contexts,
    Inputs,
    Relating,
    Trees,
):
    """All parts of the lowering; see the mixins."""

    def __init__(self, general: bool = False, relations: Relations | None = None) -> None:
        super().__init__()
        self.builder.relate = self.relate_versions
        self.loops = []
        self.local_classes = {}
        self.capture_names = {}
        self.outside_names = {}
        self.transformed = {}
        self.recursive = set()
        self.pairs = {}
        self.open = []
        self.consumers, self.views = {}, {}
        self.in_place, self.doubtful = set(), {}
        self.made_at, self.built = {}, set()
        self.unfold, self.unfolded, self.handing, self.unroll = set(), 0, {}, set()
        self.rolled, self.of_objects = set(), []
        self.tools, self.islands, self.called, self.passed = None, {}, {}, set()
        self.lifting = []
        self.start_inputs(general, relations)

    def inline(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """Run a user's function; the flags of the caller don't reach into it."""
        island = self.island_of(function, args, kwargs, node)
        if island is not None:
            target, args, kwargs = island
            reason = self.islands[getattr(target, MADE_AT, target)]
            made = self.call_island(target, reason, args, kwargs, node)
            return made if function.function is not None else self.handed_back(function, made, node)
        depth, self.flag_depth = self.flag_depth, 0
        try:
            return super().inline(function, args, kwargs, node)
        except UnsupportedError as error:
            blame(error, function)
            raise
        finally:
            self.flag_depth = depth


@dataclass(frozen=True)
class Lowered:
    """A lowered function, and how its inputs are found.

    arguments: parameter -> the value it stands for. result: the returned value.
    captures: extra parameter -> where its object is read at each call.
    below: what was lowered into the generated code that this is lowered from.
    rebuild: a derivative that is lowered gives dicts for objects; this makes them objects.
    assumptions: what the code relies on. changes: see handing_back.py.
    """

    function: nodes.Function
    lowering: Lowering
    arguments: dict[str, Value]
    result: Value
    captures: dict[str, tuple[str, Any]]
    letters: Letters
    initial_heap: dict[int, Any]
    guards: dict[tuple[Any, ...], Any]
    rebuild: Any = None
    below: Lowered | None = None
    assumptions: Assumptions | None = None
    changes: tuple[Any, ...] = ()


def lower(
    function: Any,
    args: dict[str, Any],
    tools: IslandTools | None = None,
    islands: dict[Any, UnsupportedError] | None = None,
    spelled: Set[Any] = frozenset(),
) -> Lowered:
    """Lower `function` for these arguments (parameter name -> example value, all bound).

    tools: what runs islands, if they are allowed; islands: functions known to be some. spelled:
    functions of libraries that are read as plain code, though they have a rule.
    """
    islands = {} if islands is None else islands
    recursive: set[ast.AST] = set()
    in_place: set[ast.AST] = set()
    handing: dict[ast.AST, frozenset[Any]] = {}
    unfold: set[ast.AST] = set()
    unroll: set[ast.AST] = set()
    rolled: set[ast.AST] = set()
    entered: dict[Any, Any] = {}
    built: set[ast.AST] = set()
    relations: Relations = {}
    known = (recursive, in_place, handing, unfold, unroll, rolled, built, relations, islands)
    seen: set[str] = set()
    while True:
        check_progress(seen, known, plain_function(unwrap(function))[0])
        lowering = Lowering(relations=relations)
        lowering.recursive, lowering.entered, lowering.in_place = recursive, entered, in_place
        lowering.built, lowering.handing, lowering.unroll = built, handing, unroll
        lowering.tools, lowering.islands, lowering.unfold = tools, islands, unfold
        lowering.rolled, lowering.spelled = rolled, spelled
        try:
            return _lower(function, args, lowering)
        except Recursive as found:
            recursive.add(found.node)
        except Unfold as found:
            unfold.add(found.node)
        except HandBack as found:
            recursive.add(found.node)
            unfold.discard(found.node)
            handing[found.node] = handing.get(found.node, frozenset()) | found.grown
            relations.clear()  # they were to end the writing out
        except Unroll as found:
            unroll.add(found.node)
        except Roll as found:
            rolled.add(found.node)
        except Rebound as found:
            in_place |= found.nodes
        except Together as found:
            places = lowering.places_of(found.identities)
            if not places:
                raise found.refusal from None
            built |= places
        except Supposed as needed:
            relations |= needed.relations
        except UnsupportedError as error:
            if tools is None or error.culprit is None or error.culprit in islands:
                raise
            islands[error.culprit] = error


def _lower(function: Any, args: dict[str, Any], lowering: Lowering) -> Lowered:
    target = unwrap(function)
    function, product = entered_code(lowering, target, args)
    given: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        bound = inspect.signature(function.func).bind_partial(*function.args, **function.keywords)
        given |= bound.arguments
        function = function.func
    function, owner = plain_function(function)
    source = find_source(function)
    value = Func(source, function.__name__, None, function)
    frame = lowering.make_frame(value)
    names, extra = reserved_parameters(lowering, source.node)
    arguments: dict[str, Value] = {}
    lowering.frames.append(frame)
    if owner is not None:
        enter_owner(lowering, owner, names.pop(0))
    if product is not None:
        names = enter_captures(lowering, product, names, len(args))
        args = dict(zip(names, args.values(), strict=True))
    for name in [n for n in given if n not in args]:
        names.remove(name)
        lowering.set(frame, name, lowering.outside(name, given[name], ("object", given[name])))
    extra = lowering.given_rest(frame, source.node.args, extra, args)
    for name in [*names, *extra]:
        arguments[name] = parameter_value(lowering, name, args[name])
        lowering.set(frame, name, arguments[name])
    initial_heap = structure(lowering.state.heap, arguments)
    if frame.owner is None and names:
        frame.owner = arguments[names[0]]
    assumptions = Assumptions({} if anything_known() else lowering.letters.actual)
    try:
        with relying_on(assumptions):
            result = lowering.run_body(value)
    except RecursionError as error:
        raise UnsupportedError("the code is nested too deeply", source.span(source.node)) from error
    body = freeze(lowering.builder.blocks[0])
    lowering.check_rebinding(body, result)
    check_filled(body, lowering.builder.types, source)
    built = nodes.Function(
        "f" if function.__name__ == "<lambda>" else function.__name__,
        in_order(source.node, [*names, *extra]),
        body,
        dict(lowering.builder.types),
        dict(lowering.inputs),
        span=source.span(source.node),
    )
    return Lowered(
        built,
        lowering,
        arguments,
        result,
        dict(lowering.captures),
        lowering.letters,
        initial_heap,
        dict(lowering.guards),
        product and rebuilt_result(target, product.rebuild),
        product and product.lowered,
        assumptions,
    )


def entered_code(lowering: Lowering, function: Any, args: dict[str, Any]) -> tuple[Any, Any]:
    """The function to lower, and its product: the compiler takes its own output."""
    if not is_generated(function):
        return function, None
    entered = lowering.entered
    product = entered.get(None) or generated_product(function, args)
    entered[None] = product
    lowering.guards.update(product.lowered.guards)
    return product.compiled.fn, product


def rebuilt_result(target: Any, rebuild: Any) -> Any:
    """What makes objects of the dicts in a derivative's result; None where there are none."""
    if rebuild is None or not target.request.value:
        return rebuild
    return lambda result: (result[0], rebuild(result[1]))  # of value_and_grad


def reserved_parameters(
    lowering: Lowering, node: ast.FunctionDef | ast.Lambda
) -> tuple[list[str], list[str]]:
    """Take the parameters' names: the named ones, and `*args` and `**kwargs`."""
    spec = node.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    extra = [a.arg for a in (spec.vararg, spec.kwarg) if a is not None]
    for name in [*names, *extra]:
        lowering.builder.names.reserve(name)
    return names, extra


def in_order(node: ast.FunctionDef | ast.Lambda, names: list[str]) -> tuple[str, ...]:
    """Parameters as the signature has them: `*args` stands before what is keyword-only."""
    spec = node.args
    found = (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg)
    places = {a.arg: i for i, a in enumerate(found) if a is not None}
    return tuple(sorted(names, key=lambda name: places.get(name, len(found))))


def plain_function(function: Any) -> tuple[types.FunctionType, Any]:
    """The function behind a method or a callable object, and the object (None if none)."""
    if isinstance(function, types.MethodType):
        return function.__func__, function.__self__  # type: ignore[return-value]
    if isinstance(function, types.FunctionType):
        return function, None
    return type(function).__call__, function  # type: ignore[return-value]


def enter_owner(lowering: Lowering, owner: Any, name: str) -> None:
    """Bind the first parameter of a method: the object becomes an input under its name."""
    lowering.captures[name] = ("object", owner)
    lowering.capture_names[name] = name
    value: Value = Static(owner)
    if not isinstance(owner, type):
        value = lowering.input_value(owner, nodes.Var(name), name)
    lowering.set(lowering.frame, name, value)
    lowering.frame.owner = value


def enter_captures(lowering: Lowering, product: Any, names: list[str], count: int) -> list[str]:
    """Generated code takes what it reads from outside as its last parameters; the others."""
    for name, (held, where) in zip(names[count:], product.captures, strict=True):
        lowering.captures[name] = where
        lowering.capture_names[name] = held
        value = lowering.input_value(held_value(held, where), nodes.Var(name), name)
        lowering.set(lowering.frame, name, value)
    return names[:count]


def parameter_value(lowering: Lowering, name: str, value: Any) -> Value:
    """The value of one parameter: a leaf keeps the parameter's own name."""
    names = lowering.builder.names
    names.release(name)
    found = lowering.input_value(value, nodes.Var(name), name)
    names.reserve(name)
    return found
