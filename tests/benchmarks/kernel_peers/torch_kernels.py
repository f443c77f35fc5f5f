"""The kernels under PyTorch, eager, in place where its version counters allow that."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from tests.benchmarks.kernel_peers import functional


def jacobi_2d(TSTEPS: int, A: Any, B: Any) -> Any:
    A, B = A.clone(), B.clone()
    for _ in range(1, TSTEPS):
        for X, Y in ((A, B), (B, A)):
            Y[1:-1, 1:-1] = 0.2 * (
                X[1:-1, 1:-1] + X[1:-1, :-2] + X[1:-1, 2:] + X[2:, 1:-1] + X[:-2, 1:-1]
            )
    return A.sum()


def softmax(x: Any, W: Any) -> Any:
    return torch.sum(torch.softmax(x, -1) * W)


def nbody(mass: Any, pos: Any, vel: Any, *rest: Any) -> Any:
    eye = torch.eye(len(pos), dtype=pos.dtype)
    return functional.nbody(torch, mass, pos, vel, *rest, eye)


def conv2d_bias(inputs: Any, weights: Any, bias: Any) -> Any:
    images, filters = inputs.permute(0, 3, 1, 2), weights.permute(3, 2, 0, 1)
    return torch.nn.functional.conv2d(images, filters, bias).sum()


hdiff = partial(functional.hdiff, torch)
vadv = partial(functional.vadv, torch)
spmv = partial(functional.spmv, torch)
go_fast = partial(functional.go_fast, torch)
arc_distance = partial(functional.arc_distance, torch)
atax = partial(functional.atax, torch)
k2mm = partial(functional.k2mm, torch)
