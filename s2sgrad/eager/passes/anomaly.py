"""Anomaly mode: where each node was made, and a look for NaN in what it gives back."""

from __future__ import annotations

import os
import traceback
import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.recording.node import Node
from s2sgrad.eager.settings.state import STATE, Anomaly
from s2sgrad.eager.tensors.tensor import Tensor

_NO_INFORMATION = (
    "No forward pass information available. Enable detect anomaly during forward pass for more "
    "information."
)


_HERE = (
    os.path.dirname(os.path.dirname(__file__)),
    "<fast ",
    "<recorded ",
)  # what users don't want to read


def remember_place(node: Node) -> None:
    """Keep the traceback of the forward call, and the node being evaluated (second order)."""
    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(_HERE)]
    node.metadata["traceback_"] = traceback.format_list(frames)
    if STATE.node is not None:
        node.metadata["parent_"] = STATE.node


def report(node: Node) -> None:
    """Warn with the place of the forward call of a node that failed."""
    name = node.name()
    lines = node.metadata.get("traceback_")
    if lines is None:
        text = f"Error detected in {name}. {_NO_INFORMATION}"
    else:
        text = (
            f"Error detected in {name}. Traceback of forward call that caused the error:\n"
            + "".join(lines)
        )
    warnings.warn(text, UserWarning, stacklevel=2)
    parent = node.metadata.get("parent_")
    while parent is not None:
        place = "".join(parent.metadata.get("traceback_", ())) or _NO_INFORMATION
        warnings.warn(
            f"\n\nPrevious calculation was induced by {parent.name()}. Traceback of forward call "
            f"that induced the previous calculation:\n{place}",
            UserWarning,
            stacklevel=2,
        )
        parent = parent.metadata.get("parent_")


def checked(node: Node, y_bar: Any, task: Any) -> Any:
    """Evaluate a node; on an error or a NaN, say which forward call made it."""
    try:
        cotangents = node.backward_graph(y_bar) if task.create_graph else node.backward(y_bar)
        if Anomaly.check_nan:
            for number, x_bar in enumerate(cotangents):
                if x_bar is not None and has_nan(x_bar):
                    raise RuntimeError(
                        f"Function '{node.name()}' returned nan values in its {number}th output."
                    )
    except Exception:
        report(node)
        raise
    return cotangents


def has_nan(value: Any) -> bool:
    """Whether a cotangent holds a NaN."""
    if isinstance(value, list):
        return any(v is not None and has_nan(v) for v in value)
    array = value._array if isinstance(value, Tensor) else value
    return bool(np.isnan(array).any())
