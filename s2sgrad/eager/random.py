"""Random tensors from one generator of our own; `manual_seed` restarts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.creation import finished, sizes_of
from s2sgrad.eager.tensors.devices import placed
from s2sgrad.eager.tensors.tensor import Tensor

_seed = [0]
_generator = [np.random.default_rng(0)]


def generator() -> np.random.Generator:
    """The NumPy generator behind all random functions."""
    return _generator[0]


def source() -> np.random.Generator:
    """The generator, for a function that draws now: RuntimeError where `vmap` forbids it."""
    if STATE.no_random:
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the "
            "'same' or 'different' randomness flags on vmap or perform the randomness operation "
            "out of vmap"
        )
    return _generator[0]


def manual_seed(seed: int) -> np.random.Generator:
    """Restart the generator."""
    _seed[0] = int(seed)
    _generator[0] = np.random.default_rng(abs(int(seed)))
    return _generator[0]


def seed() -> int:
    """Restart the generator with a number that is hard to guess; returns it."""
    fresh = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    manual_seed(fresh)
    return fresh


def initial_seed() -> int:
    """The number of the last `manual_seed`."""
    return _seed[0]


def get_rng_state() -> dict[str, Any]:
    """The generator's state, for `set_rng_state`."""
    return dict(_generator[0].bit_generator.state)


def set_rng_state(state: dict[str, Any]) -> None:
    """Go back to a state that `get_rng_state` returned."""
    _generator[0].bit_generator.state = state


def _drawn(draw: Any, name: str) -> Any:
    def made(
        *sizes: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False,
        generator: Any = None, **_: Any,
    ) -> Tensor:  # fmt: skip
        target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
        own = isinstance(generator, np.random.Generator)
        array = np.asarray(draw(generator if own else source(), sizes_of(sizes or (size,))))
        return finished(array.astype(target.np), requires_grad)

    made.__name__ = made.__qualname__ = name
    return placed(made)


def _like(draw: Any, name: str) -> Any:
    def made(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
        target = input.dtype if dtype is None else dtypes.as_dtype(dtype)
        array = np.asarray(draw(source(), input._array.shape))
        return finished(array.astype(target.np), requires_grad)

    made.__name__ = made.__qualname__ = name
    return placed(made)


def _uniform(source: Any, size: Any) -> Any:
    return source.random(size)


def _normal(source: Any, size: Any) -> Any:
    return source.standard_normal(size)


rand, randn = _drawn(_uniform, "rand"), _drawn(_normal, "randn")
rand_like, randn_like = _like(_uniform, "rand_like"), _like(_normal, "randn_like")


@placed
def randint(
    low: int, high: Any = None, size: Any = None, *, dtype: Any = None,
    requires_grad: bool = False, **_: Any,
) -> Tensor:  # fmt: skip
    """Integers from low (0) to below high."""
    if size is None:
        low, high, size = 0, low, high
    target = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    array = np.asarray(source().integers(low, high, sizes_of((size,))))
    return finished(array.astype(target.np), requires_grad)


@placed
def randperm(n: int, *, dtype: Any = None, **_: Any) -> Tensor:
    """The numbers 0 to n-1 in random order."""
    target = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    return finished(source().permutation(n).astype(target.np), False)


@placed
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **options: Any) -> Tensor:
    """Normal numbers with this mean and deviation."""
    shape = (
        sizes_of((size,))
        if size is not None
        else np.broadcast_shapes(np.shape(mean), np.shape(std))
    )
    flag = options.pop("requires_grad", False)
    return (randn(shape, **options) * std + mean).requires_grad_(flag)


def bernoulli(input: Tensor, p: float | None = None, **_: Any) -> Tensor:
    """1 with the probability that the input holds, else 0."""
    chance = input._array if p is None else p
    drawn = source().random(input._array.shape) < chance
    return finished(np.asarray(drawn).astype(input._array.dtype), False)


def _fill(draw: Any) -> Any:
    def fill(t: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return t.copy_(finished(np.asarray(draw(t._array.shape, *args, **kwargs)), False))

    return fill


_T: Any = Tensor
_T.uniform_ = _fill(lambda s, a=0.0, b=1.0, **_: source().uniform(a, b, s))
_T.normal_ = _fill(lambda s, mean=0.0, std=1.0, **_: source().normal(mean, std, s))
_T.bernoulli_ = _fill(lambda s, p=0.5, **_: source().random(s) < p)
_T.random_ = _fill(lambda s, a=0, b=2**24, **_: source().integers(a, b, s))
_T.bernoulli = bernoulli

FUNCTIONS: dict[str, Any] = {
    "rand": rand, "randn": randn, "rand_like": rand_like, "randn_like": randn_like,
    "randint": randint, "randperm": randperm, "normal": normal, "bernoulli": bernoulli,
    "manual_seed": manual_seed, "seed": seed, "initial_seed": initial_seed,
    "get_rng_state": get_rng_state, "set_rng_state": set_rng_state,
}  # fmt: skip
