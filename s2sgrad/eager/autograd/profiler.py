"""`torch.autograd.profiler`: which operations ran, forward and backward, and how long they took."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager.settings.interception import intercepting
from s2sgrad.eager.settings.state import STATE

_WIDTHS = (12, 12, 12, 12, 12, 12)
_HEADS = ("Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls")


class FunctionEvent:
    """One operation, or (in an average) all calls of one name. Times are in microseconds."""

    def __init__(self, name: str, start: float, children: float = 0.0) -> None:
        self.name = self.key = name
        self.start, self.count = start, 1
        self.cpu_time_total = self.children = children

    @property
    def self_cpu_time_total(self) -> float:
        return self.cpu_time_total - self.children

    @property
    def cpu_time(self) -> float:
        """The mean time of a call."""
        return self.cpu_time_total / self.count

    @property
    def cpu_time_total_str(self) -> str:
        return duration(self.cpu_time_total)

    @property
    def self_cpu_time_total_str(self) -> str:
        return duration(self.self_cpu_time_total)

    def add(self, other: FunctionEvent) -> None:
        """Count another event of the same name."""
        self.count += other.count
        self.cpu_time_total += other.cpu_time_total
        self.children += other.children

    def __repr__(self) -> str:
        return f"<FunctionEvent {self.name} cpu_time={self.cpu_time_total_str} count={self.count}>"


def duration(microseconds: float) -> str:
    """A time with its unit."""
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3f}s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.3f}ms"
    return f"{microseconds:.3f}us"


class EventList(list[FunctionEvent]):
    """Events, with the averages by name and the printed table."""

    def key_averages(self) -> EventList:
        """One event per name, in the order of first calls."""
        found: dict[str, FunctionEvent] = {}
        for event in self:
            if event.name in found:
                found[event.name].add(event)
            else:
                made = found[event.name] = FunctionEvent(event.name, event.start)
                made.count = event.count
                made.cpu_time_total, made.children = event.cpu_time_total, event.children
        return EventList(found.values())

    @property
    def self_cpu_time_total(self) -> float:
        return sum(e.self_cpu_time_total for e in self)

    def total_average(self) -> FunctionEvent:
        """All events as one."""
        total = FunctionEvent("Total", 0.0)
        total.count = 0
        for event in self:
            total.add(event)
        return total

    def table(self, sort_by: str | None = None, row_limit: int = 100, **_: Any) -> str:
        """The events as a table; `sort_by` names an attribute such as "cpu_time_total"."""
        rows = list(self)
        if sort_by is not None:
            rows.sort(key=lambda e: getattr(e, sort_by), reverse=True)
        rows = rows[:row_limit] if row_limit >= 0 else rows
        whole = self.self_cpu_time_total or 1.0
        width = max([4, *(len(e.name) for e in rows)]) + 2
        rule = "  ".join("-" * w for w in (width, *_WIDTHS))
        lines = [rule, line("Name", width, _HEADS), rule]
        for e in rows:
            cells = (
                f"{100 * e.self_cpu_time_total / whole:.2f}%",
                e.self_cpu_time_total_str,
                f"{100 * e.cpu_time_total / whole:.2f}%",
                e.cpu_time_total_str,
                duration(e.cpu_time),
                str(e.count),
            )
            lines.append(line(e.name, width, cells))
        return "\n".join([*lines, rule, f"Self CPU time total: {duration(whole)}", ""])


def line(name: str, width: int, cells: Any) -> str:
    """One row of the table."""
    parts = [name.rjust(width), *(c.rjust(w) for c, w in zip(cells, _WIDTHS, strict=True))]
    return "  ".join(parts) + "  "


class profile:
    """Block whose operations are noted: `with profile() as prof: ...; prof.key_averages()`."""

    def __init__(self, enabled: bool = True, **_: Any) -> None:
        self.enabled = enabled
        self.function_events = EventList()
        self._open: list[FunctionEvent] = []

    def __enter__(self) -> profile:
        if self.enabled:
            if STATE.profiler is not None:
                raise RuntimeError("Profiler is already enabled on this thread")
            STATE.profiler = self
            self._handler = intercepting(self._operation)
            self._handler.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self.enabled:
            self._handler.__exit__(None, None, None)
            STATE.profiler = None

    def _operation(self, op: Any, args: Any, kwargs: Any, run: Any) -> Any:
        name = getattr(op, "name", None)
        short = re.sub(r"Backward\d*$", "", name).lower() if isinstance(name, str) else None
        with self.timed(f"aten::{short}" if short else getattr(op, "__name__", str(op))):
            return run()

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """A block as one event; events inside it are its children."""
        start = time.perf_counter()
        event = FunctionEvent(name, start)
        self.function_events.append(event)
        self._open.append(event)
        try:
            yield
        finally:
            self._open.pop()
            event.cpu_time_total = (time.perf_counter() - start) * 1e6
            if self._open:
                self._open[-1].children += event.cpu_time_total

    def key_averages(self, *_: Any, **__: Any) -> EventList:
        """One event per name."""
        return self.function_events.key_averages()

    def table(self, *args: Any, **kwargs: Any) -> str:
        """All events as a table."""
        return self.function_events.table(*args, **kwargs)

    def total_average(self) -> FunctionEvent:
        """All events as one."""
        return self.function_events.total_average()

    @property
    def self_cpu_time_total(self) -> float:
        return self.function_events.self_cpu_time_total

    def __str__(self) -> str:
        return self.table()


@contextmanager
def record_function(name: str, args: str | None = None) -> Iterator[None]:
    """A block that shows up under its own name."""
    profiler = STATE.profiler
    if profiler is None:
        yield
    else:
        with profiler.timed(name):
            yield


__all__ = ["EventList", "FunctionEvent", "profile", "record_function"]
