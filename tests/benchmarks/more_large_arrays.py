"""More programs on a million entries, as in `large_arrays`: masks, gathers, products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Made = tuple[list[np.ndarray], Callable[..., Any], Callable[..., tuple[Any, list[np.ndarray]]]]
_RNG = np.random.default_rng(7)


def _normal(*shape: int) -> np.ndarray:
    return _RNG.standard_normal(shape)


def leaky(n: int) -> Made:
    def tensors(torch: Any, x: Any) -> Any:
        y = torch.where(x > 0, x, 0.01 * x)
        return (y * y).mean()

    def by_hand(x: np.ndarray) -> Any:
        mask = x > 0
        y = np.where(mask, x, 0.01 * x)
        value = np.sum(y * y) / y.size
        y_bar = (2.0 / y.size) * y
        return value, [np.where(mask, y_bar, 0.01 * y_bar)]

    return [_normal(n)], tensors, by_hand


def huber(n: int) -> Made:
    target = _normal(n)

    def tensors(torch: Any, x: Any) -> Any:
        r = (x - torch.from_numpy(target)).abs()
        q = r.clamp(max=1.0)
        return (0.5 * q * q + (r - q)).mean()

    def by_hand(x: np.ndarray) -> Any:
        e = x - target
        r = np.abs(e)
        q = np.clip(r, None, 1.0)
        value = np.sum(0.5 * q * q + (r - q)) / r.size
        q_bar = (1.0 / r.size) * q
        q_bar -= 1.0 / r.size
        q_bar[r > 1.0] = 0.0
        q_bar += 1.0 / r.size
        q_bar *= np.sign(e)
        return value, [q_bar]

    return [_normal(n)], tensors, by_hand


def masked_write(n: int) -> Made:
    def tensors(torch: Any, x: Any) -> Any:
        h = x * x
        h[x < 0] = 0.0
        return (h * x).sum()

    def by_hand(x: np.ndarray) -> Any:
        h = x * x
        mask = x < 0
        h[mask] = 0.0
        value = np.sum(h * x)
        h_bar = x.copy()
        h_bar[mask] = 0.0
        h_bar *= x
        h_bar *= 2.0
        h_bar += h
        return value, [h_bar]

    return [_normal(n)], tensors, by_hand


def joined_sums(n: int) -> Made:
    half = n // 2

    def tensors(torch: Any, a: Any, b: Any) -> Any:
        c = torch.cumsum(torch.cat([a, b * 2.0]), 0)
        return (c * c).mean()

    def by_hand(a: np.ndarray, b: np.ndarray) -> Any:
        c = np.cumsum(np.concatenate([a, b * 2.0]))
        value = np.sum(c * c) / c.size
        c_bar = (2.0 / c.size) * c
        joined = np.cumsum(c_bar[::-1])[::-1]
        return value, [joined[:half].copy(), joined[half:] * 2.0]

    return [_normal(half), _normal(half)], tensors, by_hand


def embedding(n: int) -> Made:
    rows = n // 64
    index = _RNG.integers(0, rows, rows)

    def tensors(torch: Any, e: Any) -> Any:
        g = e[torch.from_numpy(index)]
        return (g * torch.tanh(g)).sum()

    def by_hand(e: np.ndarray) -> Any:
        g = e[index]
        t = np.tanh(g)
        value = np.sum(g * t)
        e_bar = np.zeros_like(e)
        np.add.at(e_bar, index, t + g * (1.0 - t * t))
        return value, [e_bar]

    return [_normal(rows, 64)], tensors, by_hand


def products_in_turn(n: int) -> Made:
    side = int((n // 4) ** 0.5)

    def tensors(torch: Any, a: Any, b: Any, c: Any, v: Any) -> Any:
        return (a @ b @ c @ v).sum()

    def by_hand(a: np.ndarray, b: np.ndarray, c: np.ndarray, v: np.ndarray) -> Any:
        ab = a @ b
        abc = ab @ c
        y = abc @ v
        y_bar = np.ones_like(y)
        abc_bar = np.outer(y_bar, v)
        ab_bar = abc_bar @ c.T
        return y.sum(), [ab_bar @ b.T, a.T @ ab_bar, ab.T @ abc_bar, abc.T @ y_bar]

    matrices = [_normal(side, side) / side**0.5 for _ in range(3)]
    return [*matrices, _normal(side)], tensors, by_hand


def unit_rows(n: int) -> Made:
    side = int(n**0.5)

    def tensors(torch: Any, x: Any) -> Any:
        u = x / x.norm(dim=1, keepdim=True)
        return torch.tanh(u @ u.t()).sum()

    def by_hand(x: np.ndarray) -> Any:
        length = np.sqrt(np.sum(x * x, axis=1, keepdims=True))
        u = x / length
        t = np.tanh(u @ u.T)
        z_bar = np.broadcast_to(1.0, t.shape) * (1.0 - t * t)
        u_bar = z_bar @ u
        u_bar += z_bar.T @ u
        slope = np.sum(u_bar * u, axis=1, keepdims=True)
        u_bar -= u * slope
        u_bar /= length
        return np.sum(t), [u_bar]

    return [_normal(side, side)], tensors, by_hand


PROGRAMS: dict[str, Callable[[int], Made]] = {
    "leaky slope by where": leaky,
    "Huber's loss": huber,
    "written by a mask": masked_write,
    "sums of what is joined": joined_sums,
    "rows looked up": embedding,
    "products in turn": products_in_turn,
    "rows of length 1": unit_rows,
}
