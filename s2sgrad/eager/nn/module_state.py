"""The part of Module that saves and loads: `state_dict` and `load_state_dict`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from s2sgrad.eager._core import RemovableHandle, Tensor, add_hook, no_grad
from s2sgrad.eager.nn.module_tree import ModuleTree
from s2sgrad.eager.nn.parameter import Parameter


class _IncompatibleKeys(NamedTuple):
    """What `load_state_dict(strict=False)` could not match."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        missing, unexpected = self.missing_keys, self.unexpected_keys
        return f"_IncompatibleKeys(missing_keys={missing}, unexpected_keys={unexpected})"


class ModuleState(ModuleTree):
    """State in and out, by dotted names."""

    _version = 1
    dump_patches = False
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: dict[int, Any]
    _state_dict_pre_hooks: dict[int, Any]
    _load_state_dict_pre_hooks: dict[int, Any]
    _load_state_dict_post_hooks: dict[int, Any]

    def _own_state(self) -> Iterator[tuple[str, Any]]:
        """(name, tensor) of the parameters and persistent buffers of this module alone."""
        yield from self._parameters.items()
        for name, value in self._buffers.items():
            if name not in self._non_persistent_buffers_set:
                yield name, value

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """All parameters and persistent buffers by dotted name; detached unless `keep_vars`.

        The tensors share memory with the module's.
        """
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        for name, value in self._own_state():
            if value is not None:
                destination[prefix + name] = value if keep_vars else value.detach()
        extra = self.get_extra_state()
        if extra is not None:
            destination[prefix + "_extra_state"] = extra
        for name, child in self._modules.items():
            if child is not None:
                inner = f"{prefix}{name}."
                child.state_dict(destination=destination, prefix=inner, keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            hook(self, destination, prefix, metadata)
        return destination

    def get_extra_state(self) -> Any:
        """What else to save; subclasses may say."""
        return None

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave."""

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the values of `state_dict` into this module (`assign`: take its tensors over).

        `strict`: the keys must match one to one. Raises RuntimeError with all that does not fit.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        given = OrderedDict(state_dict)
        result = _IncompatibleKeys([], [])
        errors: list[str] = []
        expected = set()
        for prefix, module in self.named_modules(remove_duplicate=False):
            dotted = f"{prefix}." if prefix else ""
            for hook in module._load_state_dict_pre_hooks.values():
                hook(module, given, dotted, {}, strict, *result, errors)
            expected |= module._load_own(given, dotted, assign, result.missing_keys, errors)
            for hook in module._load_state_dict_post_hooks.values():
                hook(module, result)
        if strict:
            result.unexpected_keys.extend(key for key in given if key not in expected)
            errors = _key_errors(result) + errors
        else:
            result.unexpected_keys.extend(key for key in given if key not in expected)
        if errors:
            lines = "\n\t".join(errors)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{lines}"
            )
        return result

    def _load_own(
        self, given: Any, prefix: str, assign: bool, missing: list[str], errors: list[str]
    ) -> set[str]:
        """Load this module's own tensors; returns the keys that it knows."""
        known = set()
        for name, value in list(self._own_state()):
            if value is None:
                continue
            key = prefix + name
            known.add(key)
            if key not in given:
                missing.append(key)
                continue
            problem = self._load_one(name, value, given[key], key, assign)
            if problem:
                errors.append(problem)
        extra = prefix + "_extra_state"
        if extra in given and type(self).set_extra_state is not ModuleState.set_extra_state:
            known.add(extra)
            self.set_extra_state(given[extra])
        return known

    def _load_one(self, name: str, own: Any, new: Any, key: str, assign: bool) -> str:
        """Put one tensor in place; returns what is wrong with it, or ''."""
        if not isinstance(new, Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like'
                f" object from checkpoint but received {type(new)}"
            )
        if new.dim() == 1 and len(new) == 1 and own.dim() == 0:
            new = new[0]
        if new.shape != own.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {new.shape} from"
                f" checkpoint, the shape in current model is {own.shape}."
            )
        if not assign:
            with no_grad():
                own.copy_(new)
        elif isinstance(own, Parameter):
            wanted = new if isinstance(new, Parameter) else Parameter(new, own.requires_grad)
            self._parameters[name] = wanted
        else:
            self._buffers[name] = new
        return ""

    # ------------------------------------------------------------ hooks

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(module, state_dict, prefix, local_metadata)` after the state is gathered."""
        return add_hook(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(module, prefix, keep_vars)` before the state is gathered."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)`."""
        return add_hook(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """`hook(module, incompatible_keys)` after loading."""
        return add_hook(self._load_state_dict_post_hooks, hook)


def _key_errors(result: _IncompatibleKeys) -> list[str]:
    """The error lines for keys that are missing or too many."""
    lines = []
    for what, keys in (("Missing", result.missing_keys), ("Unexpected", result.unexpected_keys)):
        if keys:
            listed = ", ".join(f'"{key}"' for key in keys)
            lines.append(f"{what} key(s) in state_dict: {listed}. ")
    return lines
