"""Floor 4: lower statements that are not loops: branches, exits, effects."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.raising import raising_parts
from s2sgrad.frontend.doubtful_names import doubted
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
    fails,
    hint,
    only_raises,
)
from s2sgrad.frontend.refusals import STATEMENTS
from s2sgrad.frontend.state import Clash, Fails, NeedsResidual, Path, Unbound
from s2sgrad.frontend.statements.meeting import Meeting
from s2sgrad.frontend.statements.raising import Raising
from s2sgrad.frontend.statements.refining import forget_told
from s2sgrad.frontend.statements.trying import without_finally
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    Known,
    Maybe,
    Opaque,
    Scalar,
    Tuple,
)


class Statements(Raising):
    """Lowering of blocks, branches, exits and effects."""

    flag_depth = 0
    loops: list[Any]

    def run_block(self, stmts: list[ast.stmt]) -> str:
        """Run statements; what follows a possible exit goes into the branch that goes on."""
        stmts = without_finally(stmts)
        for i, stmt in enumerate(stmts):
            rest = stmts[i + 1 :]
            self.comments_before(stmt)
            if isinstance(stmt, ast.If) and exit_kind([stmt]) != NEVER and not only_raises(stmt):
                return self.reaching(partial(self._if_with_exits, stmt, rest), stmt)
            flagged = isinstance(stmt, ast.With | ast.Match) and exit_kind([stmt]) == MAYBE
            flagged |= isinstance(stmt, ast.With) and exit_kind([stmt]) != NEVER and self.in_loop()
            run = partial(self.statement, stmt)
            status = self.flagged(run) if flagged else run()
            if status != FALL and not (flagged and status == FLAG):
                return status
            if exit_kind([stmt]) != NEVER:
                return self.guarded(rest)
        return FALL

    def statement(self, stmt: ast.stmt) -> str:
        """Run one statement; how it ended."""
        method = getattr(self, f"stmt_{type(stmt).__name__}", None)
        if method is None:
            name = type(stmt).__name__.lower()
            plain = (f"'{name}' can't be differentiated", "it is not known how to", "")
            what, why, fix = STATEMENTS.get(type(stmt), plain)
            raise self.refuse(what, stmt, why, fix)
        return self.reaching(lambda: method(stmt) or FALL, stmt)

    def comments_before(self, stmt: ast.stmt) -> None:
        """Carry the comments right above a statement, and the one behind its first line."""
        source = self.source
        if self.frame.stands_at is not None:
            return
        lines = []
        line = stmt.lineno - 1
        while line in source.comments:
            lines.append(source.comments[line])
            line -= 1
        lines.reverse()
        if stmt.lineno in source.behind:
            lines.append(source.behind[stmt.lineno])
        for text in lines:
            self.builder.emit(nodes.Comment(text, span=self.span(stmt)))

    # --- branches ----------------------------------------------------------------------------
    def test(self, node: ast.expr) -> Value:
        """The truth of an expression: of the parts of `and`, `or` and `not`, where it has such."""
        if isinstance(node, ast.BoolOp):
            return self.condition(self.combined(node, self.test), node)
        return self.condition(self.expr(node), node)

    def condition(self, value: Value, node: ast.AST) -> Value:
        """A value as a test: objects are asked by their methods."""
        contents = self.contents(value)
        if self.is_counted(value):
            return self.compare(">", self.on_len([value], {}, node), Static(0), node)
        if isinstance(contents, Instance):
            return self._own_answer(value, contents.cls, node)
        if (row := self.row_of(value)) is not None:
            asked = [c for c in row.classes if hasattr(c, "__bool__") or hasattr(c, "__len__")]
            if not asked:
                return self.compare("is not", value, Static(None), node)
            value = self.opened(value)
        if (held := self.held_object(value)) is not None:
            cls = self.class_of(held)
            if not (isinstance(value, Dyn) and isinstance(value.type, Maybe)):
                return self._own_answer(held, cls, node)
            if hasattr(cls, "__bool__") or hasattr(cls, "__len__"):
                raise self.refuse(
                    "an object asked for its truth that may be None", node,
                    "its class answers the question where it is not None",
                    "write 'is not None' and call the method",
                )  # fmt: skip
        if isinstance(value, Chosen) and self.truth(value) is None:
            if None not in map(self.truth, value.options):
                return self.asked_of_chosen(value, self.truth)
            return self.dispatch(value, lambda v: self._asked(v, node), node)
        return value

    def _own_answer(self, value: Value, cls: type | None, node: ast.AST) -> Value:
        """What the class of an object says of its truth."""
        if hasattr(cls, "__bool__"):
            return self.call(self.attribute(value, "__bool__", node), [], {}, node)
        if hasattr(cls, "__len__"):
            length = self.call(self.attribute(value, "__len__", node), [], {}, node)
            return self.compare(">", length, Static(0), node)
        return Static(True)

    def _asked(self, value: Value, node: ast.AST) -> Value:
        value = self.condition(value, node)
        known = self.truth(value)
        if known is not None:
            return Static(known)
        return Dyn(nodes.Call(bool, "bool", (self.residual(value, node),), type=BOOL))

    def stmt_If(self, stmt: ast.If) -> str:
        test = self.test(stmt.test)
        known = self.truth(test)
        if known is not None:
            return self.run_block(stmt.body if known else stmt.orelse)
        return self.branch(self.residual(test, stmt), stmt.body, stmt.orelse, stmt)

    def _if_with_exits(self, stmt: ast.If, rest: list[ast.stmt]) -> str:
        test = self.test(stmt.test)
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
        return self.guarded(rest) if status in (FALL, FLAG) else status

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

    def guarded(self, rest: list[ast.stmt]) -> str:
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
                return self.guarded(rest)

            return self.choose(test, left, stays, None)
        return self.run_block(rest)

    def in_loop(self) -> bool:
        """Whether the innermost loop belongs to the innermost function."""
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
    ) -> str:
        """Lower an if statement whose test only a run can tell."""
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
        told: list[dict[Any, Value]] = []
        for outcome, run in ((True, then), (False, orelse)):
            self.state = entry.copy()
            self.refine(test, outcome)
            told.append({k: v for k, v in self.state.vars.items() if v is not entry.vars[k]})
            self.builder.blocks.append([])
            status = self.reached(run)
            block = self.builder.blocks.pop()
            statuses.append(status)
            blocks.append(block)
            if status != JUMP:
                paths.append(Path(self.state, block))
            else:
                told.pop()
        forget_told(entry, [p.state for p in paths], told)
        self.builder.emit(nodes.If(test, blocks[0], blocks[1], span=self.span(node)))  # type: ignore[arg-type]
        if not paths:
            return JUMP
        if len(paths) == 1:
            self.state = paths[0].state
        else:
            outside = self.outside_ids, self.outside_variables
            meeting = Meeting(self.builder, paths, hint, doubted(self.frames), outside)
            self.state = meeting.run()
            for var in meeting.made:  # the lists that met are of one type from here on
                for name in self.builder.mates.get(var.name, ()):
                    self.grow(nodes.Var(name, type=self.builder.types[name]), var.type)
        alive = [s for s in statuses if s != JUMP]
        return FALL if FALL in alive else alive[0]

    def reached(self, run: Run) -> str:
        """Run statements that the first iteration of a loop may not come to: where a name has no
        value yet, they are left out until a later attempt at the loop knows one."""
        depth, frames, loops = len(self.builder.blocks), len(self.frames), list(self.loops)
        jumps = [len(loop.paths) for loop in loops]
        try:
            return run()
        except (Unbound, Fails) as error:
            again = any(not loop.unrolled and not loop.strict for loop in loops)
            if not (failed := fails(error, again)) and not again:
                raise
            del self.builder.blocks[depth:], self.frames[frames:]
            self.builder.block.clear()
            self.loops[:] = loops
            for loop, count in zip(loops, jumps, strict=True):
                del loop.paths[count:]
                loop.skipped |= not failed
            if failed:
                self._fail(error)
            return JUMP

    def _fail(self, error: Any) -> None:
        """Code that fails as the user's own would, where a run comes there."""
        text = nodes.Const(error.reason, type=Known(error.reason))
        value = nodes.Call(error.raises, error.raises.__name__, (text,), type=Opaque("exception"))
        self.builder.emit(nodes.Do(value, "raise"))

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true, where that is known while compiling."""
        if isinstance(value, Static):
            return bool(value.value)
        contents = self.contents(value)
        if isinstance(contents, Sequence | Mapping):
            return bool(contents.items)
        if isinstance(contents, Instance):
            asked = hasattr(contents.cls, "__bool__") or hasattr(contents.cls, "__len__")
            return None if asked else True
        if isinstance(value, Dyn):
            kind = value.type
            if isinstance(kind, Known):
                return bool(kind.value)
            if isinstance(kind, Scalar) and type(kind.value) is bool:
                return kind.value
            return bool(kind.items) if isinstance(kind, Tuple) else None
        if isinstance(value, Chosen):
            found = {self.truth(option) for option in value.options}
            return found.pop() if len(found) == 1 else None
        return None if isinstance(value, Clash) or self.is_counted(value) else True

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

    # --- effects -----------------------------------------------------------------------------
    def stmt_Expr(self, stmt: ast.Expr) -> str:
        if isinstance(stmt.value, ast.Constant):
            return FALL
        value = self.expr(stmt.value)
        if isinstance(value, Dyn) and isinstance(value.expr, nodes.Call) and has_effect(value.expr):
            self.builder.emit(nodes.Do(value.expr, span=self.span(stmt)))
        elif isinstance(value, Dyn) and isinstance(value.expr, nodes.Call):
            for part in raising_parts(value.expr):
                self.builder.emit(nodes.Do(part, span=self.span(stmt)))
            self.discarded(value.expr, stmt)
        elif isinstance(value, Dyn) and self.builder.block:
            last = self.builder.block[-1]
            if not isinstance(value.expr, nodes.Var) or not isinstance(last, nodes.Assign):
                return FALL
            if last.targets == (value.expr.name,) and has_effect(last.values[0]):
                self.builder.block[-1] = nodes.Do(last.values[0], span=self.span(stmt))
        return FALL

    def stmt_Pass(self, stmt: ast.Pass) -> str:
        return FALL
