"""The profiler lists forward and backward operations and leaves the modes as they were."""

from __future__ import annotations

import pytest

from s2sgrad import eager as torch
from s2sgrad.eager.settings.state import STATE

profiler = torch.autograd.profiler


def test_forward_and_backward_are_listed() -> None:
    x = torch.ones(3, requires_grad=True)
    with profiler.profile() as prof:
        (x * 2).exp().sum().backward()
        with profiler.record_function("mine"):
            x @ x
    counts = {e.key: e.count for e in prof.key_averages()}
    for name in ("aten::mul", "aten::exp", "aten::sum", "SumBackward0", "ExpBackward0", "mine"):
        assert counts[name] == 1
    mine = next(e for e in prof.function_events if e.name == "mine")
    assert 0 < mine.children < mine.cpu_time_total
    assert prof.self_cpu_time_total == pytest.approx(
        sum(e.self_cpu_time_total for e in prof.key_averages())
    )
    assert torch.allclose(x.grad, 2 * (2 * torch.ones(3)).exp())


def test_table() -> None:
    with profiler.profile() as prof:
        for _ in range(3):
            torch.ones(2) + 1
    lines = prof.key_averages().table(sort_by="self_cpu_time_total").splitlines()
    assert lines[1].split()[0] == "Name"
    row = next(line for line in lines if "aten::add" in line)
    assert row.split()[-1] == "3"
    assert lines[-1].startswith("Self CPU time total:")


def test_modes_afterwards() -> None:
    with pytest.raises(ZeroDivisionError), profiler.profile():
        raise ZeroDivisionError
    assert STATE.fast and STATE.profiler is None and STATE.interceptors == ()
    with profiler.profile(enabled=False) as prof:
        torch.ones(2) + 1
    assert prof.function_events == []
