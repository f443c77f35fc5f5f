"""Floor 6: what a function tells (prints, logs), counted where a call may have to run again."""

from __future__ import annotations

import logging
import types
from dataclasses import replace

from s2sgrad.backend.outside_names import variables_apart
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Function, Stmt
from s2sgrad.ir.types import BOOL, Opaque
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime.told import may_tell

_LOGGED = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_MODULES = frozenset({"logging", "warnings", "_warnings"})


def is_told(stmt: Stmt) -> bool:
    """Whether a statement prints or logs, and does nothing else that code could notice."""
    match stmt:
        case nodes.Do(value=nodes.Call(function=function), keyword="") if function is print:
            return True
        case nodes.Do(value=nodes.Call(function="opaque", args=(owner, *_)) as call, keyword=""):
            return call.text in _LOGGED and _logs(owner)
    return False


def _logs(owner: Expr) -> bool:
    """Whether this is a logger, or a module that logs and warns."""
    if isinstance(owner, nodes.Ref):
        value = owner.value
        return isinstance(value, types.ModuleType) and value.__name__ in _MODULES
    kind = owner.type
    return (
        isinstance(kind, Opaque)
        and isinstance(kind.cls, type)
        and issubclass(kind.cls, logging.Logger)
    )


def tells(function: Function) -> bool:
    """Whether any statement of a function prints or logs."""
    return any(map(is_told, nodes.walk_block(function.body)))


def telling_once(function: Function) -> Function:
    """The function, which tells only what no run of the same call has told before."""
    function = variables_apart(function, {"may_tell"})
    test = nodes.Call(may_tell, "may_tell", (), type=BOOL)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        return [nodes.If(test, (stmt,), (), span=stmt.span) if is_told(stmt) else stmt]

    return replace(function, body=map_block(function.body, lambda expr: expr, on_stmt))


__all__ = ["is_told", "telling_once", "tells"]
