"""Random programs with views and in-place writes: against differences, and against PyTorch.

A program is a list of statements on 3 x 3 tensors. It cannot see kinks that are hit exactly, and
programs that raise are compared with PyTorch's only by whether they raise.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from eager.checks import needs_torch, real_torch

from s2sgrad import eager as torch

pytestmark = pytest.mark.filterwarnings("ignore:Using a target size")

UNARY = """
{a}.sin() | {a}.exp() | {a}.tanh() | ({a}*{a}) | ({a}**2) | ({a}**3) | {a}.t() | {a}.abs() | -{a}
{a}.reshape(9)[:9].view(3,3) | {a}[::2].sum(0,keepdim=True) | {a}.sigmoid() | {a}.clamp(-.7,.9)
{a}.mean(1,keepdim=True) | {a}.sum(0) | {a}.cumsum(1) | {a}.clone() | {a}.unsqueeze(0).squeeze(0)
{a}.flip(0) | {a}.amax(1,keepdim=True) | L.nn.functional.softmax({a},dim=1) | {a}.expand(3,3)
L.nn.functional.gelu({a}) | {a}.relu() | {a}[:,1:2] | {a}[0] | {a}.diagonal() | {a}.permute(1,0)
({a}+1).abs().sqrt() | {a}.contiguous()
"""
BINARY = """
{a}+{b} | {a}*{b} | {a}-{b} | {a}/({b}.abs()+1) | {a}@{b} | L.where({a}>{b},{a},{b}*2)
L.maximum({a},{b}) | L.cat([{a},{b}])[1:4] | L.stack([{a},{b}]).sum(0) | {a}.lerp({b},.3)
L.nn.functional.linear({a},{b},{a}[0]) | L.nn.functional.mse_loss({a},{b},reduction="none")
"""
IN_PLACE = """
{a}.mul_({b}) | {a}.add_({b}) | {a}.sin_() | {a}.mul_(2) | {a}[0]={b}[1] | {a}[:,1]*={b}[:,0]
{a}[1:].add_(1) | {a}.copy_({b}) | {a}[{i}]={b}[{i}]*2 | {a}.clamp_(min=-.5) | {a}.fill_(.5)
{a}[{a}>0.1]=.3 | {a}.view(9)[2:5].exp_() | {a}.zero_() | {a}[[0,2]]={b}[[1,0]] | {a}.relu_()
{a}.diagonal().mul_(3)
"""


def choices(text: str) -> list[str]:
    return [entry.strip() for line in text.strip().splitlines() for entry in line.split(" | ")]


def program(seed: int) -> list[str]:
    """Some statements on x, y and what they make; the last one sets `out`."""
    draw = random.Random(seed)
    names, lines = ["x", "y"], []
    for k in range(draw.randint(2, 7)):
        kind, a, b, new = draw.random(), draw.choice(names), draw.choice(names), f"v{k}"
        i = draw.randint(0, 2)
        if kind < 0.7:
            form = draw.choice(choices(UNARY if kind < 0.4 else BINARY))
            lines.append(f"{new}=" + form.format(a=a, b=b, i=i))
            names.append(new)
            continue
        if a in ("x", "y"):
            lines.append(f"{new}={a}*1")
            names.append(new)
            a = new
        lines.append(draw.choice(choices(IN_PLACE)).format(a=a, b=b, i=i))
    ends = (f"({n}*{n}).sum()*{1 + 0.1 * j:.1f}" for j, n in enumerate(names[-3:]))
    return [*lines, f"out={'+'.join(ends)}"]


def function(library: Any, lines: list[str]) -> Any:
    names: dict[str, Any] = {"L": library}
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"def f(x, y):\n{body}\n    return out", names)
    return names["f"]


def inputs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(3, 3)), rng.normal(size=(3, 3))


def first(library: Any, lines: list[str], values: Any) -> list[np.ndarray]:
    """The gradients; zeros where nothing depends on an input."""
    x, y = (library.tensor(v, requires_grad=True) for v in values)
    function(library, lines)(x, y).backward()
    return [np.zeros((3, 3)) if t.grad is None else t.grad.numpy() for t in (x, y)]


def second(library: Any, lines: list[str], values: Any) -> list[np.ndarray]:
    """The gradients of the sum of the squared gradients."""
    x, y = (library.tensor(v, requires_grad=True) for v in values)
    out = function(library, lines)(x, y)
    bars = library.autograd.grad(out, (x, y), create_graph=True, allow_unused=True)
    total = sum((b * b).sum() for b in bars if b is not None)
    if not hasattr(total, "requires_grad") or not total.requires_grad:
        return [np.zeros((3, 3))] * 2
    found = library.autograd.grad(total, (x, y), allow_unused=True)
    return [np.zeros((3, 3)) if t is None else t.numpy() for t in found]


def attempt(call: Any, *args: Any) -> Any:
    try:
        return call(*args)
    except Exception:
        return None


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_against_differences(start: int) -> None:
    checked = 0
    for seed in range(start, start + 50):
        lines, values = program(seed), inputs(seed)
        found = attempt(first, torch, lines, values)
        if found is None:
            continue
        f = function(torch, lines)
        v, w = inputs(seed + 10_000)
        x, y = values
        with torch.no_grad():
            step = 1e-6
            ahead = f(torch.tensor(x + step * v), torch.tensor(y + step * w)).item()
            behind = f(torch.tensor(x - step * v), torch.tensor(y - step * w)).item()
        slope = float(np.sum(found[0] * v) + np.sum(found[1] * w))
        np.testing.assert_allclose(
            slope, (ahead - behind) / (2 * step), rtol=1e-4, atol=1e-4, err_msg=f"{seed}: {lines}"
        )
        checked += 1
    assert checked > 20


@needs_torch
@pytest.mark.parametrize("order", [first, second])
@pytest.mark.parametrize("start", range(0, 200, 50))
def test_same_as_torch(start: int, order: Any) -> None:
    for seed in range(start, start + 50):
        lines, values = program(seed), inputs(seed)
        wanted = attempt(order, real_torch(), lines, values)
        found = attempt(order, torch, lines, values)
        assert (found is None) == (wanted is None), f"one raises, {seed}: {lines}"
        if wanted is not None:
            for a, b in zip(found, wanted, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8, err_msg=f"{seed}: {lines}")
