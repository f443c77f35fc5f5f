"""Modules that hold modules or parameters: Sequential, ModuleList, ModuleDict, ParameterList."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from s2sgrad.eager._core import Tensor, type_name
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


def _position(index: Any, length: int, text: str = "index {} is out of range") -> int:
    """A checked, non-negative position."""
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(text.format(index))
    return index % length


class Sequential(Module):
    """Modules applied one after the other: `Sequential(a, b)` or `Sequential(OrderedDict)`."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def _renumber(self, modules: Iterable[Any]) -> None:
        self._modules.clear()
        for i, module in enumerate(modules):
            self.add_module(str(i), module)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return list(self._modules.values())[_position(index, len(self))]

    def __setitem__(self, index: int, module: Any) -> None:
        setattr(self, list(self._modules)[_position(index, len(self))], module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        chosen = names[index] if isinstance(index, slice) else [names[_position(index, len(self))]]
        self._renumber([m for name, m in self._modules.items() if name not in chosen])

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Sequential):
            raise ValueError(
                f"add operator supports only objects of Sequential class, but {type(other)} is"
                " given."
            )
        return Sequential(*self, *other)

    def __mul__(self, times: Any) -> Any:
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return Sequential(*[module for _ in range(times) for module in self])

    __rmul__ = __mul__

    def append(self, module: Any) -> Any:
        """Add a module at the end; returns self."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> Any:
        """Add modules at the end; returns self."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Any) -> Any:
        """Add a module at a position; returns self."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, key: Any) -> Any:
        """Remove and return the module at a position."""
        module = self[key]
        del self[key]
        return module


class ModuleList(Module):
    """A list of modules."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[str(_position(index, len(self)))]

    def __setitem__(self, index: int, module: Any) -> None:
        setattr(self, str(_position(index, len(self))), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self)
        del modules[index]
        self._modules.clear()
        self.extend(modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __contains__(self, module: Any) -> bool:
        return any(m is module for m in self)

    def __iadd__(self, modules: Iterable[Any]) -> Any:
        return self.extend(modules)

    def __add__(self, other: Iterable[Any]) -> Any:
        return ModuleList([*self, *other])

    def append(self, module: Any) -> Any:
        """Add a module at the end; returns self."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Any) -> None:
        """Add a module at a position."""
        modules = list(self)
        modules.insert(index, module)
        self._modules.clear()
        self.extend(modules)

    def extend(self, modules: Iterable[Any]) -> Any:
        """Add modules at the end; returns self."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        for module in modules:
            self.append(module)
        return self

    def pop(self, key: Any) -> Any:
        """Remove and return the module at a position."""
        module = self[key]
        del self[key]
        return module

    def __repr__(self) -> str:
        """Equal neighbours are shown once: `(0-1): 2 x Linear(...)`."""
        runs: list[list[Any]] = []  # first, last, text
        for i, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        if not runs:
            return f"{self._get_name()}()"
        lines = []
        for first, last, text in runs:
            head = f"({first})" if first == last else f"({first}-{last})"
            times = "" if first == last else f"{last - first + 1} x "
            lines.append(f"{head}: {times}" + text.replace("\n", "\n  "))
        body = "\n  ".join(lines)
        return f"{self._get_name()}(\n  {body}\n)"


class ModuleDict(Module):
    """A dict of modules, in order of insertion."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Any) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """(name, module)."""
        return self._modules.items()

    def clear(self) -> None:
        """Remove everything."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove and return a module."""
        return self._modules.pop(key)

    def update(self, modules: Any) -> None:
        """Add from a mapping or from pairs."""
        if not isinstance(modules, (Iterable, ModuleDict)):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                + type(modules).__name__
            )
        pairs = modules.items() if isinstance(modules, (Mapping, ModuleDict)) else modules
        for key, module in pairs:
            self[key] = module


def _parameter_line(name: str, value: Any) -> str:
    if not isinstance(value, Tensor):
        return f"({name}): Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.shape))
    kind = "Parameter containing" if isinstance(value, Parameter) else "Tensor of size"
    return f"({name}): {kind}: [{value.dtype} of size {size}]"


class _ParameterHolder(Module):
    """What ParameterList and ParameterDict share."""

    def _own_items(self) -> Iterable[tuple[str, Any]]:
        raise NotImplementedError

    def _as_member(self, value: Any) -> Any:
        return Parameter(value) if _plain_tensor(value) else value

    def __repr__(self) -> str:
        lines = [f"  {_parameter_line(name, value)}" for name, value in self._own_items()]
        return listed(self._get_name(), lines)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{type(self).__name__} should not be called.")


def listed(name: str, lines: list[str]) -> str:
    """One line inside the brackets, or several below each other."""
    if len(lines) < 2:
        return f"{name}({''.join(lines)})"
    body = "\n".join(f"  {line}" for line in lines)
    return f"{name}(\n{body}\n)"


def _plain_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


class ParameterList(_ParameterHolder):
    """A list of parameters; tensors become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _own_items(self) -> Iterable[tuple[str, Any]]:
        return ((str(i), value) for i, value in enumerate(self))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return getattr(self, str(_position(index, self._size)))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, str(_position(index, self._size)), self._as_member(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, str(i)) for i in range(self._size))

    def append(self, value: Any) -> Any:
        """Add a value at the end; returns self."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Any:
        """Add values at the end; returns self."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                + type(values).__name__
            )
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend


class ParameterDict(_ParameterHolder):
    """A dict of parameters; tensors become parameters."""

    def __init__(self, values: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if values is not None:
            self.update(values)

    def __repr__(self) -> str:
        lines = []
        for name, value in self.items():
            size = "x".join(map(str, value.shape)) if isinstance(value, Tensor) else ""
            text = f"[{type_name(value)} of size {size}]"
            lines.append(f"  ({name}): Parameter containing: {text}")
        return listed(self._get_name(), lines)

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, self._as_member(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def values(self) -> list[Any]:
        """The parameters."""
        return [self[key] for key in self._keys]

    def items(self) -> list[tuple[str, Any]]:
        """(name, parameter)."""
        return [(key, self[key]) for key in self._keys]

    def update(self, values: Any) -> None:
        """Add from a mapping or from pairs."""
        pairs = values.items() if hasattr(values, "items") else values
        for key, value in pairs:
            self[key] = value
