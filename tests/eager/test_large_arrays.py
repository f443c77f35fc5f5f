"""Large arrays: memory of temporaries and of cotangents is used again, and nobody sees it."""

from __future__ import annotations

import functools
import itertools
import operator
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.eager.recording import reuse, swift
from s2sgrad_runtime import scatter, unreduce
from tests.benchmarks.large_arrays import PROGRAMS, jobs

SIZE = 2 * reuse.LARGE


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradients_by_hand_are_right(name: str) -> None:
    arrays, _, by_hand = PROGRAMS[name](400)
    rng = np.random.default_rng(1)
    directions = [rng.standard_normal(a.shape) for a in arrays]
    _, bars = by_hand(*arrays)
    slope = sum(np.sum(b * v) for b, v in zip(bars, directions, strict=True))
    step = 1e-6
    ahead = by_hand(*(a + step * v for a, v in zip(arrays, directions, strict=True)))[0]
    behind = by_hand(*(a - step * v for a, v in zip(arrays, directions, strict=True)))[0]
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * step), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("size", [400, 250_000])
def test_tensors_agree_with_code_by_hand(name: str, size: int) -> None:
    tensors, by_hand = jobs(name, size)
    wanted, bars = by_hand()
    for _ in range(2):
        value, found = tensors()
        np.testing.assert_allclose(value.item(), wanted, rtol=1e-9, atol=1e-9)
        for f, b in zip(found, bars, strict=True):
            np.testing.assert_allclose(f.numpy(), b, rtol=1e-8, atol=1e-10)


made = functools.cache(lambda name: PROGRAMS[name](250_000))


def gradients(name: str, how: Callable[[Any, list[Any]], Any]) -> Any:
    arrays, on_tensors, _ = made(name)
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    return how(on_tensors(torch, *leaves), leaves)


def with_history(y: Any, leaves: list[Any]) -> Any:
    return torch.autograd.grad(y, leaves, create_graph=True)


def twice(y: Any, leaves: list[Any]) -> Any:
    first = torch.autograd.grad(y, leaves, retain_graph=True)
    second = torch.autograd.grad(y, leaves)
    for a, b in zip(first, second, strict=True):
        assert torch.equal(a, b)
    return first


def with_hooks_everywhere(y: Any, leaves: list[Any]) -> Any:
    seen, stack, kept = set(), [y.grad_fn], []
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        node.register_hook(lambda to_inputs, to_outputs: kept.append((to_inputs, to_outputs)))
        stack += [n for n, _ in node.next_functions]
    y.backward()
    copies = [[t.clone() for t in pair[0] + pair[1] if t is not None] for pair in kept]
    for pair, copied in zip(kept, copies, strict=True):
        now = [t for t in pair[0] + pair[1] if t is not None]
        assert all(map(torch.equal, now, copied))
    return [t.grad for t in leaves]


@pytest.mark.parametrize("how", [with_history, twice, with_hooks_everywhere])
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_way_gives_the_same(name: str, how: Any) -> None:
    wanted = gradients(name, lambda y, leaves: torch.autograd.grad(y, leaves))
    for w, f in zip(wanted, gradients(name, how), strict=True):
        np.testing.assert_allclose(f.detach().numpy(), w.numpy(), rtol=1e-9, atol=1e-12)


HELD = {
    "-a": lambda a, b: -a,
    "a - b": lambda a, b: a - b,
    "2.0 * a": lambda a, b: 2.0 * a,
    "a / b": lambda a, b: a / b,
    "a ** 2": lambda a, b: a**2,
    "exp(a)": lambda a, b: torch.exp(a),
    "a.exp()": lambda a, b: a.exp(),
    "exp(*[a])": lambda a, b: torch.exp(*[a]),
    "a.__neg__()": lambda a, b: a.__neg__(),
    "a.__sub__(b)": lambda a, b: a.__sub__(b),
    "Tensor.__sub__(a, b)": lambda a, b: torch.Tensor.__sub__(a, b),
    "a.__rmul__(2)": lambda a, b: a.__rmul__(2.0),
    "operator.add": lambda a, b: operator.add(a, b),
    "operator.neg": lambda a, b: operator.neg(a),
    "sum": lambda a, b: sum([a, b]),
    "reduce": lambda a, b: functools.reduce(operator.add, [a, b, a]),
    "map": lambda a, b: list(map(torch.exp, [a, b])),
    "map of neg": lambda a, b: list(map(operator.neg, (t for t in (a, b)))),
    "partial": lambda a, b: functools.partial(torch.sin, a)(),
    "getattr": lambda a, b: getattr(a, "tanh")(),  # noqa: B009
    "list": lambda a, b: [a, b][0] + 1.0,
    "choice": lambda a, b: (a if a is not None else b) + 1.0,
    "loop": lambda a, b: [t * 3.0 for t in (a, b)],
    "in its own name": lambda a, b: (c := a * 2.0) * 2.0 + c - a * 6.0,
    "negated in its own name": lambda a, b: -(d := a * 3.0) + d,
    "view of a temporary": lambda a, b: (a * 2.0).view(-1) + 1.0,
    "add": lambda a, b: torch.add(a, b),
    "in place": lambda a, b: a.clone().add_(b),
}


@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("name", HELD)
def test_what_has_a_name_is_left_alone(name: str, tracked: bool) -> None:
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=tracked)
    a, b = x * 2.0, x + 1.0
    before = a.detach().clone(), b.detach().clone()
    wanted = HELD[name](*before)
    found = HELD[name](a, b)
    assert torch.equal(a, before[0]) and torch.equal(b, before[1])
    both = (found, wanted) if isinstance(found, list) else ([found], [wanted])
    assert all(map(torch.equal, *both))


def test_values_held_elsewhere_are_left_alone() -> None:
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    array = (x * 2.0).detach().numpy()
    copied = array.copy()
    _ = torch.from_numpy(array) + 1.0
    _ = torch.from_numpy(array).exp()
    assert np.array_equal(array, copied)
    saved = torch.exp(x) * 3.0  # exp keeps its result
    assert torch.equal(torch.autograd.grad(saved.sum(), x)[0], torch.exp(x).detach() * 3.0)
    leaf = torch.ones(SIZE, requires_grad=True)
    y = leaf.requires_grad_() + 1.0
    assert torch.equal(leaf, torch.ones(SIZE)) and y.requires_grad


IN_OBJECT_ARRAYS = {
    "-a": lambda get: -get(),
    "a * 3": lambda get: get() * 3.0,
    "3 - a": lambda get: 3.0 - get(),
    "a - a": lambda get: get() - get(),
    "a + (a * 2)": lambda get: get() + (get() * 2.0),
    "a if ... else another": lambda get: (get() if get is not None else -get()) + 1.0,
    "part of a": lambda get: -get()[:1],
    "ufunc": lambda get: np.multiply(get(), 2.0),
    "map": lambda get: list(map(operator.neg, get())),
}


@pytest.mark.parametrize("name", IN_OBJECT_ARRAYS)
def test_entries_of_object_arrays_are_left_alone(name: str) -> None:
    """NumPy calls the operators of the entries, which nobody but the array holds."""
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    entries: Any = np.empty(1, object)
    entries[0] = x * 2.0
    before = entries[0].detach().clone()
    found = IN_OBJECT_ARRAYS[name](lambda: entries)
    assert torch.equal(entries[0], before)
    entries[0] = before
    assert torch.equal(found[0], IN_OBJECT_ARRAYS[name](lambda: entries)[0])


def test_temporaries_are_written_over() -> None:
    if not (reuse.BY_OPERATOR and reuse.BY_CALL):
        pytest.skip("this Python does not tell temporaries from names")
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)

    def peak(call: Callable[[], Any]) -> float:
        call()
        tracemalloc.start()
        kept = call()
        found = tracemalloc.get_traced_memory()[1] / x.nbytes
        tracemalloc.stop()
        assert kept is not None
        return round(found, 1)

    assert peak(lambda: -(x * 2.0)) == 1.0
    assert peak(lambda: torch.exp(-(x * 2.0))) == 1.0
    assert peak(lambda: 2.0 * (x + 1.0) - x) == 1.0
    assert peak(lambda: (x * 2.0) + (x * 3.0)) == 2.0


def test_a_cotangent_that_the_user_holds_is_left_alone() -> None:
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    given = torch.rand(SIZE, dtype=torch.float64)
    before = given.clone()
    seen = []
    y = -x
    y.register_hook(lambda g: seen.append((g, g.clone())))
    (y * x).backward(given)
    assert torch.equal(given, before)
    assert torch.equal(*seen[0])
    assert torch.equal(x.grad, given * y.detach() - given * x.detach())


def test_large_cotangents_are_passed_on_one_by_one() -> None:
    rng = np.random.default_rng(3)
    values = rng.standard_normal(SIZE), rng.standard_normal(SIZE) + 4.0

    def program(a: Any, b: Any) -> Any:
        h = a * b / (b * b + 1.0)
        left, right = h[: SIZE // 2], h[SIZE // 2 :]
        k = left * right - a[1 : SIZE // 2 + 1] / b[: SIZE // 2] * left
        return (k * k * h[::2] * a[::2]).sum() + (h * 0.5 * b).sum()

    found = []
    for kept in (False, True):
        leaves = [torch.tensor(v, requires_grad=True) for v in values]
        y = program(*leaves)
        found.append(torch.autograd.grad(y, leaves, create_graph=kept))  # kept: the general way
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one.numpy(), other.detach().numpy(), rtol=1e-11, atol=1e-11)
    direction = [rng.standard_normal(SIZE) for _ in values]
    step = 1e-6
    ends = [
        program(*(torch.tensor(v + s * step * d) for v, d in zip(values, direction, strict=True)))
        for s in (1, -1)
    ]
    slope = sum(float((g.numpy() * d).sum()) for g, d in zip(found[0], direction, strict=True))
    np.testing.assert_allclose(slope, (ends[0] - ends[1]).item() / (2 * step), rtol=1e-5)


def test_large_values_sent_through_hooks() -> None:
    x = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    b = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    y = x * b
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t.detach().numpy() * 2, torch.from_numpy)
    y.sum().backward()
    assert torch.equal(x.grad, b.detach()) and torch.equal(b.grad, 2 * x.detach())
    once = (x * b).sum()
    once.backward()
    with pytest.raises(RuntimeError, match="second time"):
        once.backward()
    w = x * 1.0
    z = w * b
    with torch.no_grad():
        w += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_sums_written_through_views() -> None:
    rng = np.random.default_rng(0)

    def program(t: Any, sign: float) -> Any:
        h = t * 2.0
        h[2:5] += t[1:4] * t[0]
        h[:, 1] -= t[:, 0] * t[:, 1]
        h[0] += sign
        h[1:3] += t[0]
        v = h[3:]
        v += t[3:] * t[:3]
        h[3:] = v
        return (h * h * t).sum()

    x = torch.tensor(rng.standard_normal((6, 3)), requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: program(t, 1.5), (x,))
    assert torch.autograd.gradgradcheck(lambda t: program(t, -0.5), (x,))


SHAPES = [(5000,), (80, 90), (20, 30, 40), (1, 5000), (5000, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_spreading_as_the_runtime_does(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a = np.empty(shape)
    for axis in (None, *range(-len(shape), len(shape))):
        for keepdims in (False, True):
            y_bar = np.asarray(np.sum(rng.standard_normal(shape), axis=axis, keepdims=keepdims))
            found = swift.unreduce(y_bar, a, axis, keepdims)
            assert not found.flags.writeable
            np.testing.assert_array_equal(found, unreduce(y_bar, a, axis, keepdims))


PARTS = [slice(None), slice(3, 17), slice(None, -4), slice(5, 2), slice(-8, None), slice(2, 900),
         slice(0, 9, 2), None, Ellipsis, 2]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_parts_among_zeros_as_the_runtime_does(shape: tuple[int, ...]) -> None:
    a = np.random.default_rng(0).standard_normal(shape)
    for parts in itertools.product(PARTS, repeat=min(2, len(shape))):
        for index in (parts[0], parts, (*parts, ...)):
            if sum(p is Ellipsis for p in np.atleast_1d(np.array(index, object))) < 2:
                y_bar = a[index]
                found = swift.scatter(y_bar, a, index)
                np.testing.assert_array_equal(found, scatter(y_bar, a, index))


def kept_elsewhere(x: Any, h: Any, y: Any) -> list[Any]:
    """Ways in which saved values are held by more than the graph."""
    return [h, h.numpy(), h[1:], np.asarray(h.detach())[::2], memoryview(h.detach().numpy())]


@pytest.mark.parametrize("number", range(5))
def test_values_that_someone_holds_are_not_written_over(number: int) -> None:
    x = torch.tensor(np.linspace(0.1, 1.0, SIZE), requires_grad=True)
    with torch.no_grad():
        wanted = torch.exp(x).numpy().copy()

    def run() -> Any:
        h = torch.exp(x)
        y = (h * torch.sin(h)).sum()
        with torch.no_grad():
            return kept_elsewhere(x, h, y)[number], y

    held, y = run()
    before = np.array(held.detach() if isinstance(held, torch.Tensor) else held)
    y.backward()
    after = np.array(held.detach() if isinstance(held, torch.Tensor) else held)
    np.testing.assert_array_equal(before, after)
    slope = wanted * (np.sin(wanted) + wanted * np.cos(wanted))
    np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-12)


def test_a_graph_that_is_kept_keeps_its_values() -> None:
    x = torch.tensor(np.linspace(0.1, 1.0, SIZE), requires_grad=True)
    y = (torch.exp(x) * torch.tanh(x) / torch.sqrt(x)).sum()
    (first,) = torch.autograd.grad(y, x, retain_graph=True)
    (second,) = torch.autograd.grad(y, x)
    np.testing.assert_array_equal(first.numpy(), second.numpy())
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_two_graphs_share_what_they_saved() -> None:
    x = torch.tensor(np.linspace(0.1, 1.0, SIZE), requires_grad=True)

    def run() -> Any:
        h = torch.exp(x)
        return (h * h).sum(), torch.sin(h).sum(), (h / (h + 1.0)).sum()

    losses = run()
    e = np.exp(x.detach().numpy())
    for loss, slope in zip(losses, (2 * e, np.cos(e), 1 / (e + 1) ** 2), strict=True):
        (found,) = torch.autograd.grad(loss, x, retain_graph=loss is not losses[-1])
        np.testing.assert_allclose(found.numpy(), slope * e, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.complex128])
def test_masks_by_bits(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    values = rng.standard_normal((3, SIZE)).astype(dtype)
    values[0, :4] = [np.inf, -np.inf, np.nan, -0.0]
    for part in (values, values[:, ::2], values.T, values[0]):
        mask = np.asarray(rng.integers(0, 2, part.shape), bool)
        for args in ((mask, part, 0.0), (mask, 0.0, part), (mask, part, 1.0), (mask, part, part)):
            np.testing.assert_array_equal(swift.where(*args), np.where(*args))
    np.testing.assert_array_equal(
        swift.where(mask[:1], values[0], 0.0), np.where(mask[:1], values[0], 0.0)
    )


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_of_many_entries(reduction: str) -> None:
    rng = np.random.default_rng(0)
    z = torch.tensor(rng.standard_normal((90, 60)), requires_grad=True)
    target = torch.tensor(rng.integers(0, 60, 90))
    weights = torch.tensor(rng.standard_normal(90 if reduction == "none" else ()))

    def loss(t: Any) -> Any:
        return (torch.nn.functional.cross_entropy(t, target, reduction=reduction) * weights).sum()

    p = np.exp(z.detach().numpy())
    p /= p.sum(1, keepdims=True)
    p[np.arange(90), target.numpy()] -= 1
    scale = weights.numpy() / (90 if reduction == "mean" else 1)
    wanted = p * (scale[:, None] if reduction == "none" else scale)
    y = loss(z)
    for _ in range(2):
        (found,) = torch.autograd.grad(y, z, retain_graph=True)
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-10, atol=1e-14)
    node = y.grad_fn.next_functions[0][0]
    while node.name() != "LogSoftmaxBackward0":
        node = node.next_functions[0][0]
    seen = []
    node.register_prehook(lambda bars: seen.append(bars[0].clone()) or (bars[0].mul_(2.0),))
    y.backward()
    np.testing.assert_allclose(z.grad.numpy(), 2 * wanted, rtol=1e-10, atol=1e-14)
    assert (seen[0] != 0).sum() == 90


def test_mean_squares_of_both_sides() -> None:
    a = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    b = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    torch.nn.functional.mse_loss(a, b).backward()
    wanted = (2.0 / SIZE) * (a - b).detach()
    assert torch.allclose(a.grad, wanted) and torch.allclose(b.grad, -wanted)
