"""What generated code prints and logs is what the function itself prints and logs."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict, deque, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

import s2sgrad

Pair = namedtuple("Pair", "left right")
LOG = logging.getLogger(__name__)


class Node:
    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value

    def __repr__(self) -> str:
        return f"Node({self.name!r})"

    def __str__(self) -> str:
        return self.name


@dataclass
class Part:
    nodes: list[Node]
    size: int = 2


def _printed(x):
    nodes = [Node("a", x), Node("b's", 2 * x)]
    print(nodes, nodes[0], {"first": nodes[0]}, (nodes[1],), Part(nodes), [Part(nodes[:1], 3)])
    print(f"{nodes} {nodes[0]} {nodes[0]!r} {Part(nodes)} { {'k': len(nodes)} }")
    print("%s|%r|%s" % (nodes, nodes[0], Pair(1, [nodes[1]])))  # noqa: UP031
    print("{} {}".format(nodes, range(3)))  # noqa: UP032
    print(Counter("aab"), deque([1, 2]), [Counter("b")], SimpleNamespace(n=1, of=[Pair(1, 2)]))
    for node in nodes:
        print("node", node, [node], f"{[node.name]}")
    LOG.warning("%s %s %r %s", nodes, nodes[0], nodes[1], {"all": nodes})
    return x * x


@pytest.mark.parametrize("jit", [False, True])
def test_printed_and_logged(capsys: Any, caplog: Any, jit: bool) -> None:
    if jit:
        pytest.importorskip("numba")
    _printed(1.5)
    printed, logged = capsys.readouterr().out, caplog.messages[:]
    caplog.clear()
    assert s2sgrad.grad(_printed, fallback="error", jit=jit)(1.5) == 3.0
    assert capsys.readouterr().out == printed
    assert caplog.messages == logged


def _shown_only(x):
    sizes = OrderedDict(u=1)
    print(f"sizes {sizes}")
    assert sizes["u"] == 1, f"{sizes}"
    return x * x


def test_texts_for_people_are_not_refused(capsys: Any) -> None:
    assert s2sgrad.grad(_shown_only, fallback="error")(1.5) == 3.0
    assert "'u': 1" in capsys.readouterr().out


class Panel:
    def info(self, text: str) -> int:
        return len(text)


def _handed_to_a_method(x):
    return x * Panel().info(f"{OrderedDict(u=1)}")


def test_a_method_called_as_those_of_loggers_gets_a_value() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="the text of this value is used"):
        s2sgrad.grad(_handed_to_a_method, fallback="error")(1.5)
