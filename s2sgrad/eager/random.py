"""Random tensors from one generator of our own; `manual_seed` restarts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.eager.batches import levels
from s2sgrad.eager.batches.array import NeedsExamples, as_array
from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.creation import finished, sizes_of
from s2sgrad.eager.tensors.devices import device as place
from s2sgrad.eager.tensors.devices import placed
from s2sgrad.eager.tensors.inplace import CopyBackwards, overwrite
from s2sgrad.eager.tensors.tensor import Tensor


class Generator(np.random.Generator):
    """A source of random numbers with a seed and a state, under torch's names."""

    def __init__(self, device: Any = "cpu") -> None:
        super().__init__(np.random.PCG64(0))
        self.device = place(device)
        self._seed = 0

    def manual_seed(self, seed: int) -> Generator:
        """Start again from a seed; returns the generator."""
        self._seed = int(seed)
        self.bit_generator.state = np.random.PCG64(abs(self._seed)).state
        return self

    def seed(self) -> int:
        """Start again from a number that is hard to guess; returns it."""
        return self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))._seed

    def initial_seed(self) -> int:
        """The number that the generator was started with."""
        return self._seed

    def get_state(self) -> Tensor:
        """The state as a tensor of bytes, for `set_state`."""
        state: Any = self.bit_generator.state
        numbers = [state["state"]["state"], state["state"]["inc"], state["has_uint32"],
                   state["uinteger"], self._seed % 2**128]  # fmt: skip
        packed = b"".join(int(n).to_bytes(16, "little") for n in numbers)
        return finished(np.frombuffer(packed, np.uint8).copy(), False)

    def set_state(self, new_state: Tensor) -> None:
        """Go back to a state that `get_state` returned."""
        packed = new_state._array.tobytes() if isinstance(new_state, Tensor) else b""
        if len(packed) != 80:
            raise TypeError("expected a torch.ByteTensor, but got " + type_name(new_state))
        numbers = [int.from_bytes(packed[i : i + 16], "little") for i in range(0, 80, 16)]
        self.bit_generator.state = {
            "bit_generator": "PCG64", "state": {"state": numbers[0], "inc": numbers[1]},
            "has_uint32": numbers[2], "uinteger": numbers[3],
        }  # fmt: skip
        self._seed = numbers[4]

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {hex(id(self))}>"

    __str__ = __repr__


_DEFAULT = Generator()


def generator() -> Generator:
    """The generator behind all random functions."""
    return _DEFAULT


def source(own: Any = None) -> Any:
    """The generator, for a function that draws now: RuntimeError where `vmap` forbids it.

    own: the caller's.
    """
    if own is not None:
        return own
    if any(level.draws == "different" for level in STATE.levels):
        raise NeedsExamples
    return _allowed()


def _allowed() -> Any:
    """The generator; RuntimeError in a `vmap` that allows no random numbers."""
    if STATE.no_random:
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the "
            "'same' or 'different' randomness flags on vmap or perform the randomness operation "
            "out of vmap"
        )
    return _DEFAULT


def drawn(own: Any, shape: Any, draw: Any) -> Any:
    """`draw(generator, shape)`; in a `vmap`, numbers of its own for each example if asked for."""
    if own is None and STATE.levels:
        return levels.drawn(shape, lambda whole: draw(_allowed(), whole))
    return draw(source(own), shape)


def manual_seed(seed: int) -> Generator:
    """Restart the generator."""
    return _DEFAULT.manual_seed(seed)


def seed() -> int:
    """Restart the generator with a number that is hard to guess; returns it."""
    return _DEFAULT.seed()


def initial_seed() -> int:
    """The number of the last `manual_seed`."""
    return _DEFAULT.initial_seed()


def get_rng_state() -> Tensor:
    """The generator's state, for `set_rng_state`."""
    return _DEFAULT.get_state()


def set_rng_state(state: Tensor) -> None:
    """Go back to a state that `get_rng_state` returned."""
    _DEFAULT.set_state(state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, *_: Any, **__: Any) -> Iterator[None]:
    """A block behind which the generator is where it was before."""
    before = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if before is not None:
            set_rng_state(before)


def _drawn(draw: Any, name: str) -> Any:
    def made(
        *sizes: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False,
        generator: Any = None, **_: Any,
    ) -> Tensor:  # fmt: skip
        target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
        if target.category < dtypes.FLOATING:
            complaint = "normal_kernel_cpu" if draw is _normal else "check_uniform_bounds"
            raise NotImplementedError(f"\"{complaint}\" not implemented for '{target.type_name}'")
        array = as_array(drawn(generator, sizes_of(sizes or (size,)), draw))
        if target.is_complex:
            array = array + 1j * as_array(drawn(generator, array.shape, draw))
            array = array * 0.5**0.5 if draw is _normal else array
        return finished(array.astype(target.np), requires_grad)

    made.__name__ = made.__qualname__ = name
    return placed(made)


def _like(draw: Any, name: str) -> Any:
    def made(
        input: Tensor, *, dtype: Any = None, requires_grad: bool = False, generator: Any = None,
        **_: Any,
    ) -> Tensor:  # fmt: skip
        target = input.dtype if dtype is None else dtypes.as_dtype(dtype)
        array = as_array(drawn(generator, input._array.shape, draw))
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
    requires_grad: bool = False, generator: Any = None, **_: Any,
) -> Tensor:  # fmt: skip
    """Integers from low (0) to below high."""
    if size is None:
        low, high, size = 0, low, high
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            "randint(): argument 'size' (position 2) must be tuple of ints, not "
            f"{type(size).__name__}"
        )
    if high is None or low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    target = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)

    def draw(rng: Any, shape: Any) -> Any:
        return rng.integers(low, high, shape)

    array = as_array(drawn(generator, sizes_of((size,)), draw))
    return finished(array.astype(target.np), requires_grad)


@placed
def randperm(n: int, *, dtype: Any = None, generator: Any = None, **_: Any) -> Tensor:
    """The numbers 0 to n-1 in random order."""
    target = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    return finished(source(generator).permutation(n).astype(target.np), False)


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


def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None, **_: Any) -> Tensor:
    """1 with the probability that the input holds, else 0."""
    chance = input._array if p is None else p
    found = drawn(generator, input._array.shape, _uniform) < chance
    return finished(as_array(found).astype(input._array.dtype), False)


def _fill(draw: Any, name: str) -> Any:
    kind = type(f"{name}Backward0", (CopyBackwards,), {"__slots__": ()})

    def fill(t: Tensor, *args: Any, generator: Any = None, **options: Any) -> Tensor:
        def numbers(rng: Any, shape: Any) -> Any:
            return draw(rng, shape, *args, **options)

        made = finished(as_array(drawn(generator, t._array.shape, numbers)), False)
        return overwrite(t, made, kind)

    return fill


def _uniform_between(rng: Any, size: Any, a: float = 0.0, b: float = 1.0, **ends: float) -> Any:
    return rng.uniform(ends.get("from", a), ends.get("to", b), size)


def _normal_around(rng: Any, size: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    return rng.normal(mean, std, size)


def _whole(rng: Any, size: Any, *ends: int) -> Any:
    """Integers from 0 or the first of two ends to below the last one."""
    low, high = ends if len(ends) == 2 else (0, *(ends or (2**24,)))
    return rng.integers(low, high, size)


_T: Any = Tensor
_T.uniform_, _T.normal_ = _fill(_uniform_between, "Uniform"), _fill(_normal_around, "Normal")
_T.bernoulli_ = _fill(lambda rng, size, p=0.5: rng.random(size) < p, "Bernoulli")
_T.random_ = _fill(_whole, "Random")
_T.bernoulli = bernoulli

FUNCTIONS: dict[str, Any] = {
    "rand": rand, "randn": randn, "rand_like": rand_like, "randn_like": randn_like,
    "randint": randint, "randperm": randperm, "normal": normal, "bernoulli": bernoulli,
    "manual_seed": manual_seed, "seed": seed, "initial_seed": initial_seed,
    "get_rng_state": get_rng_state, "set_rng_state": set_rng_state,
    "Generator": Generator, "default_generator": _DEFAULT,
}  # fmt: skip
