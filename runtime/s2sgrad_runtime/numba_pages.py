"""Memory for large arrays in large pages, as NumPy asks for it.

Fresh memory costs a page fault for every 4 KB of it that is touched: four times what writing it
costs. Linux gives pages of 2 MB where it is told that they are wanted.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

__all__ = ["cleared", "large_pages"]

_FROM = 1 << 22  # bytes: below, pages of 2 MB would hardly fit in
_PAGE = 4096
_HUGE_PAGE = 14  # MADV_HUGEPAGE


@intrinsic  # type: ignore[untyped-decorator]
def large_pages(context: Any, array: Any) -> Any:
    """The array, whose memory has not been touched yet; Linux is asked for large pages."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if sys.platform == "linux":
            held = context.make_array(signature.args[0])(context, builder, args[0])
            _ask(builder, held)
            _tell_apart(builder, held)
            args = (held._getvalue(),)
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])

    return array(array), generate


@intrinsic  # type: ignore[untyped-decorator]
def cleared(context: Any, array: Any) -> Any:
    """A new array, all zeros now; in large pages where it is large."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, args[0])
        if sys.platform == "linux":
            _ask(builder, held)
        count = builder.mul(held.nitems, held.itemsize)
        cgutils.memset(builder, held.data, count, 0)
        _tell_apart(builder, held)
        return impl_ret_borrowed(context, builder, signature.return_type, held._getvalue())

    return array(array), generate


def _tell_apart(builder: Any, held: Any) -> None:
    """Let LLVM know that an array is new."""
    plain = builder.bitcast(held.data, cgutils.voidptr_t)
    found = builder.call(_apart(builder.module), (plain,))
    held.data = builder.bitcast(found, held.data.type)


def _apart(module: Any) -> Any:
    """A function that returns its argument, and of which LLVM knows only that nothing else points
    to where its result does: as true of new memory as of what malloc returns."""
    name = "s2sgrad_new_memory"
    if name in module.globals:
        return module.globals[name]
    kind = ir.FunctionType(cgutils.voidptr_t, (cgutils.voidptr_t,))
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    function.return_value.add_attribute("noalias")
    function.attributes.add("noinline")
    function.attributes.add("optnone")
    ir.IRBuilder(function.append_basic_block()).ret(function.args[0])
    return function


def _ask(builder: Any, held: Any) -> None:
    size, number = held.nitems.type, ir.IntType(32)

    def constant(value: int) -> Any:
        return ir.Constant(size, value)

    count = builder.mul(held.nitems, held.itemsize)
    with builder.if_then(builder.icmp_signed(">=", count, constant(_FROM)), likely=False):
        kind = ir.FunctionType(number, (size, size, number))
        advise = cgutils.get_or_insert_function(builder.module, kind, "madvise")
        start = builder.ptrtoint(held.data, size)
        into = builder.and_(start, constant(_PAGE - 1))
        skipped = builder.and_(builder.sub(constant(_PAGE), into), constant(_PAGE - 1))
        place = builder.add(start, skipped)
        builder.call(advise, (place, builder.sub(count, skipped), number(_HUGE_PAGE)))
