"""Dates of a desk: what falls due when, curves by dates, and the days between them."""

import bisect
import datetime
import math
from datetime import date, timedelta

import numpy as np

from programs.registry import normal, positive, program

TODAY = date(2024, 1, 1)
DUE = [date(2024, m, 1) for m in (1, 4, 7)]


@program(positive(3), second=True, jit=True)
def years_between(x):
    total = 0.0
    for day, v in zip(DUE, x):
        total += v**2 * (day - TODAY).days / 365
    return total + x[0] * (DUE[1] - DUE[0]).total_seconds() / 86400 * (
        (DUE[2] - TODAY) / timedelta(1)
    )


@program(positive(3), {day: 0.1 * i for i, day in enumerate(DUE)}, second=True, jit=True)
def flows_by_date(rates, flows):
    worth = 0.0
    for (day, flow), r in zip(flows.items(), rates):
        worth += flow * math.exp(-r * (day - TODAY).days / 365)
    return worth**2


@program(positive(3), list(DUE), second=True)
def dates_given_in_a_list(rates, days):
    today = date(2024, 3, 15)
    return sum(r**2 * (d - today).days for d, r in zip(days, rates) if d > today)


@program(positive(3), second=True, jit=True)
def steps_of_a_calendar(x):
    day, cost = TODAY, 0.0
    for i in range(3):
        day = day + timedelta(days=30 * (i + 1))
        cost += x[i] ** 2 * (day.month + day.year / 2024) * (1 if day.weekday() < 5 else 2)
    half = 0.5 * (DUE[2] - DUE[1]) + timedelta(hours=6) * 2
    return cost * half.days


def _months_later(day, n):
    years, month = divmod(day.month - 1 + n, 12)
    return day.replace(year=day.year + years, month=month + 1)


@program(positive(2), second=True)
def leg_of_a_swap(x):
    due = [_months_later(TODAY, 3 * k) for k in range(1, 5)]
    parts = [(b - a).days / 360 for a, b in zip([TODAY, *due], due)]
    curve = {day: math.exp(-x[0] * (day - TODAY).days / 365) for day in due}
    return sum(p * curve[day] * x[1] for p, day in zip(parts, due)) + curve[max(due)]


class Curve:
    def __init__(self, nodes):
        self.nodes = dict(sorted(nodes.items()))

    def __call__(self, day):
        days = list(self.nodes)
        i = bisect.bisect_left(days, day)
        if i in (0, len(days)):
            return self.nodes[days[min(i, len(days) - 1)]]
        weight = (day - days[i - 1]) / (days[i] - days[i - 1])
        return (1 - weight) * self.nodes[days[i - 1]] + weight * self.nodes[days[i]]


@program(normal(3), second=True)
def curve_between_dates(x):
    curve = Curve(dict(zip(DUE, x)))
    return curve(date(2024, 2, 15)) * curve(date(2025, 1, 1)) + curve(date(2023, 1, 1)) ** 2


@program(normal(3), second=True, jit=True)
def quarters_by_hand(x):
    quarters = [datetime.date(2024, m, 1) for m in (1, 4, 7)]
    prices = {day: np.exp(v) for day, v in zip(quarters, x)}
    return sum((b - a).days / 360 * prices[b] for a, b in zip(quarters, quarters[1:]))
