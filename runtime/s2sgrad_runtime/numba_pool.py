"""Threads that share a loop with the thread that runs it.

A loop is cut into parts, and whoever is free takes the next one. The caller takes parts too, and
waits only for those that another thread has begun: where the other cores are busy, the loop takes
as long as on one core, and no longer. (Numba's own threads each have a part that nobody else
takes: where a core is busy, the loop waits for it, 6 ms as Linux shares out time.)

Between loops, threads look for work for a tenth of a millisecond and then sleep. There is one loop
at a time; a second one, of another thread of Python, runs on one core.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import sys
from typing import Any

import llvmlite.binding as binding
from numba.core import config

__all__ = ["RUN", "THREADS_FOR", "WORTH"]

RUN = "s2sgrad_run_parts"  # (function, data, first, last, work)
THREADS_FOR = "s2sgrad_threads_for"  # (work) -> how many threads
WORTH = 100_000  # nanoseconds of work from which threads are worth waking
MOST = 64  # threads that are made
PARTS = 4  # for each thread
LOOKS = 200  # for work, each with a turn for others, before a thread sleeps

_CODE = f"""
@function = internal global ptr null
@data = internal global ptr null
@first = internal global i64 0
@length = internal global i64 0
@parts = internal global i64 0
@next = internal global i64 0
@helpers = internal global i64 0
@open = internal global i64 0
@inside = internal global i64 0
@taken = internal global i64 0
@asleep = internal global [{MOST} x i64] zeroinitializer
@locks = internal global [{MOST} x ptr] zeroinitializer

declare i32 @s2sgrad_yield()
declare i64 @s2sgrad_count_threads()
declare i32 @s2sgrad_lock(ptr, i32)
declare void @s2sgrad_unlock(ptr)

define i64 @{THREADS_FOR}(i64 %work) {{
  %small = icmp slt i64 %work, {WORTH}
  br i1 %small, label %one, label %many
one:
  ret i64 1
many:
  %count = call i64 @s2sgrad_count_threads()
  ret i64 %count
}}

define void @{RUN}(ptr %function, ptr %data, i64 %first, i64 %last, i64 %work) {{
start:
  %length = sub i64 %last, %first
  %some = icmp sgt i64 %length, 0
  br i1 %some, label %ask, label %end
ask:
  %threads = call i64 @{THREADS_FOR}(i64 %work)
  %alone = icmp sle i64 %threads, 1
  br i1 %alone, label %whole, label %take
take:
  %other = atomicrmw xchg ptr @taken, i64 1 seq_cst
  %free = icmp eq i64 %other, 0
  br i1 %free, label %describe, label %whole
whole:
  call void %function(ptr %data, i64 %first, i64 %last)
  ret void
describe:
  %helpers = sub i64 %threads, 1
  %many = mul i64 %threads, {PARTS}
  %few = icmp slt i64 %length, %many
  %parts = select i1 %few, i64 %length, i64 %many
  store ptr %function, ptr @function
  store ptr %data, ptr @data
  store i64 %first, ptr @first
  store i64 %length, ptr @length
  store atomic i64 %parts, ptr @parts seq_cst, align 8
  store atomic i64 %helpers, ptr @helpers seq_cst, align 8
  store atomic i64 0, ptr @next seq_cst, align 8
  store atomic i64 1, ptr @open seq_cst, align 8
  br label %wake
wake:
  %k = phi i64 [0, %describe], [%up, %woken]
  %all = icmp sge i64 %k, %helpers
  br i1 %all, label %work_too, label %look
look:
  %bed = getelementptr [{MOST} x i64], ptr @asleep, i64 0, i64 %k
  %slept = atomicrmw xchg ptr %bed, i64 0 seq_cst
  %sleeps = icmp eq i64 %slept, 1
  br i1 %sleeps, label %call, label %woken
call:
  %door = getelementptr [{MOST} x ptr], ptr @locks, i64 0, i64 %k
  %lock = load ptr, ptr %door
  call void @s2sgrad_unlock(ptr %lock)
  br label %woken
woken:
  %up = add i64 %k, 1
  br label %wake
work_too:
  call void @take_parts()
  store atomic i64 0, ptr @open seq_cst, align 8
  br label %wait
wait:
  %inside = load atomic i64, ptr @inside seq_cst, align 8
  %left = icmp eq i64 %inside, 0
  br i1 %left, label %done, label %longer
longer:
  call i32 @s2sgrad_yield()
  br label %wait
done:
  store atomic i64 0, ptr @taken seq_cst, align 8
  ret void
end:
  ret void
}}

define void @take_parts() {{
start:
  %function = load ptr, ptr @function
  %data = load ptr, ptr @data
  %first = load i64, ptr @first
  %length = load i64, ptr @length
  %parts = load atomic i64, ptr @parts seq_cst, align 8
  br label %take
take:
  %k = atomicrmw add ptr @next, i64 1 seq_cst
  %mine = icmp slt i64 %k, %parts
  br i1 %mine, label %run, label %end
run:
  %up = add i64 %k, 1
  %low = mul i64 %k, %length
  %high = mul i64 %up, %length
  %from = sdiv i64 %low, %parts
  %to = sdiv i64 %high, %parts
  %a = add i64 %first, %from
  %b = add i64 %first, %to
  call void %function(ptr %data, i64 %a, i64 %b)
  br label %take
end:
  ret void
}}

define i1 @there_is_work(i64 %number) {{
  %open = load atomic i64, ptr @open seq_cst, align 8
  %helpers = load atomic i64, ptr @helpers seq_cst, align 8
  %next = load atomic i64, ptr @next seq_cst, align 8
  %parts = load atomic i64, ptr @parts seq_cst, align 8
  %is_open = icmp eq i64 %open, 1
  %wanted = icmp slt i64 %number, %helpers
  %left = icmp slt i64 %next, %parts
  %here = and i1 %is_open, %wanted
  %yes = and i1 %here, %left
  ret i1 %yes
}}

define void @s2sgrad_help(i64 %number) {{
start:
  %bed = getelementptr [{MOST} x i64], ptr @asleep, i64 0, i64 %number
  %door = getelementptr [{MOST} x ptr], ptr @locks, i64 0, i64 %number
  %lock = load ptr, ptr %door
  br label %look
look:
  %looks = phi i64 [0, %start], [0, %leave], [%more, %rest], [0, %up], [0, %woken]
  %work = call i1 @there_is_work(i64 %number)
  br i1 %work, label %enter, label %nothing
enter:
  atomicrmw add ptr @inside, i64 1 seq_cst
  %still = load atomic i64, ptr @open seq_cst, align 8
  %open = icmp eq i64 %still, 1
  br i1 %open, label %help, label %leave
help:
  call void @take_parts()
  br label %leave
leave:
  atomicrmw sub ptr @inside, i64 1 seq_cst
  br label %look
nothing:
  %more = add i64 %looks, 1
  %tired = icmp sge i64 %more, {LOOKS}
  br i1 %tired, label %lie_down, label %rest
rest:
  call i32 @s2sgrad_yield()
  br label %look
lie_down:
  store atomic i64 1, ptr %bed seq_cst, align 8
  %late = call i1 @there_is_work(i64 %number)
  br i1 %late, label %get_up, label %sleep
get_up:
  %was = atomicrmw xchg ptr %bed, i64 0 seq_cst
  %own = icmp eq i64 %was, 1
  br i1 %own, label %up, label %sleep
up:
  br label %look
sleep:
  %got = call i32 @s2sgrad_lock(ptr %lock, i32 1)
  br label %woken
woken:
  br label %look
}}

define void @s2sgrad_begin() {{
  store i64 0, ptr @open
  store i64 0, ptr @inside
  store i64 0, ptr @taken
  store [{MOST} x i64] zeroinitializer, ptr @asleep
  ret void
}}

define void @s2sgrad_set_lock(i64 %number, ptr %lock) {{
  %door = getelementptr [{MOST} x ptr], ptr @locks, i64 0, i64 %number
  store ptr %lock, ptr %door
  ret void
}}
"""


class Pool:
    """The threads of this process; a forked one starts its own."""

    def __init__(self) -> None:
        self.process = 0
        self.starting = _thread.allocate_lock()
        self.counting = ctypes.CFUNCTYPE(ctypes.c_int64)(self.count)
        self.engine = self._compiled()
        address = self.engine.get_function_address
        self.begin = ctypes.CFUNCTYPE(None)(address("s2sgrad_begin"))
        self.help = ctypes.CFUNCTYPE(None, ctypes.c_int64)(address("s2sgrad_help"))
        number, lock = ctypes.c_int64, ctypes.c_void_p
        self.set_lock = ctypes.CFUNCTYPE(None, number, lock)(address("s2sgrad_set_lock"))
        for name in (RUN, THREADS_FOR):
            binding.add_symbol(name, address(name))
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))  # threads may outlive everything else

    def count(self) -> int:
        """How many threads share a loop, the caller among them; they are started by now."""
        most = min(int(vars(config)["NUMBA_NUM_THREADS"]), MOST)
        if most > 1 and self.process != os.getpid():
            self._start(most - 1)
        asked = sys.modules.get("numba.np.ufunc.parallel")
        if asked is not None and getattr(asked, "_is_initialized", False):
            return min(most, int(asked.get_num_threads()))  # what set_num_threads was called with
        return most

    def _start(self, helpers: int) -> None:
        with self.starting:
            if self.process == os.getpid():
                return
            self.begin()
            new_lock = ctypes.pythonapi.PyThread_allocate_lock
            new_lock.restype = ctypes.c_void_p
            take = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)(
                _address("PyThread_acquire_lock")
            )
            for number in range(helpers):
                lock = new_lock()
                take(lock, 1)
                self.set_lock(number, lock)
                _thread.start_new_thread(self.help, (number,))
            self.process = os.getpid()

    def _compiled(self) -> Any:
        symbols = {
            "s2sgrad_yield": _yielding(),
            "s2sgrad_count_threads": ctypes.cast(self.counting, ctypes.c_void_p).value,
            "s2sgrad_lock": _address("PyThread_acquire_lock"),
            "s2sgrad_unlock": _address("PyThread_release_lock"),
        }
        for name, address in symbols.items():
            binding.add_symbol(name, address)
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine(jit=True)
        engine = binding.create_mcjit_compiler(binding.parse_assembly(_CODE), machine)
        engine.finalize_object()
        return engine


def _address(name: str) -> int:
    """Where one of Python's functions is."""
    found = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert found is not None
    return found


def _yielding() -> int:
    """The system's function by which a thread lets others run."""
    if sys.platform == "win32":
        found = ctypes.cast(ctypes.windll.kernel32.SwitchToThread, ctypes.c_void_p).value
    else:
        found = ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p).value
    assert found is not None
    return found


_POOL = Pool()
os.register_at_fork(after_in_child=lambda: setattr(_POOL, "starting", _thread.allocate_lock()))
