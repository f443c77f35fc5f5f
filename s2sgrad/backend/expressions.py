"""Floor 6: print expressions, with as few parentheses as Python needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.types import Tuple

LEVELS = {
    "or": 1, "and": 2, "not": 3,
    "in": 4, "not in": 4, "is": 4, "is not": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4,
    "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9,
    "*": 10, "@": 10, "/": 10, "//": 10, "%": 10,
}  # fmt: skip
CHOICE, UNARY, POWER, ATOM = 0, 11, 12, 14
ASSOCIATIVE = {"and", "or"}


class ExpressionPrinter:
    """Prints expressions. inputs: variables that print as the caller's value they stand for."""

    def __init__(self, inputs: dict[str, nodes.Expr]) -> None:
        self.inputs = inputs

    def text(self, expr: nodes.Expr, level: int = 0) -> str:
        """The source text of an expression."""
        text, own = self._print(expr)
        return f"({text})" if own < level else text

    def _print(self, expr: nodes.Expr) -> tuple[str, int]:
        match expr:
            case nodes.Var(name=name):
                if name in self.inputs:
                    return self._print(self.inputs[name])
                return name, ATOM
            case nodes.Const(value=value):
                return constant_text(value)
            case nodes.Ref(text=text):
                return text, ATOM
            case nodes.Call():
                return self._call(expr)
            case nodes.Slice():
                bounds = (expr.lower, expr.upper, expr.step)
                inner = ", ".join("None" if b is None else self.text(b) for b in bounds)
                return f"slice({inner})", ATOM
            case nodes.Index(base=base, index=index):
                return f"{self.text(base, ATOM)}[{self._index(index)}]", ATOM
            case nodes.Sequence(kind=kind, items=items):
                return self._sequence(kind, items), ATOM
            case nodes.Mapping(keys=keys, values=values):
                rows = (
                    f"{self.text(k)}: {self.text(v)}" for k, v in zip(keys, values, strict=True)
                )
                return "{" + ", ".join(rows) + "}", ATOM
            case nodes.Choice(test=test, then=then, orelse=orelse):
                parts = (self.text(then, 1), self.text(test, 1), self.text(orelse, 0))
                return "{} if {} else {}".format(*parts), CHOICE
            case nodes.Text(template=template, parts=parts):
                return self._formatted(template, parts), ATOM
        raise TypeError(expr)

    def _formatted(self, template: tuple[str, ...], parts: tuple[nodes.Expr, ...]) -> str:
        result = template[0]
        for piece, part in zip(template[1:], parts, strict=True):
            result += self.text(part).replace('"', "'") + piece
        return result

    def _sequence(self, kind: str, items: tuple[nodes.Expr, ...]) -> str:
        whole = _taken_apart(items)
        if kind == "tuple" and whole is not None:
            return self.text(whole)
        inner = ", ".join(self.text(i) for i in items)
        if kind == "list":
            return f"[{inner}]"
        return f"({inner},)" if len(items) == 1 else f"({inner})"

    def _slice(self, part: nodes.Slice) -> str:
        if part.lower is None and part.upper is None and part.step is None:
            return ":"
        lower, upper = (self._bound(p) for p in (part.lower, part.upper))
        wide = any(
            not isinstance(p, nodes.Var | nodes.Const | None) and not _negative(p)
            for p in (part.lower, part.upper)
        )
        colon = (
            " : "
            if wide and lower and upper
            else " :"
            if wide and lower
            else ": "
            if wide and upper
            else ":"
        )
        step = "" if part.step is None else ":" + self._bound(part.step)
        return f"{lower}{colon}{upper}{step}"

    def _bound(self, part: nodes.Expr | None) -> str:
        return "" if part is None else self.text(part, 1)

    def _index(self, index: tuple[nodes.Expr, ...]) -> str:
        whole = _taken_apart(index)
        if whole is not None:
            return self.text(whole)
        parts = (self._slice(p) if isinstance(p, nodes.Slice) else self.text(p) for p in index)
        return ", ".join(parts) if index else "()"

    def _call(self, call: nodes.Call) -> tuple[str, int]:
        if call.form == "operator":
            return self._operator(call)
        if call.form == "attribute":
            return f"{self.text(call.args[0], ATOM)}.{call.text}", ATOM
        args = [self.text(a) for a in call.args]
        named = [f"{k}={self.text(v)}" for k, v in call.kwargs]
        if call.form == "method":
            owner = self.text(call.args[0], ATOM)
            if isinstance(call.args[0], nodes.Const) and isinstance(call.args[0].value, int):
                owner = f"({owner})"
            return f"{owner}.{call.text}({', '.join([*args[1:], *named])})", ATOM
        if call.form == "apply":  # the first argument is the function
            return f"{args[0]}({', '.join(args[1:])})", ATOM
        return f"{call.text}({', '.join([*args, *named])})", ATOM

    def _operator(self, call: nodes.Call) -> tuple[str, int]:
        sign = call.text
        if len(call.args) == 1:
            if sign == "not":
                return f"not {self.text(call.args[0], LEVELS['not'])}", LEVELS["not"]
            operand = call.args[0]
            if sign == "-" and call.span is None and _is_product(operand):
                return f"-{self.text(operand)}", LEVELS["*"]
            return f"{sign}{self.text(call.args[0], UNARY)}", UNARY
        *before, right = call.args  # `a and b and c` has three
        left = before[0] if len(before) == 1 else replace(call, args=tuple(before))
        if sign == "**":
            simple = all(_simple_power(p) for p in (left, right))
            gap = "" if simple else " "
            return f"{self.text(left, POWER + 1)}{gap}**{gap}{self.text(right, UNARY)}", POWER
        level = LEVELS[sign]
        right_level = level if sign in ASSOCIATIVE else level + 1
        return (
            f"{self.text(left, level + (level == 4))} {sign} {self.text(right, right_level)}",
            level,
        )


def _taken_apart(items: tuple[nodes.Expr, ...]) -> nodes.Expr | None:
    """The tuple of which these are all items, in their order: `ix` of `ix[0], ix[1]`."""
    bases = [i.base for i in items if isinstance(i, nodes.Index)]
    if len(items) < 2 or len(bases) < len(items) or any(b != bases[0] for b in bases):
        return None
    kind, places = bases[0].type, [i.index for i in items]  # type: ignore[attr-defined]
    in_order = all(p == (nodes.Const(k),) for k, p in enumerate(places))
    whole = isinstance(kind, Tuple) and len(kind.items) == len(items)
    return bases[0] if in_order and whole else None


def _is_product(expr: nodes.Expr) -> bool:
    """`-a * b` is written without parentheses where `-a` exists: NumPy's bools have no sign."""
    if not _product(expr):
        return False
    while _product(expr):
        expr = expr.args[0]  # type: ignore[attr-defined]
    return (getattr(expr.type, "dtype", None) or "").startswith(("float", "complex"))


def _product(expr: nodes.Expr) -> bool:
    operator = isinstance(expr, nodes.Call) and expr.form == "operator"
    return operator and expr.text in ("*", "/") and len(expr.args) == 2  # type: ignore[attr-defined]


def _simple_power(expr: nodes.Expr) -> bool:
    """Operands around which `**` is written without spaces, as formatters do."""
    if isinstance(expr, nodes.Var | nodes.Const | nodes.Ref):
        return True
    if isinstance(expr, nodes.Call) and expr.form == "attribute":
        return _simple_power(expr.args[0])
    return _negative(expr)


def _negative(expr: nodes.Expr | None) -> bool:
    return (
        isinstance(expr, nodes.Call)
        and expr.form == "operator"
        and len(expr.args) == 1
        and isinstance(expr.args[0], nodes.Const | nodes.Var)
    )


def constant_text(value: Any) -> tuple[str, int]:
    """A literal's text and its binding strength."""
    if value is ...:
        return "...", ATOM
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        name = "np.nan" if value != value else "np.inf"
        return (name, ATOM) if value != float("-inf") else ("-np.inf", UNARY)
    if isinstance(value, str):
        return quoted(value), ATOM
    text = repr(value)
    return text, UNARY if text.startswith("-") else ATOM


def quoted(value: str) -> str:
    """A text as formatters write it: in double quotes where it holds none."""
    text = repr(value)
    if text.startswith("'") and '"' not in text:
        return '"' + text[1:-1].replace("\\'", "'") + '"'
    return text
