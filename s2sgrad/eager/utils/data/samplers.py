"""In which order the entries of a data set come, and in which batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

import numpy as np

from s2sgrad.eager._core import generator


class Sampler:
    """Base class: subclasses iterate over indices."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """0, 1, 2, ..."""

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """All indices in random order, or `num_samples` of them (`replacement`: with repeats)."""

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        self.data_source, self.replacement = data_source, replacement
        self.num_samples = len(data_source) if num_samples is None else num_samples
        if self.num_samples <= 0:
            raise ValueError(
                "num_samples should be a positive integer value, but got"
                f" num_samples={self.num_samples}"
            )
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        rng = generator() if self.generator is None else self.generator
        size = len(self.data_source)
        if self.replacement:
            yield from rng.integers(size, size=self.num_samples).tolist()
            return
        left = self.num_samples
        while left > 0:
            yield from rng.permutation(size)[:left].tolist()
            left -= size

    def __len__(self) -> int:
        return self.num_samples


class WeightedRandomSampler(Sampler):
    """`num_samples` indices, drawn in proportion to the weights (any positive numbers)."""

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: np.random.Generator | None = None,
    ) -> None:
        if num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        self.weights, self.num_samples = np.asarray(weights, np.float64), num_samples
        self.replacement, self.generator = replacement, generator

    def __iter__(self) -> Iterator[int]:
        rng = generator() if self.generator is None else self.generator
        shares = self.weights / self.weights.sum()
        drawn = rng.choice(len(shares), self.num_samples, self.replacement, shares)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Given indices in random order."""

    def __init__(
        self, indices: Sequence[int], generator: np.random.Generator | None = None
    ) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        rng = generator() if self.generator is None else self.generator
        return iter([self.indices[i] for i in rng.permutation(len(self.indices)).tolist()])

    def __len__(self) -> int:
        return len(self.indices)


class BatchSampler(Sampler):
    """Lists of `batch_size` indices; a shorter last one unless `drop_last`."""

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        batch: list[Any] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        whole, rest = divmod(count, self.batch_size)
        return whole + (rest > 0 and not self.drop_last)
