"""Functions made of others, views by strides, linear algebra: derivatives of both orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.eager.nn import functional as F

RNG = np.random.default_rng(1)
X = RNG.normal(size=(3, 3)) + 2 * np.eye(3)
Y = RNG.normal(size=(3, 3))
L = torch.linalg
PLACES = torch.tensor([[0], [1], [2]])
FUNCTIONS: dict[str, Any] = {
    "cumulative_trapezoid": lambda x, y: torch.cumulative_trapezoid(x, y.cumsum(1)),
    "logcumsumexp": lambda x, y: torch.logcumsumexp(x, 0) * y,
    "take_along_dim": lambda x, y: torch.take_along_dim(x * y, PLACES, 1),
    "combinations": lambda x, y: torch.combinations(x[0] * y[0]).prod(1),
    "broadcast_tensors": lambda x, y: torch.broadcast_tensors(x, y[0])[1] * x,
    "splits": lambda x, y: x.hsplit(3)[1] * y.vsplit(3)[2].T,
    "flips": lambda x, y: x.fliplr() * y.flipud() * x.adjoint(),
    "select_scatter": lambda x, y: x.select_scatter(y[0], 0, 1) ** 2,
    "slice_scatter": lambda x, y: x.slice_scatter(y[:2], 0, 0, 2) ** 2,
    "diagonal_scatter": lambda x, y: x.diagonal_scatter(y[0]) ** 2,
    "put": lambda x, y: x.put(torch.tensor([0, 4]), y[0, :2]) ** 2,
    "unfold": lambda x, y: x.unfold(1, 2, 1).sum(2) * y[:, :2],
    "as_strided": lambda x, y: (x * y).as_strided((2, 2), (1, 3), 1) ** 2,
    "write through unfold": lambda x, y: written(x * 1, y),
    "tensor_split": lambda x, y: x.tensor_split(2)[0] * y.tensor_split((1, 2))[1],
    "diag_embed": lambda x, y: (x * y).diag_embed(1) ** 2,
    "unique": lambda x, y: (x * y).unique() ** 2,
    "nanquantile": lambda x, y: (x * y).nanquantile(0.3, dim=0) * y[0],
    "renorm": lambda x, y: x.renorm(2, 0, 1.0) * y,
    "nuclear norm": lambda x, y: torch.norm(x, p="nuc") * y[0],
    "logdet": lambda x, y: (x @ x.T).logdet() * y[0],
    "eig": lambda x, y: L.eig(x)[0].abs() * y[0],
    "eigvals": lambda x, y: L.eigvals(x).abs() * y[0],
    "lu": lambda x, y: L.lu(x)[1] * y + L.lu(x)[2],
    "matrix_exp": lambda x, y: torch.matrix_exp(x * 0.3) * y,
    "cond": lambda x, y: L.cond(x) * y[0],
    "lstsq": lambda x, y: L.lstsq(torch.cat([x, y]), torch.cat([y, x])).solution,
    "solve_triangular": lambda x, y: L.solve_triangular(x.triu(), y, upper=True, left=False),
    "baddbmm": lambda x, y: torch.baddbmm(x[None], y[None], x[None], beta=2, alpha=3),
    "addmv": lambda x, y: torch.addmv(x[0], y, x[1]),
    "addr": lambda x, y: torch.addr(x, y[0], x[0]),
    "pad reflect": lambda x, y: F.pad((x * y)[None], (1, 1), mode="reflect") ** 2,
    "pad circular": lambda x, y: F.pad((x * y)[None], (1, 2), mode="circular") ** 2,
}


def written(x: Any, y: Any) -> Any:
    x.unfold(1, 2, 2)[1].mul_(y[0, :2])
    x.as_strided((2,), (3,)).mul_(y[1, :2])
    x[(0, 1),] = y[:2] * x[2].clone()
    return x * x


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(name: str) -> None:
    x, y = (torch.tensor(a, requires_grad=True) for a in (X, Y))
    assert torch.autograd.gradcheck(FUNCTIONS[name], (x, y), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(FUNCTIONS[name], (x, y), atol=1e-4)


def test_a_hessian_leaves_its_inputs_alone() -> None:
    x, y = torch.tensor(X), torch.tensor(Y)
    torch.autograd.functional.hessian(
        lambda x, y: (x * y**2).sum(), (x, y), vectorize=True,
        outer_jacobian_strategy="forward-mode",
    )  # fmt: skip
    assert not x.requires_grad and not y.requires_grad


def test_arguments_by_name_get_gradients() -> None:
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, factor: Any = 1.0, power: int = 1) -> Any:
            ctx.save_for_backward(x, factor)
            return x * factor

        @staticmethod
        def backward(ctx: Any, y_bar: Any) -> Any:
            x, factor = ctx.saved_tensors
            return y_bar * factor, y_bar * x, None

    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0], requires_grad=True)
    Scaled.apply(x, factor=y).sum().backward()
    assert y.grad.tolist() == [1.0, 2.0]


def test_a_returned_input_may_not_be_written_to() -> None:
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view(-1)

        @staticmethod
        def backward(ctx: Any, y_bar: Any) -> Any:
            return 3 * y_bar

    x = torch.tensor([1.0, 2.0], requires_grad=True) * 1
    y = Same.apply(x)
    with pytest.raises(RuntimeError, match="created inside a custom Function"):
        y.add_(1)
    x.mul_(2)
    with pytest.raises(RuntimeError, match="its base or another view of its base"):
        y * 2
