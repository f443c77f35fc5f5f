"""Keep what the backward pass needs in a memory-mapped file instead of in memory."""

import tempfile
from pathlib import Path

import numpy as np

from s2sgrad import eager as torch


class Disk:
    """Pack and unpack hooks: large saved tensors go to one file, small ones stay as they are."""

    def __init__(self, path, smallest=1000):
        self.path, self.smallest, self.used, self.count = path, smallest, 0, 0

    def pack(self, tensor):
        array = tensor.detach().numpy()
        if array.size < self.smallest:
            return array
        place = np.memmap(
            self.path, array.dtype, "r+" if self.used else "w+", self.used, array.shape
        )
        place[...] = array
        place.flush()
        packed = (array.dtype, self.used, array.shape)
        self.used, self.count = self.used + array.nbytes, self.count + 1
        return packed

    def unpack(self, packed):
        if isinstance(packed, np.ndarray):
            return torch.from_numpy(packed)
        dtype, offset, shape = packed
        return torch.from_numpy(np.asarray(np.memmap(self.path, dtype, "r", offset, shape)))


def loss(weights, x):
    for w in weights:
        x = torch.tanh(x @ w)
    return (x * x).mean()


def main():
    rng = np.random.default_rng(0)
    x = torch.tensor(rng.standard_normal((200, 50)))
    weights = [
        torch.tensor(rng.standard_normal((50, 50)) / 7, requires_grad=True) for _ in range(4)
    ]

    loss(weights, x).backward()
    in_memory = [w.grad.clone() for w in weights]
    for w in weights:
        w.grad = None

    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(Path(folder) / "saved.bin")
        with torch.autograd.graph.saved_tensors_hooks(disk.pack, disk.unpack):
            value = loss(weights, x)
        value.backward()
        print(f"{disk.count} tensors, {disk.used / 1e6:.1f} MB on disk; loss {value.item():.6f}")

    assert disk.count > 0
    for w, expected in zip(weights, in_memory, strict=True):
        assert torch.equal(w.grad, expected)
    print("the gradients are the same")


if __name__ == "__main__":
    main()
