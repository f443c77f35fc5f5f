"""Floor 6: how the memory of new arrays is asked for."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Stmt


def in_large_pages(block: Block) -> Block:
    """New arrays may be large: their memory is asked for in large pages. Also, LLVM learns there
    that it is new: loops that write into several arrays need not find out whether they overlap."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Assign(values=(Call(text="np.empty") as made,)):
                from s2sgrad_runtime.numba_pages import large_pages

                paged = Call(large_pages, "large_pages", (made,), type=made.type)
                stmt = replace(stmt, values=(paged,))
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=in_large_pages(then), orelse=in_large_pages(orelse))
            case nodes.For(body=inner) | nodes.While(body=inner):
                stmt = replace(stmt, body=in_large_pages(inner))
        result.append(stmt)
    return tuple(result)
