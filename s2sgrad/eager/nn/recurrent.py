"""Recurrent layers and their cells: RNN, LSTM (Hochreiter and Schmidhuber 1997), GRU (Cho 2014).

Each step is recorded operation by operation; what the inputs contribute to the gates is one
product for all steps.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from s2sgrad.eager._core import Tensor, empty, zeros
from s2sgrad.eager.nn import functional, init
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter
from s2sgrad.eager.operations.joining import cat, stack

State = tuple[Tensor, ...]  # hidden, and of an LSTM the cell
FEW_LAYERS = (
    "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects"
    " num_layers greater than 1, but got dropout={} and num_layers={}"
)


def rnn_step(gates: Tensor, state: State, recurrent: Any, nonlinearity: str) -> State:
    """tanh or relu of what input and state contribute."""
    total = gates + recurrent(state[0])
    return (total.tanh() if nonlinearity == "tanh" else total.relu(),)


def lstm_step(gates: Tensor, state: State, recurrent: Any, nonlinearity: str) -> State:
    """The gates: input, forget, new, output."""
    i, f, g, o = (gates + recurrent(state[0])).chunk(4, -1)
    cell = f.sigmoid() * state[1] + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def gru_step(gates: Tensor, state: State, recurrent: Any, nonlinearity: str) -> State:
    """The gates: reset, update, new."""
    r, z, n = gates.chunk(3, -1)
    r_own, z_own, n_own = recurrent(state[0]).chunk(3, -1)
    new = (n + (r + r_own).sigmoid() * n_own).tanh()
    return ((state[0] - new) * (z + z_own).sigmoid() + new,)


STEPS = {
    "RNN": (rnn_step, 1, 1),
    "LSTM": (lstm_step, 4, 2),
    "GRU": (gru_step, 3, 1),
}  # what a step does, gates, tensors of state


class _Recurrent(Module):
    """What layers and cells share. `kind`: a key of `STEPS`."""

    kind = "RNN"
    hidden_size: int

    def reset_parameters(self) -> None:
        """Uniform numbers up to one over the root of the hidden size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)


class RNNBase(_Recurrent):
    """Layers of cells along a sequence (length, batch, features); `mode` says of which kind."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_sizes(hidden_size, num_layers, dropout, proj_size, mode)
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = float(dropout), bidirectional, proj_size
        self._all_weights: list[list[str]] = []
        count = STEPS[mode.partition("_")[0]][1] * hidden_size
        out = proj_size or hidden_size
        for layer in range(num_layers):
            for suffix in self._directions(layer):
                features = out * (1 + bidirectional) if layer else input_size
                shapes: dict[str, Any] = {"weight_ih": (count, features), "weight_hh": (count, out)}
                if bias:
                    shapes |= {"bias_ih": (count,), "bias_hh": (count,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                self._all_weights.append([f"{name}{suffix}" for name in shapes])
                for name, shape in shapes.items():
                    made = empty(shape, dtype=dtype, device=device)
                    setattr(self, f"{name}{suffix}", Parameter(made))
        self.reset_parameters()

    def _directions(self, layer: int) -> list[str]:
        """The endings of the names of a layer's weights."""
        return [f"_l{layer}", f"_l{layer}_reverse"][: 1 + self.bidirectional]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights, by layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Nothing: parameters lie where they lie."""

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False,
                 "dropout": 0, "bidirectional": False}  # fmt: skip
        for name, default in usual.items():
            if getattr(self, name) != default:
                shown += f", {name}={getattr(self, name)}"
        return shown

    def _run(self, input: Tensor, hx: State | None) -> tuple[Tensor, State]:
        """The outputs of the last layer and the last states of all of them."""
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D tensor"
                " instead"
            )
        batched = input.dim() == 3
        hx = self._first_state(input, hx, batched)
        rows = input if batched else input.unsqueeze(1)
        if batched and self.batch_first:
            rows = rows.transpose(0, 1)
        finals: list[State] = []
        for layer in range(self.num_layers):
            ways = []
            for suffix in self._directions(layer):
                start = tuple(s[len(finals)] for s in hx)
                backwards = suffix.endswith("reverse")
                outputs, final = self._one_way(rows, start, suffix, backwards)
                ways.append(outputs)
                finals.append(final)
            rows = ways[0] if len(ways) == 1 else cat(ways, 2)
            if self.dropout and self.training and layer < self.num_layers - 1:
                rows = functional.dropout(rows, self.dropout)
        last = tuple(stack(list(column)) for column in zip(*finals, strict=True))
        if not batched:
            return rows.squeeze(1), tuple(s.squeeze(1) for s in last)
        return rows.transpose(0, 1) if self.batch_first else rows, last

    def _one_way(self, rows: Tensor, state: State, suffix: str, backwards: bool) -> Any:
        """One layer in one direction: its outputs, and its last state."""
        step = STEPS[self.mode.partition("_")[0]][0]
        weight, bias = self._parameter("weight_hh", suffix), self._parameter("bias_hh", suffix)
        projection = self._parameter("weight_hr", suffix)
        gates = functional.linear(
            rows, self._parameter("weight_ih", suffix), self._parameter("bias_ih", suffix)
        )
        each: Any = gates.unbind(0)
        outputs = []
        for now in reversed(each) if backwards else each:
            state = step(
                now, state, lambda h: functional.linear(h, weight, bias), self._nonlinearity()
            )
            if projection is not None:
                state = (functional.linear(state[0], projection), *state[1:])
            outputs.append(state[0])
        return stack(outputs[::-1] if backwards else outputs), state

    def _parameter(self, name: str, suffix: str) -> Any:
        return getattr(self, name + suffix, None)

    def _nonlinearity(self) -> str:
        return "relu" if self.mode == "RNN_RELU" else "tanh"

    def _first_state(self, input: Tensor, hx: State | None, batched: bool) -> State:
        """The states to begin with, (layers, batch, features) each: zeros, or those given."""
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. Expected"
                f" {self.input_size}, got {input.shape[-1]}"
            )
        kinds = STEPS[self.mode.partition("_")[0]][2]
        batch = input.shape[0 if self.batch_first else 1] if batched else 1
        layers = self.num_layers * (1 + self.bidirectional)
        sizes = [self.proj_size or self.hidden_size, self.hidden_size][:kinds]
        if hx is None:
            shapes = [(layers, batch, size) for size in sizes]
            return tuple(zeros(shape, dtype=input.dtype) for shape in shapes)
        _check_ranks(hx, batched)
        states = hx if batched else tuple(s.unsqueeze(1) for s in hx)
        for i, (state, size) in enumerate(zip(states, sizes, strict=True)):
            wanted = (layers, batch, size)
            if tuple(state.shape) != wanted:
                which = "hidden" if kinds == 1 else f"hidden[{i}]"
                raise RuntimeError(f"Expected {which} size {wanted}, got {list(state.shape)}")
        return states


def _check_sizes(
    hidden_size: Any, num_layers: Any, dropout: Any, proj_size: int, mode: str
) -> None:
    """Refuse options that fit no layer."""
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element"
            " being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(FEW_LAYERS.format(dropout, num_layers), stacklevel=4)
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise ValueError("hidden_size must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")
    if mode.partition("_")[0] not in STEPS:
        raise ValueError("Unrecognized RNN mode: " + mode)


def _check_ranks(hx: State, batched: bool) -> None:
    """States have as many axes as the input."""
    wanted, word = (3, "batched") if batched else (2, "unbatched")
    if all(s.dim() == wanted for s in hx):
        return
    if len(hx) == 1:
        raise RuntimeError(
            f"For {word} {wanted}-D input, hx should also be {wanted}-D but got"
            f" {hx[0].dim()}-D tensor"
        )
    raise RuntimeError(
        f"For {word} {wanted}-D input, hx and cx should also be {wanted}-D but got"
        f" ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
    )


class RNN(RNNBase):
    """h = tanh(W x + b + U h + c), or relu, along a sequence.

    `RNN(3, 5)(x)` of x (length, batch, 3) gives (outputs (length, batch, 5), last h (1, batch, 5)).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        given = list(args)
        self.nonlinearity = given.pop(3) if len(given) > 3 else kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(f"RNN_{self.nonlinearity.upper()}", *given, **kwargs)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        outputs, (last,) = self._run(input, None if hx is None else (hx,))
        return outputs, last


class LSTM(RNNBase):
    """Long short-term memory: `LSTM(3, 5)(x)` gives (outputs, (last h, last cell))."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, State]:
        return self._run(input, hx)


class GRU(RNNBase):
    """Gated recurrent units: `GRU(3, 5)(x)` gives (outputs, last h)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        outputs, (last,) = self._run(input, None if hx is None else (hx,))
        return outputs, last


class RNNCellBase(_Recurrent):
    """One step of a recurrent layer."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        count = num_chunks * hidden_size
        shapes: dict[str, Any] = {"ih": (count, input_size), "hh": (count, hidden_size)}
        for name, shape in shapes.items():
            setattr(self, f"weight_{name}", Parameter(empty(shape, dtype=dtype, device=device)))
        for name in shapes:
            made = Parameter(empty((count,), dtype=dtype, device=device)) if bias else None
            self.register_parameter(f"bias_{name}", made)
        self.reset_parameters()

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        if not self.bias:
            shown += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            shown += f", nonlinearity={self.nonlinearity}"
        return shown

    def _step(self, input: Tensor, hx: State | None) -> State:
        """The next state; one example without a batch axis has none in its state either."""
        name, (step, _, kinds) = type(self).__name__, STEPS[self.kind]
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        for i, state in enumerate(hx or ()):
            if state.dim() not in (1, 2):
                which = "hidden" if kinds == 1 else f"hx[{i}]"
                raise ValueError(
                    f"{name}: Expected {which} to be 1D or 2D, got {state.dim()}D instead"
                )
        batched = input.dim() == 2
        rows = input if batched else input.unsqueeze(0)
        if hx is None:
            hx = (zeros((rows.shape[0], self.hidden_size), dtype=input.dtype),) * kinds
        elif not batched:
            hx = tuple(s.unsqueeze(0) for s in hx)
        gates = functional.linear(rows, self.weight_ih, self.bias_ih)
        found = step(
            gates, hx, lambda h: functional.linear(h, self.weight_hh, self.bias_hh),
            getattr(self, "nonlinearity", "tanh"),
        )  # fmt: skip
        return found if batched else tuple(s.squeeze(0) for s in found)


class RNNCell(RNNCellBase):
    """h = tanh(W x + b + U h + c), or relu."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(input, None if hx is None else (hx,))[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM: (h, cell)."""

    kind = "LSTM"

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Any = None) -> State:
        return self._step(input, hx)


class GRUCell(RNNCellBase):
    """One step of a GRU: h."""

    kind = "GRU"

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(input, None if hx is None else (hx,))[0]
