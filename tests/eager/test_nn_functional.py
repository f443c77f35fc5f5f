"""Activations, losses and layers: against central differences and against PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eager.checks import (
    assert_gradient,
    assert_same,
    assert_second,
    needs_torch,
    outcome,
    plain,
    real_torch,
)

from s2sgrad import eager as torch

RNG = np.random.default_rng(0)
A = RNG.normal(size=(4, 3)) * 1.5
B = RNG.normal(size=(4, 3))
PROBABILITIES = RNG.uniform(0.05, 0.95, size=(4, 3))
WEIGHTS = RNG.uniform(0.5, 2.0, size=3)
SIGNS = np.sign(B)
CLASSES = np.array([0, 2, 1, -100])

Case = Callable[[Any, Any, Any], Any]  # (library, its nn.functional, input) -> tensor

ACTIVATIONS: dict[str, Case] = {
    name: lambda L, F, a, name=name: getattr(F, name)(a)
    for name in [
        "relu",
        "gelu",
        "sigmoid",
        "tanh",
        "softplus",
        "elu",
        "leaky_relu",
        "silu",
        "selu",
        "celu",
        "relu6",
        "hardtanh",
        "hardswish",
        "hardsigmoid",
        "mish",
        "logsigmoid",
        "softsign",
        "tanhshrink",
        "softshrink",
        "hardshrink",
    ]
}
ACTIVATIONS |= {
    "gelu tanh": lambda L, F, a: F.gelu(a, approximate="tanh"),
    "softplus beta": lambda L, F, a: F.softplus(a, 2.0, 1.0),
    "elu alpha": lambda L, F, a: F.elu(a, 1.5),
    "threshold": lambda L, F, a: F.threshold(a, 0.2, 7.0),
    "prelu": lambda L, F, a: F.prelu(a, L.tensor(WEIGHTS)),
    "glu": lambda L, F, a: F.glu(a[:, :2]),
    "softmax": lambda L, F, a: F.softmax(a, dim=0),
    "softmin": lambda L, F, a: F.softmin(a, dim=1),
    "log_softmax": lambda L, F, a: F.log_softmax(a, dim=1),
}
LAYERS: dict[str, Case] = {
    "linear": lambda L, F, a: F.linear(a, L.tensor(B), L.tensor(B[:, 0])),
    "linear 1-D": lambda L, F, a: F.linear(a[0], a, L.tensor(B[:, 0])),
    "linear 3-D": lambda L, F, a: F.linear(a[None], a, a[:, 0]),
    "linear without bias": lambda L, F, a: F.linear(a, a),
    "layer_norm": lambda L, F, a: F.layer_norm(a, (3,), a[0], a[1]),
    "layer_norm two axes": lambda L, F, a: F.layer_norm(a, (4, 3)),
    "layer_norm weight": lambda L, F, a: F.layer_norm(a, (3,), L.tensor(WEIGHTS)),
    "batch_norm": lambda L, F, a: F.batch_norm(a, None, None, a[0], a[1], training=True),
    "batch_norm eval": lambda L, F, a: F.batch_norm(a, L.tensor(WEIGHTS), L.tensor(WEIGHTS)),
    "embedding": lambda L, F, a: F.embedding(L.tensor(np.array([[0, 1], [1, 3]])), a),
    "cosine": lambda L, F, a: F.cosine_similarity(a, L.tensor(B)),
    "distance": lambda L, F, a: F.pairwise_distance(a, L.tensor(B)),
    "normalize": lambda L, F, a: F.normalize(a),
    "pad": lambda L, F, a: F.pad(a, (1, 2, 0, 1), value=2.0),
    "attention": lambda L, F, a: F.scaled_dot_product_attention(
        a[None], L.tensor(B)[None], 2 * a[None], is_causal=True
    ),
    "bilinear": lambda L, F, a: F.bilinear(
        a, L.tensor(B), L.tensor(np.arange(18.0).reshape(2, 3, 3)), L.tensor(WEIGHTS[:2])
    ),
}


def losses(reduction: str) -> dict[str, Case]:
    how = {"reduction": reduction}
    simple = ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "poisson_nll_loss"]
    found: dict[str, Case] = {
        name: lambda L, F, a, name=name: getattr(F, name)(a, L.tensor(B), **how) for name in simple
    }
    return found | {
        "bce": lambda L, F, a: F.binary_cross_entropy(a.sigmoid(), L.tensor(PROBABILITIES), **how),
        "bce weight": lambda L, F, a: F.binary_cross_entropy(
            a.sigmoid(), L.tensor(PROBABILITIES), L.tensor(PROBABILITIES), **how
        ),
        "bce logits": lambda L, F, a: F.binary_cross_entropy_with_logits(
            a, L.tensor(PROBABILITIES), **how
        ),
        "bce logits weights": lambda L, F, a: F.binary_cross_entropy_with_logits(
            a, L.tensor(PROBABILITIES), weight=L.tensor(PROBABILITIES),
            pos_weight=L.tensor(WEIGHTS), **how,
        ),
        "cross entropy": lambda L, F, a: F.cross_entropy(a, L.tensor(CLASSES), **how),
        "cross entropy plain": lambda L, F, a: F.cross_entropy(
            a[:3], L.tensor(CLASSES[:3]), **how
        ),
        "cross entropy weight": lambda L, F, a: F.cross_entropy(
            a, L.tensor(CLASSES), L.tensor(WEIGHTS), label_smoothing=0.1, **how
        ),
        "cross entropy ignore": lambda L, F, a: F.cross_entropy(
            a[:3], L.tensor(CLASSES[:3]), ignore_index=2, label_smoothing=0.1, **how
        ),
        "cross entropy soft": lambda L, F, a: F.cross_entropy(
            a, F.softmax(L.tensor(B), dim=1), L.tensor(WEIGHTS), label_smoothing=0.2, **how
        ),
        "cross entropy 3-D": lambda L, F, a: F.cross_entropy(
            a[None].permute(0, 2, 1), L.tensor(CLASSES)[None], **how
        ),
        "nll vector": lambda L, F, a: F.nll_loss(a[0], L.tensor(1), **how),
        "kl log": lambda L, F, a: F.kl_div(a, L.tensor(B), log_target=True, **how),
        "kl": lambda L, F, a: F.kl_div(a, L.tensor(PROBABILITIES), **how),
        "gaussian": lambda L, F, a: F.gaussian_nll_loss(
            a, L.tensor(B), L.tensor(PROBABILITIES), full=True, **how
        ),
        "soft margin": lambda L, F, a: F.soft_margin_loss(a, L.tensor(SIGNS), **how),
        "hinge": lambda L, F, a: F.hinge_embedding_loss(a, L.tensor(SIGNS), **how),
        "ranking": lambda L, F, a: F.margin_ranking_loss(
            a[:, 0], a[:, 1], L.tensor(SIGNS[:, 0]), margin=0.2, **how
        ),
        "cosine embedding": lambda L, F, a: F.cosine_embedding_loss(
            a, L.tensor(B), L.tensor(np.array([1, -1, 1, -1])), **how
        ),
        "triplet": lambda L, F, a: F.triplet_margin_loss(a, L.tensor(B), 2 * a, **how),
    }  # fmt: skip


CASES = {
    **ACTIVATIONS,
    **LAYERS,
    **{f"{n} {r}": c for r in ("mean", "sum", "none") for n, c in losses(r).items()},
}


def call(library: Any, name: str, a: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CASES[name](library, library.nn.functional, a)


@pytest.mark.parametrize("name", CASES)
def test_first_derivative(name: str) -> None:
    assert_gradient(lambda a: call(torch, name, a), A)


@pytest.mark.parametrize("name", CASES)
def test_second_derivative(name: str) -> None:
    assert_second(lambda a: call(torch, name, a), A)


@needs_torch
@pytest.mark.parametrize("name", CASES)
def test_same_as_torch(name: str) -> None:
    found = []
    for library in (torch, real_torch()):
        a = library.tensor(A, requires_grad=True)
        y = call(library, name, a)
        y.sum().backward()
        found.append(plain([y, a.grad]))
    assert_same(*found)


@pytest.mark.parametrize("name", [n for n in ACTIVATIONS if n != "prelu"])
def test_float32_stays(name: str) -> None:
    a = torch.tensor(A, dtype=torch.float32, requires_grad=True)
    y = call(torch, name, a)
    y.sum().backward()
    assert y.dtype == a.grad.dtype == torch.float32


def test_stable_at_extremes() -> None:
    F = torch.nn.functional
    big = torch.tensor([-1e4, -800.0, 800.0, 1e4], requires_grad=True)
    zeros = torch.zeros(4)
    for y in (
        F.softplus(big),
        F.logsigmoid(big),
        F.silu(big),
        F.gelu(big),
        F.elu(big),
        F.mish(big),
        F.binary_cross_entropy_with_logits(big, zeros),
        F.log_softmax(big, 0),
        F.softmax(big, 0),
        F.cross_entropy(big, torch.tensor(0)),
    ):
        (grad,) = torch.autograd.grad(y.sum(), big)
        assert bool(y.isfinite().all()) and bool(grad.isfinite().all())


TEXTS = {
    "sizes": (
        lambda L, F: F.binary_cross_entropy_with_logits(L.ones(2), L.ones(1)),
        "ValueError",
        "Target size (torch.Size([1])) must be the same as input size (torch.Size([2]))",
    ),
    "broadcast": (
        lambda L, F: F.mse_loss(L.ones(2), L.ones(1, 2)),
        "result",
        "tensor(0.)",
    ),
    "reduction": (
        lambda L, F: F.mse_loss(L.ones(2), L.ones(2), reduction="me"),
        "ValueError",
        "me is not a valid value for reduction",
    ),
    "batch": (
        lambda L, F: F.cross_entropy(L.ones(4, 3), L.tensor([0, 1, 2])),
        "ValueError",
        "Expected input batch_size (4) to match target batch_size (3).",
    ),
    "bounds": (
        lambda L, F: F.cross_entropy(L.ones(2, 3), L.tensor([0, 5])),
        "IndexError",
        "Target 5 is out of bounds.",
    ),
    "kind": (
        lambda L, F: F.nll_loss(L.ones(2, 3), L.ones(2)),
        "RuntimeError",
        "expected target dtype to be Long or Byte, but got Float",
    ),
    "probabilities": (
        lambda L, F: F.binary_cross_entropy(L.ones(2) * 2, L.ones(2)),
        "RuntimeError",
        "all elements of input should be between 0 and 1",
    ),
    "one_hot": (
        lambda L, F: F.one_hot(L.tensor([0, 2]), 2),
        "RuntimeError",
        "Class values must be smaller than num_classes.",
    ),
    "one_hot kind": (
        lambda L, F: F.one_hot(L.ones(2)),
        "RuntimeError",
        "one_hot is only applicable to index tensor of type LongTensor.",
    ),
    "dropout": (
        lambda L, F: F.dropout(L.ones(2), 1.5),
        "ValueError",
        "dropout probability has to be between 0 and 1, but got 1.5",
    ),
    "linear": (
        lambda L, F: F.linear(L.ones(4, 3), L.ones(2, 4), L.ones(2)),
        "RuntimeError",
        "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x2)",
    ),
    "layer_norm": (
        lambda L, F: F.layer_norm(L.ones(4, 3), (4,)),
        "RuntimeError",
        "Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[4, 3]",
    ),
    "embedding": (
        lambda L, F: F.embedding(L.tensor([5]), L.ones(3, 2)),
        "IndexError",
        "index out of range in self",
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    call_, kind, text = TEXTS[name]
    assert outcome(lambda: call_(torch, torch.nn.functional))[:2] == (kind, text)


@needs_torch
@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_torchs(name: str) -> None:
    call_ = TEXTS[name][0]
    real = real_torch()
    ours = outcome(lambda: call_(torch, torch.nn.functional))
    assert ours == outcome(lambda: call_(real, real.nn.functional))


def test_node_names() -> None:
    F = torch.nn.functional
    a = torch.tensor(A, requires_grad=True)
    loss = F.cross_entropy(a, torch.tensor([0, 1, 2, 0]))
    assert type(loss.grad_fn).__name__ == "NllLossBackward0"
    assert [type(n).__name__ for n, _ in loss.grad_fn.next_functions] == ["LogSoftmaxBackward0"]
    bce = F.binary_cross_entropy_with_logits(a, a.detach())
    assert type(bce.grad_fn).__name__ == "BinaryCrossEntropyWithLogitsBackward0"
    assert type(F.linear(a, a, a[:, 0]).grad_fn).__name__ == "AddmmBackward0"


def test_dropout_masks_and_scales() -> None:
    torch.manual_seed(0)
    x = torch.ones(1000, requires_grad=True)
    y = torch.nn.functional.dropout(x, 0.25)
    assert set(np.unique(y.detach().numpy())) == {np.float32(0), np.float32(1 / 0.75)}
    assert 650 < np.count_nonzero(y.detach().numpy()) < 850
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), y.detach().numpy())
    assert torch.nn.functional.dropout(x, 0.25, training=False) is x


def test_in_place_activations_write_into_the_input() -> None:
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    y = x * 1
    z = torch.nn.functional.leaky_relu(y, 0.1, inplace=True)
    assert z is y
    z.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [0.1, 1.0], rtol=1e-6)


def test_half_precision_results_keep_their_type() -> None:
    pytest.importorskip("ml_dtypes")
    for dtype in (torch.half, torch.bfloat16):
        x = torch.tensor([-1.0, 2.0], dtype=dtype, requires_grad=True)
        for function in (torch.nn.functional.gelu, torch.nn.functional.silu):
            y = function(x)
            assert y.dtype == dtype
            (grad,) = torch.autograd.grad(y.sum(), x)
            assert grad.dtype == dtype


def test_padding_rows_of_an_embedding_are_not_trained() -> None:
    w = torch.ones(3, 2, requires_grad=True)
    y = torch.nn.functional.embedding(torch.tensor([0, 1, 1]), w, padding_idx=1)
    y.sum().backward()
    assert w.grad.tolist() == [[1, 1], [0, 0], [0, 0]]
