"""Keep what the backward pass needs in a memory-mapped file in place of main memory.

`saved_tensors_hooks` hands every tensor that an operation saves to a function of ours. Here it
writes the entries to a file and keeps only their place; the backward pass reads them from the
map when it gets there. Parameters and small tensors stay where they are.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from s2sgrad import eager as torch

LAYERS, BATCH, WIDTH = 6, 2000, 128
SMALL = 64 * 1024  # bytes; what is smaller is not worth a trip to the file


class Place:
    """Where the entries of a saved tensor lie in the file."""

    def __init__(self, offset: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.offset, self.shape, self.dtype = offset, shape, dtype


class Storage:
    """A file that grows; `pack` writes a tensor to it, `unpack` maps it back."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w+b")
        self.count = 0

    def pack(self, t: Any) -> Any:
        array = t.detach().numpy()
        if array.nbytes < SMALL or t.is_leaf:
            return t
        offset = self.file.seek(0, 2)
        self.file.write(np.ascontiguousarray(array).data)
        self.count += 1
        return Place(offset, array.shape, array.dtype)

    def unpack(self, kept: Any) -> Any:
        if not isinstance(kept, Place):
            return kept
        self.file.flush()
        mapped = np.memmap(self.file, kept.dtype, "r", kept.offset, kept.shape)
        return torch.from_numpy(np.asarray(mapped))


def network() -> Any:
    layers = []
    for _ in range(LAYERS):
        layers += [torch.nn.Linear(WIDTH, WIDTH), torch.nn.GELU()]
    return torch.nn.Sequential(*layers)


def gradients(model: Any, x: Any) -> list[np.ndarray[Any, Any]]:
    """The gradients of the mean square of the outputs."""
    model.zero_grad()
    (model(x) ** 2).mean().backward()
    return [p.grad.numpy().copy() for p in model.parameters()]


def main() -> None:
    torch.manual_seed(0)
    model, x = network(), torch.randn(BATCH, WIDTH)
    usual = gradients(model, x)
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(Path(folder) / "intermediates.bin")
        with torch.autograd.graph.saved_tensors_hooks(storage.pack, storage.unpack):
            mapped = gradients(model, x)
        size = storage.file.seek(0, 2)
        storage.file.close()
    for a, b in zip(usual, mapped, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6 * np.abs(a).max())
    print(f"{storage.count} intermediates, {size / 1e6:.1f} MB, were kept in a file.")
    print("The gradients are the same to single precision.")


if __name__ == "__main__":
    main()
