"""Floor 4: lower one function, specialised to example arguments."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.analysis.relations import Relations
from s2sgrad.errors import OWN_MISTAKES, UnsupportedError, own_mistake
from s2sgrad.frontend.builtins.comparing import Comparing
from s2sgrad.frontend.builtins.names import Builtins
from s2sgrad.frontend.builtins.numbers import NumberBuiltins
from s2sgrad.frontend.builtins.random_methods import RandomMethods
from s2sgrad.frontend.builtins.sequences import SequenceBuiltins
from s2sgrad.frontend.builtins.spelled import SpelledOut
from s2sgrad.frontend.builtins.strict_zips import StrictZips
from s2sgrad.frontend.builtins.ufunc_methods import UfuncMethods
from s2sgrad.frontend.checks import check_filled, ended, nested_too_deeply
from s2sgrad.frontend.containers.containers import Containers
from s2sgrad.frontend.containers.copies import Copies
from s2sgrad.frontend.containers.dict_objects import DictObjects
from s2sgrad.frontend.containers.dict_views import DictViews
from s2sgrad.frontend.containers.filled_later import filled_later
from s2sgrad.frontend.containers.held_functions import HeldFunctions
from s2sgrad.frontend.containers.identity import Identity
from s2sgrad.frontend.containers.linked import LinkedObjects, Linking
from s2sgrad.frontend.containers.methods import ContainerMethods
from s2sgrad.frontend.containers.object_fields import ObjectFields
from s2sgrad.frontend.containers.records import Records
from s2sgrad.frontend.containers.sparse import SparseConstants
from s2sgrad.frontend.containers.trees import Trees
from s2sgrad.frontend.expressions.answering import Answering
from s2sgrad.frontend.expressions.arrays import Arrays
from s2sgrad.frontend.expressions.choices import Choices
from s2sgrad.frontend.expressions.comparisons import Comparisons
from s2sgrad.frontend.expressions.expressions import Expressions
from s2sgrad.frontend.expressions.index_tricks import IndexTricks
from s2sgrad.frontend.expressions.own_texts import OwnTexts
from s2sgrad.frontend.expressions.special import SpecialMethods
from s2sgrad.frontend.expressions.spreading import Spreading
from s2sgrad.frontend.expressions.texts import Texts
from s2sgrad.frontend.freeze import freeze
from s2sgrad.frontend.functions.arguments import Arguments
from s2sgrad.frontend.functions.calls import Calls
from s2sgrad.frontend.functions.classes import Classes
from s2sgrad.frontend.functions.deriving import Deriving
from s2sgrad.frontend.functions.dispatching import Dispatching
from s2sgrad.frontend.functions.entering import derivative_inside, generated_product, is_generated
from s2sgrad.frontend.functions.generated_inits import GeneratedInits
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.functions.islands import MADE_AT, Islands, blame
from s2sgrad.frontend.functions.library import Library
from s2sgrad.frontend.functions.own_attributes import OwnAttributes
from s2sgrad.frontend.functions.recursion import Recursion
from s2sgrad.frontend.functions.unfolding import Unfolding
from s2sgrad.frontend.inputs import Inputs, Letters, structure
from s2sgrad.frontend.item_sizes import ItemSizes
from s2sgrad.frontend.known import RESTARTS, Known
from s2sgrad.frontend.loops.comprehensions import Comprehensions
from s2sgrad.frontend.loops.generators import Generators
from s2sgrad.frontend.loops.iteration import Iteration
from s2sgrad.frontend.loops.kept_iterators import KeptIterators
from s2sgrad.frontend.loops.listed_generators import ListedGenerators
from s2sgrad.frontend.loops.loops import Loops
from s2sgrad.frontend.loops.searches import Searches
from s2sgrad.frontend.loops.stepping import Stepping
from s2sgrad.frontend.models.named_fields import check_strided
from s2sgrad.frontend.models.standins import Standins
from s2sgrad.frontend.parameters import (
    give_owner,
    in_order,
    opened_partial,
    owners_name,
    plain_function,
    reserved_parameters,
    takes_owner,
)
from s2sgrad.frontend.relations import Relating
from s2sgrad.frontend.source import Source, find_source, unwrap
from s2sgrad.frontend.state import Together
from s2sgrad.frontend.statements.assignments import Assignments
from s2sgrad.frontend.statements.contexts import Contexts
from s2sgrad.frontend.statements.definitions import Definitions
from s2sgrad.frontend.statements.local_classes import LocalClasses
from s2sgrad.frontend.statements.matching import Matching
from s2sgrad.frontend.statements.rebinding import Rebinding
from s2sgrad.frontend.statements.refining import Refining
from s2sgrad.frontend.statements.reshaping import Reshaping
from s2sgrad.frontend.statements.statements import Statements
from s2sgrad.frontend.statements.trying import Trying
from s2sgrad.frontend.values import Func, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import Assumptions, anything_known, relying_on


class Lowering(
    KeptIterators,
    GeneratedInits,
    OwnAttributes,
    HeldFunctions,
    ObjectFields,
    DictObjects,
    LinkedObjects,
    Identity,
    Expressions,
    Comparisons,
    Statements,
    Trying,
    Refining,
    UfuncMethods,
    SpecialMethods,
    Answering,
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
    ListedGenerators,
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
    StrictZips,
    SpelledOut,
    Comparing,
    Spreading,
    Texts,
    OwnTexts,
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
    ItemSizes,
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
        self.made_at, self.built, self.waiting = {}, set(), itertools.count()
        self.unfold, self.unfolded, self.handing, self.unroll = set(), 0, {}, set()
        self.written_back, self.rebound, self.records = set(), set(), set()
        self.rolled, self.of_objects, self.of_functions, self.of_lists = set(), [], [], []
        self.tools, self.islands, self.called, self.passed = None, {}, {}, set()
        self.lifting = []
        self.linked, self.made_of, self.always_has, self.part_classes = {}, {}, {}, {}
        self.linking, self.classes_here, self.never_linked = Linking(), set(), set()
        self.begun, self.strided = [], set[str]()
        self.lists_of_none: dict[Any, ast.AST] = {}
        self.filled, self.with_none = set[ast.AST](), set[ast.AST]()
        self.functions, self.state.hold = [], self.hold_function
        self.templates = {}
        self.start_inputs(general, relations)
        self.start_item_sizes(False)

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
    early: bool = False,
) -> Lowered:
    """Lower `function` for these arguments (parameter name -> example value, all bound).

    tools: what runs islands, if they are allowed; islands: functions known to be some. spelled:
    functions of libraries that are read as plain code, though they have a rule. early: see Linking.
    """
    known = Known(tools, {} if islands is None else islands, spelled, Linking(early))
    while True:
        known.check(plain_function(unwrap(function))[0])
        lowering = Lowering(relations=known.relations)
        known.give(lowering)
        try:
            return filled_later(_lower(function, args, lowering))
        except RESTARTS as found:
            known.learn(found, lowering)
        except Together as found:
            places = lowering.places_of(found.identities)
            known.built |= places
            if not places:
                known.refused(found.refusal, lowering)
        except UnsupportedError as error:
            known.refused(error, lowering)


def _returned(lowering: Lowering, value: Func, assumptions: Assumptions) -> Value:
    """What a function returns, once its body has been lowered."""
    try:
        with relying_on(assumptions):
            return lowering.run_body(value)
    except RecursionError as error:
        raise nested_too_deeply(value.source) from error
    except OWN_MISTAKES as error:
        raise own_mistake(value.name, value.source.span(value.source.node), error) from error


def _lower(function: Any, args: dict[str, Any], lowering: Lowering) -> Lowered:
    target, args = derivative_inside(unwrap(function), args)
    entered, product = entered_code(lowering, target, args)
    function, given = opened_partial(entered)
    function, owner = plain_function(function)
    source = find_source(function)
    value = Func(source, function.__name__, None, function)
    frame = lowering.make_frame(value)
    names, extra = reserved_parameters(lowering, source.node)
    arguments: dict[str, Value] = {}
    lowering.frames.append(frame)
    if owner is not None:
        enter_owner(lowering, owner, owners_name(lowering, source.node, names))
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
    if owner is not None and not takes_owner(source.node):
        give_owner(lowering, frame, source.node.args.vararg)
    initial_heap = structure(lowering.state.heap, arguments)
    if frame.owner is None and names:
        frame.owner = arguments[names[0]]
    lowering.begin_rows()
    assumptions = Assumptions({} if anything_known() else lowering.letters.actual)
    result = _returned(lowering, value, assumptions)
    assumptions.in_order = not lowering.scattered
    body, result = ended(freeze(lowering.builder.blocks[0]), result)
    check_whole(lowering, body, result, source)
    built = nodes.Function(
        "f" if function.__name__ == "<lambda>" else function.__name__,
        in_order(source.node, [*names, *extra]),
        body,
        dict(lowering.builder.types),
        dict(lowering.inputs),
        span=source.span(source.node),
        doubted=frozenset(lowering.builder.doubted),
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


def check_whole(lowering: Lowering, body: nodes.Block, result: Value, source: Source) -> None:
    """What is asked of the code as a whole."""
    lowering.check_rebinding(body, result)
    lowering.check_item_sizes(body)
    lowering.check_linked(body, lowering.builder.types.values())
    lowering.refuse_rows([result], "the result", source.node)
    check_filled(body, lowering.builder.types, source)
    check_strided(body, lowering.strided)
    lowering.check_anew(body)


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
