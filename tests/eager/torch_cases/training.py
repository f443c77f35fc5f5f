"""Training loops, graphs, detaching, custom functions, checkpointing, common mistakes."""

from __future__ import annotations

import math

import numpy as np

from torch_cases.support import (
    Out,
    _mlp,
    _my_silu,
    case,
    catch,
    node,
    rnd,
    v,
    warned,
    without_address,
)


@case("Graph nodes, next_functions, is_leaf")
def case_37(torch):
    p = Out()
    x = rnd(torch, 3, seed=40, requires_grad=True)
    w = rnd(torch, 3, seed=41, requires_grad=True)
    y = x * w
    z = y.sum()
    p(z.grad_fn)
    p(z.grad_fn.next_functions)
    p(z.grad_fn.next_functions[0][0].next_functions)
    p(x.grad_fn)
    p(x.is_leaf)
    p(y.is_leaf)
    acc = z.grad_fn.next_functions[0][0].next_functions
    return {
        "names": [z.grad_fn.name(), y.grad_fn.name()],
        "y_node_is_shared": z.grad_fn.next_functions[0][0] is y.grad_fn,
        "accumulators_hold_leaves": [acc[0][0].variable is x, acc[1][0].variable is w],
        "printed": p,
    }


@case("Backward on a sum of squares")
def case_38(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = (x**2).sum()
    y.backward()
    p(x.grad)
    return {"grad": v(x.grad), "printed": p}


@case("Non-scalar backward: the error, then ones_like")
def case_39(torch):
    p = Out()
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x**2
    err = catch(lambda: y.backward())
    y.backward(torch.ones_like(y))
    p(x.grad)
    x2 = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y2 = x2**2
    (y2 * torch.ones_like(y2)).sum().backward()
    return {"error": err, "grad": v(x.grad), "equivalent": v(x2.grad), "printed": p}


@case("Chain rule by hand: y = x*w, z = y.sum()")
def case_40(torch):
    x = rnd(torch, 3, seed=40, requires_grad=True)
    w = rnd(torch, 3, seed=41, requires_grad=True)
    (x * w).sum().backward()
    return {"dz/dx is w": v(x.grad) == v(w), "dz/dw is x": v(w.grad) == v(x)}


@case("Accumulation on a one-element leaf")
def case_41(torch):
    p = Out()
    x = torch.tensor([1.0], requires_grad=True)
    y = (x**2).sum()
    y.backward()
    p(x.grad)
    y = (x**2).sum()
    y.backward()
    p(x.grad)
    return {"grad": v(x.grad), "printed": p}


def _data(torch, n=4, batch=6, din=3, dout=2):
    return [
        (rnd(torch, batch, din, seed=100 + i), rnd(torch, batch, dout, seed=200 + i))
        for i in range(n)
    ]


def _train(torch, step):
    model = _mlp(torch)
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = step(model, criterion, optimizer, _data(torch))
    return {"losses": losses, "w2": v(model.w2), "b1": v(model.b1)}


@case("Training loop that forgets zero_grad")
def case_42(torch):
    def loop(model, criterion, optimizer, loader):
        out = []
        for data, target in loader:
            loss = criterion(model(data), target)
            loss.backward()
            optimizer.step()
            out.append(loss.item())
        return out

    return _train(torch, loop)


@case("Training loop with optimizer.zero_grad()")
def case_43(torch):
    def loop(model, criterion, optimizer, loader):
        out = []
        for data, target in loader:
            optimizer.zero_grad()
            loss = criterion(model(data), target)
            loss.backward()
            optimizer.step()
            out.append(loss.item())
        return out

    return _train(torch, loop)


@case("Optimizer.zero_grad(set_to_none=True)")
def case_44(torch):
    w = rnd(torch, 3, seed=44, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1)
    (w**2).sum().backward()
    opt.zero_grad(set_to_none=True)
    a = w.grad
    (w**2).sum().backward()
    opt.zero_grad()
    b = w.grad
    (w**2).sum().backward()
    opt.zero_grad(set_to_none=False)
    return {"true": a, "default": b, "false": v(w.grad)}


@case("Gradient accumulation with autocast('cuda', bfloat16) and clip_grad_norm_")
def case_45(torch):
    def loop(model, criterion, optimizer, loader):
        accumulation_steps = 4
        norms = []
        out = []
        for i, (data, target) in enumerate(loader):
            with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
                output = model(data)
                loss = criterion(output, target)
                loss = loss / accumulation_steps
            loss.backward()
            out.append(loss.item())
            if (i + 1) % accumulation_steps == 0:
                norms.append(
                    float(torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0))
                )
                clipped = math.sqrt(sum(float((q.grad**2).sum()) for q in model.parameters()))
                optimizer.step()
                optimizer.zero_grad()
        return {
            "losses": out,
            "norm_before": norms,
            "norm_after": clipped,
            "grads_cleared": all(q.grad is None for q in model.parameters()),
        }

    r, w = warned(lambda: _train(torch, loop))
    r["warning_categories"] = sorted({x["category"] for x in w})
    return r


@case("No_grad block around a model")
def case_46(torch):
    model = _mlp(torch)
    input = rnd(torch, 2, 3, seed=46)
    with torch.no_grad():
        output = model(input)
    return {"out": v(output), "requires_grad": output.requires_grad, "grad_fn": node(output)}


@case("Inference_mode block: a view of the result cannot be made to track")
def case_47(torch):
    model = _mlp(torch)
    input = rnd(torch, 2, 3, seed=46)
    with torch.inference_mode():
        output = model(input)
        view = output.view(-1)
    return {
        "out": v(output),
        "requires_grad": output.requires_grad,
        "view_error": catch(lambda: view.requires_grad_()),
    }


@case("Inference_mode() as a decorator")
def case_48(torch):
    @torch.inference_mode()
    def predict(model, input):
        return model(input)

    out = predict(_mlp(torch), rnd(torch, 2, 3, seed=46))
    return {
        "out": v(out),
        "is_inference": out.is_inference(),
        "mode_after": torch.is_inference_mode_enabled(),
    }


@case("Detach(): values shared, no history")
def case_49(torch):
    x = rnd(torch, 3, seed=49, requires_grad=True)
    y = x * 2
    z = y.detach()
    r = {
        "z.requires_grad": z.requires_grad,
        "same_values": v(z) == v(y),
        "shares": z.data_ptr() == y.data_ptr(),
    }
    z.add_(1)
    y.sum().backward()
    r.update({"y_changed_with_z": v(y) == v(z), "grad": v(x.grad)})
    return r


@case("Writing to a detached alias of a saved result")
def case_50(torch):
    x = rnd(torch, 3, seed=49, requires_grad=True)
    y = x.exp()
    z = y.detach()
    z.add_(1)
    return catch(lambda: y.sum().backward())


@case("Target network: model(x).detach()")
def case_51(torch):
    model, target_model = _mlp(torch), _mlp(torch, seed=60)
    x = rnd(torch, 4, 3, seed=51)
    target = target_model(x).detach()
    loss = torch.nn.MSELoss()(model(x), target)
    loss.backward()
    return {
        "loss": v(loss),
        "w2": v(model.w2.grad),
        "target_model_grads": [q.grad for q in target_model.parameters()],
    }


@case("Backward(retain_graph=True), then backward()")
def case_52(torch):
    p = Out()
    x = rnd(torch, 3, seed=52, requires_grad=True)
    y = (x**2).sum()
    y.backward(retain_graph=True)
    g1 = v(x.grad)
    p(x.grad)
    y.backward()
    p(x.grad)
    return {"first": g1, "second": v(x.grad), "third": catch(lambda: y.backward()), "printed": p}


@case("Two losses over a shared encoder")
def case_53(torch):
    we, w1, w2 = (rnd(torch, 3, 3, seed=s, requires_grad=True) for s in (53, 54, 55))
    input = rnd(torch, 4, 3, seed=56)
    shared = torch.tanh(input @ we)
    loss_1 = ((shared @ w1) ** 2).mean()
    loss_2 = (shared @ w2).abs().mean()
    loss_1.backward(retain_graph=True)
    loss_2.backward()
    a = [v(t.grad) for t in (we, w1, w2)]
    for t in (we, w1, w2):
        t.grad = None
    shared = torch.tanh(input @ we)
    l1 = ((shared @ w1) ** 2).mean()
    l2 = (shared @ w2).abs().mean()
    l1.backward()
    err = catch(lambda: l2.backward())
    return {"grads": a, "without_retain": err}


@case("Losses.append(loss.detach().item())")
def case_54(torch):
    w = rnd(torch, 3, seed=57, requires_grad=True)
    losses = []
    for _ in range(3):
        loss = (w**2).sum()
        losses.append(loss.detach().item())
    return {"losses": losses, "types": [type(x).__name__ for x in losses]}


@case("Straight-through estimator")
def case_55(torch):
    x = torch.tensor([0.2, 1.7, -0.6], requires_grad=True)
    y_soft = torch.sigmoid(x)
    quantize = torch.round
    y_hard = y_soft.detach() + (quantize(y_soft) - y_soft).detach()
    return {
        "y_hard": v(y_hard),
        "requires_grad": y_hard.requires_grad,
        "backward": catch(lambda: y_hard.sum().backward()),
    }


@case("Straight-through estimator that does pass gradient")
def case_56(torch):
    x = torch.tensor([0.2, 1.7, -0.6], requires_grad=True)
    y_soft = torch.sigmoid(x)
    y_hard = y_soft + (torch.round(y_soft) - y_soft).detach()
    y_hard.sum().backward()
    return {"y_hard": v(y_hard), "grad": v(x.grad)}


@case("Gradient penalty on an interpolated input")
def case_57(torch):
    critic = _mlp(torch, dout=1)
    real, fake = rnd(torch, 5, 3, seed=58), rnd(torch, 5, 3, seed=59, requires_grad=True)
    a = torch.tensor(np.random.default_rng(60).uniform(size=(5, 1)), dtype=torch.float32)
    x_interp = (a * real + (1 - a) * fake).detach().requires_grad_(True)
    score = critic(x_interp)
    (g,) = torch.autograd.grad(
        score, x_interp, grad_outputs=torch.ones_like(score), create_graph=True
    )
    penalty = ((g.norm(2, dim=1) - 1) ** 2).mean()
    penalty.backward()
    return {
        "is_leaf": x_interp.is_leaf,
        "penalty": v(penalty),
        "w1": v(critic.w1.grad),
        "w2": v(critic.w2.grad),
        "fake": fake.grad,
    }


@case("MySiLU custom Function")
def case_58(torch):
    p = Out()
    f = _my_silu(torch)
    x = rnd(torch, 5, seed=61, requires_grad=True)
    y = f.apply(x)
    y.sum().backward()
    p(x.grad)
    return {"y": v(y), "grad": v(x.grad), "printed": p}


@case("Gradcheck(MySiLU.apply, (x,), eps=1e-6)")
def case_59(torch):
    x = rnd(torch, 5, seed=62, dtype=torch.float64, requires_grad=True)
    return {"ok": torch.autograd.gradcheck(_my_silu(torch).apply, (x,), eps=1e-6)}


@case("Gradcheck(MyFunction.apply, (x,), eps=1e-6, atol=1e-4)")
def case_60(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output * 3 * x**2

    x = rnd(torch, 5, seed=62, dtype=torch.float64, requires_grad=True)
    return {"ok": torch.autograd.gradcheck(Cube.apply, (x,), eps=1e-6, atol=1e-4)}


@case("Recompute the intermediate inside backward")
def case_61(torch):
    class Recompute(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.exp(torch.sin(x))

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            intermediate = torch.exp(torch.sin(x))
            return grad_output * intermediate * torch.cos(x)

    x = rnd(torch, 5, seed=63, dtype=torch.float64, requires_grad=True)
    Recompute.apply(x).sum().backward()
    return {"grad": v(x.grad), "ok": torch.autograd.gradcheck(Recompute.apply, (x,))}


@case("DeepModel: checkpoint(layer, x, use_reentrant=False) over a ModuleList")
def case_62(torch):
    nn = torch.nn
    count = {"forward": 0}

    class TransformerBlock(nn.Module):
        def __init__(self, d_model, seed):
            super().__init__()
            self.w = nn.Parameter(rnd(torch, d_model, d_model, seed=seed))

        def forward(self, x):
            count["forward"] += 1
            return x + torch.tanh(x @ self.w)

    class DeepModel(nn.Module):
        def __init__(self, num_layers, use):
            super().__init__()
            self.use = use
            self.layers = nn.ModuleList(
                [TransformerBlock(d_model=4, seed=70 + i) for i in range(num_layers)]
            )

        def forward(self, x):
            for layer in self.layers:
                x = (
                    torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
                    if self.use
                    else layer(x)
                )
            return x

    res = {}
    for use in (False, True):
        count["forward"] = 0
        m = DeepModel(3, use)
        x = rnd(torch, 2, 4, seed=73)
        y = m(x)
        n_forward = count["forward"]
        (y**2).mean().backward()
        res[str(use)] = {
            "y": v(y),
            "grads": [v(q.grad) for q in m.parameters()],
            "calls": [n_forward, count["forward"]],
            "names": [n for n, _ in m.named_parameters()],
            "len": len(m.layers),
        }
    return res


@case("Backward on a non-scalar")
def case_63(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    err = catch(lambda: y.backward())
    y.backward(gradient=torch.tensor([1.0, 1.0]))
    return {"error": err, "fixed": v(x.grad)}


@case("Backward twice")
def case_64(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x**2).sum()
    y.backward()
    err = catch(lambda: y.backward())
    return {"error": err, "grad_unchanged": v(x.grad)}


@case("A saved tensor changed in place")
def case_65(torch):
    def run(inplace):
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        x = w * 1
        y = x * x
        if inplace:
            x.add_(1)
        else:
            x = x + 1
        (y.sum() + x.sum()).backward()
        return v(w.grad)

    return {"error": catch(lambda: run(True)), "fixed": run(False)}


@case("No path to a tensor that requires grad")
def case_66(torch):
    x = torch.tensor([1.0, 2.0])
    return {
        "backward": catch(lambda: x.sum().backward()),
        "grad": catch(lambda: torch.autograd.grad(x.sum(), x)),
    }


@case("Detach or .data cuts the path")
def case_67(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    (x.detach() * w + x.data * w).sum().backward()
    return {"x.grad": x.grad, "w.grad": v(w.grad), "data_requires_grad": x.data.requires_grad}


@case("Gradients grow when never zeroed")
def case_68(torch):
    def run(zero):
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        opt = torch.optim.SGD([w], lr=0.0)
        for _ in range(3):
            if zero:
                opt.zero_grad()
            (w**2).sum().backward()
            opt.step()
        return v(w.grad)

    return {"never_zeroed": run(False), "zeroed": run(True)}


@case("Node names on y and z")
def case_69(torch):
    x = rnd(torch, 3, seed=40, requires_grad=True)
    w = rnd(torch, 3, seed=41, requires_grad=True)
    y = x * w
    z = y.sum()
    return {
        "y": node(y),
        "z": node(z),
        "y_text": without_address(str(y.grad_fn)),
        "in_repr": str(z).split("grad_fn=")[1],
    }
