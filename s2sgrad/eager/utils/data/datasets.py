"""Data sets: anything with `__getitem__` and `__len__`."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor
from s2sgrad.eager._core import generator as default_generator


class Dataset:
    """Base class: subclasses give `__getitem__(index)` and `__len__()`."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])

    def __class_getitem__(cls, item: Any) -> Any:
        return cls


class IterableDataset(Dataset):
    """Base class for data that can only be iterated over."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    """Entries of several tensors (or arrays) along their first axis, as tuples."""

    def __init__(self, *tensors: Any) -> None:
        if not all(len(tensors[0]) == len(t) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset):
    """Chosen entries of a data set."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """Several data sets one after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        self.cumulative_sizes = list(itertools.accumulate(len(d) for d in self.datasets))

    def __getitem__(self, index: int) -> Any:
        size = len(self)
        if index < 0:
            if -index > size:
                raise ValueError("absolute value of index should not exceed dataset length")
            index += size
        which = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


def random_split(
    dataset: Any, lengths: Sequence[float], generator: np.random.Generator | None = None
) -> list[Subset]:
    """Disjoint random subsets of the given lengths, or of fractions that sum to 1."""
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        sizes = [math.floor(total * fraction) for fraction in lengths]
        for i in range(total - sum(sizes)):
            sizes[i % len(sizes)] += 1
    else:
        sizes = [int(n) for n in lengths]
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    rng = default_generator() if generator is None else generator
    order = rng.permutation(total).tolist()
    stops = list(itertools.accumulate(sizes))
    return [
        Subset(dataset, order[stop - size : stop]) for size, stop in zip(sizes, stops, strict=True)
    ]


def is_arrays(dataset: Any) -> bool:
    """Whether a whole batch can be taken out with one index."""
    return type(dataset) is TensorDataset and all(
        isinstance(t, (Tensor, np.ndarray)) for t in dataset.tensors
    )
