"""Fewer instructions for the entries of arrays than Numba writes.

For `a[i, j]` Numba writes fifty instructions that copy the whole description of the array first;
LLVM takes them out again, and half of the compile time is spent on that. Here the few fields that
are needed are read where they lie. What the code does is the same, to the bit.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, errors, ir, lowering, types
from numba.np import arrayobj

from s2sgrad_runtime.numba_choices import CHOICE
from s2sgrad_runtime.numba_counted import Subscript
from s2sgrad_runtime.numba_pages import array_of
from s2sgrad_runtime.numba_subscripts import integers, is_plain, offset, only_subscripts

__all__ = ["Lower"]

# Instructions for two numbers of one type: real ones, integers.
_ARITHMETIC: dict[Any, tuple[str | None, str | None]] = {
    operator.add: ("fadd", "add"),
    operator.sub: ("fsub", "sub"),
    operator.mul: ("fmul", "mul"),
    operator.truediv: ("fdiv", None),
}


class Lower(lowering.Lower):  # type: ignore[misc]
    """Writes the instructions of one function."""

    def init(self) -> None:
        """Called by Numba before anything is written."""
        super().init()
        # id of a tuple that was made here -> (the tuple, (name, type, value) of its items)
        self.parts: dict[int, tuple[Any, list[tuple[str, Any, Any]]]] = {}
        function, none = self.func_ir.func_id.func, frozenset[str]()
        self.counters: frozenset[str] = getattr(function, "s2sgrad_counters", none)
        self.inside: frozenset[str] = getattr(function, "s2sgrad_inside", none)
        self.falling: frozenset[str] = getattr(function, "s2sgrad_falling", none)
        self.lengths: dict[tuple[str, int], int] = getattr(function, "s2sgrad_lengths", {})
        self.subscripts: frozenset[str] = frozenset()
        if not self.context.enable_boundscheck:
            single = self._singly_assigned_vars
            self.subscripts = only_subscripts(self.blocks, single, self.typeof)
        self.target = ""  # of the assignment that is being written
        # What has been read in the present block: values of numbers, parts of arrays' descriptions.
        self.numbers: dict[str, Any] = {}
        self.fields: dict[str, dict[Any, Any]] = {}

    def extract_function_arguments(self) -> Any:
        """Called by Numba. A part of a loop begins at 0 or above, which LLVM can't see."""
        found = super().extract_function_arguments()
        if getattr(self.func_ir.func_id.func, "s2sgrad_part", False):
            first, *rest = self.fnargs
            zero = first.type(0)
            negative = self.builder.icmp_signed("<", first, zero)
            self.fnargs = (self.builder.select(negative, zero, first), *rest)
        return found

    # --- what is written otherwise -------------------------------------------------------------
    def lower_block(self, block: Any) -> None:
        """Called by Numba. It describes each statement in words first; here, where one fails."""
        self.numbers, self.fields = {}, {}
        self.pre_block(block)
        for inst in block.body:
            self.loc = inst.loc
            try:
                self.lower_inst(inst)
            except Exception:
                what, kinds = 'lowering "{inst}" at {loc}', vars(errors)
                wrong = partial(kinds["LoweringError"], loc=inst.loc)
                with kinds["new_error_context"](what, inst=inst, loc=inst.loc, errcls_=wrong):
                    raise
        self.post_block(block)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op in ("getitem", "static_getitem"):
            found = self._entry(resty, expr)
        elif expr.op == "getattr" and expr.attr == "shape":
            found = self._shape(resty, expr.value.name)
        elif expr.op == "call":
            found = self._copied(resty, expr)
        elif expr.op == CHOICE:
            found = self._chosen(resty, expr)
        else:
            found = None
        if expr.op == "build_tuple" and isinstance(resty, types.BaseTuple):
            return self._tuple(resty, expr)
        return super().lower_expr(resty, expr) if found is None else found

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Called by Numba, which looks the arithmetic of two numbers up for each statement."""
        signature = self.fndesc.calltypes[expr]
        kinds = {signature.return_type, *signature.args}
        kind = signature.return_type
        raises = op is operator.truediv and self.context.error_model.raise_on_fp_zero_division
        name = None if len(kinds) > 1 or raises else _instruction(op, kind)
        if name is None:
            return super().lower_binop(resty, expr, op)
        given = [
            self.context.cast(self.builder, self.loadvar(v.name), self.typeof(v.name), kind)
            for v in (expr.lhs, expr.rhs)
        ]
        # As Numba says it: LLVM may take it that signed integers do not overflow.
        flags = ("nsw",) if getattr(kind, "signed", False) else ()
        found = getattr(self.builder, name)(*given, flags=flags)
        return self.context.cast(self.builder, found, kind, resty)

    def _copied(self, resty: Any, expr: Any) -> Any:
        """The value of `a.copy()` of an array without gaps, in C order; None for other calls."""
        function = self.typeof(expr.func.name)
        if getattr(function, "typing_key", "") != "array.copy" or expr.args or expr.kws:
            return None
        kind = getattr(function, "this", None)
        if kind is None or kind != resty or kind.layout != "C" or kind.ndim == 0:
            return None
        if not is_plain(kind):
            return None
        given = self.loadvar(expr.func.name)
        at = self.context.data_model_manager[kind].get_field_position
        sizes = [self.builder.extract_value(given, (at("shape"), k)) for k in range(kind.ndim)]
        made = array_of(self.context, self.builder, kind, sizes, zeros=False)
        bytes_ = self.builder.mul(
            self.builder.extract_value(made, at("nitems")),
            self.builder.extract_value(made, at("itemsize")),
        )
        into, out_of = (self.builder.extract_value(a, at("data")) for a in (made, given))
        cgutils.raw_memcpy(self.builder, into, out_of, bytes_, 1)
        return made

    def _chosen(self, resty: Any, expr: Any) -> Any:
        """One of two numbers."""
        kinds = [self.typeof(v.name) for v in (expr.cond, expr.then, expr.orelse)]
        given = [self.loadvar(v.name) for v in (expr.cond, expr.then, expr.orelse)]
        cast = partial(self.context.cast, self.builder)
        test, then, orelse = map(cast, given, kinds, (types.boolean, resty, resty))
        return self.builder.select(test, then, orelse)

    def _tuple(self, resty: Any, expr: Any) -> Any:
        """A tuple, whose parts are known; that of subscripts alone is nothing but its parts."""
        names = [i.name for i in expr.items]
        items = [(n, self.typeof(n), self.loadvar(n)) for n in names]
        if self.target in self.subscripts and self.target in self._singly_assigned_vars:
            found = llvm.Constant(self.context.get_value_type(resty), llvm.Undefined)
        else:
            found = super().lower_expr(resty, expr)
        self.parts[id(found)] = found, items
        return found

    def lower_inst(self, inst: Any) -> None:
        if isinstance(inst, ir.SetItem) and self._stored(inst, inst.index):
            return
        if isinstance(inst, ir.StaticSetItem) and self._stored(inst, inst.index_var):
            return
        if isinstance(inst, ir.Assign) and not isinstance(inst.value, ir.Arg):
            self.target = target = inst.target.name
            value = self.lower_assign(self.typeof(target), inst)
            self.storevar(self._hidden(value) if target in self.falling else value, target)
            return
        super().lower_inst(inst)

    def _hidden(self, value: Any) -> Any:
        """A counter that goes down, of which LLVM does not see that it does. It would check ahead
        of the outer loop whether arrays overlap in any of its trips, give that up for strides that
        are negative, and leave the loops inside without vector instructions."""
        kind = llvm.FunctionType(value.type, (value.type,))
        return self.builder.asm(kind, "", "=r,0", (value,), side_effect=False)

    def incref(self, typ: Any, val: Any) -> None:
        if not self._counted(self.context.nrt.incref, typ, val):
            super().incref(typ, val)

    def decref(self, typ: Any, val: Any) -> None:
        if not self._counted(self.context.nrt.decref, typ, val):
            super().decref(typ, val)

    def loadvar(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        found = super().loadvar(name)
        if isinstance(self.typeof(name), types.Number | types.Boolean):
            self.numbers[name] = found
        return found

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        kind = self.typeof(name)
        self.fields.pop(name, None)
        if isinstance(kind, types.Number | types.Boolean):
            self.numbers[name] = value
        if argidx is not None or name in self._singly_assigned_vars or self._disable_sroa_like_opt:
            super().storevar(value, name, argidx)
        elif isinstance(kind, types.Array):
            self._free(name, kind)
            self.builder.store(value, self.getvar(name))
        elif not self._counts(kind):
            self.builder.store(value, self.getvar(name))
        else:
            super().storevar(value, name, argidx)

    def delvar(self, name: str) -> None:
        kind = self.typeof(name)
        self.fields.pop(name, None)
        self.numbers.pop(name, None)
        held = name in self._blk_local_varmap or self._disable_sroa_like_opt
        if not held and not self._counts(kind):
            self._singly_assigned_vars.discard(name)
            return
        if held or not isinstance(kind, types.Array):
            super().delvar(name)
            return
        self._singly_assigned_vars.discard(name)
        self.builder.store(cgutils.voidptr_t(None), self._free(name, kind))

    # --- entries ---------------------------------------------------------------------------------
    def _entry(self, resty: Any, expr: Any) -> Any:
        """The value of `a[i, j]`; None where it is something else."""
        index = expr.index if expr.op == "getitem" else expr.index_var
        kind = self.typeof(expr.value.name)
        if index is None or resty != getattr(kind, "dtype", None):
            return None
        pointer = self._pointer(expr.value.name, kind, index.name)
        if pointer is None:
            return None
        return arrayobj.load_item(self.context, self.builder, kind, pointer)

    def _stored(self, inst: Any, index: Any) -> bool:
        """Whether `a[i, j] = value` has been written."""
        kind = self.typeof(inst.target.name)
        if index is None or not isinstance(kind, types.Array):
            return False
        given = self.typeof(inst.value.name)
        if not isinstance(given, types.Number | types.Boolean):
            return False
        pointer = self._pointer(inst.target.name, kind, index.name)
        if pointer is None:
            return False
        value = self.context.cast(self.builder, self.loadvar(inst.value.name), given, kind.dtype)
        arrayobj.store_item(self.context, self.builder, kind, value, pointer)
        return True

    def _pointer(self, name: str, kind: Any, index: str) -> Any:
        """Where the entry lies; None for anything but an entry of an array of numbers."""
        if not is_plain(kind) or self.context.enable_boundscheck or kind.ndim == 0:
            return None
        indices = self._indices(index, kind.ndim)
        if indices is None:
            return None
        known = self.fields.setdefault(name, {})
        entry = tuple(i[2] for i in indices)
        if entry not in known:
            known[entry] = self._pointed(name, kind, indices)
        return known[entry]

    def _pointed(self, name: str, kind: Any, indices: list[tuple[str, Any, Any]]) -> Any:
        places = [self._place(name, kind, k, *i) for k, i in enumerate(indices)]
        data = self._field(name, kind, "data")
        if kind.layout == "A":
            steps = [self._field(name, kind, "strides", k) for k in range(kind.ndim)]
            return cgutils.pointer_add(self.builder, data, offset(self.builder, places, steps))
        return self.builder.gep(data, [self._contiguous(name, kind, places)])

    def _contiguous(self, name: str, kind: Any, places: list[Any]) -> Any:
        """The number of an entry in an array without gaps."""
        order = range(kind.ndim) if kind.layout == "C" else range(kind.ndim - 1, -1, -1)
        found = None
        for axis in order:
            if found is None:
                found = places[axis]
                continue
            length = self._field(name, kind, "shape", axis)
            found = self.builder.add(self.builder.mul(found, length), places[axis])
        return found

    def _indices(self, name: str, count: int) -> list[tuple[str, Any, Any]] | None:
        """(name, type, value) of the integers in an index; None for any other index."""
        kind = self.typeof(name)
        if isinstance(kind, types.Integer):
            found = [(name, kind, self.loadvar(name))]
        elif integers(kind) is not None:
            value = self.loadvar(name)
            if id(value) in self.parts:
                found = self.parts[id(value)][1]
            else:
                kinds: tuple[Any, ...] = tuple(kind)  # type: ignore[arg-type]
                parts = [self.builder.extract_value(value, n) for n in range(len(kinds))]
                found = [("", k, part) for k, part in zip(kinds, parts, strict=True)]
        else:
            return None
        return found if len(found) == count else None

    def _place(self, name: str, kind: Any, axis: int, own: str, given: Any, value: Any) -> Any:
        """An index counted from the start."""
        if isinstance(given, types.IntegerLiteral):
            return self._literal(name, kind, axis, given.literal_value)
        if not given.signed:
            place = self.context.cast(self.builder, value, given, types.uintp)
            return self._inside(place, self._field(name, kind, "shape", axis))
        place = self.context.cast(self.builder, value, given, types.intp)
        if isinstance(place, llvm.Constant) and place.constant >= 0:
            return place
        subscript = Subscript(self.func_ir, self.typeof, own)
        plainly = subscript.plainly_counted(self.counters)
        if own in self.inside and own not in self.counters:
            return place  # LLVM need not know its sign: it may begin where another counter is
        if self.counters and not plainly and subscript.counted_up(self.counters):
            return place
        length = self._field(name, kind, "shape", axis)
        negative = self.builder.icmp_signed("<", place, place.type(0))
        place = self.builder.select(negative, self.builder.add(place, length), place)
        return place if plainly or subscript.fits(self.inside) else self._inside(place, length)

    def _literal(self, name: str, kind: Any, axis: int, number: int) -> Any:
        """A literal index, which is asked about where the axis is not known to be long enough."""
        place = llvm.Constant(self.context.get_value_type(types.intp), number)
        least = number + 1 if number >= 0 else -number
        fits = self.lengths.get((name.split(".")[0], axis), 0) >= least
        if fits and number >= 0:
            return place
        length = self._field(name, kind, "shape", axis)
        place = place if number >= 0 else self.builder.add(place, length)
        return place if fits else self._inside(place, length)

    def _inside(self, place: Any, length: Any) -> Any:
        """An index that a run has computed, which may lie beside the array: then it is an error.

        LLVM is not told how seldom: it would copy the loops around, without the question, and
        verify the whole function before each.
        """
        beside = self.builder.icmp_unsigned(">=", place, length)
        with self.builder.if_then(beside):
            self.return_exception(IndexError, ("index is out of bounds",), loc=self.loc)
        return place

    # --- what is known of arrays -----------------------------------------------------------------
    def _shape(self, resty: Any, name: str) -> Any:
        kind = self.typeof(name)
        if not isinstance(kind, types.Array):
            return None
        lengths = [self._field(name, kind, "shape", k) for k in range(kind.ndim)]
        return self.context.make_tuple(self.builder, resty, lengths)

    def _field(self, name: str, kind: Any, field: str, axis: int | None = None) -> Any:
        """One field of an array's description, read where it lies."""
        known = self.fields.setdefault(name, {})
        if (field, axis) not in known:
            known[field, axis] = self._read(name, kind, field, axis)
        return known[field, axis]

    def _read(self, name: str, kind: Any, field: str, axis: int | None) -> Any:
        at = self.context.data_model_manager[kind].get_field_position(field)
        if name in self._blk_local_varmap and not self._disable_sroa_like_opt:
            value = self._blk_local_varmap[name]
            return self.builder.extract_value(value, at if axis is None else (at, axis))
        path = (at,) if axis is None else (at, axis)
        pointer = cgutils.gep_inbounds(self.builder, self.getvar(name), 0, *path)
        found = self.builder.load(pointer)
        if field == "shape":
            arrayobj.mark_positive(self.builder, found)
        return found

    # --- users of arrays are counted -------------------------------------------------------------
    def _counts(self, kind: Any) -> bool:
        """Whether users of such values are counted."""
        return bool(self.context.data_model_manager[kind].contains_nrt_meminfo())

    def _counted(self, note: Any, kind: Any, value: Any) -> bool:
        """Whether one user of a value more or less was noted here, or needs no note."""
        if not self.context.enable_nrt or not self._counts(kind):
            return True
        if not isinstance(kind, types.Array):
            return False
        place = self.context.data_model_manager[kind].get_field_position("meminfo")
        held = self.builder.extract_value(value, place)
        note(self.builder, types.MemInfoPointer(kind.dtype), held)
        return True

    def _free(self, name: str, kind: Any) -> Any:
        """Note that a variable holds its array no more; where it was held."""
        at = self.context.data_model_manager[kind].get_field_position("meminfo")
        place = cgutils.gep_inbounds(self.builder, self.getvar(name), 0, at)
        held = self.builder.load(place)
        self.context.nrt.decref(self.builder, types.MemInfoPointer(kind.dtype), held)
        return place


def _instruction(op: Any, kind: Any) -> str | None:
    """The instruction for two numbers of one type; None where it is not a single one."""
    real, exact = _ARITHMETIC.get(op, (None, None))
    if isinstance(kind, types.Integer):
        return exact
    return real if kind in (types.float64, types.float32) else None
