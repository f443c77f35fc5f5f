"""`DataLoader`: batches of a data set, collated into tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, as_dtype, as_tensor, from_numpy, stack, tensor
from s2sgrad.eager.utils.data.datasets import IterableDataset, is_arrays
from s2sgrad.eager.utils.data.samplers import BatchSampler, RandomSampler, SequentialSampler

_UNKNOWN = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_collate(batch: Sequence[Any]) -> Any:
    """A list of entries as one entry with a leading axis: tensors, arrays, numbers, dicts, ..."""
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, (np.ndarray, np.generic)):
        return from_numpy(np.stack(batch))
    if isinstance(first, float):
        return tensor(batch, dtype=as_dtype("float64"))
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([entry[key] for entry in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, (list, tuple)):
        if any(len(entry) != len(first) for entry in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(_UNKNOWN.format(type(first)))


def _check_plain(num_workers: int, timeout: float) -> None:
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable"
            " multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")


def _check_iterable(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    given = {"shuffle": shuffle, "sampler": sampler, "batch_sampler": batch_sampler}
    for name, option in given.items():
        if option not in (None, False):
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, but "
                f"got {name}={option}"
            )


class DataLoader:
    """Iterates over batches of `dataset`.

    batch_size: None gives single entries. shuffle: a new random order each time. sampler or
    batch_sampler: an order of one's own. collate_fn: makes a batch from a list of entries.
    Arrays and tensors are taken out of a `TensorDataset` a whole batch at a time.
    num_workers, pin_memory and their like are taken and change nothing.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        multiprocessing_context: Any = None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_plain(num_workers, timeout)
        if isinstance(dataset, IterableDataset):
            _check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler,"
                    " and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with"
                " drop_last"
            )
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.generator = num_workers, generator
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.iterable = isinstance(dataset, IterableDataset)
        if self.iterable:
            self.sampler: Any = None
            self.batch_sampler: Any = None
            return
        if sampler is None:
            shuffled = shuffle and len(dataset) > 0
            sampler = (
                RandomSampler(dataset, generator=generator)
                if shuffled
                else SequentialSampler(dataset)
            )
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler

    def __iter__(self) -> Iterator[Any]:
        if self.iterable:
            yield from self._of_iterable()
        elif self.batch_sampler is None:
            for index in self.sampler:
                entry = self.dataset[index]
                yield (
                    _as_tensors(entry)
                    if self.collate_fn is default_collate
                    else (self.collate_fn(entry))
                )
        elif is_arrays(self.dataset) and self.collate_fn is default_collate:
            for indices in self.batch_sampler:
                yield [_as_tensors(column[indices]) for column in self.dataset.tensors]
        else:
            for indices in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in indices])

    def _of_iterable(self) -> Iterator[Any]:
        if self.batch_size is None:
            yield from self.dataset
            return
        batch: list[Any] = []
        for entry in self.dataset:
            batch.append(entry)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self.iterable:
            size = len(self.dataset)
            if self.batch_size is None:
                return size
            whole, rest = divmod(size, self.batch_size)
            return whole + (rest > 0 and not self.drop_last)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


def _as_tensors(value: Any) -> Any:
    """Arrays inside an entry as tensors."""
    if isinstance(value, np.ndarray):
        return as_tensor(value)
    if isinstance(value, (list, tuple)):
        return [_as_tensors(v) for v in value]
    if isinstance(value, dict):
        return {k: _as_tensors(v) for k, v in value.items()}
    return value
