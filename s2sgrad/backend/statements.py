"""Floor 6: print statements and whole functions, at 88 columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2sgrad.backend.expressions import ExpressionPrinter
from s2sgrad.backend.quiet import HEADER, quiet_part
from s2sgrad.backend.unpacking import Live, joined_pops, unpacked_target
from s2sgrad.backend.wrap import wrapped
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, List, Scalar, Tuple

INDENT = "    "
Place = tuple[str, int]  # a file, and a line in it


class Printer(ExpressionPrinter):
    """Prints blocks as lines; remembers which user line each printed line came from.

    near: of lines of the compiler's own, the place of what they compute with.
    """

    def __init__(self, inputs: dict[str, nodes.Expr] | None = None) -> None:
        super().__init__(inputs or {})
        self.lines: list[str] = []
        self.origin: list[Place | None] = []
        self.near: list[Place | None] = []
        self.live = Live(())

    @property
    def user_lines(self) -> list[int]:
        """For each printed line its line in the file that it came from; 0 for none."""
        return [0 if place is None else place[1] for place in self.origin]

    def function(self, function: nodes.Function, quiet: bool = False) -> str:
        """The whole text of a function. quiet: where quotients are left out, none is warned of."""
        self.inputs = function.inputs
        self.live = Live(function.body)
        self._line(f"def {function.name}({', '.join(function.parameters)}):", 0, None)
        if function.docstring:
            self._line(f'"""{function.docstring}"""', 1, None)
        body, part = function.body, quiet_part(function.body) if quiet else slice(0, 0)
        if part.start:
            self.block(body[: part.start], 1)
        if part.stop:
            self._line(HEADER, 1, None)
            self.block(body[part], 2)
        if body[part.stop :] or not part.stop:
            self.block(body[part.stop :], 1)
        return "\n".join(self.lines) + "\n"

    def _line(self, text: str, depth: int, stmt: nodes.Stmt | None) -> None:
        for line in wrapped(INDENT * depth + text) if text else [""]:
            self.lines.append(line)
            self.origin.append(None if stmt is None else _place(stmt))
            self.near.append(None if stmt is None else _near(stmt))

    def block(self, block: Iterable[nodes.Stmt], depth: int) -> None:
        """Print the statements of a block."""
        before = len(self.lines)
        for stmt in joined_pops(tuple(block), self.live):
            self.statement(stmt, depth)
        if not any(
            line.strip() and not line.strip().startswith("#") for line in self.lines[before:]
        ):
            self._line("pass", depth, None)

    def statement(self, stmt: nodes.Stmt, depth: int) -> None:
        """Print one statement."""
        match stmt:
            case nodes.If():
                self._if(stmt, depth, "if")
            case nodes.For():
                header, body = self._for_header(stmt)
                self._line(header, depth, stmt)
                self.block(body, depth + 1)
            case nodes.While(test=test, body=body):
                self._line(f"while {self.text(test)}:", depth, stmt)
                self.block(body, depth + 1)
            case nodes.Comment(text="") if self.lines and self.lines[-1].endswith(":"):
                pass  # nothing comes before that it could be a line apart from
            case _:
                self._line(self._simple(stmt), depth, stmt)

    def _if(self, stmt: nodes.If, depth: int, word: str) -> None:
        if not stmt.then and stmt.orelse and not isinstance(stmt.orelse[0], nodes.If):
            stmt = replace(stmt, test=_negated(stmt.test), then=stmt.orelse, orelse=())
        self._line(f"{word} {self.text(stmt.test)}:", depth, stmt)
        self.block(stmt.then, depth + 1)
        if not stmt.orelse:
            return
        leaves = bool(stmt.then) and isinstance(stmt.then[-1], nodes.Exit)
        if leaves and word == "if":  # the sides above an elif go on to what follows
            for inner in stmt.orelse:  # a guard clause: what follows need not be indented
                self.statement(inner, depth)
            return
        if len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], nodes.If):
            self._if(stmt.orelse[0], depth, "elif")
            return
        self._line("else:", depth, None)
        self.block(stmt.orelse, depth + 1)

    def _for_header(self, stmt: nodes.For) -> tuple[str, nodes.Block]:
        """The header of a loop, and what is left of its body."""
        pairs = list(zip(stmt.targets, stmt.sources, strict=True))
        counters = [t for t, s in pairs if nodes.counts(s)]
        rest = [(t, self.text(s)) for t, s in pairs if not nodes.counts(s)]
        names, body = [], stmt.body
        for target, _ in rest:
            name, body = unpacked_target(target, body, self.live)
            names.append(f"({name})" if name != target and len(pairs) > 1 else name)
        targets = ", ".join(names)
        apart = stmt.backwards and len(rest) > 1  # `zip` can't be turned round
        source = ", ".join(f"reversed({s})" if apart else s for _, s in rest)
        if len(rest) > 1:
            source = f"zip({source})"
        if counters:
            (counter,) = counters
            targets = f"{counter}, ({targets})" if len(rest) > 1 else f"{counter}, {targets}"
            source = f"enumerate({source})"
        if stmt.backwards and not apart:
            source = f"reversed({source})"
        return f"for {targets} in {source}:", body

    def _simple(self, stmt: nodes.Stmt) -> str:
        match stmt:
            case nodes.Assign(targets=(target,), values=(nodes.Call() as value,)) if _augments(
                target, value
            ):
                return f"{target} {value.text}= {self.text(value.args[1])}"
            case nodes.Assign(targets=targets, values=values):
                return f"{', '.join(targets)} = {', '.join(self.text(v) for v in values)}"
            case nodes.Unpack(targets=targets, value=value):
                comma = "," if len(targets) == 1 else ""
                return f"{', '.join(targets)}{comma} = {self.text(value)}"
            case nodes.Store():
                return self._store(stmt)
            case nodes.Mutate(base=base, method=method, args=args, target=target):
                call = f"{self.text(base, 14)}.{method}({', '.join(self.text(a) for a in args)})"
                return f"{target} = {call}" if target else call
            case nodes.Do(value=value, keyword=keyword, extra=extra):
                rest = f", {self.text(extra)}" if extra is not None else ""
                if keyword == "raise" and isinstance(value, nodes.Const) and value.value is None:
                    return "raise"
                return f"{keyword} {self.text(value)}{rest}".strip()
            case nodes.Exit(kind=kind):
                return kind
            case nodes.Return(value=value):
                text = self.text(value)
                return "return " + (
                    text[1:-1]
                    if isinstance(value, nodes.Sequence)
                    and value.kind == "tuple"
                    and len(value.items) > 1
                    else text
                )
            case nodes.Comment(text=text):
                return text
        raise TypeError(stmt)

    def _store(self, stmt: nodes.Store) -> str:
        base = self.text(stmt.base, 14)
        value = self.text(stmt.value)
        if stmt.op.endswith("at"):
            name = {"+": "add", "-": "subtract"}[stmt.op[0]]
            index = self._index(stmt.index)
            if any(isinstance(p, nodes.Slice) for p in stmt.index):
                index = f"np.s_[{index}]"
            elif len(stmt.index) > 1:
                index = self._sequence("tuple", stmt.index)
            return f"np.{name}.at({base}, {index}, {value})"
        if not stmt.index:
            plain = stmt.op and isinstance(stmt.base, nodes.Var | nodes.Index)
            plain = plain and not _in_tuple(stmt.base)
            return f"{base} {stmt.op}= {value}" if plain else f"{base}[...] {stmt.op}= {value}"
        place = f"{base}[{self._index(stmt.index)}]"
        if stmt.op and _in_tuple(nodes.Index(stmt.base, stmt.index)):
            place = f"{place}[...]"
        if not stmt.op and _updates(stmt):
            return f"{place} {stmt.value.text}= {self.text(stmt.value.args[1])}"  # type: ignore[attr-defined]
        return f"{place} {stmt.op}= {value}"


_OPPOSITES = {"is": "is not", "is not": "is", "in": "not in", "not in": "in"}


def _negated(test: nodes.Expr) -> nodes.Expr:
    """The test that holds where this one does not."""
    if isinstance(test, nodes.Call) and test.function == "not":
        return test.args[0]
    if isinstance(test, nodes.Call) and test.text in _OPPOSITES and test.form == "operator":
        return replace(test, function=_OPPOSITES[test.text], text=_OPPOSITES[test.text])
    return nodes.Call("not", "not", (test,), form="operator", type=test.type)


def _augments(target: str, value: nodes.Call) -> bool:
    """Whether `x = x + y` of numbers was `x += y`: for arrays that would be in place."""
    if not value.augmented or value.form != "operator":
        return False
    first = value.args[0]
    same = isinstance(first, nodes.Var) and first.name == target and len(value.args) == 2
    return same and isinstance(value.type, Scalar) and isinstance(first.type, Scalar)


def _updates(stmt: nodes.Store) -> bool:
    """Whether `d[k] = d[k] + y` of numbers was `d[k] += y`."""
    value = stmt.value
    if not isinstance(value, nodes.Call) or not value.augmented or value.form != "operator":
        return False
    same = len(value.args) == 2 and value.args[0] == nodes.Index(stmt.base, stmt.index)
    return same and isinstance(value.type, Scalar) and isinstance(value.args[0].type, Scalar)


def _in_tuple(place: nodes.Expr) -> bool:
    """Whether a place is an array in a tuple: it can be changed, but not the tuple."""
    if not isinstance(place, nodes.Index):
        return False
    if isinstance(place.base.type, List):
        return place.base.type.fixed and isinstance(place.base.type.item, Array)
    if not isinstance(place.base.type, Tuple):
        return False
    key = place.index[0]
    items = place.base.type.items
    known = key.value if isinstance(key, nodes.Const) else None
    kinds = (items[known],) if type(known) is int else items
    return all(isinstance(k, Array) for k in kinds)


def _place(stmt: nodes.Stmt) -> Place | None:
    """The line that a statement stands in."""
    return None if stmt.span is None else (stmt.span.filename, stmt.span.line)


def _near(stmt: nodes.Stmt) -> Place | None:
    """The user's line of the first thing that a statement of the compiler's computes with."""
    spans = (e.span for part in nodes.expressions(stmt) for e in nodes.walk(part))
    return next(((s.filename, s.line) for s in spans if s is not None and not s.ours), None)
