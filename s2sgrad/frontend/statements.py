"""Floor 4: lower statements that are not loops: assignments, branches, exits, effects."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from typing import Any

from s2sgrad.analysis.effects import has_effect
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import (
    ALWAYS,
    DONE,
    FALL,
    FLAG,
    JUMP,
    MAYBE,
    NEVER,
    RETURN,
    RETURNED,
    SKIP,
    STOP,
    Run,
    exit_kind,
    hint,
)
from s2sgrad.frontend.expressions import BINARY
from s2sgrad.frontend.state import Meeting, NeedsResidual, Path
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    NONE,
    Array,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    is_number,
)


class Statements(Base):
    flag_depth = 0
    loops: list[Any]

    def run_block(self, stmts: list[ast.stmt]) -> str:  # type: ignore[override]
        """Run statements; what follows a possible exit goes into the branch that goes on."""
        for i, stmt in enumerate(stmts):
            rest = stmts[i + 1 :]
            self.comments_before(stmt)
            if isinstance(stmt, ast.If) and exit_kind([stmt]) != NEVER:
                return self._if_with_exits(stmt, rest)
            flagged = isinstance(stmt, ast.With | ast.Match) and exit_kind([stmt]) == MAYBE
            status = (
                self.flagged(lambda stmt=stmt: self.statement(stmt))
                if flagged
                else self.statement(stmt)
            )
            if status != FALL:
                return status
            if exit_kind([stmt]) != NEVER:
                return self._guarded(rest)
        return FALL

    def statement(self, stmt: ast.stmt) -> str:
        method = getattr(self, f"stmt_{type(stmt).__name__}", None)
        if method is None:
            raise self.refuse(
                f"'{type(stmt).__name__.lower()}' statements can't be differentiated", stmt
            )
        return method(stmt) or FALL

    def comments_before(self, stmt: ast.stmt) -> None:
        """Carry the comment lines that stand right above a statement."""
        source = self.source
        lines = []
        line = stmt.lineno - 1
        while line in source.comments:
            lines.append(source.comments[line])
            line -= 1
        for text in reversed(lines):
            self.builder.emit(nodes.Comment(text, span=self.span(stmt)))

    # --- branches ----------------------------------------------------------------------------
    def stmt_If(self, stmt: ast.If) -> str:
        test = self.expr(stmt.test)
        known = self.truth(test)
        if known is not None:
            return self.run_block(stmt.body if known else stmt.orelse)
        return self.branch(self.residual(test, stmt), stmt.body, stmt.orelse, stmt)

    def _if_with_exits(self, stmt: ast.If, rest: list[ast.stmt]) -> str:
        test = self.expr(stmt.test)
        known = self.truth(test)
        if known is not None:
            return self.run_block((stmt.body if known else stmt.orelse) + rest)
        expr = self.residual(test, stmt)
        if exit_kind(stmt.body) == ALWAYS:
            return self.branch(expr, stmt.body, stmt.orelse + rest, stmt)
        if exit_kind(stmt.orelse) == ALWAYS:
            return self.branch(expr, stmt.body + rest, stmt.orelse, stmt)
        if exit_kind(stmt.body) == NEVER and not stmt.body:
            return self.branch(expr, rest, stmt.orelse + rest, stmt)
        status = self.flagged(lambda: self.branch(expr, stmt.body, stmt.orelse, stmt))
        return status if status != FALL else self._guarded(rest)

    def flag(self, kind: str) -> str:
        """The name of a flag of the innermost loop."""
        return f"<{kind}{len(self.loops)}>"

    def flagged(self, run: Run) -> str:
        """Run statements whose exits set flags, since more statements follow on some paths."""
        for flag in (RETURNED, self.flag(STOP), self.flag(SKIP)):
            if self.get(self.frame, flag) is None:
                self.set(self.frame, flag, Static(False))
        self.flag_depth += 1
        try:
            return run()
        finally:
            self.flag_depth -= 1

    def _guarded(self, rest: list[ast.stmt]) -> str:
        """Run `rest` unless a flag says that the loop or function was left."""
        stop, skip = self.flag(STOP), self.flag(SKIP)
        for flag, leave in ((RETURNED, ast.Break), (stop, ast.Break), (skip, ast.Continue)):
            value = self.get(self.frame, flag)
            known = False if value is None else self.truth(value)
            if known is False:
                continue
            in_loop = self.in_loop()
            if known:
                return self._leave(leave) if in_loop and self.flag_depth == 0 else FLAG
            test = self.residual(value)  # type: ignore[arg-type]

            def left(leave: type = leave, in_loop: bool = in_loop) -> str:
                return self._leave(leave) if in_loop and self.flag_depth == 0 else FLAG

            def stays(flag: str = flag) -> str:
                self.set(self.frame, flag, Static(False))
                return self._guarded(rest)

            return self.choose(test, left, stays, None)
        return self.run_block(rest)

    def in_loop(self) -> bool:
        return bool(self.loops) and self.loops[-1].frame is self.frame

    def _leave(self, kind: type) -> str:
        loop = self.loops[-1]
        return self.jump("break" if kind is ast.Break else "continue", loop)

    def jump(self, kind: str, loop: Any) -> str:
        """Leave a loop's body: the loop adds its moves and the exit here later."""
        if loop.unrolled:
            self.set(self.frame, self.flag(STOP if kind == "break" else SKIP), Static(True))
            return FLAG
        loop.paths.append((kind, Path(self.state.copy(), self.builder.block)))
        return JUMP

    def branch(
        self, test: nodes.Expr, then: list[ast.stmt], orelse: list[ast.stmt], node: ast.AST
    ) -> str:  # type: ignore[override]
        return self.choose(test, lambda: self.run_block(then), lambda: self.run_block(orelse), node)

    def choose(self, test: nodes.Expr, then: Run, orelse: Run, node: ast.AST | None) -> str:
        """Lower both sides and let their states meet."""
        depth = len(self.builder.blocks)
        for _ in range(20):
            entry = self.state.copy()
            mark = len(self.builder.block)
            jumps = [len(loop.paths) for loop in self.loops]
            flags = self.flag_depth
            try:
                return self._choose(test, then, orelse, node)
            except NeedsResidual as found:
                outer = any(
                    not loop.unrolled and found.identity in loop.entry for loop in self.loops
                )
                if found.identity not in entry.heap or outer:
                    raise
                del self.builder.blocks[depth:]
                del self.builder.block[mark:]
                for loop, count in zip(self.loops, jumps, strict=False):
                    del loop.paths[count:]
                self.state, self.flag_depth = entry, flags
                self.materialize(found.identity)
        raise AssertionError("a branch does not settle")

    def _choose(self, test: nodes.Expr, then: Run, orelse: Run, node: ast.AST | None) -> str:
        entry = self.state
        paths: list[Path] = []
        statuses, blocks = [], []
        for outcome, run in ((True, then), (False, orelse)):
            self.state = entry.copy()
            self.refine(test, outcome)
            self.builder.blocks.append([])
            status = run()
            block = self.builder.blocks.pop()
            statuses.append(status)
            blocks.append(block)
            if status != JUMP:
                paths.append(Path(self.state, block))
        self.builder.emit(nodes.If(test, blocks[0], blocks[1], span=self.span(node)))  # type: ignore[arg-type]
        if not paths:
            return JUMP
        self.state = paths[0].state if len(paths) == 1 else Meeting(self.builder, paths, hint).run()
        alive = [s for s in statuses if s != JUMP]
        return FALL if FALL in alive else alive[0]

    def refine(self, test: nodes.Expr, outcome: bool) -> None:
        """What a test tells about a value that may be None."""
        match test:
            case nodes.Call(function="not", args=(inner,)):
                self.refine(inner, not outcome)
            case nodes.Call(function="and", args=args) if outcome:
                for arg in args:
                    self.refine(arg, True)
            case nodes.Call(function="or", args=args) if not outcome:
                for arg in args:
                    self.refine(arg, False)
            case nodes.Call(
                function="is" | "is not" as sign, args=(nodes.Var() as var, nodes.Const(value=None))
            ):
                if isinstance(var.type, Maybe):
                    is_none = (sign == "is") == outcome
                    self._narrow(var, NONE if is_none else var.type.item)
            case nodes.Var() as var if outcome and isinstance(var.type, Maybe):
                self._narrow(var, var.type.item)

    def _narrow(self, var: nodes.Var, kind: Any) -> None:
        new: Value = Static(None) if kind == NONE else Dyn(dataclasses.replace(var, type=kind))
        for key, value in self.state.vars.items():
            if isinstance(value, Dyn) and value.expr == var:
                self.state.vars[key] = new

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true, where that is known while compiling."""
        if isinstance(value, Static):
            return bool(value.value)
        contents = self.contents(value)
        if isinstance(contents, Sequence | Mapping):
            return bool(contents.items)
        if isinstance(contents, Instance):
            return (
                None
                if hasattr(contents.cls, "__bool__") or hasattr(contents.cls, "__len__")
                else True
            )
        if isinstance(value, Dyn):
            kind = value.type
            if isinstance(kind, Known):
                return bool(kind.value)
            return bool(kind.items) if isinstance(kind, Tuple) else None
        return True

    # --- match -------------------------------------------------------------------------------
    def stmt_Match(self, stmt: ast.Match) -> str:
        """Rewritten as if / elif on constants."""
        subject = ast.copy_location(ast.Name("<subject>", ast.Load()), stmt)
        self.set(self.frame, "<subject>", self._held(self.expr(stmt.subject), stmt))
        chain: list[ast.stmt] = []
        for case in reversed(stmt.cases):
            test = self._pattern_test(case.pattern, subject, stmt)
            body = list(case.body)
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.name:
                name = ast.copy_location(ast.Name(case.pattern.name, ast.Store()), stmt)
                body.insert(0, ast.copy_location(ast.Assign([name], subject), stmt))
            if case.guard is not None:
                test = (
                    case.guard
                    if test is None
                    else ast.copy_location(ast.BoolOp(ast.And(), [test, case.guard]), stmt)
                )
            chain = body if test is None else [ast.copy_location(ast.If(test, body, chain), stmt)]
        return self.run_block(chain)

    def _held(self, value: Value, node: ast.AST) -> Value:
        return Dyn(self.named(value, "subject", node)) if isinstance(value, Dyn) else value

    def _pattern_test(
        self, pattern: ast.pattern, subject: ast.expr, node: ast.AST
    ) -> ast.expr | None:
        match pattern:
            case ast.MatchValue(value=value):
                return ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), node)
            case ast.MatchSingleton(value=value):
                constant = ast.copy_location(ast.Constant(value), node)
                return ast.copy_location(ast.Compare(subject, [ast.Is()], [constant]), node)
            case ast.MatchOr(patterns=patterns):
                tests = [self._pattern_test(p, subject, node) for p in patterns]
                if None in tests:
                    return None
                return ast.copy_location(ast.BoolOp(ast.Or(), tests), node)  # type: ignore[arg-type]
            case ast.MatchAs(pattern=None):
                return None
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self._pattern_test(inner, subject, node)
        raise self.refuse("only constants can be matched", node, "", "use if / elif")

    # --- exits -------------------------------------------------------------------------------
    def stmt_Return(self, stmt: ast.Return) -> str:
        value = self.expr(stmt.value) if stmt.value is not None else Static(None)
        if (
            isinstance(value, Dyn)
            and not isinstance(value.expr, nodes.Var | nodes.Const)
            and self.in_loop()
        ):
            value = Dyn(self.named(value, "result", stmt))
        self.set(self.frame, RETURN, value)
        if self.in_loop() or self.flag_depth:
            self.set(self.frame, RETURNED, Static(True))
        if self.flag_depth:
            return FLAG
        return self.jump("break", self.loops[-1]) if self.in_loop() else DONE

    def stmt_Break(self, stmt: ast.Break) -> str:
        return self._exit("break", STOP)

    def stmt_Continue(self, stmt: ast.Continue) -> str:
        return self._exit("continue", SKIP)

    def _exit(self, kind: str, flag: str) -> str:
        loop = self.loops[-1]
        if kind == "break":
            loop.broke = True
        if kind == "break" and loop.broke_flag:
            self.set(self.frame, loop.broke_flag, Static(True))
        if self.flag_depth:
            self.set(self.frame, self.flag(flag), Static(True))
            return FLAG
        return self.jump(kind, loop)

    def stmt_Raise(self, stmt: ast.Raise) -> str:
        value = (
            self.residual(self.expr(stmt.exc))
            if stmt.exc is not None
            else nodes.Const(None, type=NONE)
        )
        if isinstance(value, nodes.Ref):
            value = nodes.Call(value.value, value.text, (), type=Opaque("exception"))
        self.builder.emit(nodes.Do(value, "raise", span=self.span(stmt)))
        return JUMP

    # --- effects -----------------------------------------------------------------------------
    def stmt_Expr(self, stmt: ast.Expr) -> str:
        if isinstance(stmt.value, ast.Constant):
            return FALL
        if isinstance(stmt.value, ast.Yield | ast.YieldFrom | ast.Await):
            raise self.refuse(
                "generators and coroutines can't be transformed",
                stmt,
                "",
                "append to a list and return it",
            )
        value = self.expr(stmt.value)
        if isinstance(value, Dyn) and isinstance(value.expr, nodes.Call) and has_effect(value.expr):
            self.builder.emit(nodes.Do(value.expr, span=self.span(stmt)))
        elif isinstance(value, Dyn) and self.builder.block:
            last = self.builder.block[-1]
            named = isinstance(value.expr, nodes.Var) and isinstance(last, nodes.Assign)
            if named and last.targets == (value.expr.name,) and has_effect(last.values[0]):  # type: ignore[union-attr,attr-defined]
                self.builder.block[-1] = nodes.Do(last.values[0], span=self.span(stmt))  # type: ignore[union-attr]
        return FALL

    def stmt_Pass(self, stmt: ast.Pass) -> str:
        return FALL

    def stmt_Assert(self, stmt: ast.Assert) -> str:
        test = self.expr(stmt.test)
        if self.truth(test) is True:
            return FALL
        message = None if stmt.msg is None else self.residual(self.expr(stmt.msg))
        self.builder.emit(nodes.Do(self.residual(test), "assert", message, span=self.span(stmt)))
        return FALL

    def stmt_Import(self, stmt: ast.Import) -> str:
        for alias in stmt.names:
            module = importlib.import_module(alias.name)
            if alias.asname is None:
                module = importlib.import_module(alias.name.split(".")[0])
            name = alias.asname or alias.name.split(".")[0]
            self.set(self.frame, name, Static(module, name))
        return FALL

    def stmt_ImportFrom(self, stmt: ast.ImportFrom) -> str:
        package = self.frame.globals.get("__package__") if stmt.level else None
        module = importlib.import_module("." * stmt.level + (stmt.module or ""), package)
        for alias in stmt.names:
            found = getattr(module, alias.name)
            self.set(self.frame, alias.asname or alias.name, self.object_value(found))  # type: ignore[attr-defined]
        return FALL

    def stmt_FunctionDef(self, stmt: ast.FunctionDef) -> str:
        value = self.make_function(stmt, stmt.name)  # type: ignore[attr-defined]
        for decorator in reversed(stmt.decorator_list):
            value = self.call(self.expr(decorator), [value], {}, stmt)
        self.set(self.frame, stmt.name, value)
        return FALL

    def stmt_Global(self, stmt: ast.Global) -> str:
        raise self.refuse(
            "writing globals", stmt, "a gradient call must leave module globals as they were",
            "pass the value as an argument and return the new one",
        )  # fmt: skip

    def stmt_Nonlocal(self, stmt: ast.Nonlocal) -> str:
        scope = self.frame.parent
        while scope is not None:
            if all(n in scope.local_names for n in stmt.names):
                return FALL
            scope = scope.parent
        raise self.refuse(
            "writing closure variables of a function outside",
            stmt,
            "",
            "return the new value instead",
        )

    def stmt_Delete(self, stmt: ast.Delete) -> str:
        for target in stmt.targets:
            if isinstance(target, ast.Name):
                self.state.vars.pop((self.frame.id, target.id), None)
            elif isinstance(target, ast.Subscript):
                base, key = self.expr(target.value), self.index_value(target.slice)  # type: ignore[attr-defined]
                if not isinstance(base, Heap):
                    raise self.refuse("can't delete items of this", target)
                self.container_method(base, "pop", [key], {}, stmt)  # type: ignore[attr-defined]
            else:
                raise self.refuse("can't delete attributes", target)
        return FALL

    # --- assignments -------------------------------------------------------------------------
    def stmt_Assign(self, stmt: ast.Assign) -> str:
        if len(stmt.targets) == 1 and self._parallel(stmt.targets[0], stmt.value, stmt):
            return FALL
        self.target_hint = stmt.targets[0].id if isinstance(stmt.targets[0], ast.Name) else "items"
        value = self.expr(stmt.value)
        for target in stmt.targets:
            self.assign(target, value, stmt)
            if len(stmt.targets) > 1 and isinstance(target, ast.Name):
                value = self.get(self.frame, target.id) or value
        return FALL

    def stmt_AnnAssign(self, stmt: ast.AnnAssign) -> str:
        if stmt.value is not None:
            self.target_hint = stmt.target.id if isinstance(stmt.target, ast.Name) else "items"
            self.assign(stmt.target, self.expr(stmt.value), stmt)
        return FALL

    def _parallel(self, target: ast.expr, value: ast.expr, stmt: ast.stmt) -> bool:
        """`a, b = b, a + b`: all values first, then all names, in one statement."""
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return False
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        if len(names) != len(target.elts) or len(names) != len(value.elts):
            return False
        values = [self.expr(v) for v in value.elts]
        if not all(
            isinstance(v, Dyn) or (isinstance(v, Static) and _is_numeral(v.value)) for v in values
        ):
            for t, v in zip(target.elts, values, strict=True):
                self.assign(t, v, stmt)
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
        while name not in scope.local_names and scope.parent is not None:
            scope = scope.parent
        self.set(scope, name, value)

    def assign(self, target: ast.expr, value: Value, node: ast.stmt) -> None:
        match target:
            case ast.Name(id=name):
                self.set_name(name, self.kept(name, value, node))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                self._unpack(elements, value, node)
            case ast.Subscript():
                base = self.expr(target.value)
                self.set_item(base, self.index_value(target.slice), value, node)  # type: ignore[attr-defined]
            case ast.Attribute():
                owner = self.expr(target.value)
                if isinstance(owner, Dyn) and target.attr == "shape":
                    raise self.refuse("assigning to .shape", target, "", "use reshape")
                self.set_attribute(owner, target.attr, self.kept(target.attr, value, node), node)  # type: ignore[attr-defined]
            case _:
                raise self.refuse("can't assign to this", target)

    def kept(self, name: str, value: Value, node: ast.AST) -> Value:
        """A value under a name: numbers get a variable of that name in generated code."""
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
            return Dyn(self.builder.bind(name, expr, self.span(node)))
        if isinstance(value, Heap):
            self.settle(value, name, node)
        return value

    def settle(self, value: Heap, name: str, node: ast.AST) -> None:
        """Compute the items of a container now, each under a name of its own."""
        contents = self.state.heap[value.id]
        if isinstance(contents, Sequence):
            items = tuple(
                self._settled(f"{name}_{i}", v, node) for i, v in enumerate(contents.items)
            )
            if items != contents.items:
                self.state.heap[value.id] = dataclasses.replace(contents, items=items)
        elif isinstance(contents, Mapping):
            pairs = tuple((k, self._settled(f"{name}_{k}", v, node)) for k, v in contents.items)
            if pairs != contents.items:
                self.state.heap[value.id] = Mapping(pairs)

    def _settled(self, name: str, value: Value, node: ast.AST) -> Value:
        if isinstance(value, Dyn) and not isinstance(value.expr, nodes.Slice):
            return Dyn(self.named(value, name if name.isidentifier() else "item", node))
        if isinstance(value, Heap):
            self.settle(value, name, node)
        return value

    def _unpack(self, elements: list[ast.expr], value: Value, node: ast.stmt) -> None:
        items = None
        star = next((i for i, e in enumerate(elements) if isinstance(e, ast.Starred)), None)
        if isinstance(value, Dyn) and isinstance(value.type, Tuple) and star is None:
            if self._unpack_names(elements, value, node):
                return
            value = Dyn(self.named(value, "parts", node))
        items = self.iterate(value, node)
        if items is None:
            items = self._unpack_array(elements, value, star, node)
        if items is None:
            return
        if star is None and len(items) != len(elements):
            raise self.refuse(f"can't unpack {len(items)} values into {len(elements)} names", node)
        if star is not None:
            after = len(elements) - star - 1
            middle = items[star : len(items) - after]
            items = [*items[:star], self.sequence(middle, "list"), *items[len(items) - after :]]
        if not all(isinstance(e, ast.Name) for e in elements) and len(items) > 1:
            items = [
                Dyn(self.named(i, "part", node))
                if isinstance(i, Dyn) and not isinstance(i.expr, nodes.Slice)
                else i
                for i in items
            ]
        for element, item in zip(elements, items, strict=True):
            self.assign(element.value if isinstance(element, ast.Starred) else element, item, node)

    def _unpack_names(self, elements: list[ast.expr], value: Dyn, node: ast.stmt) -> bool:
        """`q, r = f(x)` stays one statement where all targets are names."""
        names = [e.id for e in elements if isinstance(e, ast.Name)]
        kinds = value.type.items  # type: ignore[attr-defined]
        if len(names) != len(elements) or len(names) != len(kinds):
            return False
        made = [self.builder.fresh(n, k) for n, k in zip(names, kinds, strict=True)]
        targets = tuple(m.name for m in made)
        self.builder.emit(nodes.Unpack(targets, value.expr, span=self.span(node)))
        for name, var in zip(names, made, strict=True):
            self.set_name(name, Dyn(var))
        return True

    def _unpack_array(
        self, elements: list[ast.expr], value: Value, star: int | None, node: ast.stmt
    ) -> list[Value] | None:
        """Items of an array or list taken by position; a starred name gets a slice."""
        if not isinstance(value, Dyn) or not isinstance(value.type, Array | List | Number):
            raise self.refuse("can't unpack this", node)
        base = Dyn(self.named(value, "parts", node))
        if star is None:
            return [self.index(base, Static(i), node) for i in range(len(elements))]
        after = len(elements) - star - 1
        upper = nodes.Const(-after, type=Scalar("int", None, -after)) if after else None
        part = nodes.Slice(
            nodes.Const(star, type=Scalar("int", None, star)), upper, None, type=Opaque("slice")
        )
        middle = self.index(base, Dyn(part), node)
        if isinstance(value.type, Array | Number):
            middle = self.call(Static(list, "list"), [middle], {}, node)
        front = [self.index(base, Static(i), node) for i in range(star)]
        back = [self.index(base, Static(i - after), node) for i in range(after)]
        starred = elements[star]
        assert isinstance(starred, ast.Starred)
        for element, item in zip(
            [*elements[:star], *elements[star + 1 :]], [*front, *back], strict=True
        ):
            self.assign(element, item, node)
        self.assign(starred.value, middle, node)
        return None

    def stmt_AugAssign(self, stmt: ast.AugAssign) -> str:
        sign = BINARY[type(stmt.op)]
        target = stmt.target
        if isinstance(target, ast.Subscript):
            self._augment_item(target, sign, stmt)
            return FALL
        load = ast.copy_location(
            ast.Name(target.id, ast.Load()) if isinstance(target, ast.Name) else ast.Attribute(target.value, target.attr, ast.Load()),
            target,
        )  # fmt: skip
        old, value = self.expr(load), self.expr(stmt.value)
        if (
            isinstance(old, Dyn)
            and isinstance(old.type, Array)
            and not isinstance(old.type, Number)
        ):
            expr = self.residual(value, stmt)
            if is_number(expr.type) or isinstance(expr, nodes.Sequence):
                self.builder.emit(nodes.Store(old.expr, (), expr, sign, span=self.span(stmt)))
                return FALL
        if sign == "+" and self._extend(old, value, stmt):
            return FALL
        self.assign(target, self.binary(sign, old, value, stmt), stmt)  # type: ignore[attr-defined]
        return FALL

    def _extend(self, old: Value, value: Value, node: ast.AST) -> bool:
        """`items += more` changes a list in place."""
        contents = self.contents(old)
        is_list = isinstance(contents, Sequence) and contents.kind == "list"
        if is_list or (isinstance(old, Dyn) and isinstance(old.type, List)):
            self.container_method(old, "extend", [value], {}, node)  # type: ignore[attr-defined]
            return True
        return False

    def _augment_item(self, target: ast.Subscript, sign: str, stmt: ast.AugAssign) -> None:
        base = self.expr(target.value)
        index = self.index_value(target.slice)  # type: ignore[attr-defined]
        if isinstance(base, Dyn) and isinstance(base.type, Array | Number):
            value = self.expr(stmt.value)
            parts = self.index_parts(index, stmt)  # type: ignore[attr-defined]
            expr = self.residual(value, stmt)
            self.builder.emit(nodes.Store(base.expr, parts, expr, sign, span=self.span(stmt)))
            return
        if isinstance(index, Dyn) and not isinstance(index.expr, nodes.Slice):
            index = Dyn(self.named(index, "key", stmt))
        old = self.index(base, index, stmt)
        value = self.expr(stmt.value)
        if isinstance(old, Dyn) and isinstance(old.type, Array):
            self.builder.emit(
                nodes.Store(old.expr, (), self.residual(value, stmt), sign, span=self.span(stmt))
            )
            return
        if sign == "+" and self._extend(old, value, stmt):
            return
        made = self.binary(sign, old, value, stmt)  # type: ignore[attr-defined]
        base = self.expr(target.value)
        if isinstance(base, Heap):
            made = self.kept(_label(index), made, stmt)
        self.set_item(base, index, made, stmt)  # type: ignore[attr-defined]


def _label(index: Value) -> str:
    if isinstance(index, Static) and isinstance(index.value, str) and index.value.isidentifier():
        return index.value
    return "item"


def _is_numeral(value: Any) -> bool:
    return type(value) in (int, float, complex)
