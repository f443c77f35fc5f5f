"""What is said of results holds for sizes of every kind: short, equal, even, changing."""

import itertools

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.signal

from s2sgrad.analysis.infer import infer_call
from s2sgrad.analysis.samples import RUNS, Samples
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import UNKNOWN, Array, List, Scalar, Tuple

N, M, K, SOME = of("n"), of("m"), of("int_k"), of("some_1")
VECTOR, MATRIX = Array("float64", (N,)), Array("float64", (N, M))
CHANGING, ROWS = Array("float64", (SOME,)), Array("float64", (SOME, N))
WHOLE, COUNT, SQUARE = Array("int64", (N,)), Scalar("int", K), Array("float64", (N, N))
NUMBER, LENGTH, TWO = Scalar("int", SOME), Scalar("int", N), Scalar("int", None, 2)
CALLS = {
    "smaller": (min, Tuple((NUMBER, TWO))),
    "larger": (max, NUMBER, Scalar("int", None, -3)),
    "rounded": (round, Scalar("float")),
    "remainder": (divmod, Scalar("int", None, 3), COUNT),
    "fast": (scipy.fft.next_fast_len, COUNT),
    "rank": (np.linalg.matrix_rank, MATRIX),
    "rank of integers": (np.linalg.matrix_rank, WHOLE),
    "kernel": (scipy.linalg.null_space, MATRIX),
    "from two": (np.arange, TWO, NUMBER),
    "pieces": (np.array_split, VECTOR, Tuple((COUNT, LENGTH))),
    "few pieces": (np.array_split, VECTOR, Scalar("int", K - of(2))),
    "pieces of a table": (np.array_split, MATRIX, LENGTH, Scalar("int", None, 1)),
    "diagonal": (np.diag, MATRIX, COUNT),
    "triangle": (np.tril_indices, LENGTH, COUNT),
    "bits": (np.packbits, WHOLE),
    "one axis less": (np.squeeze, CHANGING),
    "covariance": (np.cov, ROWS),
    "differences": (np.diff, CHANGING),
    "turned": (np.rot90, Array("float64", (N, of(2))), COUNT),
    "valid": (np.correlate, Array("float64", (of(3),)), CHANGING),
    "peaks": (scipy.signal.argrelmax, VECTOR),
    "polynomial": (np.poly, Array("complex128", (N,))),
    "eigenvalues": (np.linalg.eigvals, SQUARE),
}


def value(kind, numbers, rng):
    """A value of a type, for one choice of the sizes."""
    if isinstance(kind, Tuple):
        return tuple(value(item, numbers, rng) for item in kind.items)
    if isinstance(kind, Array):
        shape = [size.at(numbers) for size in kind.shape]
        whole = kind.dtype == "int64"
        return rng.integers(0, 9, shape) if whole else rng.normal(size=shape).astype(kind.dtype)
    if kind.value is not UNKNOWN:
        return kind.value
    return float(rng.normal()) if kind.size is None else kind.size.at(numbers)


def number(size, numbers):
    """What a size is; `some_1-2` stands for what is left of some_1, at least 0."""
    left = {f"some_1-{cut}": max(numbers["some_1"] - cut, 0) for cut in range(1, 9)}
    return size.at(numbers | left)


def disproves(kind, result, numbers):
    """Whether a result has sizes, or numbers that its type's dtype does not cover."""
    if isinstance(kind, Tuple):
        return len(kind.items) != len(result) or any(
            disproves(item, part, numbers) for item, part in zip(kind.items, result, strict=True)
        )
    if isinstance(kind, List):
        return any(disproves(kind.item, part, numbers) for part in result)
    if isinstance(kind, Array) and kind.shape is not None:
        if len(kind.shape) != result.ndim:
            return True
        pairs = zip(kind.shape, result.shape, strict=True)
        wanted = [n if s is None else number(s, numbers) for s, n in pairs]
        return tuple(wanted) != result.shape or not covers(kind.dtype, result)
    if isinstance(kind, Scalar):
        known = kind.size is not None and number(kind.size, numbers) != result
        return known or np.ndim(result) > 0
    return False


def covers(dtype, result):
    return np.size(result) == 0 or np.can_cast(result.dtype, dtype)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_said_of_results_holds(name):
    function, *kinds = CALLS[name]
    kind, rng, runs = infer_call(function, tuple(kinds), {}), np.random.default_rng(7), 0
    for n, m, k, some in itertools.product((2, 3, 8, 13), (2, 5, 9), (0, 1, 6, 13), (0, 1, 2, 7)):
        numbers = {"n": n, "m": m, "int_k": k, "some_1": some}
        try:
            result = function(*(value(each, numbers, rng) for each in kinds))
        except (ValueError, ZeroDivisionError, IndexError, RuntimeError):
            continue
        runs += 1
        assert not disproves(kind, result, numbers), f"{kind} for {numbers}: {result!r}"
    assert runs > 9


def test_integers_are_places() -> None:
    """LAPACK's lu_solve exchanges the rows that pivots name, wherever in memory they are."""
    for constant in (1, 2, 3):
        kind = Array("int32", (of(constant),))
        for which in range(RUNS):
            assert np.all(Samples().value(kind, which) < constant)
