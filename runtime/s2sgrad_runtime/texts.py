"""Objects in texts: lists and dicts show their items by `repr`."""

from __future__ import annotations


class Shown:
    """What stands for an object of which only its text is left.

    text: what `repr` of the object gave.

    >>> print([Shown("Node(3)"), 2])
    [Node(3), 2]
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


__all__ = ["Shown"]
