"""Floor 8: code generated per kind of arguments: found again quickly, made when it is new.

A kind is what the generated code depends on: types, dtypes, ranks, the pattern of sizes, strings
and flags, and the kinds of what the function reads from outside.
"""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.analysis.costs import COMPILED, PYTHON, priced
from s2sgrad.analysis.liveness import forget_reads
from s2sgrad.analysis.tree_types import is_linked
from s2sgrad.backend.collection import uncollected
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.recursion import deep_recursion
from s2sgrad.bridge.islands import TOOLS
from s2sgrad.calls.binding import Binder, Place, pattern, token
from s2sgrad.calls.guards import Guard, guard_of, never
from s2sgrad.calls.recall import AGAIN, Memory, Recalled
from s2sgrad.calls.remade import Remade
from s2sgrad.calls.sharing import sharing
from s2sgrad.calls.suiting import Suits, rests_on_more, suits
from s2sgrad.calls.telling import refusing, tell_island, tell_whole, too_deep
from s2sgrad.calls.traced import holds_traced, reads_traced
from s2sgrad.errors import IslandError, S2sgradError
from s2sgrad.frontend.functions.held_values import held_value, key_of
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.pipeline import Product
from s2sgrad.rules.renewal import watch
from s2sgrad_runtime.objects import copied
from s2sgrad_runtime.told import runs

SHORT_CUTS = 10_000  # kept for calls with other sizes; they are found again in microseconds
Run = Callable[..., Any]
Found = Product | Recalled | S2sgradError
Quick = tuple[Guard, Run, Suits | None]  # what runs, and what must hold beside the tokens


class Specialised(Remade):
    """Base of the functions that s2sgrad gives back.

    Calls may come from several threads: look-ups read whole dicts that are only ever added to,
    and code is generated under a lock.
    """

    def __init__(self, function: Callable[..., Any], *, jit: Jit | None, fallback: str) -> None:
        if fallback not in ("eager", "error"):
            raise ValueError(f"fallback must be 'eager' or 'error', not {fallback!r}")
        if not callable(function):
            raise TypeError(f"a function is needed, not {type(function).__name__}")
        self.function = function = written(function)
        self.binder = Binder(function)
        self.jit, self.fallback = jit, fallback
        self.tools = TOOLS if fallback == "eager" else None  # what islands run on
        self._captures: dict[tuple[Any, ...], Place] = {}
        self._guards: dict[tuple[Any, ...], Place] = {}
        self._exact: dict[Any, list[Quick]] = {}
        self._patterns: dict[Any, list[tuple[Suits | None, Found]]] = {}
        self._runs: dict[int, tuple[Any, Run, Suits | None]] = {}
        self._lock = threading.RLock()
        self._latest: tuple[Guard, Run] = (never, never)
        self._new: tuple[str, Product] | None = None  # to be kept on disk, once it has run
        watch(self)

    def forget(self) -> None:
        """Make all code anew from now on: a rule has been declared."""
        with self._lock:
            self._exact, self._patterns, self._runs = {}, {}, {}
            self._latest = (never, never)

    # --- to be said by subclasses ------------------------------------------------------------
    def _make(self, values: tuple[Any, ...]) -> Product:
        """Generate code; raises S2sgradError where that is not possible."""
        raise NotImplementedError

    def _bound(self, product: Product) -> Run:
        """What runs the generated code on the values of all parameters."""
        raise NotImplementedError

    def _eager(self) -> Run:
        """The stand-in on dynamic-graph tensors."""
        raise NotImplementedError

    def _memory(self) -> Memory | None:
        """What is kept on disk of this function, if anything can be."""
        return None

    # --- running -----------------------------------------------------------------------------
    def _find(self, values: tuple[Any, ...]) -> Run:
        """The running code for these arguments; the next call with such takes a short cut."""
        if holds_traced(*values) or reads_traced(self.function):
            return self._eager()
        try:
            known = self._exact.get((*map(token, values), *self._outside()), ())
        except TypeError:  # unhashable objects inside
            known = ()
        suited = (quick for quick in known if quick[2] is None or quick[2](values))
        found = next(suited, None)
        if found is None:
            with self._lock:
                found = self._runner(values)
        guard, run, required = found
        self._latest = (guard if required is None else _both(guard, required)), run
        return run if self._new is None else self._kept(run, *self._new)

    def _kept(self, run: Run, name: str, product: Product) -> Run:
        """The same for the first call, after which it is written down how to call the code."""
        self._new, memory = None, self._memory()
        assert memory is not None

        def run_and_keep(*values: Any) -> Any:
            result = run(*values)
            self._note(lambda: memory.keep(name, product, self._of_call(values)), result)
            return result

        return run_and_keep

    def _note(self, keep: Callable[[], None], result: Any) -> None:
        """Write down how to call the code. result: of the first call."""
        keep()

    def _of_call(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values of the parameters, without what is given beside them."""
        return values[: len(self.binder.names)]

    def _outside(self) -> tuple[Any, ...]:
        if not self._captures and not self._guards:
            return ()
        held = [token(_held(name, where)) for name, where in list(self._captures.values())]
        same = [identity(name, where) for name, where in list(self._guards.values())]
        return (*held, *same)

    def _runner(self, values: tuple[Any, ...]) -> Quick:
        product = self._product(values)
        known = self._runs.get(id(product))
        if known is None:
            run, required = self._started(product), self._beside_tokens(product)
            known = self._runs[id(product)] = (product, run, required)
        outside = list(self._captures.values()), list(self._guards.values())
        found = guard_of(values, *outside) or never, *known[1:]
        if len(self._exact) >= SHORT_CUTS:
            self._exact = {}
        with contextlib.suppress(TypeError):
            key = (*map(token, values), *self._outside())
            self._exact[key] = [*self._exact.get(key, ()), found]
        return found

    def _beside_tokens(self, product: Found) -> Suits | None:
        """The conditions of a specialisation, where some are about more than the tokens tell."""
        if isinstance(product, Recalled):
            return product.suits if product.more else None
        if isinstance(product, S2sgradError) or not rests_on_more(product.lowered):
            return None
        return suits(product.lowered, self.binder.names)

    def _started(self, product: Found) -> Run:
        """What runs a specialisation; what of it runs on tensors is told."""
        if isinstance(product, S2sgradError):
            tell_whole(self.function, product)
            return refusing(self._eager(), product)
        if isinstance(product, Recalled):
            return self._remembered(product)
        shared = sharing(product.lowered, self.binder.names)
        run = shared.checked(self._bound(product), product.captures)
        if any(map(is_linked, product.lowered.function.types.values())):
            run = self._not_too_deep(run)
        if not product.calls_islands:
            return run
        for callee, reason in product.islands.items():
            tell_island(self.function, callee, reason)
        whole: list[Run] = []  # the stand-in, once an island has done what can't be followed

        def run_or_stand_in(*values: Any) -> Any:
            if not whole:
                try:
                    return run(*values)
                except IslandError as error:
                    if self.fallback == "error":
                        raise
                    tell_whole(self.function, error)
                    whole.append(self._eager())
            return whole[0](*values)

        return run_or_stand_in

    def _not_too_deep(self, run: Run) -> Run:
        """Code for linked structures, which goes down to the last node of a cotangent."""
        whole: list[Run] = []  # the stand-in, once there were too many nodes

        def run_or_stand_in(*values: Any) -> Any:
            if not whole:
                try:
                    return run(*values)
                except RecursionError as error:
                    refusal = too_deep(self.function)
                    if self.fallback == "error":
                        raise refusal from error
                    tell_whole(self.function, refusal)
                    whole.append(self._eager())
            return whole[0](*values)

        return run_or_stand_in

    def _remembered(self, recalled: Recalled) -> Run:
        """What runs code of an earlier process; where that fails, it is made anew."""
        run = recalled.sharing.checked(self._bound(recalled), recalled.captures)  # type: ignore[arg-type]

        def run_or_make(*values: Any, once_more: Callable[[], Any] = bool) -> Any:
            try:
                return run(*values)
            except AGAIN:
                given = self._of_call(values)
                with self._lock:
                    self._made_anew(recalled, given)
                once_more()
                return self._find(given)(*values)

        def run_and_tell(*values: Any) -> Any:
            with runs() as once_more:
                return run_or_make(*values, once_more=once_more)

        return run_and_tell if recalled.tells else run_or_make

    def _made_anew(self, recalled: Recalled, values: tuple[Any, ...]) -> Product | S2sgradError:
        """The full product in the place of code that was only recalled."""
        suited, found = self._compiled(values)
        for kinds in self._patterns.values():
            kinds[:] = [(suited, found) if known is recalled else (s, known) for s, known in kinds]
        self._exact, self._latest = {}, (never, never)
        return found

    def _product(self, values: tuple[Any, ...]) -> Found:
        """The specialisation for these arguments, made if it is not there yet."""
        known = self._patterns.get(pattern((*map(token, values), *self._outside())), ())
        for suited, product in known:
            if suited is None or suited(values):
                return product
        suited, found = self._made(values)
        key = pattern((*map(token, values), *self._outside()))
        self._patterns.setdefault(key, []).append((suited, found))
        return found

    def _made(self, values: tuple[Any, ...]) -> tuple[Suits | None, Found]:
        """New code, or that of an earlier process, with the check of its sizes."""
        memory = self._memory()
        if memory is None:
            return self._compiled(values)
        name, recalled = memory.recall(values)
        if recalled is not None:
            self._watch(recalled.captures, recalled.guards)
            return recalled.suits, recalled
        suited, found = self._compiled(values)
        if name and isinstance(found, Product):
            self._new = name, found
        return suited, found

    def _compiled(self, values: tuple[Any, ...]) -> tuple[Suits | None, Product | S2sgradError]:
        """New code with the check of its sizes; or why there is none."""
        try:
            with priced(COMPILED if self.jit else PYTHON), uncollected(), deep_recursion():
                found = self._make(values)
        except S2sgradError as error:
            if self.fallback == "error":
                raise
            return None, error
        finally:
            forget_reads()
        exact = found.lowered.guards.items()
        self._watch(found.captures, [(name, (kind, place[0])) for (kind, _, name), place in exact])
        return suits(found.lowered, self.binder.names), found

    def _watch(self, captures: Iterable[Place], guards: Iterable[Place]) -> None:
        """Remember what is read from outside, so that a change of it is noticed."""
        read, same = dict(self._captures), dict(self._guards)
        read.update({key_of(place): place for place in captures})
        same.update({key_of(place): place for place in guards})
        if len(read) + len(same) != len(self._captures) + len(self._guards):
            self._captures, self._guards = read, same
            self._exact = {}

    def __s2sgrad_enter__(self, values: tuple[Any, ...]) -> Product:
        """The product for example values (or stand-ins), in Python, to be lowered itself."""
        plain = copy.copy(self)
        plain.jit = None
        return plain._make(values)

    def runs_on_tensors(self, values: tuple[Any, ...]) -> bool:
        """Whether there is no generated code for these arguments, or they are traced."""
        if holds_traced(*values) or reads_traced(self.function):
            return True
        refused = isinstance(self.specialisation(values), S2sgradError)
        if refused:
            self._find(values)  # it is told
        return refused

    def held(self) -> dict[Any, Any]:
        """Copies of what is read from outside, by the keys of the places (see `as_then`)."""
        found = {key: held_value(*place) for key, place in dict(self._captures).items()}
        copies: dict[Any, Any] = copied(found)
        return copies

    # --- reading -----------------------------------------------------------------------------
    def product(self, *args: Any, **kwargs: Any) -> Product:
        """The specialisation for example arguments; raises where there is none."""
        found = self.specialisation(self.binder.bind(*args, **kwargs))
        if isinstance(found, S2sgradError):
            raise found
        return found

    def specialisation(self, values: tuple[Any, ...]) -> Product | S2sgradError:
        """The product for values of all parameters, or the reason why there is none."""
        with self._lock:
            found = self._product(values)
            return self._made_anew(found, values) if isinstance(found, Recalled) else found

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Python for arguments like these; the general code where none are given."""
        if not args and not kwargs and self.binder.names:
            return self.general().compiled.source
        return self.product(*args, **kwargs).compiled.source

    def general(self) -> Product:
        """Code for arguments of which nothing is known: floats, or arrays of any rank."""
        return self._make(self.binder.unknown())


def _both(guard: Guard, required: Suits) -> Guard:
    """A quick check that looks at the other conditions too."""
    return lambda *values: guard(*values) and required(values)


def _held(name: str, where: tuple[str, Any]) -> Any:
    """What a place outside holds; None where there is nothing any more."""
    try:
        return held_value(name, where)
    except (KeyError, ValueError, AttributeError):
        return None


def identity(name: str, where: tuple[str, Any]) -> Any:
    """What of a function, module or flag from outside the code depends on: which one it is."""
    found = _held(name, where)
    return found if isinstance(found, str | bool | int) or found is None else id(found)


__all__ = ["Specialised", "identity"]
