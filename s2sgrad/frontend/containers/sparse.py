"""Floor 4: sparse matrices of SciPy that come from outside and carry no derivative.

They stay SciPy's own while they meet constants and are multiplied with dense arrays. What joins
them with numbers that a derivative may go by turns them into the stand-in of
`standins/sparsing.py`, which is its entries and their places.
"""

from __future__ import annotations

import ast
import importlib
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Dyn, Instance, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    INT,
    Array,
    Known,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_number,
    shape_of,
)
from s2sgrad.rules.methods import OPERATORS

KINDS = frozenset(
    f"{layout}_{kind}"
    for layout in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
    for kind in ("array", "matrix")
)
SAME = frozenset((
    "asfptype", "astype", "conj", "conjugate", "copy", "getH", "power", "tobsr", "tocoo", "tocsc",
    "tocsr", "todia", "todok", "tolil", "transpose",
))  # fmt: skip
MAKERS = frozenset((
    "block_array", "block_diag", "bmat", "eye", "eye_array", "hstack", "identity", "kron",
    "kronsum", "random", "random_array", "tril", "triu", "vstack",
))  # fmt: skip
_VECTORS = frozenset(("col", "data", "indices", "indptr", "row"))


def is_sparse(value: Any) -> bool:
    """Whether a value or expression is a sparse matrix of SciPy's."""
    kind = getattr(value, "type", None)
    return isinstance(kind, Opaque) and kind.what in KINDS


def made_sparse(function: Any, args: tuple[nodes.Expr, ...]) -> Type | None:
    """The type of what a function of scipy.sparse makes of constants, if it is a matrix, or says
    of a value whose type is known."""
    home, name = str(getattr(function, "__module__", "")), getattr(function, "__name__", "")
    if home.startswith("scipy") and name == "issparse" and len(args) == 1:
        found = is_sparse(args[0])
        return Known(found) if found or is_number(args[0].type) else None
    if not home.startswith("scipy.sparse") or name not in MAKERS:
        return None
    parts = [e for a in args for e in nodes.walk(a)]
    new = function.__name__.endswith("_array") or any(
        is_sparse(p) and p.type.what.endswith("_array")  # type: ignore[attr-defined]
        for p in parts
    )
    return Opaque("csr_array" if new else "csr_matrix")


class SparseConstants(Base):
    """Lowering of attributes, methods and operators of sparse matrices."""

    def sparse_attribute(self, owner: Dyn, name: str, node: ast.AST) -> Value | None:
        """Transposes, shapes and vectors; None for methods."""
        if name in ("T", "H"):
            return self._attribute_of(owner, name, owner.type, node)
        if name == "shape":
            return self._attribute_of(owner, name, Tuple((INT, INT)), node)
        if name in ("nnz", "ndim", "size"):
            return self._attribute_of(owner, name, INT, node)
        return (
            self._attribute_of(owner, name, Array(None, (None,)), node)
            if name in _VECTORS
            else None
        )

    def _attribute_of(self, owner: Dyn, name: str, kind: Type, node: ast.AST) -> Value:
        base = (self.residual(owner, node),)
        return Dyn(nodes.Call(name, name, base, form="attribute", type=kind, span=self.span(node)))

    def sparse_method(
        self, owner: Dyn, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """Methods that give a matrix again, and products; None for others."""
        if name == "dot" and len(args) == 1:
            return self.binary("@", owner, args[0], node)
        if name == "multiply" and len(args) == 1:
            entries = self.sparse_entries(owner, node)
            return self.call(self.attribute(entries, name, node), args, {}, node)
        if name == "todense" and owner.type.what.endswith("_matrix"):  # type: ignore[attr-defined]
            raise self.refuse(
                "todense() of a sparse matrix", node,
                "it gives np.matrix, whose * is a product of matrices", "call toarray()",
            )  # fmt: skip
        if name not in SAME:
            return None
        exprs = tuple(self.residual(a, node) for a in (owner, *args))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        call = nodes.Call(
            "opaque", name, exprs, named, "method", type=owner.type, span=self.span(node)
        )
        return Dyn(self.builder.bind("matrix", call))

    def sparse_operator(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value | None:
        """An operator one of whose sides is a sparse matrix; None where the product is native."""
        sides = (left, right)
        if not any(map(is_sparse, sides)) or sign not in OPERATORS:
            return None
        other = right if is_sparse(left) else left
        old = any(is_sparse(s) and s.type.what.endswith("_matrix") for s in sides)  # type: ignore[attr-defined]
        if sign == "*" and old and not is_sparse(other) and self._of_vectors(other, node):
            return self.binary("@", left, right, node)
        if sign == "@" and not isinstance(self.contents(other), Instance) and not is_sparse(other):
            return None
        if all(is_sparse(s) or isinstance(s, Static) for s in sides):
            kind = next(s.type for s in sides if is_sparse(s))  # type: ignore[attr-defined]
            exprs = tuple(self.residual(s, node) for s in sides)
            form = {"form": "operator", "type": kind, "span": self.span(node)}
            return Dyn(nodes.Call(OPERATORS[sign], sign, exprs, **form))  # type: ignore[arg-type]
        entries = [self.sparse_entries(s, node) if is_sparse(s) else s for s in sides]
        return self.binary(sign, *entries, node)

    def _of_vectors(self, other: Value, node: ast.AST) -> bool:
        """Whether `matrix * other` is a product of matrices: other is an array."""
        if isinstance(other, Static | Dyn) and isinstance(getattr(other, "type", None), Number):
            raise self.refuse(
                "can't tell whether this is a matrix times a number or an array",
                node,
                "the one scales all entries, the other is a product",
                "write A @ x, or A * float(x)",
            )
        return (
            isinstance(other, Dyn)
            and not isinstance(other.type, Scalar)
            and (shape_of(other.type) != ())
        )

    def joins_entries(self, value: Value) -> bool:
        """Whether a value is, or a list holds, the stand-in for a sparse matrix."""
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            return any(map(self.joins_entries, contents.items))
        of_sparse = "s2sgrad.standins.sparse_matrices"
        return isinstance(contents, Instance) and contents.cls.__module__ == of_sparse

    def sparse_entries(self, matrix: Value, node: ast.AST) -> Value:
        """The stand-in for a sparse matrix of SciPy's: its entries and their places."""
        sparsing = importlib.import_module("s2sgrad.standins.sparsing")
        assert isinstance(matrix, Dyn) and isinstance(matrix.type, Opaque)
        old = matrix.type.what.endswith("_matrix")
        bare = nodes.Call(
            "opaque", "tocoo", (self.residual(matrix, node),), (), "method",
            type=Opaque("coo_matrix" if old else "coo_array"), span=self.span(node),
        )  # fmt: skip
        found = Dyn(self.builder.bind("entries", bare))
        parts = [self.sparse_attribute(found, n, node) for n in ("data", "row", "col", "shape")]
        given = [p for p in parts if p is not None]
        return self.call(Static(sparsing.Matrix), [*given, Static(old)], {}, node)
