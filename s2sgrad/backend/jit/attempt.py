"""Floor 6: a generated function under Numba: as a whole, or what Numba can't hold left in Python.

Numba compiles at the first call. Where it gives up, nothing has run yet, and the statement that
it names stays in Python, between compiled pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from s2sgrad.analysis.maybe_real import guesses_complex
from s2sgrad.analysis.mixed_numbers import TOLD_APART, tells_integers
from s2sgrad.backend.jit.array_places import with_places_as_vectors
from s2sgrad.backend.jit.boundary import Boundary, cut
from s2sgrad.backend.jit.cache import load
from s2sgrad.backend.jit.column_types import gives_columns
from s2sgrad.backend.jit.errors import NotCompiled, watch
from s2sgrad.backend.jit.forms import (
    numba_forms,
    unknown,
    with_shapes_as_tuples,
)
from s2sgrad.backend.jit.held_ranges import with_held_ranges
from s2sgrad.backend.jit.list_columns import with_lists_of_parts
from s2sgrad.backend.jit.list_items import (
    with_items_of_one_type,
    with_lists_of_arrays,
    with_rows_of_one_type,
)
from s2sgrad.backend.jit.made import made_inside
from s2sgrad.backend.jit.module_text import module_of
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.jit.outside_calls import calls_outside
from s2sgrad.backend.jit.pieces import (
    CHANGES,
    Splitter,
    asks_for_classes,
    known_obstacle,
    obstacle,
    of_doubtful_type,
)
from s2sgrad.backend.jit.plans import Plan, Split, fingerprint, keep, keep_split, kept, kept_split
from s2sgrad.backend.jit.reports import InPython, Report, Whole
from s2sgrad.backend.jit.telling import telling_once, tells
from s2sgrad.backend.jit.tied import come_apart
from s2sgrad.backend.loops.added_once import with_entries_added_once
from s2sgrad.backend.loops.elements import is_elementwise
from s2sgrad.backend.loops.forms import rewritten
from s2sgrad.backend.loops.made_once import with_arrays_made_once
from s2sgrad.backend.loops.reductions import worth
from s2sgrad.backend.loops.strips import in_strips
from s2sgrad.backend.module import Compiled, build
from s2sgrad.backend.parallel.loops import Verdict, parallel_loops
from s2sgrad.errors import S2sgradError
from s2sgrad.frontend.builtins.drawn import of_module
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import Assumptions, relying_on
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt
from s2sgrad_runtime.lengths import UnequalLengths
from s2sgrad_runtime.told import runs

REFUSED = "Numba could not compile it for several threads"
EMPTY = "invalid operation on untyped list"  # what typed lists say of themselves
UNTYPED = "cannot compute fingerprint"  # Numba can't type an argument: an empty list
OTHER = "can't unbox"  # a piece in Python gave an array of another rank than before
MIXED = "can't unbox heterogeneous list"  # one that was given: nothing has run yet
PERHAPS_OF_NUMBA = ValueError, RuntimeError, LookupError, ArithmeticError, AssertionError
TRIES = 8  # statements that may turn out one after the other, in one function
APART = "it gives back lists that may be, or hold, the same ones: compiled code would copy each"
CHANGING = "some of its lists or dicts are changed where only Python can: it stays between pieces"
KEPT = "what the reverse sweep needs is kept in lists that only Python can change"


@dataclass
class Attempt:
    """A function that is compiled at its first call, as far as Numba goes along.

    others: functions by name that the code calls. python: lines that are known to stay in Python.
    outer: the function that it is a piece of, and that goes on to use the arrays it takes; of a
    backward function that and the forward one, whose arrays it takes. piece: it is one.
    alone: no loop of it runs on all cores. known: what its sizes are relied upon for.
    checks: it may compare lengths as it runs; a call for which they differ starts again, with
    code that does not need them equal. Nothing outside has changed by then: a piece would have.
    again: whether a call that fails may run again in Python, for the same reason.
    in_order: whether the arrays that it takes count as in C order; else it may stay in Python.
    """

    function: Function
    jit: Jit
    report: Report
    others: dict[str, Any]
    python: frozenset[int] = frozenset()
    tries: int = TRIES
    outer: Function | None = None
    alone: bool = False
    known: Assumptions | None = None
    checks: bool = False
    again: bool = False
    piece: bool = False
    in_order: bool = True

    def __post_init__(self) -> None:
        apart = self.outer is None and not self.piece
        self.exact = tells_integers(self.function.body, self.function.types)
        function = with_lists_of_parts(self.function) if apart else self.function
        function = with_rows_of_one_type(with_shapes_as_tuples(function))
        function = with_lists_of_arrays(function)
        function = with_places_as_vectors(with_held_ranges(function))
        told = self.exact or asks_for_classes(function.body)  # integers stay such, in Python
        self.function = function if told else with_items_of_one_type(function)
        self.__name__ = self.function.name
        self.text = ""
        self.dispatcher: Any = None
        self.whole: Whole | None = None
        self.python_text: InPython | None = None
        self.nones, self.turns, self.lacking = False, 0, ""
        self.tells = tells(self.function)
        self.doubtful = guesses_complex((self.outer or self.function).body)
        self.run: Callable[..., Any] = self._first

    def prepare(self) -> None:
        """Write the code, or find it on disk; `others` is complete."""
        why = known_obstacle(self.function, self.in_order) or (self.exact and TOLD_APART)
        if why:
            self.report.python.setdefault(self.function.span, why)
            self.run = self._python(self.function, [])
            return
        if self._split_before():
            return
        key = fingerprint(self.function, self.jit, self.outer, (self.checks, self.again))
        plan = kept(key) if key is not None else None
        if plan is not None and plan.suits(self.known):
            self.run = self._loaded(plan, cut(self.function))
        else:
            self.run = self._whole(key) if self._fits() else self._divided()

    def _key(self) -> str:
        """Of what Numba refuses in this function, as far as it is tried."""
        found = fingerprint(
            self.function, self.jit, self.outer, (self.checks, self.again), lasting=False
        )
        return f"{found}_{self.tries}"

    def _split_before(self) -> bool:
        """Whether an earlier process has found out that Numba can't take the whole."""
        split = kept_split(self._key())
        if split is None:
            return False
        self.alone = split.alone
        for span, why in split.whys:
            self.report.python.setdefault(span, why)
        if split.lines is None:
            self.run = self._python(self.function, [])
        else:
            self.python |= split.lines
            self.tries -= len(split.lines)
            self.run = self._divided()
        return True

    def _first(self, *args: Any) -> Any:
        self.prepare()
        return self.run(*args)

    def __call__(self, *args: Any) -> Any:
        if not self.tells:
            return self._tried(args)
        with runs() as once_more:
            return self._tried(args, once_more)

    def _tried(self, args: tuple[Any, ...], once_more: Callable[[], Any] = bool) -> Any:
        """The result, of whichever code can compute it. once_more: called before it runs again."""
        try:
            return self.run(*args)
        except UnequalLengths:
            once_more()
            return self.unchecked(*args)
        except NotCompiled as error:
            self.run = self._without(error, lasting=True)
        except PERHAPS_OF_NUMBA as error:
            if not str(error).startswith(UNTYPED):
                once_more()
                return self._again(error, args)
            self.run = self._without(NotCompiled("no types", why=str(error)))
        except TypeError as error:
            if str(error).startswith(OTHER):
                once_more()
                return self._again(error, args)
            self._give_in(error)
        once_more()
        return self(*args)

    def _again(self, error: Exception, args: tuple[Any, ...]) -> Any:
        """The call in Python: some of Numba's functions refuse what NumPy's take as they run.

        Nothing outside has changed so far; an error that is the user's own is raised once more.
        """
        if self.python_text is not None and not self.python_text.pieces:
            raise error
        if not self.again and not str(error).startswith(MIXED):
            raise error
        result = self.plain(*args)
        self.report.python.setdefault(self.function.span, f"Numba's version says: {error}")
        return result

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The same function in Python."""
        compiled = build([telling_once(self.function)], self.others)
        self.report.built.append(compiled)
        return compiled.fn

    def _give_in(self, error: TypeError) -> None:
        """An empty list has no type; None where an array has to be shows only as the code runs."""
        text = str(error)
        late = text.endswith("got None") and not self.piece and not self.nones
        self.turns += 1
        if self.turns > TRIES or (text != EMPTY and not late):
            raise error
        if late:
            self.nones, self.tries, self.alone = True, 0, True
        self.run = self._without(NotCompiled("a value without a type", why=text))

    @cached_property
    def unchecked(self) -> Attempt:
        """The same function without loops that take lengths for equal."""
        return replace(self, checks=False)

    def _fits(self) -> bool:
        """Whether nothing tells beforehand that Numba will give up."""
        body = self.function.body
        made = cache(lambda nested: made_inside(body, nested))
        return (self.piece or not come_apart(self.function)) and all(
            isinstance(stmt, nodes.Return)
            or gives_columns(stmt)
            or self._obstacle(stmt, body[:k], frozenset(), made) is None
            for k, stmt in enumerate(body)
        )

    # --- as a whole --------------------------------------------------------------------------
    def _whole(self, key: str | None = None) -> Callable[..., Any]:
        try:
            boundary = cut(self.function)
            with relying_on(self.known):
                function = numba_forms(boundary.inner, self.outer, self.checks, self.again)
            loops: list[Verdict] = []
            if self.jit.parallel and not self.alone:
                function, loops = parallel_loops(function, self.outer)
            else:
                function = with_arrays_made_once(in_strips(function, self.outer), self.outer)
                function = with_entries_added_once(function, self.outer)
            module, lines = module_of(function, self.jit)
        except S2sgradError as error:
            return self._without(error)
        relied = () if self.known is None else tuple(self.known.made)
        plan = Plan(module, lines, loops, not all(v.why for v in loops), relied)
        if key is not None:
            keep(key, plan)
        return self._loaded(plan, boundary)

    @property
    def settled(self) -> Whole | None:
        """What runs, where it is the whole of the function, and nothing of it runs in Python."""
        whole = self.whole
        return whole if whole is not None and whole.compiled.fn is self.run else None

    @property
    def divided(self) -> InPython | None:
        """What runs, where it is Python, perhaps around pieces."""
        text = self.python_text
        return text if text is not None and text.compiled.fn is self.run else None

    def _loaded(self, plan: Plan, boundary: Boundary) -> Callable[..., Any]:
        """What runs the module of a plan."""
        self.alone = not plan.threads
        self.report.loops += plan.loops
        self.dispatcher = load(plan.module, self.jit.numba())
        module, file = plan.module, self.function.span.filename if self.function.span else ""
        origin = {n: (file, line) for n, line in plan.lines.items()}
        run = boundary.crossing.outer(watch(self.dispatcher, module.name, module.filename, origin))
        self.text = module.text
        self.report.calls |= dict.fromkeys(calls_outside(module.text, plan.lines, file))
        compiled = Compiled(run, module.text, module.filename, module.names, origin)
        self.report.built.append(compiled)
        self.whole = Whole(compiled, module.name, boundary, module)
        return run

    # --- in pieces ---------------------------------------------------------------------------
    def _divided(self) -> Callable[..., Any]:
        """Python around pieces: each is an attempt of its own."""
        splitter = Splitter(self.function, self._stays_compiled, self._piece)
        divided = splitter.split()
        if come_apart(self.function) and not self.piece:
            self.report.python.setdefault(self.function.span, APART)
        if not self.report.python:
            why = CHANGING if splitter.pieces else KEPT
            self.report.python[self.function.span] = self.lacking or why
        return self._python(divided, splitter.pieces)

    def _python(self, function: Function, pieces: list[Any]) -> Callable[..., Any]:
        if pieces and self.tells:
            function = telling_once(function)
        compiled = build([function], self.others)
        self.report.built.append(compiled)
        self.text = "\n\n".join([compiled.source, *(p.text for p in pieces)])
        self.python_text = InPython(compiled, tuple(pieces))
        return compiled.fn

    def _piece(self, function: Function) -> Attempt:
        outer = self.outer or self.function
        piece = Attempt(
            function, self.jit, self.report, self.others, self.python, self.tries - 1, outer,
            known=self.known, piece=True,
        )  # fmt: skip
        piece.prepare()
        return piece

    def _stays_compiled(self, stmt: Stmt, run: Block, live: frozenset[str]) -> bool:
        if gives_columns(stmt) or self.python & lines_of(stmt):
            return False
        found = self._obstacle(stmt, run, live)
        if found is not None and found[0].span:  # not what was only saved for the reverse sweep
            self.report.python.setdefault(found[0].span, found[1])
        elif found is not None and found[1] != CHANGES:
            self.lacking = self.lacking or f"in its reverse sweep: {found[1]}"
        return found is None

    def _obstacle(
        self,
        stmt: Stmt,
        run: Block,
        live: frozenset[str],
        made: Callable[[bool], frozenset[str]] = lambda nested: frozenset(),
    ) -> tuple[Stmt, str] | None:
        """The statement, in this one, that stays in Python, and why; None: it may be compiled."""
        found = of_doubtful_type(stmt) if self.doubtful else None
        return found or obstacle(stmt, run, live, self._lacks, made)

    def _lacks(self, expr: Expr) -> bool:
        """Whether Numba has no version of an operation, nor can have one."""
        if of_module(expr):
            return True
        if not isinstance(expr, nodes.Call) or expr.form != "call":
            return False
        if expr.text in self.others:
            return True
        if is_elementwise(expr) or worth(expr) or rewritten(expr):
            return False  # becomes loops
        return not isinstance(expr.function, str) and unknown(expr)

    def _without(self, error: S2sgradError, lasting: bool = False) -> Callable[..., Any]:
        """Once more, with the statement in Python at which Numba gave up.

        lasting: whether it would give up for any values of these types.
        """
        if not self.alone:  # perhaps only the threads were too much
            self.alone = True
            self.report.loops[:] = [replace(v, why=v.why or REFUSED) for v in self.report.loops]
            return self._whole()
        span = getattr(error, "span", None)
        why = getattr(error, "why", "") or str(error)
        self.report.python.setdefault(span, why)
        line = span.line if span is not None else 0
        known = {n for s in self.function.body for n in lines_of(s)}
        lines = frozenset({line}) if self.tries > 0 and line in known - self.python else None
        if lasting:
            keep_split(self._key(), Split(lines, ((span, why),), self.alone))
        if lines is None:
            return self._python(self.function, [])
        self.python |= lines
        self.tries -= 1
        return self._divided()


def lines_of(stmt: Stmt) -> set[int]:
    """The user's lines that a statement, with all in it, came from."""
    return {s.span.line for s in nodes.walk_block((stmt,)) if s.span}


__all__ = ["Attempt"]
