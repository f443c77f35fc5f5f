"""Places of tensors: there is the CPU, and torch's errors for anything else."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

KINDS = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga",
    "maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip
COMPILED_APART = ("cuda", "xpu", "mtia")  # back ends that torch loads when they are first used


class device:
    """The kind of a place and a number among those of its kind; tensors are on the CPU.

    As a context (`with torch.device("cpu"):`) it says where new tensors go.
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int) and not isinstance(type, bool):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(type, str):
            given = type.__class__.__name__
            raise TypeError(
                f"device() received an invalid combination of arguments - got ({given}), but "
                "expected one of:\n * (torch.device device)\n      didn't match because some of "
                f"the arguments have invalid types: (!{given}!)\n * (str type, int index = -1)\n"
            )
        self.type, self.index = read(type)
        if index is None:
            return
        if self.index is not None:
            raise RuntimeError(
                "type (string) must not include an index because index was passed explicitly: "
                + type
            )
        if index < 0:
            raise RuntimeError("Device index must not be negative")
        self.index = index

    def __repr__(self) -> str:
        place = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{place})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> Any:
        return (device, (str(self),))

    def __enter__(self) -> device:
        require_cpu(self)
        return self

    def __exit__(self, *exc: object) -> None:
        pass


def read(text: str) -> tuple[str, int | None]:
    """Kind and number in "cuda:1"; RuntimeError for what is no place."""
    if not text:
        raise RuntimeError("Device string must not be empty")
    found = re.fullmatch(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?", text)
    if found is None:
        raise RuntimeError(f"Invalid device string: '{text}'")
    kind, number = found.groups()
    if kind not in KINDS:
        raise RuntimeError(
            f"Expected one of {', '.join(KINDS)} device type at start of device string: {kind}"
        )
    return kind, None if number is None else int(number)


class layout:
    """How a tensor lies in memory."""

    def __repr__(self) -> str:
        return "torch.strided"


STRIDED = layout()
CPU = device("cpu")


def require_cpu(place: Any) -> None:
    """Raise what torch raises where it was built for the CPU only, unless `place` is the CPU."""
    if place is None or place is CPU:
        return
    kind = (place if isinstance(place, device) else device(place)).type
    if kind in COMPILED_APART:
        raise AssertionError(f"Torch not compiled with {kind.upper()} enabled")
    if kind == "meta":
        raise NotImplementedError("tensors without data (device='meta') are not supported here")
    if kind != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices")


def placed(make: Callable[..., Any]) -> Callable[..., Any]:
    """The function that makes tensors, with a `device=` that must be the CPU.

    `requires_grad=` must be True or False.
    """

    @functools.wraps(make)
    def made(*args: Any, device: Any = None, **options: Any) -> Any:
        if device is not None:
            require_cpu(device)
        flag = options.get("requires_grad", False)
        if flag is None and make.__name__ != "tensor":
            options["requires_grad"] = False
        elif flag is not False and flag is not True:
            raise TypeError(
                f"{make.__name__}(): argument 'requires_grad' must be bool, not "
                f"{type(flag).__name__}"
            )
        return make(*args, **options)

    return made


def get_default_device() -> device:
    """Where new tensors go: the CPU."""
    return CPU


def set_default_device(device: Any) -> None:
    """New tensors go to the CPU; there is no other place."""
    require_cpu(device)
