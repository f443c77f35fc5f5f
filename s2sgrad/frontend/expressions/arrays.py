"""Floor 4: operations on numbers and arrays: calls of NumPy, methods, attributes, subscripts."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce
from operator import mul
from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import infer_index, not_none
from s2sgrad.analysis.infer import element_type, infer_call, infer_elementwise, may_turn_complex
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import MISSING
from s2sgrad.frontend.builtins.outputs import Outputs
from s2sgrad.frontend.containers.object_keys import is_object_key
from s2sgrad.frontend.containers.sparse import made_sparse
from s2sgrad.frontend.expressions.comparable import is_fraction
from s2sgrad.frontend.expressions.expressions import tuple_items
from s2sgrad.frontend.expressions.lists_as_arrays import arrays_by_name, arrays_for_lists
from s2sgrad.frontend.guesses import not_known_yet, waits
from s2sgrad.frontend.models import functions
from s2sgrad.frontend.models.chosen_by_call import model_for
from s2sgrad.frontend.models.named_fields import with_named_fields
from s2sgrad.frontend.relations import display_type
from s2sgrad.frontend.state import Fails, constant, joined
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Iterator,
    Mapping,
    Method,
    Sequence,
    Static,
    Value,
    is_mixed,
    is_none,
)
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.types import (
    BOTTOM,
    FLOAT,
    INT,
    LENT,
    Array,
    Dict,
    Known,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_number,
    shape_of,
)
from s2sgrad.rules.declare import qualified_name
from s2sgrad.rules.methods import (
    ATTRIBUTES,
    CONSTANT_ATTRIBUTES,
    IN_PLACE_METHODS,
    RESULT_FIELDS,
    method_of,
)

_OF_DTYPES: dict[str, Type] = dict.fromkeys(("kind", "char", "name", "str"), Opaque("text")) | {
    "itemsize": INT, "num": INT, "type": Opaque("class"),
}  # fmt: skip
_SAYS_NOTHING: dict[str, Type] = {  # of the numbers in an array, and what says something of one
    name: Opaque(name) for name in ("dump", "tofile", "setflags", "is_integer")
} | dict.fromkeys(("bit_length", "bit_count"), INT)

_LENDING = ("view", "getfield")  # what they give may lie in the memory of the array
PYTHON_NUMBERS = ("float", "int", "complex")  # or NumPy's, of some dtype; only its bools have one
NUMPY_NUMBERS = ("float64", "float32", "complex128", "complex64", "int64", "int32")


class Arrays(Outputs):
    """Lowering of what is done to arrays: calls, methods, attributes, subscripts."""

    def apply(
        self,
        function: Any,
        text: str,
        args: list[Value],
        kwargs: dict[str, Value] | None = None,
        form: str = "call",
        node: ast.AST | None = None,
    ) -> Value:
        """A call of a NumPy-like function on values, as an expression."""
        args = [self.as_counts(a, node) for a in args]
        kwargs = {name: self.as_counts(a, node) for name, a in (kwargs or {}).items()}
        self.refuse_rows(args, f"{text}()", node or ast.Pass())
        if (made := with_named_fields(self, function, args, kwargs, node)) is not None:
            return made
        if (model := model_for(function, args, kwargs)) is not None:
            return self.call(Static(model), args, kwargs, node or ast.Pass())
        out = self.taken_out(function, args, kwargs)
        self.keep_inputs(function, args, kwargs)
        args = self.in_complex(function, args, kwargs.get("dtype"), node)
        masked = out is not None and isinstance(function, np.ufunc)
        mask = self.left_out(function, args, kwargs.pop("where", None), node) if masked else None
        exprs = tuple(self.residual(a, node) for a in args)
        exprs = arrays_for_lists(function, exprs, form, self.builder.block)
        named = arrays_by_name(function, {k: self.residual(v, node) for k, v in kwargs.items()})
        kind = self.objects_type(function, exprs, named, node)
        kind = kind or self.result_type(function, exprs, dict(named), form)
        expr = nodes.Call(function, text, exprs, named, form, type=kind, span=self.span(node))
        self.emit_failing(expr)
        known = kind.value if isinstance(kind, Known) else None
        if known is not None and not isinstance(known, np.dtype | type):
            return Static(known)
        return Dyn(expr) if out is None else self.store_out(out, Dyn(expr), mask, node)

    def result_type(
        self, function: Any, args: tuple[nodes.Expr, ...], kwargs: dict[str, nodes.Expr], form: str
    ) -> Type:
        """The type of a library call's result."""
        types = tuple(map(display_type, args))
        simple = isinstance(function, np.ufunc) and function.nout == 1 and not function.signature
        if simple and "where" not in kwargs and "dtype" not in kwargs:
            self.relate_operands(types)
            self.relate_quotient(function, types)
            kind = infer_elementwise(function, types, form == "operator")
            return FLOAT if is_fraction(function, args, kind) else kind
        made = made_sparse(function, args)
        if made is not None:
            return made
        if any(isinstance(a.type, Opaque) for a in args):
            return Number()
        if any(map(not_known_yet, args)) or (self.guessing() and any(map(waits, args))):
            return BOTTOM
        named = {k: display_type(v) for k, v in kwargs.items()}
        result = infer_call(function, types, named)
        self.by_value |= may_turn_complex(function, types)
        self.relate_call(function, types, named, result)
        return result

    def call_numpy(
        self, function: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a known library function, written as it prints: `np.sum(x, axis=0)`."""
        of_math = getattr(function, "__module__", "") == "math"
        if of_math:
            self.refuse_complex(function.__name__, args, node)
        text = "math." + function.__name__ if of_math else qualified_name(function)
        return self.apply(function, text, args, kwargs, node=node)

    # --- attributes --------------------------------------------------------------------------
    def array_attribute(self, owner: Dyn, name: str, node: ast.AST) -> Value:
        """`x.T`, `x.shape`, or a method to be called."""
        owner = replace(owner, expr=not_none(owner.expr))
        kind = owner.type
        if kind == Opaque("dtype") and name in _OF_DTYPES:
            return Dyn(self._attribute(owner, name, _OF_DTYPES[name], node))
        if not is_number(kind):
            items = tuple_items(owner) if name in RESULT_FIELDS else None
            return Method(owner, name) if items is None else items[RESULT_FIELDS[name]]
        if name in CONSTANT_ATTRIBUTES:
            return self._constant_attribute(owner, name, node)
        if name == "flat":
            return self.apply(np.ravel, "np.ravel", [owner], node=node)
        self.check_attribute(kind, name, node)
        if name in ATTRIBUTES and not (name == "T" and isinstance(kind, Scalar)):
            return self.apply(ATTRIBUTES[name], name, [owner], form="attribute", node=node)
        return owner if name in ("value", "T") else Method(owner, name)  # value: of an IntEnum

    def _constant_attribute(self, owner: Dyn, name: str, node: ast.AST) -> Value:
        kind = owner.type
        shape = kind.shape if isinstance(kind, Array) else () if isinstance(kind, Scalar) else None
        if name == "dtype":
            if (
                not (self.may_be_real(owner) or self.may_be_whole(owner))
                and not self.several_dtypes(owner)
                and isinstance(kind, Scalar | Array)
                and kind.dtype is not None
                and (kind.dtype not in PYTHON_NUMBERS or isinstance(kind, Array))
            ):
                return Static(np.dtype(kind.dtype))
            return Dyn(self._attribute(owner, name, Opaque("dtype"), node))
        if shape is None:
            result: Type = List(INT, fixed=True) if name in ("shape", "strides") else INT
            return Dyn(self._attribute(owner, name, result, node))
        if name == "ndim":
            return Static(len(shape))
        if isinstance(kind, Scalar) and name in ("shape", "size"):  # it may be Python's own number
            return self.sequence([], "tuple") if name == "shape" else Static(1)
        if name == "shape":
            result = Tuple(tuple(Scalar("int", size) for size in shape))
        elif name == "size":
            result = Scalar("int", _product(shape))
        elif name == "strides":
            result = Tuple((INT,) * len(shape))
        else:
            result = INT if name in ("itemsize", "nbytes") else Opaque(name)
        return Dyn(self._attribute(owner, name, result, node))

    def _attribute(self, owner: Dyn, name: str, kind: Type, node: ast.AST) -> nodes.Expr:
        function = getattr(np, name, name)
        base = owner.expr
        if isinstance(owner.type, Scalar) and owner.type.dtype in (
            "float",
            "int",
            "bool",
            "complex",
        ):
            return nodes.Call(function, f"np.{name}", (base,), type=kind, span=self.span(node))
        return nodes.Call(
            function, name, (base,), form="attribute", type=kind, span=self.span(node)
        )

    # --- methods -----------------------------------------------------------------------------
    def array_method(
        self, owner: Dyn, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method call of an array."""
        if name in IN_PLACE_METHODS:
            return self._in_place_method(owner, name, args, kwargs, node)
        if name == "tolist":
            return self._to_list(owner, node)
        method = method_of(name, args, kwargs, self.constant_value)
        if method is None and name.startswith("__"):
            return self.special_method(owner, name, args, node)
        if method is None:
            if name == "view" and not args and not kwargs:
                return self.index_expr(owner, (constant(...),), node)
            if any(hasattr(cls, name) for cls in (np.ndarray, float, int)):
                parts, made = (owner.expr, *map(self.residual, args)), _SAYS_NOTHING.get(name)
                kind, where = made or (LENT if name in _LENDING else Opaque()), self.span(node)
                call = nodes.Call(name, name, parts, form="method", type=kind, span=where)
                opaque = replace(call, function="opaque")
                return Dyn(call if made else self.builder.bind(name, opaque))
            raise self.refuse(f"arrays have no method '{name}'", node, *say.NO_METHOD)
        packed, named = method.adapt((owner, *args), dict(kwargs))
        values = [self.sequence(p) if isinstance(p, tuple) else p for p in packed]
        values = [Static(v) if not isinstance(v, Value) else v for v in values]
        named = {k: v if isinstance(v, Value) else Static(v) for k, v in named.items()}
        number = isinstance(owner.type, Scalar) and owner.type.dtype in ("float", "int")
        if method.by_name or values[0] is not owner or (number and name != "conjugate"):
            return self.call_numpy(method.function, values, named, node)
        return self.apply(method.function, name, values, named, form="method", node=node)

    def _in_place_method(
        self, owner: Dyn, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        if name == "fill":
            value = self.residual(args[0])
            self.emit_store(nodes.Store(owner.expr, (), value, span=self.span(node)))
        elif name == "resize":
            self.resized(owner, args, node)
        elif name in ("sort", "partition"):
            function = getattr(np, name)
            made = self.apply(function, f"np.{name}", [owner, *args], kwargs, node=node)
            self.emit_store(nodes.Store(owner.expr, (), self.residual(made), span=self.span(node)))
        elif name == "put":
            self.call(Static(np.put), [owner, *args], kwargs, node)
        elif name == "itemset":
            index = tuple(self.residual(a) for a in args[:-1])
            self.emit_store(
                nodes.Store(owner.expr, index, self.residual(args[-1]), span=self.span(node))
            )
        else:
            raise self.refuse(f"the in-place method '{name}'", node, *say.NO_IN_PLACE)
        return Static(None)

    def _to_list(self, owner: Dyn, node: ast.AST) -> Value:
        rank = len(getattr(kind := owner.type, "shape", None) or ())
        if rank > 1:
            return self.model(functions.nested_list, [owner], node)
        if rank == 1:
            item = element_type(kind)
            if isinstance(item, Scalar):
                item = Scalar(type(np.zeros((), item.dtype).item()).__name__)
            whole = getattr(item, "dtype", "") in ("int", "bool")  # Python's own have no end
            text, form = ("tolist", "method") if whole else ("list", "call")
            call = nodes.Call(list, text, (owner.expr,), form=form, type=List(item))
            return Dyn(replace(call, span=self.span(node)))
        if isinstance(kind, Scalar):
            return self.array_method(owner, "item", [], {}, node)
        raise self.refuse("tolist() of an array of unknown rank", node, *say.DEPTH)

    # --- subscripts --------------------------------------------------------------------------
    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`base[index]`."""
        if is_mixed(base) or is_mixed(index):
            return self.index_mixed(base, index, node)
        index = self.as_place(base, index, node)
        contents = self.contents(base)
        if isinstance(contents, Sequence):
            return self._index_sequence(base, contents, index, node)
        if isinstance(contents, Mapping):
            return self._index_mapping(base, contents, index, node)
        if contents is not None:
            method = self.attribute(base, "__getitem__", node)
            return self.call(method, [index], {}, node)
        if isinstance(base, Static) or is_none(base):
            return self.index_static(base, index, node)
        if isinstance(base, Iterator) and base.kind == "range":
            return self.index_range(base, index, node)
        if not isinstance(base, Dyn):
            if (items := self.iterate(base, node)) is not None:
                return self.index(self.sequence(items, "list"), index, node)
            raise self.refuse("this can't be indexed", node, *say.NO_PARTS)
        if (held := self.held_object(base)) is not None:
            return self.call(self.attribute(held, "__getitem__", node), [index], {}, node)
        if isinstance(base.type, Dict):
            return self.index_expr(base, self.key_parts(base, index, node), node)
        parts = self.index_parts(index, node)
        if isinstance(base.type, Scalar) and base.type.dtype in NUMPY_NUMBERS:
            if not parts:
                return base
            array = self.apply(np.asarray, "np.asarray", [base], node=node)  # x[0][..., None]
            return self.index(Dyn(self.named(array, "array", node)), index, node)
        return self.index_expr(base, parts, node)

    def key_parts(self, table: Dyn, index: Value, node: ast.AST) -> tuple[nodes.Expr, ...]:
        """The key of a dict: a tuple is one key."""
        return (self.without_objects(self.residual(index, node), table.type, node),)

    def index_expr(self, base: Dyn, parts: tuple[nodes.Expr, ...], node: ast.AST) -> Value:
        """`base[index]` as an expression of generated code."""
        held = not_none(base.expr)
        kind = held.type
        result = self.item_of(kind, parts) or infer_index(kind, parts)
        if isinstance(result, List | Dict) and not isinstance(parts[0], nodes.Const):
            self.grow_alike(held, result)
        entry = nodes.Index(held, parts, type=result, span=self.span(node))
        self.emit_beyond(entry, shape_of(kind))
        return Dyn(entry)

    def index_parts(self, index: Value, node: ast.AST) -> tuple[nodes.Expr, ...]:
        """The parts of a subscript as expressions; a tuple of known length is several parts."""
        contents = self.contents(index)
        if isinstance(contents, Sequence) and contents.kind == "tuple":
            return tuple(self._part(v, node) for v in contents.items)
        items = tuple_items(index)
        if items is not None:
            return tuple(self.residual(v, node) for v in items)
        return (self._part(index, node),)

    def _part(self, value: Value, node: ast.AST) -> nodes.Expr:
        return self.residual(value, node)

    def _index_sequence(
        self, base: Value, contents: Sequence, index: Value, node: ast.AST
    ) -> Value:
        expr = index.expr if isinstance(index, Dyn) else None
        if isinstance(expr, nodes.Slice):
            ends = (expr.lower, expr.upper, expr.step)
            bounds = [None if p is None else self.constant_value(Dyn(p)) for p in ends]
            if all(b is None or type(b) is int for b in bounds):
                return self.sequence(contents.items[slice(*bounds)], contents.kind)
        known = self.constant_value(index)
        if type(known) is int or type(known) is bool:
            try:
                return contents.items[known]
            except IndexError:
                what = f"{contents.kind} index out of range"
                failed = Fails(what, self.span(node), *say.OUT_OF_RANGE)
                failed.raises = IndexError
                raise failed from None
        if not isinstance(expr, nodes.Slice) and self.differ(contents.items):
            return self.chosen_item(contents.items, index, node)
        self.want_turns_apart(contents.items, node)
        if contents.kind == "list" and isinstance(base, Heap):
            var = self.materialize(base.id)
        else:
            var = self.builder.bind("items", self.operand(base, node))
        kind = var.type
        if isinstance(kind, Tuple):
            self._note_mixed(var.name, kind.items)
            kind = List(joined(kind.items), fixed=contents.kind == "tuple")
        held = Dyn(nodes.Var(var.name, type=kind))
        return self.index_expr(held, self.index_parts(index, node), node)

    def _index_mapping(self, base: Value, contents: Mapping, index: Value, node: ast.AST) -> Value:
        known = self.told_apart(self.key_of(index), (k for k, _ in contents.items))
        for key, value in contents.items:
            if key == known:
                return value
        if known is MISSING and any(is_object_key(key) for key, _ in contents.items):
            raise self.refuse(
                "a dict whose keys are objects, asked for one that only a run knows", node,
                "generated code holds objects by their fields", "use texts or numbers as keys",
            )  # fmt: skip
        if known is MISSING and self.differ([v for _, v in contents.items]):
            return self.chosen_entry(contents, index, node)
        if known is MISSING and isinstance(base, Heap):
            var = self.materialize(base.id)
            return self.index_expr(Dyn(var), self.key_parts(Dyn(var), index, node), node)
        raise self.no_key(base, known, node)


def _product(shape: sizes.Shape) -> sizes.Size | None:
    known = [size for size in shape if size is not None]
    return reduce(mul, known, sizes.ONE) if len(known) == len(shape) else None
