"""Floor 3: what generated code raises where a name has no value, as Python says it."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt
from s2sgrad.ir.types import BOOL, STR, Opaque

TEXT = "cannot access local variable '{}' where it is not associated with a value"


def unbound_error(flag: Expr, user: str, guards: tuple[Expr, ...] = ()) -> Stmt:
    """An error where a name of the user's has no value.

    flag: what says that it has one. guards: what is true where it is read at all.
    """
    test = negated(flag)
    if guards:
        test = Call("and", "and", (*guards, test), form="operator", type=BOOL)
    text = Const(TEXT.format(user), type=STR)
    error = Call(UnboundLocalError, "UnboundLocalError", (text,), type=Opaque("exception"))
    return nodes.If(test, (nodes.Do(error, "raise"),), ())


def negated(test: Expr) -> Expr:
    """`not test`."""
    return Call("not", "not", (test,), form="operator", type=BOOL)
