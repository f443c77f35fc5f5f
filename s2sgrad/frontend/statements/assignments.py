"""Floor 4: lower assignments: names, unpacking, items, augmented assignments."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.containers.class_attributes import may_bind
from s2sgrad.frontend.exits import (
    FALL,
    hint,
)
from s2sgrad.frontend.expressions.expressions import BINARY
from s2sgrad.frontend.loops.carried import held_expressions
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.statements.unpacking import Unpacking
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Heap,
    Keys,
    Mapping,
    Sequence,
    Static,
    Value,
    is_mixed,
)
from s2sgrad.frontend.waiting import in_turn
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    NONE,
    Array,
    Maybe,
    Number,
    Scalar,
)

_CHAINED = "<chained>"  # what the next target of `a.b = a.c = value` gets


class Assignments(Unpacking):
    """Lowering of assignments."""

    # A function, and the names that the items of its result are to have.
    result_names: tuple[Value | None, tuple[str, ...]] = None, ()

    def stmt_Assign(self, stmt: ast.Assign) -> str:
        if len(stmt.targets) == 1 and self._parallel(stmt.targets[0], stmt.value, stmt):
            return FALL
        self.target_hint = stmt.targets[0].id if isinstance(stmt.targets[0], ast.Name) else "items"
        value = self.expr(stmt.value)
        if isinstance(stmt.targets[0], ast.Name):
            value = self.kept_iterator(stmt.targets[0].id, stmt.value, value)
        elif (
            len(stmt.targets) > 1 and isinstance(value, Dyn) and isinstance(value.expr, nodes.Call)
        ):
            first = stmt.targets[0]
            base = first.attr if isinstance(first, ast.Attribute) else "value"
            value = Dyn(self.named(value, base, stmt))  # computed once for all targets
        if isinstance(value, Heap):
            targets = stmt.targets
            again = [value] * len(targets)
            self.one_by_one(again, lambda i, held: self.assign(targets[i], held, stmt))
            return FALL
        last = stmt.targets[-1]
        for target in stmt.targets:
            if target is not last and not isinstance(target, ast.Name):
                self.set(self.frame, _CHAINED, value)  # the next one gets it too
            self.assign(target, value, stmt)
            self.state.vars.pop((self.frame.id, _CHAINED), None)
            if target is not last and isinstance(target, ast.Name):
                value = self.get(self.frame, target.id) or value
        return FALL

    def stmt_AnnAssign(self, stmt: ast.AnnAssign) -> str:
        if stmt.value is not None:
            self.target_hint = stmt.target.id if isinstance(stmt.target, ast.Name) else "items"
            value = self.expr(stmt.value)
            if isinstance(stmt.target, ast.Name):
                value = self.kept_iterator(stmt.target.id, stmt.value, value)
            self.assign(stmt.target, value, stmt)
        return FALL

    def _parallel(self, target: ast.expr, value: ast.expr, stmt: ast.stmt) -> bool:
        """`a, b = b, a + b`: all values first, then all names, in one statement."""
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return False
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        if len(names) != len(target.elts) or len(names) != len(value.elts):
            return False
        values = self.in_order(value.elts)
        if not all(
            isinstance(v, Dyn) or (isinstance(v, Static) and _is_numeral(v.value)) for v in values
        ):
            for t, name, element, v in zip(target.elts, names, value.elts, values, strict=True):
                self.assign(t, self.kept_iterator(name, element, v), stmt)
            return True
        exprs = [self.residual(v, stmt) for v in values]
        made = [self.builder.fresh(n, e.type) for n, e in zip(names, exprs, strict=True)]
        self.builder.emit(
            nodes.Assign(tuple(m.name for m in made), tuple(exprs), span=self.span(stmt))
        )
        for name, var in zip(names, made, strict=True):
            self.set_name(name, Dyn(var))
        return True

    def set_name(self, name: str, value: Value) -> None:
        """Bind a name in the frame that owns it (nonlocal names in an enclosing one)."""
        scope = self.frame
        if name.startswith("<"):  # the compiler's own
            self.set(scope, name, value)
            return
        while name not in scope.local_names and scope.parent is not None:
            scope = scope.parent
        self.set(scope, name, value)

    def assign(self, target: ast.expr, value: Value, node: ast.stmt) -> None:
        """Bind a target: a name, a tuple, an item or an attribute."""
        match target:
            case ast.Name(id=name):
                self.set_name(name, self.kept(name, value, node))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                self.unpack(elements, value, node)
            case ast.Subscript():
                (value,), (base, index) = in_turn(
                    (lambda: [value], lambda: self._place(target)), self
                )
                self.set_item(base, index, value, node)
            case ast.Attribute():
                makers = (lambda: [value], lambda: [self.expr(target.value)])
                (value,), (owner,) = in_turn(makers, self)
                if isinstance(owner, Dyn) and target.attr == "shape":
                    self.set_shape(target.value, owner, value, node)
                    return
                self._check_frozen(owner, target.attr, node)
                self.assign_attribute(owner, target.attr, self.kept(target.attr, value, node), node)
            case _:
                raise self.refuse("can't assign to this", target, *say.NO_TARGET)

    def _check_frozen(self, owner: Value, name: str, node: ast.stmt) -> None:
        """Raise what Python raises where a frozen dataclass is given another value."""
        if getattr(getattr(self.class_of(owner), "__dataclass_params__", None), "frozen", False):
            fix = f"make a new one: dataclasses.replace(old, {name}=...)"
            failed = Fails(f"cannot assign to field '{name}'", self.span(node), say.ALSO, fix)
            failed.raises = AttributeError
            raise failed

    def kept(self, name: str, value: Value, node: ast.AST) -> Value:
        """A value under a name: numbers get a variable of that name in generated code."""
        name = hint(name)
        if isinstance(value, Static) and not _is_numeral(value.value):
            return value
        if isinstance(value, Dyn) and isinstance(value.expr, nodes.Slice):
            return value
        if isinstance(value, Dyn) and value.type == NONE:
            return Static(None)
        if isinstance(value, Dyn | Static):
            expr = self.residual(value, node)
            if isinstance(expr, nodes.Var) and self.builder.bases.get(expr.name) == name:
                return value
            made = self._renamed(expr, name) or self.builder.bind(name, expr, self.span(node))
            return Keys(made) if isinstance(value, Keys) else Dyn(made)
        if isinstance(value, Heap):
            self.settle(value, name, node)
        return value

    def _renamed(self, expr: nodes.Expr, name: str) -> nodes.Var | None:
        """What the last statement has bound to a name of the compiler's, under the user's name."""
        made = self.builder.block[-1] if self.builder.block else None
        if not isinstance(expr, nodes.Var) or not isinstance(expr.type, Array | Scalar | Number):
            return None
        if not isinstance(made, nodes.Assign) or made.targets != (expr.name,) or made.move:
            return None
        if expr.name in self.doubtful or expr.name in self.builder.paths:
            return None
        if expr.name in self.computed_anew:
            return None
        if any(expr.name in nodes.names_in(held) for held in held_expressions(self.state)):
            return None
        var = self.builder.fresh(name, expr.type)
        renamed = dataclasses.replace(made, targets=(var.name,))
        self.builder.block[-1] = renamed
        self.builder.note(renamed)
        return var

    def settle(self, value: Heap, name: str, node: ast.AST, function: Value | None = None) -> None:
        """Compute the items of a container now, each under a name of its own. function: the one
        whose result it is."""
        contents = self.state.heap[value.id]
        if isinstance(contents, Sequence):
            wanted = self.result_names[1] if self.result_names[0] is function else ()
            names = dict(enumerate(wanted))
            items = tuple(
                self._settled(names.get(i) or f"{name}_{i}", v, node)
                for i, v in enumerate(contents.items)
            )
            if items != contents.items:
                self.state.heap[value.id] = dataclasses.replace(contents, items=items)
        elif isinstance(contents, Mapping):
            pairs = tuple((k, self._settled(f"{name}_{k}", v, node)) for k, v in contents.items)
            if pairs != contents.items:
                self.state.heap[value.id] = dataclasses.replace(contents, items=pairs)

    def _settled(self, name: str, value: Value, node: ast.AST) -> Value:
        if isinstance(value, Dyn) and not isinstance(value.expr, nodes.Slice):
            made = self.named(value, name if name.isidentifier() else "item", node)
            return Keys(made) if isinstance(value, Keys) else Dyn(made)
        if isinstance(value, Heap):
            self.settle(value, name, node)
        return value

    def stmt_AugAssign(self, stmt: ast.AugAssign) -> str:
        sign = BINARY[type(stmt.op)]
        target = stmt.target
        if isinstance(target, ast.Subscript):
            self._augment_item(target, sign, stmt)
            return FALL
        if isinstance(target, ast.Attribute):
            target = self.with_owner(target)
        load = copy.copy(target)
        load.ctx = ast.Load()
        owner: Value | None = None
        if isinstance(target, ast.Attribute) and may_bind(stmt.value):
            owner = self.expr(target.value)
        old, value = self.in_order([load, stmt.value])
        old = self.not_none(old)
        if isinstance(target, ast.Attribute):
            target = self.on_owner(target, owner)
        if (
            isinstance(old, Dyn)
            and isinstance(old.type, Array)
            and not isinstance(old.type, Number)
        ):
            expr = self.residual(self.not_none(value), stmt)
            if self.class_of(value) is None:  # whatever it is, it is added in place
                old = self.to_be_set(target, old, stmt)
                self.emit_store(nodes.Store(old.expr, (), expr, sign, span=self.span(stmt)))
                if self.bound_anew(load, old, stmt.value):
                    self.assign(target, old, stmt)
                return self.set_again(target, old, stmt)
        if self.update_container(sign, old, value, stmt):
            return self.set_again(target, old, stmt)
        given = lambda v: self.set_again(target, v, stmt)  # noqa: E731
        if self.update_either(
            old, value, sign, stmt, lambda v: self.assign(target, v, stmt), given
        ):
            return FALL
        made = self.special_update(sign, old, value, stmt)
        if made is None:
            made = _augmented(self.binary(sign, old, value, stmt))
        self.assign(target, made, stmt)
        self.note_rebinding(old, stmt)
        return FALL

    def not_none(self, value: Value) -> Value:
        """What may be None, used for what would fail if it were."""
        if isinstance(value, Dyn) and isinstance(value.type, Maybe):
            return Dyn(dataclasses.replace(value.expr, type=value.type.item))
        return value

    def _written(self, node: ast.expr) -> Value:
        """What a subscript writes into. `x.flat` is told from a view: it always writes into x."""
        base = self.expr(node)
        flat = isinstance(node, ast.Attribute) and node.attr == "flat"
        if flat and isinstance(base, Dyn) and isinstance(base.expr, nodes.Call):
            return Dyn(dataclasses.replace(base.expr, text="flat"))
        return base

    def _place(self, node: ast.Subscript) -> list[Value]:
        """What a subscript writes into, and where."""
        makers = (lambda: [self._written(node.value)], lambda: [self.index_value(node.slice)])
        (base,), (index,) = in_turn(makers, self)
        return [base, index]

    def _augment_item(self, target: ast.Subscript, sign: str, stmt: ast.AugAssign) -> None:
        base, index = self._place(target)
        base = self.not_none(base)
        if isinstance(base, Dyn) and isinstance(base.type, Array | Number):

            def augment(index: Value) -> Value:
                self._augment_entries(base, self.index_parts(index, stmt), sign, stmt)
                return Static(None)

            if is_mixed(index):
                assert isinstance(index, Chosen)
                self.dispatch(index, augment, stmt)
            else:
                augment(index)
            return
        if isinstance(index, Dyn) and not isinstance(index.expr, nodes.Slice):
            index = Dyn(self.named(index, "key", stmt))
        makers: list[Callable[[], list[Value]]] = [
            lambda: [base, index],
            lambda: [self.index(base, index, stmt)],
            lambda: [self.expr(stmt.value)],
        ]
        (owner, index), (old,), (value,) = in_turn(makers, self)
        old = self.not_none(old)
        again = self.sets_items(owner)
        if is_array := isinstance(old, Dyn) and isinstance(old.type, Array):
            old = Dyn(self.named(old, "held", stmt)) if again else old
            self.emit_store(
                nodes.Store(old.expr, (), self.residual(value, stmt), sign, span=self.span(stmt))
            )
        if is_array or self.update_container(sign, old, value, stmt):
            if again:
                self.set_item(owner, index, old, stmt)
            return

        def bind(made: Value) -> None:
            stale = isinstance(owner, Heap) and owner.id not in self.state.heap
            base = self.expr(target.value) if stale else owner  # generated code has built it
            if isinstance(base, Heap) or (isinstance(old, Dyn) and isinstance(old.type, Number)):
                made = self.kept(_label(index), made, stmt)
            self.set_item(base, index, made, stmt)

        if not self.update_either(old, value, sign, stmt, bind):
            made = self.special_update(sign, old, value, stmt)
            bind(_augmented(self.binary(sign, old, value, stmt)) if made is None else made)
            self.note_rebinding(old, stmt)

    def sets_items(self, owner: Value) -> bool:
        """Whether a class of the user's says what setting an item does: it is told of a change in
        place as well."""
        cls = self.class_of(owner)
        of_user = cls is not None and not cls.__module__.startswith("s2sgrad.")
        return of_user and inspect.isfunction(getattr(cls, "__setitem__", None))

    def _augment_entries(
        self, base: Dyn, parts: tuple[nodes.Expr, ...], sign: str, stmt: ast.AugAssign
    ) -> None:
        """`x[i] += value`, where computing the value may change what was read of `x[i]`."""
        read = nodes.Index(base.expr, parts, type=infer_index(base.type, parts))
        entry = Dyn(read)
        makers: list[Callable[[], list[Value]]] = [
            lambda: [base, *map(Dyn, parts)],
            lambda: [entry],
            lambda: [self.expr(stmt.value)],
        ]
        place, (old,), (value,) = in_turn(makers, self)
        op = sign
        if old is not entry:
            op, value = "", self.binary(sign, old, value, stmt)
        owner, *where = (self.residual(v, stmt) for v in place)
        expr = self.residual(value, stmt)
        self.emit_store(nodes.Store(owner, tuple(where), expr, op, span=self.span(stmt)))


def _augmented(made: Value) -> Value:
    """The same sum, which prints as `x += y` where x stays its name."""
    if isinstance(made, Dyn) and isinstance(made.expr, nodes.Call):
        return Dyn(dataclasses.replace(made.expr, augmented=True))
    return made


def _label(index: Value) -> str:
    if isinstance(index, Static) and isinstance(index.value, str) and index.value.isidentifier():
        return index.value
    return "item"


def _is_numeral(value: Any) -> bool:
    return type(value) in (int, float, complex)
