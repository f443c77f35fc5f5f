"""Numba's compiler for our code: its own passes, some of them shorter.

Numba's passes look at each statement for things that generated code has seldom or never. What
the compiled code does is the same, to the bit.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np
from numba.core import ir, postproc, ssa, transforms, typed_passes, untyped_passes
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, get_definition, guard
from numba.core.registry import cpu_target

from s2sgrad_runtime.numba_choices import with_choices
from s2sgrad_runtime.numba_lowering import Lower
from s2sgrad_runtime.numba_pages import new_array, zero_array
from s2sgrad_runtime.numba_parts import OwnLibrary, PartLibrary, is_part, lowered_as_part
from s2sgrad_runtime.numba_reading import Reading
from s2sgrad_runtime.numba_rewrites import Inference, NoPhis, Rewrites, TypedRewrites

__all__ = ["Compiler"]

_MAKERS = {"empty": new_array, "zeros": zero_array}
_STACKED = "$phi"  # what a choice of two values, or a loop's iterator, is to Python: one place


@register_pass(mutates_CFG=True, analysis_only=False)
class NewArrays(FunctionPass):  # type: ignore[misc]
    """`np.empty` and `np.zeros` as our own functions."""

    _name = "s2sgrad_new_arrays"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        code, found = state.func_ir, False
        for block in code.blocks.values():
            for stmt in block.find_insts(ir.Assign):
                made = self._made(code, stmt.value)
                if made is not None:
                    stmt.value = ir.Global(made.__name__, made, stmt.loc)
                    code._definitions[stmt.target.name] = [stmt.value]
                    found = True
        return found

    def _made(self, code: Any, value: Any) -> Any:
        if not isinstance(value, ir.Expr) or value.op != "getattr" or value.attr not in _MAKERS:
            return None
        home = guard(get_definition, code, value.value)
        return _MAKERS[value.attr] if getattr(home, "value", None) is np else None


@register_pass(mutates_CFG=True, analysis_only=False)
class Products(FunctionPass):  # type: ignore[misc]
    """`a @ b` and `np.dot(a, b)` as our own functions."""

    _name = "s2sgrad_products"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        code, found = state.func_ir, False
        for block in code.blocks.values():
            body = []
            for stmt in block.body:
                called = self._called(code, stmt)
                if called is not None:
                    body.append(called)
                    found = True
                body.append(stmt)
            block.body = body
        return found

    def _called(self, code: Any, stmt: Any) -> Any:
        """The statement that names our function; the product is a call of it now."""
        value = stmt.value if isinstance(stmt, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            return None
        if value.op == "binop" and value.fn is operator.matmul:
            name, args = "matrix_product", (value.lhs, value.rhs)
        elif value.op == "call" and len(value.args) == 2 and self._dot(code, value):
            name, args = "dot_product", tuple(value.args)
        else:
            return None
        held = ir.Global(name, getattr(_products(), name), stmt.loc)
        called = stmt.target.scope.redefine("$product", stmt.loc, rename=True)
        stmt.value = ir.Expr.call(called, list(args), (), stmt.loc)
        code._definitions[stmt.target.name] = [stmt.value]
        code._definitions[called.name] = [held]
        return ir.Assign(held, called, stmt.loc)

    def _dot(self, code: Any, value: Any) -> bool:
        made = None if value.kws else guard(get_definition, code, value.func)
        if not isinstance(made, ir.Expr) or made.op != "getattr" or made.attr != "dot":
            return False
        return getattr(guard(get_definition, code, made.value), "value", None) is np


@cache
def _products() -> Any:
    """Loaded with the first product: it loads BLAS."""
    from s2sgrad_runtime import numba_products

    cpu_target.typing_context.refresh()  # for what was declared just now
    cpu_target.target_context.refresh()
    return numba_products


@register_pass(mutates_CFG=True, analysis_only=False)
class Processing(untyped_passes.IRProcessing):  # type: ignore[misc]
    """Blocks in order; where variables are last used, `IRLegalization` finds out at the end."""

    _name = "s2sgrad_ir_processing"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        code = state.func_ir
        if _asks_for_lifetimes(code):
            return bool(super().run_pass(state))
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        return True


def _asks_for_lifetimes(code: Any) -> bool:
    """Whether a pass asks where variables are in use before the last one: for `with`, `yield`."""
    return code.is_generator or _has_with(code)


def _has_with(code: Any) -> bool:
    return any(True for b in code.blocks.values() for _ in b.find_insts(ir.EnterWith))


@register_pass(mutates_CFG=True, analysis_only=False)
class Withs(untyped_passes.WithLifting):  # type: ignore[misc]
    """Looks for `with`, where there is any."""

    _name = "s2sgrad_withs"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        return _has_with(state.func_ir) and bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class Closures(untyped_passes.InlineClosureLikes):  # type: ignore[misc]
    """Looks for functions in the function, comprehensions too, where there are any."""

    _name = "s2sgrad_closures"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        blocks = state.func_ir.blocks.values()
        inner = any(True for b in blocks for _ in b.find_exprs("make_function"))
        return inner and super().run_pass(state)


@register_pass(mutates_CFG=False, analysis_only=False)
class Versions(untyped_passes.ReconstructSSA):  # type: ignore[misc]
    """A name for each value of a variable, but for plain numbers, whose types never change.

    It takes Numba time for each variable and statement, and a loop has many counters and sums.
    """

    _name = "s2sgrad_versions"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        plain = getattr(state.func_id.func, "s2sgrad_plain", ())
        code = state.func_ir
        code.blocks = self._renamed(code.blocks, plain)
        self._patch_locals(state)
        code._definitions = build_definitions(code.blocks)
        if _asks_for_lifetimes(code):
            postproc.PostProcessor(code).run(emit_dels=False)
        return True

    def _renamed(self, blocks: Any, plain: tuple[str, ...]) -> Any:
        flow = compute_cfg_from_blocks(blocks)
        meetings = ssa._iterated_domfronts(flow)
        uses = ssa._CacheListVars()
        for name in ssa._find_defs_violators(blocks, flow):
            if name not in plain and not name.startswith(_STACKED):
                blocks, made = ssa._fresh_vars(blocks, name)
                blocks = ssa._fix_ssa_vars(blocks, name, made, flow, meetings, uses)
        return blocks


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(typed_passes.BaseNativeLowering):  # type: ignore[misc]
    """The pass that writes the instructions."""

    _name = "s2sgrad_lowering"  # type: ignore[assignment]
    lowering_class = Lower

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        with_choices(state.func_ir.blocks, state.typemap)
        function = state.func_id.func
        if state.library is None and is_part(function):
            return lowered_as_part(super().run_pass, state)
        if state.library is not None:
            return bool(super().run_pass(state))
        if not getattr(function, "s2sgrad_part", False):
            state.library = OwnLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))
        state.flags.no_compile = True
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        state.cr = state.cr._replace(cfunc=len)  # never called: Numba asks for any function in C
        return True


class Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's passes, some of them in our form."""

    def define_pipelines(self) -> list[Any]:
        """Called by Numba."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [(_OURS.get(step, step), text) for step, text in manager.passes]
        manager.add_pass_after(NewArrays, Processing)
        manager.add_pass_after(Products, Processing)
        manager.finalize()
        return [manager]


_OURS = {
    untyped_passes.TranslateByteCode: Reading,
    untyped_passes.IRProcessing: Processing,
    untyped_passes.WithLifting: Withs,
    untyped_passes.InlineClosureLikes: Closures,
    untyped_passes.GenericRewrites: Rewrites,
    untyped_passes.ReconstructSSA: Versions,
    typed_passes.NopythonTypeInference: Inference,
    typed_passes.PreLowerStripPhis: NoPhis,
    typed_passes.NopythonRewrites: TypedRewrites,
    typed_passes.NativeLowering: Lowering,
}
