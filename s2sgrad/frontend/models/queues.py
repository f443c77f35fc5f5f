"""Floor 4: the queues of `queue` in plain Python: one thread fills and empties them."""

from __future__ import annotations

import queue
from typing import Any

from s2sgrad.frontend.models.heaps import heappop, heappush


class Queue:
    """queue.Queue: first in, first out."""

    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self.queue: list[Any] = []

    def qsize(self) -> int:
        """How many items there are."""
        return len(self.queue)

    def empty(self) -> bool:
        """Whether there is none."""
        return len(self.queue) == 0

    def full(self) -> bool:
        """Whether no more may be put."""
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item: Any, block: bool = True, timeout: Any = None) -> None:
        """Add an item; where there is no room, nobody would make any."""
        if 0 < self.maxsize <= len(self.queue):
            raise queue.Full
        self._put(item)

    def put_nowait(self, item: Any) -> None:
        """Add an item."""
        self.put(item)

    def get(self, block: bool = True, timeout: Any = None) -> Any:
        """Take the next item; where there is none, nobody would put one."""
        if len(self.queue) == 0:
            raise queue.Empty
        return self._get()

    def get_nowait(self) -> Any:
        """Take the next item."""
        return self.get()

    def task_done(self) -> None:
        """For threads that wait."""

    def join(self) -> None:
        """For threads that wait."""

    def _put(self, item: Any) -> None:
        self.queue.append(item)

    def _get(self) -> Any:
        return self.queue.pop(0)


class LifoQueue(Queue):
    """queue.LifoQueue: last in, first out."""

    def _get(self) -> Any:
        return self.queue.pop()


class PriorityQueue(Queue):
    """queue.PriorityQueue: the least one first."""

    def _put(self, item: Any) -> None:
        heappush(self.queue, item)

    def _get(self) -> Any:
        return heappop(self.queue)


class SimpleQueue(Queue):
    """queue.SimpleQueue."""

    def __init__(self) -> None:
        Queue.__init__(self)


STANDINS: dict[Any, Any] = {
    queue.Queue: Queue,
    queue.LifoQueue: LifoQueue,
    queue.PriorityQueue: PriorityQueue,
    queue.SimpleQueue: SimpleQueue,
}
