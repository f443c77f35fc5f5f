"""Floor 8: what of a function's code tells it from another, and what belongs to a package."""

from __future__ import annotations

import dis
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

_ROOTS = {"numpy", "scipy", "numba", "s2sgrad", "s2sgrad_runtime", *sys.stdlib_module_names}
_ROOTS -= {"__main__"}
# What finds things by names that are made up as the code runs; the latter, parts of a module only.
HIDDEN = frozenset({
    "eval", "exec", "globals", "locals", "__import__", "import_module", "__globals__",
    "__builtins__",
})  # fmt: skip
HIDDEN_PARTS = frozenset({"vars", "getattr", "__dict__", "__getattribute__"})


def trusted(module: Any) -> bool:
    """Whether a module belongs to a package whose version is part of every key."""
    return isinstance(module, str) and module.partition(".")[0] in _ROOTS


def at_home(value: Any) -> bool:
    """Whether a function or class is what its name means in a package of known version."""
    home = getattr(value, "__globals__", None)  # `functools.wraps` does not change this
    module = home.get("__name__") if isinstance(home, dict) else value.__module__
    if not trusted(module):
        return False
    found: Any = sys.modules.get(str(module))
    for name in getattr(value, "__qualname__", value.__name__).split("."):
        found = getattr(found, name, None)
    if found is None and isinstance(value, type):
        return not value.__flags__ & (1 << 9)  # made in C, without a name
    return found is value


def code_parts(code: types.CodeType) -> tuple[list[str], set[str]]:
    """(what the code does, as text; the names it uses)."""
    parts = [
        code.co_name, code.co_code.hex(), repr(code.co_varnames), repr(code.co_names),
        repr(code.co_freevars), repr(code.co_cellvars), str(code.co_flags),
        str(code.co_argcount), str(code.co_posonlyargcount), str(code.co_kwonlyargcount),
        str(code.co_firstlineno), code.co_linetable.hex(), code.co_exceptiontable.hex(),
    ]  # fmt: skip
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner, more = code_parts(constant)
            parts += inner
            names |= more
        elif isinstance(constant, frozenset):
            parts += sorted(map(repr, constant))
        else:
            parts.append(repr(constant))
            if isinstance(constant, str) and constant.isidentifier():
                names.add(constant)  # for getattr
    return parts, names


def imported(code: types.CodeType) -> Iterator[str]:
    """The modules that the code itself imports; an empty name for one relative to its package."""
    if dis.opmap["IMPORT_NAME"] in code.co_code[::2]:
        before = list(dis.get_instructions(code))
        for k, instruction in enumerate(before):
            if instruction.opname == "IMPORT_NAME":
                yield instruction.argval if before[k - 2].argval == 0 else ""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from imported(constant)


def text_of(code: types.CodeType) -> str:
    """The lines that a function stands in."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)
    last = max((n for _, _, n in code.co_lines() if n is not None), default=code.co_firstlineno)
    return "".join(lines[code.co_firstlineno - 1 : last])


def plain_enum(value: Any) -> bool:
    """Whether a value is a member of an enumeration."""
    return type(type(value)).__module__ == "enum"


__all__ = [
    "HIDDEN", "HIDDEN_PARTS", "at_home", "code_parts", "imported", "plain_enum", "text_of",
    "trusted",
]  # fmt: skip
