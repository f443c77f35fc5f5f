"""A training loop on tensors: spirals in three colours, a small network, batches, a schedule.

Everything has PyTorch's names; the tensors are NumPy arrays that remember their history.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad import eager as torch
from s2sgrad.eager import nn
from s2sgrad.eager.utils.data import DataLoader, TensorDataset, random_split

CLASSES, EACH, EPOCHS = 3, 200, 40


def spirals(rng: np.random.Generator) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Points (n, 2) on noisy spirals, and the number of the spiral."""
    radius = np.tile(np.linspace(0.05, 1.0, EACH), CLASSES)
    label = np.repeat(np.arange(CLASSES), EACH)
    angle = 4.0 * radius + label * 2 * np.pi / CLASSES + rng.normal(scale=0.15, size=radius.size)
    points = np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1)
    return points.astype(np.float32), label


class Classifier(nn.Module):
    """Two hidden layers; `forward` gives one logit for each class."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Dropout(0.05)
        )
        self.head = nn.Linear(width, CLASSES)

    def forward(self, x: Any) -> Any:
        return self.head(self.body(x))


def train_epoch(model: Any, loader: Any, criterion: Any, optimizer: Any) -> float:
    """One pass over the data; returns the mean loss."""
    model.train()
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def accuracy(model: Any, loader: Any) -> float:
    """The share of right answers."""
    model.eval()
    right = total = 0
    for x, y in loader:
        right += int((model(x).argmax(1) == y).sum())
        total += len(y)
    return right / total


def main() -> None:
    torch.manual_seed(0)
    points, labels = spirals(np.random.default_rng(0))
    train, test = random_split(TensorDataset(points, labels), [0.8, 0.2])
    loader = DataLoader(train, batch_size=32, shuffle=True)
    test_loader = DataLoader(test, batch_size=64)

    model = Classifier()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(EPOCHS):
        loss = train_epoch(model, loader, criterion, optimizer)
        schedule.step()
        if epoch % 10 == 9:
            rate = accuracy(model, test_loader)
            print(f"epoch {epoch + 1}: loss {loss:.3f}, test accuracy {rate:.1%}")
    assert accuracy(model, test_loader) > 0.9

    copy = Classifier()
    copy.load_state_dict(model.state_dict())
    assert accuracy(copy, test_loader) == accuracy(model, test_loader)


if __name__ == "__main__":
    main()
