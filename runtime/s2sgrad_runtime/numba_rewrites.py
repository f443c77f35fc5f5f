"""Numba's type inference and rewrites for our code, with less done twice.

After each of its rewrites Numba finds out anew where every variable is last used, and it resolves
each `a * b` of two numbers, and each `a[i, j]`, as if it had never seen one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import typed_passes, types, untyped_passes
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import build_definitions
from numba.core.rewrites import rewrite_registry

__all__ = ["Inference", "NoPhis", "Rewrites", "TypedRewrites"]


@register_pass(mutates_CFG=True, analysis_only=False)
class Rewrites(untyped_passes.GenericRewrites):  # type: ignore[misc]
    """Rewrites before types are known; what uses variables is found out by a later pass."""

    _name = "s2sgrad_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        blocks = state.func_ir.blocks
        for kind in rewrite_registry.rewrites["before-inference"]:
            rewrite = kind(state)
            for place in list(blocks):
                while rewrite.match(state.func_ir, blocks[place], None, None):
                    blocks[place] = rewrite.apply()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class TypedRewrites(typed_passes.NopythonRewrites):  # type: ignore[misc]
    """Rewrites of expressions of arrays, where there are any."""

    _name = "s2sgrad_typed_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        code, kinds = state.func_ir, rewrite_registry.rewrites["after-inference"]
        found = any(
            kind(state).match(code, block, state.typemap, state.calltypes)
            for kind in kinds
            for block in code.blocks.values()
        )
        return found and bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class Inference(typed_passes.NopythonTypeInference):  # type: ignore[misc]
    """Type inference that looks up once what an operation on numbers of some types comes to."""

    _name = "s2sgrad_type_inference"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        with _remembering(state.typingctx):
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class NoPhis(typed_passes.PreLowerStripPhis):  # type: ignore[misc]
    """Versions of variables that meet are assigned to one, where any meet."""

    _name = "s2sgrad_no_phis"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        blocks = state.func_ir.blocks.values()
        parallel = "flags" in state and state.flags.auto_parallel.enabled
        if parallel or state.func_ir.generator_info is not None:
            return bool(super().run_pass(state))
        if not any(True for b in blocks for _ in b.find_exprs("phi")):
            return False
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def _is_simple(kind: Any) -> bool:
    """Whether it is the type of numbers, of an array of them, or of subscripts of its entries."""
    if isinstance(kind, types.Array):
        return isinstance(kind.dtype, types.Number | types.Boolean)
    if isinstance(kind, types.BaseTuple):
        return all(isinstance(k, types.Integer) for k in kind)  # type: ignore[attr-defined]
    return isinstance(kind, types.Number | types.Boolean)


@contextmanager
def _remembering(context: Any) -> Iterator[None]:
    """While this lasts, operations on numbers and entries are resolved once for each kind."""
    if "resolve_function_type" in vars(context):  # within another function's inference
        yield
        return
    resolve, found = context.resolve_function_type, {}

    def resolved(function: Any, args: Any, kws: Any) -> Any:
        if kws or not all(map(_is_simple, args)):
            return resolve(function, args, kws)
        key = function, tuple(args)
        if key not in found:
            found[key] = resolve(function, args, kws)
        return found[key]

    context.resolve_function_type = resolved
    try:
        yield
    finally:
        del context.resolve_function_type
