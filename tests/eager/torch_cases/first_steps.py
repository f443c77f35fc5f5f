# ruff: noqa: RUF059
"""A one-layer network, its graph and its gradients."""

from __future__ import annotations

from torch_cases.support import Out, _one_layer, case, shape, v


@case("One-layer network with BCE-with-logits")
def case_28(torch):
    x, y, w, b, z, loss = _one_layer(torch)
    return {
        "z": v(z),
        "loss": v(loss),
        "loss_shape": shape(loss),
        "z_req": z.requires_grad,
        "x_req": x.requires_grad,
    }


@case("Print the two grad_fn objects")
def case_29(torch):
    p = Out()
    *_, z, loss = _one_layer(torch)
    p("Gradient function for z =", z.grad_fn)
    p("Gradient function for loss =", loss.grad_fn)
    return {"printed": p}


@case("Loss.backward(); print w.grad and b.grad")
def case_30(torch):
    p = Out()
    x, y, w, b, z, loss = _one_layer(torch)
    loss.backward()
    p(w.grad)
    p(b.grad)
    return {"w": v(w.grad), "b": v(b.grad), "printed": p}


@case("Requires_grad before and inside no_grad")
def case_31(torch):
    p = Out()
    x, y, w, b, *_ = _one_layer(torch)
    z = torch.matmul(x, w) + b
    p(z.requires_grad)
    with torch.no_grad():
        z = torch.matmul(x, w) + b
    p(z.requires_grad)
    return {"z": v(z), "printed": p}


@case("Z.detach()")
def case_32(torch):
    p = Out()
    x, y, w, b, *_ = _one_layer(torch)
    z = torch.matmul(x, w) + b
    z_det = z.detach()
    p(z_det.requires_grad)
    return {"equal": v(z) == v(z_det), "printed": p}


@case("Eye(5): three backward calls")
def case_33(torch):
    p = Out()
    inp = torch.eye(5, requires_grad=True)
    out = (inp + 1).pow(2)
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("First call\n", inp.grad)
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("\nSecond call\n", inp.grad)
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("\nCall after zeroing gradients\n", inp.grad)
    return {"grad": v(inp.grad), "printed": p}


@case("The same with inp.grad.zero_() restored")
def case_34(torch):
    p = Out()
    inp = torch.eye(5, requires_grad=True)
    out = (inp + 1).pow(2)
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("First call\n", inp.grad)
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("\nSecond call\n", inp.grad)
    inp.grad.zero_()
    out.backward(torch.ones_like(inp), retain_graph=True)
    p("\nCall after zeroing gradients\n", inp.grad)
    return {"grad": v(inp.grad), "printed": p}


@case("X.requires_grad_(True) after creation")
def case_35(torch):
    x = torch.ones(3)
    before = x.requires_grad
    same = x.requires_grad_(True) is x
    (x * 2).sum().backward()
    return {"before": before, "after": x.requires_grad, "returns_self": same, "grad": v(x.grad)}


@case("Backward() equals backward(torch.tensor(1.0)) on a scalar")
def case_36(torch):
    res = []
    for g in ((), (torch.tensor(1.0),)):
        x, y, w, b, z, loss = _one_layer(torch)
        loss.backward(*g)
        res.append([v(w.grad), v(b.grad)])
    return {"grads": res, "equal": res[0] == res[1]}
