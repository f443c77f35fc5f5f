"""Floor 4: what is learnt in an attempt at lowering a function, for the next one."""

from __future__ import annotations

import ast
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.analysis.relations import Relations
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.checks import check_progress
from s2sgrad.frontend.containers.class_attributes import FromClass
from s2sgrad.frontend.containers.filled_later import Filled
from s2sgrad.frontend.containers.linked import Linking, Rows
from s2sgrad.frontend.exits import Unroll
from s2sgrad.frontend.functions.handing_back import HandBack
from s2sgrad.frontend.functions.recursion import Recursive
from s2sgrad.frontend.functions.unfolding import Unfold
from s2sgrad.frontend.item_sizes import ListsChanged
from s2sgrad.frontend.loops.unrolling import Roll
from s2sgrad.frontend.relations import Supposed
from s2sgrad.frontend.state import NotHeld
from s2sgrad.frontend.statements.rebinding import Rebound

RESTARTS = (
    Recursive, Unfold, HandBack, Unroll, Roll, Rebound, Supposed, Rows, Filled, ListsChanged,
    FromClass,
)  # fmt: skip


@dataclass
class Known:
    """Facts for the next attempt; see the exceptions that tell them."""

    tools: IslandTools | None
    islands: dict[Any, UnsupportedError]
    spelled: Set[Any]
    linking: Linking
    recursive: set[ast.AST] = field(default_factory=set)
    in_place: set[ast.AST] = field(default_factory=set)
    handing: dict[ast.AST, dict[Any, None]] = field(default_factory=dict)
    unfold: set[ast.AST] = field(default_factory=set)
    unroll: set[ast.AST] = field(default_factory=set)
    rolled: set[ast.AST] = field(default_factory=set)
    built: set[ast.AST] = field(default_factory=set)
    filled: set[ast.AST] = field(default_factory=set)
    with_none: set[ast.AST] = field(default_factory=set)
    from_class: set[tuple[str, str, str]] = field(default_factory=set)
    relations: Relations = field(default_factory=dict)
    item_sizes: bool = True
    closures: bool = False  # whether functions that hold numbers may be records in lists
    entered: dict[Any, Any] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def check(self, function: Any) -> None:
        """Refuse where nothing was learnt in the last attempt."""
        facts = (
            self.recursive, self.in_place, self.handing, self.unfold, self.unroll, self.rolled,
            self.built, self.relations, self.islands, [self.linking], self.filled, self.with_none,
            [self.item_sizes], self.from_class, [self.closures],
        )  # fmt: skip
        check_progress(self.seen, facts, function)

    def give(self, lowering: Any) -> None:
        """Let an attempt know."""
        lowering.recursive, lowering.entered = self.recursive, self.entered
        lowering.filled, lowering.with_none = self.filled, self.with_none
        lowering.from_class, lowering.closures = self.from_class, self.closures
        lowering.in_place, lowering.built, lowering.handing = (
            self.in_place,
            self.built,
            self.handing,
        )
        lowering.unroll, lowering.unfold, lowering.rolled = self.unroll, self.unfold, self.rolled
        lowering.tools, lowering.islands, lowering.spelled = self.tools, self.islands, self.spelled
        lowering.start_item_sizes(self.item_sizes)
        lowering.linked, lowering.linking = self.linking.fields, self.linking

    def learn(self, found: Exception, lowering: Any) -> None:
        """What an attempt told."""
        match found:
            case Recursive():
                self.recursive.add(found.node)
            case Unfold():
                self.unfold.add(found.node)
            case HandBack():
                self.recursive.add(found.node)
                self.unfold.discard(found.node)
                before = self.handing.get(found.node, {})
                self.handing[found.node] = before | found.grown
                self.relations.clear()  # they were to end the writing out
            case Unroll():
                self.unroll.add(found.node)
            case Roll():
                self.rolled.add(found.node)
            case Rebound():
                self.in_place |= found.nodes
            case Filled(unsure=True):
                self.filled -= found.nodes
                self.with_none |= found.nodes
            case Filled():
                self.filled |= found.nodes
            case ListsChanged():
                self.item_sizes = False
            case FromClass():
                self.from_class.add(found.place)
            case Supposed():
                self.relations |= found.relations
            case Rows():
                self.linking.fields = found.fields
                self.linking.note(lowering)

    def refused(self, error: UnsupportedError, lowering: Any) -> None:
        """Go on with a loop written out, linked objects, or an island; raises where there are no
        others."""
        later = [loop for loop in lowering.of_functions if loop not in self.unroll]
        if isinstance(error, NotHeld) and later:  # functions that hold numbers meet those of a list
            self.unroll.add(later[0])
            return
        if isinstance(error, NotHeld) and error.function and not self.closures:
            self.closures = True
            return
        refusal = self.linking.refusal(error, lowering)
        if refusal is None:
            return
        if self.tools is None or refusal.culprit is None or refusal.culprit in self.islands:
            raise refusal from refusal.__cause__
        self.islands[refusal.culprit] = refusal
        self.linking.allowed = True
