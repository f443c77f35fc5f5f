"""Memory of large arrays that compiled code makes, kept for the next array of that size.

The C library gives freed memory back to the system, and fresh memory costs a page fault for every
4 KB of it: more than what most loops do with it. So freed blocks of at least `FROM` bytes are kept,
up to `MOST` bytes in all, for arrays that are nearly as large. Numba asks an allocator of its own
for such arrays; this is one, in a few instructions that are written here. Any thread may use it.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as binding

__all__ = ["FROM", "SYMBOL"]

FROM, MOST = 1 << 18, 1 << 26  # bytes
SLOTS = 16  # blocks that are kept
HEAD, ALIGN = 48, 64  # bytes that Numba puts before an array's entries; to what these are aligned
SYMBOL = "s2sgrad_kept_array"  # (bytes) -> what Numba's runtime knows of an array

_CODE = f"""
@slots = internal global [{SLOTS} x i64] zeroinitializer
@total = internal global i64 0
@turn = internal global i64 0
@allocator = internal global [4 x ptr] [ptr @take, ptr null, ptr @give, ptr null]

declare ptr @s2sgrad_raw_malloc(i64)
declare void @s2sgrad_raw_free(ptr)
declare ptr @s2sgrad_raw_array(i64, ptr)

define ptr @{SYMBOL}(i64 %bytes) {{
  %array = call ptr @s2sgrad_raw_array(i64 %bytes, ptr @allocator)
  ret ptr %array
}}

define i64 @size_of(i64 %block) {{
  %at = sub i64 %block, 16
  %place = inttoptr i64 %at to ptr
  %size = load i64, ptr %place
  ret i64 %size
}}

define void @drop(i64 %block) {{
  %size = call i64 @size_of(i64 %block)
  atomicrmw sub ptr @total, i64 %size seq_cst
  %at = sub i64 %block, 8
  %place = inttoptr i64 %at to ptr
  %start = load ptr, ptr %place
  call void @s2sgrad_raw_free(ptr %start)
  ret void
}}

define ptr @take(i64 %bytes, ptr %unused) {{
start:
  %spare = lshr i64 %bytes, 3
  %most = add i64 %bytes, %spare
  br label %look
look:
  %k = phi i64 [0, %start], [%next, %on]
  %done = icmp eq i64 %k, {SLOTS}
  br i1 %done, label %fresh, label %try
try:
  %slot = getelementptr [{SLOTS} x i64], ptr @slots, i64 0, i64 %k
  %block = atomicrmw xchg ptr %slot, i64 0 seq_cst
  %none = icmp eq i64 %block, 0
  br i1 %none, label %on, label %measure
measure:
  %size = call i64 @size_of(i64 %block)
  %enough = icmp uge i64 %size, %bytes
  %close = icmp ule i64 %size, %most
  %fits = and i1 %enough, %close
  br i1 %fits, label %found, label %back
back:
  %pair = cmpxchg ptr %slot, i64 0, i64 %block seq_cst seq_cst
  %held = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %held, label %on, label %lost
lost:
  call void @drop(i64 %block)
  br label %on
on:
  %next = add i64 %k, 1
  br label %look
found:
  atomicrmw sub ptr @total, i64 %size seq_cst
  %here = inttoptr i64 %block to ptr
  ret ptr %here
fresh:
  %need = add i64 %bytes, {16 + HEAD + ALIGN}
  %new = call ptr @s2sgrad_raw_malloc(i64 %need)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %nothing, label %note
nothing:
  ret ptr null
note:
  %begin = ptrtoint ptr %new to i64
  %past = add i64 %begin, {16 + HEAD + ALIGN - 1}
  %even = and i64 %past, {-ALIGN}
  %own = sub i64 %even, {HEAD}
  %size_at = sub i64 %own, 16
  %size_place = inttoptr i64 %size_at to ptr
  store i64 %bytes, ptr %size_place
  %start_at = sub i64 %own, 8
  %start_place = inttoptr i64 %start_at to ptr
  store ptr %new, ptr %start_place
  %there = inttoptr i64 %own to ptr
  ret ptr %there
}}

define void @give(ptr %memory, ptr %unused) {{
start:
  %block = ptrtoint ptr %memory to i64
  %size = call i64 @size_of(i64 %block)
  atomicrmw add ptr @total, i64 %size seq_cst
  %large = icmp ugt i64 %size, {MOST}
  br i1 %large, label %away, label %look
away:
  call void @drop(i64 %block)
  ret void
look:
  %k = phi i64 [0, %start], [%next, %on]
  %done = icmp eq i64 %k, {SLOTS}
  br i1 %done, label %full, label %try
try:
  %slot = getelementptr [{SLOTS} x i64], ptr @slots, i64 0, i64 %k
  %pair = cmpxchg ptr %slot, i64 0, i64 %block seq_cst seq_cst
  %held = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %held, label %check, label %on
on:
  %next = add i64 %k, 1
  br label %look
full:
  %spot = call ptr @oldest()
  %old = atomicrmw xchg ptr %spot, i64 %block seq_cst
  %none = icmp eq i64 %old, 0
  br i1 %none, label %check, label %out
out:
  call void @drop(i64 %old)
  br label %check
check:
  %kept = load atomic i64, ptr @total seq_cst, align 8
  %over = icmp ugt i64 %kept, {MOST}
  br i1 %over, label %less, label %end
less:
  %place = call ptr @oldest()
  %victim = atomicrmw xchg ptr %place, i64 0 seq_cst
  %empty = icmp eq i64 %victim, 0
  br i1 %empty, label %check, label %free
free:
  call void @drop(i64 %victim)
  br label %check
end:
  ret void
}}

define ptr @oldest() {{
  %turn = atomicrmw add ptr @turn, i64 1 seq_cst
  %k = urem i64 %turn, {SLOTS}
  %spot = getelementptr [{SLOTS} x i64], ptr @slots, i64 0, i64 %k
  ret ptr %spot
}}
"""


class _Api(ctypes.Structure):
    """The head of what Numba's runtime offers to others (numba/core/runtime/nrt_external.h)."""

    _fields_ = [("allocate", ctypes.c_void_p), ("allocate_external", ctypes.c_void_p)]


def _load() -> Any:
    """Compile the allocator, and tell LLVM where it is."""
    from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

    api = ctypes.CFUNCTYPE(ctypes.POINTER(_Api))(_nrt_python.c_helpers["get_api"])()
    raw = {
        "malloc": ctypes.cast(ctypes.pythonapi.PyMem_RawMalloc, ctypes.c_void_p).value,
        "free": ctypes.cast(ctypes.pythonapi.PyMem_RawFree, ctypes.c_void_p).value,
        "array": api.contents.allocate_external,
    }
    for name, address in raw.items():
        binding.add_symbol(f"s2sgrad_raw_{name}", address)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(_CODE), machine)
    engine.finalize_object()
    binding.add_symbol(SYMBOL, engine.get_function_address(SYMBOL))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))  # arrays may outlive everything else
    return engine


_load()
