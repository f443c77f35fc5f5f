"""Programs on a million entries: eager tensors beside NumPy code with its gradient by hand.

The gradients by hand make the calls a careful programmer would: contributions are added in place,
and views of cotangents are written into. Both sides compute value and gradients of the same
arrays; `check` compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks import more_large_arrays

Made = tuple[list[np.ndarray], Callable[..., Any], Callable[..., tuple[Any, list[np.ndarray]]]]
_RNG = np.random.default_rng(4)


def _normal(*shape: int) -> np.ndarray:
    return _RNG.standard_normal(shape)


def products(n: int) -> Made:
    def tensors(torch: Any, x: Any) -> Any:
        return (torch.sin(x) * x).sum()

    def by_hand(x: np.ndarray) -> Any:
        s = np.sin(x)
        value = np.sum(s * x)
        y_bar = np.broadcast_to(1.0, x.shape)
        s_bar = y_bar * x
        x_bar = y_bar * s
        s_bar *= np.cos(x)
        x_bar += s_bar
        return value, [x_bar]

    return [_normal(n)], tensors, by_hand


def chain(n: int) -> Made:
    def tensors(torch: Any, x: Any) -> Any:
        return torch.tanh(torch.exp(-(x * x)) + x / 3.0).mean()

    def by_hand(x: np.ndarray) -> Any:
        e = np.exp(-(x * x))
        t = np.tanh(e + x / 3.0)
        value = t.sum() / t.size
        t_bar = np.broadcast_to(1.0 / t.size, t.shape)
        h_bar = t_bar * (1.0 - t * t)
        e_bar = h_bar * e
        q_bar = -e_bar
        x_bar = q_bar * (2.0 * x)
        x_bar += h_bar / 3.0
        return value, [x_bar]

    return [_normal(n)], tensors, by_hand


def stencil(n: int) -> Made:
    def tensors(torch: Any, u: Any) -> Any:
        flow = u[2:] - 2.0 * u[1:-1] + u[:-2]
        return (flow * flow).sum()

    def by_hand(u: np.ndarray) -> Any:
        flow = u[2:] - 2.0 * u[1:-1] + u[:-2]
        value = np.sum(flow * flow)
        flow_bar = np.broadcast_to(1.0, flow.shape) * (2.0 * flow)
        u_bar = np.zeros_like(u)
        u_bar[:-2] = flow_bar
        u_bar[1:-1] -= 2.0 * flow_bar
        u_bar[2:] += flow_bar
        return value, [u_bar]

    return [_normal(n)], tensors, by_hand


def softmax(n: int) -> Made:
    side = int(n**0.5)
    target = _normal(side, side)

    def tensors(torch: Any, z: Any) -> Any:
        e = torch.exp(z - z.amax(1, keepdim=True).detach())
        p = e / e.sum(1, keepdim=True)
        return (p * torch.from_numpy(target)).sum()

    def by_hand(z: np.ndarray) -> Any:
        e = np.exp(z - np.max(z, axis=1, keepdims=True))
        total = np.sum(e, axis=1, keepdims=True)
        p = e / total
        value = np.sum(p * target)
        p_bar = np.broadcast_to(1.0, p.shape) * target
        e_bar = p_bar / total
        p_bar *= p
        e_bar += np.sum(-p_bar / total, axis=1, keepdims=True)
        e_bar *= e
        return value, [e_bar]

    return [_normal(side, side)], tensors, by_hand


def network(n: int) -> Made:
    rows = n // 256
    x, y = _normal(rows, 256), _normal(rows, 16)

    def tensors(torch: Any, w1: Any, b1: Any, w2: Any) -> Any:
        h = torch.tanh(torch.from_numpy(x) @ w1 + b1)
        r = h @ w2 - torch.from_numpy(y)
        return (r * r).mean()

    def by_hand(w1: np.ndarray, b1: np.ndarray, w2: np.ndarray) -> Any:
        h = np.tanh(x @ w1 + b1)
        r = h @ w2 - y
        value = np.sum(r * r) / r.size
        r_bar = np.broadcast_to(1.0 / r.size, r.shape) * (2.0 * r)
        h_bar = r_bar @ w2.T
        w2_bar = h.T @ r_bar
        a_bar = h_bar * (1.0 - h * h)
        return value, [x.T @ a_bar, np.sum(a_bar, axis=0), w2_bar]

    return [_normal(256, 128) / 16, _normal(128), _normal(128, 16)], tensors, by_hand


def reductions(n: int) -> Made:
    side = int(n**0.5)

    def tensors(torch: Any, x: Any) -> Any:
        m = x.mean(0)
        d = x - m
        v = (d * d).mean(0)
        return (v + m).sum()

    def by_hand(x: np.ndarray) -> Any:
        rows = x.shape[0]
        m = np.sum(x, axis=0) / rows
        d = x - m
        v = np.sum(d * d, axis=0) / rows
        value = np.sum(v + m)
        v_bar = m_bar = np.ones_like(m)
        d_bar = np.broadcast_to(v_bar / rows, d.shape) * (2.0 * d)
        m_bar = m_bar - np.sum(d_bar, axis=0)
        d_bar += m_bar / rows
        return value, [d_bar]

    return [_normal(side, side)], tensors, by_hand


def views(n: int) -> Made:
    side = int(n**0.5)
    half = side // 2

    def tensors(torch: Any, a: Any) -> Any:
        left, right = a[:, :half], a[:, half : 2 * half]
        joined = torch.cat([left * right, right], 1)
        return (joined.t().reshape(2 * half, side) * 3.0).sum()

    def by_hand(a: np.ndarray) -> Any:
        left, right = a[:, :half], a[:, half : 2 * half]
        joined = np.concatenate([left * right, right], axis=1)
        value = np.sum(joined.T.reshape(2 * half, side) * 3.0)
        joined_bar = (np.broadcast_to(1.0, (2 * half, side)) * 3.0).reshape(2 * half, side).T
        product_bar = joined_bar[:, :half]
        a_bar = np.zeros_like(a)
        a_bar[:, half : 2 * half] = joined_bar[:, half:]
        a_bar[:, :half] = product_bar * right
        a_bar[:, half : 2 * half] += product_bar * left
        return value, [a_bar]

    return [_normal(side, side)], tensors, by_hand


def written(n: int) -> Made:
    def tensors(torch: Any, x: Any) -> Any:
        h = x * 2.0
        h[1:] += x[:-1] * x[1:]
        return (h * x).sum()

    def by_hand(x: np.ndarray) -> Any:
        h = x * 2.0
        h[1:] += x[:-1] * x[1:]
        value = np.sum(h * x)
        y_bar = np.broadcast_to(1.0, x.shape)
        h_bar = y_bar * x
        x_bar = y_bar * h
        x_bar[1:] += h_bar[1:] * x[:-1]
        x_bar[:-1] += h_bar[1:] * x[1:]
        x_bar += h_bar * 2.0
        return value, [x_bar]

    return [_normal(n)], tensors, by_hand


def layer_norm(n: int) -> Made:
    side = int(n**0.5)

    def tensors(torch: Any, x: Any, w: Any) -> Any:
        d = x - x.mean(1, keepdim=True)
        s = torch.sqrt((d * d).mean(1, keepdim=True) + 1e-5)
        return (d / s * w).sum()

    def by_hand(x: np.ndarray, w: np.ndarray) -> Any:
        columns = x.shape[1]
        d = x - np.sum(x, axis=1, keepdims=True) / columns
        s = np.sqrt(np.sum(d * d, axis=1, keepdims=True) / columns + 1e-5)
        q = d / s
        value = np.sum(q * w)
        y_bar = np.broadcast_to(1.0, x.shape)
        w_bar = np.sum(y_bar * q, axis=0)
        q_bar = y_bar * w
        d_bar = q_bar / s
        q_bar *= q
        s_bar = np.sum(-q_bar / s, axis=1, keepdims=True)
        d_bar += (0.5 * s_bar / s / columns) * (2.0 * d)
        d_bar -= np.sum(d_bar, axis=1, keepdims=True) / columns
        return value, [d_bar, w_bar]

    return [_normal(side, side), _normal(side)], tensors, by_hand


PROGRAMS: dict[str, Callable[[int], Made]] = {
    "sin(x) * x": products,
    "a chain of seven": chain,
    "stencil of three slices": stencil,
    "softmax of rows": softmax,
    "two-layer network": network,
    "means and variances": reductions,
    "views, joined and turned": views,
    "written in place": written,
    "layer norm": layer_norm,
    **more_large_arrays.PROGRAMS,
}


def jobs(name: str, n: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """(tensors, by hand): each call gives (value, gradients)."""
    from s2sgrad import eager as torch

    arrays, on_tensors, by_hand = PROGRAMS[name](n)
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]

    def tensors() -> Any:
        value = on_tensors(torch, *leaves)
        value.backward()
        found = [t.grad for t in leaves]
        for t in leaves:
            t.grad = None
        return value, found

    return tensors, lambda: by_hand(*arrays)
