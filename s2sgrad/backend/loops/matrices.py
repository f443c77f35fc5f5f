"""Floor 6: matrices that several products with vectors go through: they had better go together.

`A @ x`, `y @ A` and `np.sum(A, axis=1)` each read all of A, and the time goes into reading it. As
loops over its rows they can be joined, so that a row is read once. A single product is left to
BLAS, which knows how the matrix lies in memory.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from s2sgrad.backend.loops.elements import is_elementwise
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Var
from s2sgrad.ir.types import Array


def read_often(body: Block) -> frozenset[str]:
    """Matrices of which one block takes a product with a vector, and reads all of them again."""
    found: set[str] = set()
    blocks = [body, *(b for s in nodes.walk_block(body) for b in nodes.blocks(s))]
    for block in blocks:
        products: Counter[str] = Counter()
        others: set[str] = set()
        for stmt in block:
            for expr in nodes.expressions(stmt):
                for node in nodes.walk(expr):
                    _count(node, products, others)
        found |= {n for n, k in products.items() if k > 1 or n in others}
    return frozenset(found)


def _count(expr: Expr, products: Counter[str], others: set[str]) -> None:
    if not isinstance(expr, Call):
        return
    if is_product(expr):
        products.update(n for a in expr.args if (n := matrix(a)) is not None)
    elif is_elementwise(expr) or expr.function is np.sum:
        others |= {n for a in expr.args if (n := matrix(a)) is not None}


def is_product(expr: Expr) -> bool:
    """Whether an expression is the product of a matrix and a vector."""
    match expr:
        case Call(text="@", args=(left, right), form="operator"):
            return {_rank(left), _rank(right)} == {1, 2}
        case Call(text="np.dot", args=(left, right), kwargs=()):
            return {_rank(left), _rank(right)} == {1, 2}
    return False


def matrix(expr: Expr) -> str | None:
    """The name of a matrix, also of one that is turned."""
    match expr:
        case Call(form="attribute", text="T", args=(inner,)):
            return matrix(inner)
        case Var(name=name) if _rank(expr) == 2:
            return name
    return None


def _rank(expr: Expr) -> int:
    kind = expr.type
    held = isinstance(kind, Array) and kind.dtype == "float64" and kind.shape is not None
    return len(kind.shape) if held else 0  # type: ignore[attr-defined,union-attr,arg-type]


__all__ = ["is_product", "matrix", "read_often"]
