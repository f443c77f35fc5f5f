"""Functions that only ever run as parts of others: each is made machine code with those alone.

Numba optimises what our code calls and makes machine code of it, for calls from Python that never
come, and both once more where it is called.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from numba.core import config, typed_passes
from numba.core.codegen import JITCodeLibrary, _parse_refprune_flags
from numba.core.cpu import _dynfunc

__all__ = ["OwnLibrary", "PartLibrary", "helpers_as_parts", "is_part", "lowered_as_part"]


_EARLY = 2  # LLVM's level for functions by themselves: at 3, it takes loops apart by conditions


class OwnLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Our code. All that LLVM knows is done once, when functions stand in each other.

    Numba has it done for each function before that, too. A loop that was copied for each outcome
    of a condition takes longer in all that follows, and becomes vector instructions less often.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            builder = self._codegen._pass_builder(opt=_EARLY)
            passes = builder.getFunctionPassManager()
            if config.LLVM_REFPRUNE_PASS:  # type: ignore[attr-defined]
                passes.add_refprune_pass(_parse_refprune_flags())
            passes.run(function, builder)


class PartLibrary(OwnLibrary):
    """Code that only runs as a part of other functions.

    It is optimised and becomes machine code there, and not once more by itself.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def is_part(function: Any) -> bool:
    """Whether nobody can call a function but code that is compiled with it.

    That is so for what Numba finds through `overload`: it is a function in a function.
    """
    home = str(getattr(function, "__module__", "")).split(".")[0]
    inner = "<locals>" in getattr(function, "__qualname__", "")
    return home in ("numba", "s2sgrad_runtime") and (
        inner or getattr(function, "s2sgrad_helper", False)
    )


# Raises an error if it is called after all, since a tuple is no name of an attribute.
_NEVER_CALLED = ctypes.cast(ctypes.pythonapi.PyObject_GenericGetAttr, ctypes.c_void_p).value


def lowered_as_part(lowering: Callable[[Any], bool], state: Any) -> bool:
    """What a lowering pass does, for such a function."""
    state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()
    kept, state.flags.no_compile = state.flags.no_compile, True
    try:
        lowering(state)
    finally:
        state.flags.no_compile = kept
    made, context = state.cr, state.targetctx
    function = _dynfunc.make_function(
        made.fndesc.lookup_module(), made.fndesc.qualname.split(".")[-1], "a part of others",
        _NEVER_CALLED, made.env, (state.library,),
    )  # fmt: skip
    context.insert_user_function(function, made.fndesc, [state.library])
    state.cr = made._replace(cfunc=function)
    return True


@contextlib.contextmanager
def helpers_as_parts() -> Iterator[None]:
    """While our code is compiled, under Numba's lock: what it calls is a part of it."""
    plain = typed_passes.NativeLowering.run_pass

    def run_pass(self: Any, state: Any) -> bool:
        if state.library is not None or not is_part(state.func_id.func):
            return bool(plain(self, state))
        return lowered_as_part(partial(plain, self), state)

    typed_passes.NativeLowering.run_pass = run_pass  # type: ignore[method-assign]
    try:
        yield
    finally:
        typed_passes.NativeLowering.run_pass = plain  # type: ignore[method-assign]
