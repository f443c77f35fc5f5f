"""Floor 6: machine code on disk, and back in memory without Numba's own start.

Before Numba takes code from its cache, it loads all it knows of types and functions: that takes
0.3 s in a new process. The code itself needs none of it, only the addresses of a few functions
in C. What asks for more (Python in the midst of compiled code) is left to Numba's cache.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from s2sgrad.backend.jit.files import read_bytes, write_bytes

Types = tuple[Any, ...]
# Code stays in memory, as Numba's own does: what it has made, such as lists, may need its code to
# be taken apart, long after the last call.
_FOR_GOOD: list[Any] = []
LAYOUT = 2  # counts up where code that lies on disk is not to be used any more


@dataclass(frozen=True)
class Code:
    """Machine code for arguments of one kind.

    entry: the symbol of what takes Python objects. environments: (symbol, constants) of what
    Numba keeps beside each function, the own one first. needs: symbols that are found outside.
    """

    name: str
    types: Types
    elf: bytes
    entry: str
    environments: tuple[tuple[str, str, list[Any]], ...]
    needs: tuple[str, ...]


def _file(text: Path, types: Types) -> Path:
    """Where the code lies that a file with a module's text was compiled to, for these types."""
    key = hashlib.sha256(repr((LAYOUT, types, _processor(), _settings())).encode()).hexdigest()
    return text.with_suffix(f".{key[:16]}.code")


@cache
def _processor() -> tuple[str, ...]:
    """The processor that code is made for."""
    from numba.core.registry import cpu_target

    return tuple(map(str, cpu_target.target_context.codegen().magic_tuple()))


def _settings() -> tuple[tuple[str, str], ...]:
    """Numba's variables in the environment: some change the code that it makes."""
    return tuple(sorted(i for i in os.environ.items() if i[0].startswith("NUMBA_")))


def keep_code(text: Path, types: Types, result: Any) -> bool:
    """Write down what Numba has compiled from a file; False where its own cache must."""
    if result.reload_init or result.lifted or result.objectmode:
        return False
    if result.library.has_dynamic_globals:
        return False
    libdata, fndesc, own, *_, referenced = result._reduce()
    if libdata[1] != "object":
        return False
    module = result.library._final_module
    needs = [f.name for f in (*module.functions, *module.global_variables) if f.is_declaration]
    code = Code(
        fndesc.qualname.split(".")[-1],
        types,
        libdata[2][0],
        fndesc.llvm_cpython_wrapper_name,
        tuple((e.env_name, e.globals["__name__"], e.consts) for e in (own, *referenced)),
        tuple(n for n in needs if not n.startswith("llvm.")),
    )
    held = pickle.dumps(tuple(getattr(code, f.name) for f in fields(code)))
    return write_bytes(_file(text, types), held)


def revived(text: Path, dispatcher: Any, args: tuple[Any, ...]) -> Any:
    """What runs for these arguments, known to the dispatcher now; None where there is none."""
    try:
        types = tuple(map(dispatcher.typeof_pyval, args))
        code = Code(*pickle.loads(read_bytes(_file(text, types))))
        if code.types != types or not _reachable(code.needs):
            return None
        entry = _loaded(code)
    except Exception:  # not there, of another version, damaged: it is compiled anew
        return None
    _FOR_GOOD.append(entry)
    dispatcher._insert([t._code for t in types], entry, False)
    return entry


def _reachable(needs: tuple[str, ...]) -> bool:
    """Whether all symbols are known: LLVM ends the process where one is not."""
    import llvmlite.binding as llvm
    from numba.core.registry import cpu_target

    # Who knows symbols, from what takes no time to what takes long.
    sources = (_name_allocators, *map(_importing, _NAMING), cpu_target.target_context.refresh)
    for name_symbols in sources:
        if all(map(llvm.address_of_symbol, needs)):
            return True
        name_symbols()
    return all(map(llvm.address_of_symbol, needs))


_MODULES = ("kept", "vectors", "blas", "pool", "special")
_NAMING = tuple(f"s2sgrad_runtime.numba_{n}" for n in _MODULES)


def _importing(module: str) -> Callable[[], Any]:
    return lambda: importlib.import_module(module)


@cache
def _name_allocators() -> None:
    """Tell LLVM where Numba's functions are that manage the memory of arrays."""
    import llvmlite.binding as llvm
    from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def _loaded(code: Code) -> Any:
    import llvmlite.binding as llvm
    import numba
    from numba import _dynfunc  # type: ignore[attr-defined]
    from numba.core.environment import Environment

    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.elf))
    engine.finalize_object()
    held = []
    for symbol, home, constants in code.environments:
        environment = Environment({"__name__": home})
        environment.env_name = symbol
        environment.consts.extend(constants)
        held.append(environment)
        place = engine.get_global_value_address(symbol)
        if place:
            ctypes.c_void_p.from_address(place).value = id(environment)
    address = engine.get_function_address(code.entry)
    if not address:
        raise LookupError(code.entry)
    return _dynfunc.make_function(numba, code.name, "", address, held[0], (engine, *held))


class Forgotten(Exception):
    """Machine code is not there, or not for these arguments."""


def runner(text: Path, name: str, parameters: list[str]) -> Any:
    """What runs the code that was compiled from a file; raises `Forgotten` where there is none."""
    import numba

    scope: dict[str, Any] = {}
    exec(f"def {name}({', '.join(parameters)}): pass", scope)
    dispatcher = numba.njit(scope[name])

    def revive(*args: Any) -> Any:
        entry = revived(text, dispatcher, args)
        if entry is None:
            raise Forgotten
        return entry

    dispatcher._compile_for_args = revive
    return dispatcher


__all__ = ["Forgotten", "keep_code", "revived", "runner"]
