# ruff: noqa: RUF059
"""The shortest programs: a graph, a backward pass, a printed gradient."""

from __future__ import annotations

from torch_cases.support import Out, case, shape, v


@case("Create, multiply, sum, print")
def case_70(torch):
    p = Out()
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y.sum()
    p("z:", z)
    return {"z": v(z), "printed": p}


@case("Backward and print the gradient")
def case_71(torch):
    p = Out()
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    z = (x * 2).sum()
    z.backward()
    p("Gradient of x:", x.grad)
    return {"grad": v(x.grad), "printed": p}


@case("No_grad block or detach")
def case_72(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    with torch.no_grad():
        y = x * 3
    y2 = x.detach()
    return {"no_grad": [v(y), y.requires_grad], "detach": [v(y2), y2.requires_grad, y2.is_leaf]}


@case("Zero_ between two passes")
def case_73(torch):
    p = Out()
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y.sum()
    z.backward()
    p(x.grad)
    x.grad.zero_()
    z = (x * 3).sum()
    z.backward()
    p(x.grad)
    return {"grad": v(x.grad), "printed": p}


@case("Print(z.grad_fn)")
def case_74(torch):
    p = Out()
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    z = (x * 3).sum()
    p(z.grad_fn)
    return {"printed": p}


@case("Mean of x*x")
def case_75(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * x
    z = y.mean()
    z.backward()
    p(x.grad)
    return {"grad": v(x.grad), "printed": p}


@case("Grad_fn of an add and of a mul")
def case_76(torch):
    p = Out()
    x = torch.tensor([5.0], requires_grad=True)
    y = x * 3
    z = y + 4
    p(z.grad_fn)
    p(y.grad_fn)
    return {"printed": p}


@case("Zero-dimensional leaf")
def case_77(torch):
    p = Out()
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    z = y * y
    z.backward()
    p(x.grad)
    return {"grad": v(x.grad), "shape": shape(x.grad), "printed": p}


@case("Nn.MSELoss")
def case_78(torch):
    p = Out()
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    target = torch.tensor([1.0, 2.0])
    loss_fn = torch.nn.MSELoss()
    loss = loss_fn(x, target)
    loss.backward()
    p(x.grad)
    return {"loss": v(loss), "grad": v(x.grad), "printed": p}


@case("Requires_grad after no_grad and after detach")
def case_79(torch):
    p = Out()
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 5
    with torch.no_grad():
        z = y * 3
    p(z.requires_grad)
    z = (y * 3).detach()
    p(z.requires_grad)
    return {"z": v(z), "printed": p}


@case("Two graphs with a zero_ between")
def case_80(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y1 = x * 2
    z1 = y1.sum()
    z1.backward()
    p("Grad after first backward:", x.grad)
    x.grad.zero_()
    y2 = x * 3
    z2 = y2.sum()
    z2.backward()
    p("Grad after second backward:", x.grad)
    return {"grad": v(x.grad), "printed": p}


@case("MultiplyByTwo on a zero-dimensional leaf")
def case_81(torch):
    p = Out()

    class MultiplyByTwo(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input * 2

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 2

    x = torch.tensor(3.0, requires_grad=True)
    y = MultiplyByTwo.apply(x)
    y.backward()
    p(x.grad)
    return {"grad": v(x.grad), "printed": p}
