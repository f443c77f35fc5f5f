"""Floor 8: scipy.integrate.solve_ivp with events.

SciPy finds when they happen. Each time then moves as the root of its event along the step in which
it lies, by Newton's steps that leave its value as it is (the implicit function theorem), and the
state moves along that step with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad.standins import integrating
from s2sgrad.standins.integrating import Interpolant, _along, _mesh, _step, _stiff_step
from s2sgrad.standins.solving import Result
from s2sgrad_runtime import event_times, time_mesh

FunctionOfTwo = Callable[..., Any]
STEPS = 3


class PathWithEvents(Result):
    """What scipy.integrate.solve_ivp gives, as far as it may be differentiated."""

    def __init__(self, t: Any, y: Any, t_events: Any, y_events: Any, status: Any, sol: Any) -> None:
        self.t, self.y, self.sol = t, y, sol
        self.t_events, self.y_events = t_events, y_events
        self.status, self.success = status, True


def state_at(time: Any, f: Any, t: Any, y: Any, args: Any, stiff: bool) -> Any:
    """The state at a time within the step from t."""
    if stiff:
        return _stiff_step(f, t, y, time - t, args)
    return _step(f, t, y, time - t, args)


def happening(
    found: Any, event: Any, f: Any, t: Any, y: Any, width: Any, args: Any, stiff: bool
) -> Any:
    """The time of an event that was found within the step of a width from t, and the state."""
    rest = stop_gradient(event(found, state_at(found, f, t, y, args, stiff), *args))
    above, below = found + 1e-3 * width, found - 1e-3 * width
    change = event(above, state_at(above, f, t, y, args, stiff), *args) - event(
        below, state_at(below, f, t, y, args, stiff), *args
    )
    slope = stop_gradient(change / (above - below))
    time = found
    for _ in range(STEPS):
        time = time - (event(time, state_at(time, f, t, y, args, stiff), *args) - rest) / slope
    return time, state_at(time, f, t, y, args, stiff)


def with_events(
    fun: Any, t_span: Any, y0: Any, method: Any, t_eval: Any, sol: Any, events: Any, args: Any,
    options: Any,
) -> Any:  # fmt: skip
    """scipy.integrate.solve_ivp with a function of the time and the state, or several."""
    hits = events if isinstance(events, (list, tuple)) else (events,)
    start, stop = stop_gradient(t_span[0]) * 1.0, stop_gradient(t_span[1]) * 1.0
    ends = np.array([getattr(hit, "terminal", False) or 0.0 for hit in hits]) * 1.0
    ways = np.array([getattr(hit, "direction", 0.0) for hit in hits]) * 1.0
    rows = event_times(
        fun, hits, ends, ways, (start, stop), stop_gradient(y0), args=args, method=method, **options
    )
    ended, sign = rows[0, 0] > 0.0, np.sign(stop - start)
    last, end = rows[0, 1], np.array([t_span[1]]) * 1.0
    stiff = method in ("Radau", "BDF", "LSODA")
    wanted = np.zeros(0) if t_eval is None else np.array(t_eval) * 1.0
    asked = wanted[np.flatnonzero((stop_gradient(wanted) - last) * sign <= 0.0)]
    final = np.array([last]) if ended else end
    times = np.concatenate((np.array([t_span[0]]) * 1.0, asked, final))
    cells = time_mesh(
        fun, stop_gradient(times), stop_gradient(y0), stop,
        args=args, method="Radau" if stiff else "RK45", **options
    )  # fmt: skip
    mesh = _mesh(times, cells)
    states = _along(fun, mesh, y0, args, stiff)
    t_events, y_events = [], []
    for k, hit in enumerate(hits):
        when = rows[1:, 1][np.flatnonzero(rows[1:, 0] == k)]
        ts, ys = np.zeros(len(when)), np.zeros((len(when), np.shape(states)[1]))
        for j in range(len(when)):
            place = np.maximum(np.sum((stop_gradient(mesh) - when[j]) * sign < 0.0) - 1, 0)
            width = stop_gradient(mesh[place + 1] - mesh[place])
            ts[j], ys[j] = happening(
                when[j], hit, fun, mesh[place], states[place], width, args, stiff
            )
        t_events.append(ts)
        y_events.append(ys)
    if t_eval is not None:
        places = np.flatnonzero(cells[:, 1] == 0.0)[1:-1]
        mesh, states = asked, states[places]
    elif ended:
        k = int(rows[0, 2])
        mesh = np.append(mesh[:-1], t_events[k][-1])
        states = np.concatenate((states[:-1], y_events[k][-1:]))
    return PathWithEvents(mesh, states.T, t_events, y_events, 1 if ended else 0, sol)


def solve_ivp(
    fun: FunctionOfTwo, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
    dense_output: bool = False, events: FunctionOfTwo | None = None, vectorized: bool = False,
    args: Any = (), **options: Any,
) -> Any:  # fmt: skip
    """scipy.integrate.solve_ivp."""
    if events is None:
        return integrating.solve_ivp(
            fun, t_span, y0, method, t_eval, dense_output, None, vectorized, args, **options
        )
    sol = Interpolant(fun, t_span, y0, method, args, options) if dense_output else None
    return with_events(fun, t_span, y0, method, t_eval, sol, events, args, options)


READ = ("solve_ivp",)
