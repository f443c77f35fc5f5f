"""Each function of the autograd namespace in use."""

from __future__ import annotations

from torch_cases.support import (
    Out,
    _matmul_function,
    _mlp,
    case,
    catch,
    node,
    rnd,
    v,
    warned,
)


@case("Torch.autograd.backward on x.sum()")
def case_01(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x.sum()
    r = torch.autograd.backward(y)
    p(x.grad)
    return {"grad": v(x.grad), "returns": r, "printed": p}


@case("Torch.autograd.grad returns a tuple, leaves .grad alone")
def case_02(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x**2
    z = y.sum()
    grads = torch.autograd.grad(z, x)
    p(grads[0])
    return {
        "is_tuple": isinstance(grads, tuple),
        "len": len(grads),
        "grad0": v(grads[0]),
        "x.grad": x.grad,
        "printed": p,
    }


@case("No_grad as a block")
def case_03(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with torch.no_grad():
        y = x**2
        p(y.requires_grad)
    return {
        "y": v(y),
        "requires_grad": y.requires_grad,
        "is_leaf": y.is_leaf,
        "grad_fn": node(y),
        "printed": p,
    }


@case("No_grad() as a decorator")
def case_04(torch):
    w = rnd(torch, 3, 2, seed=4, requires_grad=True)

    def model(data):
        return data @ w

    @torch.no_grad()
    def inference(model, data):
        return model(data)

    data = rnd(torch, 4, 3, seed=5)
    out = inference(model, data)
    return {
        "out": v(out),
        "requires_grad": out.requires_grad,
        "outside": model(data).requires_grad,
        "name_kept": inference.__name__,
        "enabled_after": torch.is_grad_enabled(),
    }


@case("Enable_grad inside no_grad")
def case_05(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with torch.no_grad():
        with torch.enable_grad():
            y = x**2
            p(y.requires_grad)
        inner_restored = torch.is_grad_enabled()
    y.sum().backward()
    return {
        "requires_grad": y.requires_grad,
        "inner_restored": inner_restored,
        "grad": v(x.grad),
        "printed": p,
    }


@case("Set_grad_enabled(flag) as a block")
def case_06(torch):
    def forward(x, training=True):
        with torch.set_grad_enabled(training):
            y = x**2
            return y

    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = forward(x, training=False)
    z = forward(x)
    return {
        "off": y.requires_grad,
        "on": z.requires_grad,
        "after": torch.is_grad_enabled(),
        "y": v(y),
    }


@case("Inference_mode block")
def case_07(torch):
    w = rnd(torch, 3, 2, seed=7, requires_grad=True)

    def model(x):
        return torch.tanh(x @ w)

    x = rnd(torch, 4, 3, seed=8)
    with torch.inference_mode():
        y = model(x)
        inside = torch.is_inference_mode_enabled()
    return {
        "y": v(y),
        "requires_grad": y.requires_grad,
        "is_inference": y.is_inference(),
        "inside": inside,
        "after": torch.is_inference_mode_enabled(),
    }


@case("Gradcheck of x**2 in float64")
def case_08(torch):
    p = Out()

    def my_func(x):
        return x**2

    x = rnd(torch, 3, 4, seed=9, dtype=torch.double, requires_grad=True)
    test = torch.autograd.gradcheck(my_func, x, eps=1e-6, atol=1e-4)
    p(f"Gradcheck passed: {test}")
    return {"test": test, "printed": p}


@case("Gradgradcheck of (x**3).sum()")
def case_09(torch):
    p = Out()

    def my_func(x):
        return (x**3).sum()

    x = rnd(torch, 3, 4, seed=10, dtype=torch.double, requires_grad=True)
    test = torch.autograd.gradgradcheck(my_func, x)
    p(f"Gradgradcheck passed: {test}")
    return {"test": test, "printed": p}


@case("Detect_anomaly block on a clean graph")
def case_10(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

    def run():
        with torch.autograd.detect_anomaly():
            y = x**2
            z = y.sum()
            z.backward()

    _, w = warned(run)
    return {"grad": v(x.grad), "warnings": w}


@case("Set_detect_anomaly(True) as a call")
def case_11(torch):
    before = torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(True)
    try:
        on = torch.is_anomaly_enabled()
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        (x**2).sum().backward()
    finally:
        torch.autograd.set_detect_anomaly(False)
    return {"before": before, "on": on, "after": torch.is_anomaly_enabled(), "grad": v(x.grad)}


@case("MySquare custom Function")
def case_12(torch):
    p = Out()

    class MySquare(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input**2

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return 2 * input * grad_output

    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = MySquare.apply(x)
    node_name = node(y)
    y.sum().backward()
    p(x.grad)
    return {"y": v(y), "grad": v(x.grad), "grad_fn": node_name, "printed": p}


@case("Forward fragment: two tensors saved, input @ weight")
def case_13(torch):
    f = _matmul_function(torch)
    a = rnd(torch, 2, 3, seed=11, requires_grad=True)
    w = rnd(torch, 3, 4, seed=12, requires_grad=True)
    y = f.apply(a, w)
    return {"y": v(y), "grad_fn": node(y), "saved": len(y.grad_fn.saved_tensors)}


@case("Backward fragment: one gradient per input, via .t()")
def case_14(torch):
    f = _matmul_function(torch)
    a = rnd(torch, 2, 3, seed=11, dtype=torch.double, requires_grad=True)
    w = rnd(torch, 3, 4, seed=12, dtype=torch.double, requires_grad=True)
    g = rnd(torch, 2, 4, seed=13, dtype=torch.double)
    f.apply(a, w).backward(g)
    return {
        "grad_input": v(a.grad),
        "grad_weight": v(w.grad),
        "gradcheck": torch.autograd.gradcheck(f.apply, (a, w)),
    }


@case("Accumulate, then zero_() and None")
def case_15(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x.sum()
    y.backward()
    p(x.grad)
    y = x.sum()
    y.backward()
    p(x.grad)
    x.grad.zero_()
    zeroed = v(x.grad)
    x.grad = None
    return {"zeroed": zeroed, "none": x.grad is None, "printed": p}


@case("Second derivative by grad(create_graph=True)")
def case_16(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x**3
    grad_x = torch.autograd.grad(
        outputs=y, inputs=x, grad_outputs=torch.ones_like(y), create_graph=True
    )[0]
    grad_grad_x = torch.autograd.grad(
        outputs=grad_x, inputs=x, grad_outputs=torch.ones_like(grad_x)
    )[0]
    p(grad_x)
    p(grad_grad_x)
    return {
        "first": v(grad_x),
        "second": v(grad_grad_x),
        "first_requires_grad": grad_x.requires_grad,
        "second_requires_grad": grad_grad_x.requires_grad,
        "printed": p,
    }


@case("Checkpoint(custom_forward, x, y) against the plain call")
def case_17(torch):
    def custom_forward(x, y):
        z = x * y
        z = z**2
        return z

    x = rnd(torch, 10, 10, seed=14, requires_grad=True)
    y = rnd(torch, 10, 10, seed=15, requires_grad=True)
    z = custom_forward(x, y)
    z.sum().backward()
    gx, gy = x.grad.clone(), y.grad.clone()
    x.grad = y.grad = None
    z2, w = warned(lambda: torch.utils.checkpoint.checkpoint(custom_forward, x, y))
    z2.sum().backward()
    return {
        "same_value": v((z - z2).detach().abs().max()),
        "gx": v(gx[0]),
        "dgx": v((x.grad - gx).abs().max()),
        "dgy": v((y.grad - gy).abs().max()),
        "warnings": w,
    }


@case("Functional.jacobian of an elementwise square")
def case_18(torch):
    p = Out()

    def f(x):
        return x**2

    x = torch.tensor([1.0, 2.0, 3.0])
    jac = torch.autograd.functional.jacobian(f, x)
    p(jac)
    return {"jac": v(jac), "requires_grad": jac.requires_grad, "printed": p}


@case("Functional.hessian of the same (non-scalar) function")
def case_19(torch):
    def f(x):
        return x**2

    x = torch.tensor([1.0, 2.0, 3.0])
    return catch(lambda: torch.autograd.functional.hessian(f, x))


@case("Hessian of the summed square")
def case_20(torch):
    p = Out()

    def f(x):
        return (x**2).sum()

    x = torch.tensor([1.0, 2.0, 3.0])
    hess = torch.autograd.functional.hessian(f, x)
    p(hess)
    return {"hess": v(hess), "requires_grad": hess.requires_grad, "printed": p}


@case("Inference_mode around a model call")
def case_21(torch):
    model = _mlp(torch)
    inputs = rnd(torch, 5, 3, seed=23)
    with torch.inference_mode():
        outputs = model(inputs)
    return {"out": v(outputs), "requires_grad": outputs.requires_grad}


@case("Model.zero_grad(set_to_none=True) and zero_grad()")
def case_22(torch):
    model = _mlp(torch)
    x = rnd(torch, 5, 3, seed=23)

    def state():
        return [None if q.grad is None else float(q.grad.abs().max()) for q in model.parameters()]

    model(x).sum().backward()
    had = [q.grad is not None for q in model.parameters()]
    model.zero_grad(set_to_none=True)
    a = state()
    model(x).sum().backward()
    model.zero_grad()
    b = state()
    model(x).sum().backward()
    model.zero_grad(set_to_none=False)
    return {"had": had, "set_to_none": a, "default": b, "zeros": state()}


@case("Checkpoint(large_module, x)")
def case_23(torch):
    m = _mlp(torch)
    x = rnd(torch, 5, 3, seed=23, requires_grad=True)
    y, w = warned(lambda: torch.utils.checkpoint.checkpoint(m, x))
    y.sum().backward()
    return {"y": v(y), "x.grad": v(x.grad), "w1.grad": v(m.w1.grad), "warnings": w}


@case("Y += 1 after y = x ** 2")
def case_24(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x**2
    y += 1
    y.sum().backward()
    return {"y": v(y), "grad": v(x.grad), "version": y._version}


@case("The same with exp, which saves its result")
def case_25(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x.exp()
    y += 1
    err = catch(lambda: y.sum().backward())
    x2 = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y2 = x2.exp()
    y2 = y2 + 1
    y2.sum().backward()
    return {"error": err, "out_of_place_grad": v(x2.grad)}


@case("X.detach().numpy()")
def case_26(torch):
    x = rnd(torch, 3, seed=26, requires_grad=True)
    y = x.detach().numpy()
    return {
        "type": type(y).__name__,
        "dtype": str(y.dtype),
        "values": y.tolist(),
        "direct": catch(lambda: x.numpy()),
    }


@case("Retain_graph, then zero_grad after the last pass")
def case_27(torch):
    model = _mlp(torch)
    loss = (model(rnd(torch, 5, 3, seed=27)) ** 2).mean()
    loss.backward(retain_graph=True)
    g1 = v(model.w2.grad)
    loss.backward()
    g2 = v(model.w2.grad)
    model.zero_grad(set_to_none=True)
    return {"first": g1, "twice": g2, "cleared": model.w2.grad is None}
