"""Tables whose rows are tuples of several makes: instructions that a loop goes through."""

import numpy as np

from programs.registry import normal, program

CODE = [
    ("push", 0), ("push", 1), ("mul",), ("push", 2), ("add",), ("scale", 2.0, 1), ("sin",)
]  # fmt: skip


@program(normal(3), second=True, jit=True)
def instructions_of_a_module(x):
    stack, pc = [], 0
    while pc < len(CODE):
        op, *args = CODE[pc]
        if op == "push":
            stack.append(x[args[0]])
        elif op == "mul":
            b = stack.pop()
            stack.append(stack.pop() * b)
        elif op == "add":
            b = stack.pop()
            stack.append(stack.pop() + b)
        elif op == "scale":
            factor, shift = args
            stack.append(stack.pop() * factor + shift)
        else:
            stack.append(np.sin(stack.pop()))
        pc += 1
    return stack[-1]


@program(normal(3), CODE, second=True, jit=True)
def instructions_of_the_caller(x, code):
    stack, pc = [], 0
    while pc < len(code):
        op, *args = code[pc]
        pc += 1
        if op == "push":
            stack.append(x[args[0]])
        elif op in ("mul", "add"):
            b, a = stack.pop(), stack.pop()
            stack.append(a * b if op == "mul" else a + b)
        elif op == "scale":
            stack.append(stack.pop() * args[0] + args[-1])
        elif not args:
            stack.append(np.sin(stack.pop()))
    return stack[-1]


@program(normal(3), tuple(CODE), second=True, jit=True)
def instructions_by_subscript(x, code):
    stack, pc = [], 0
    while pc < len(code):
        row = code[pc]
        if row[0] == "push":
            stack.append(x[row[1]])
        elif row[0] == "mul":
            stack.append(stack.pop() * stack.pop())
        elif row[0] == "add":
            stack.append(stack.pop() + stack.pop())
        elif row[0] == "scale":
            stack.append(stack.pop() * row[1] + row[2])
        else:
            stack.append(np.sin(stack.pop()))
        pc += 1
    return stack[-1]


@program(normal(3), CODE, second=True, jit=True)
def instructions_matched(x, code):
    stack, pc = [], 0
    while pc < len(code):
        match code[pc]:
            case ("push", place):
                stack.append(x[place])
            case ("mul",):
                stack.append(stack.pop() * stack.pop())
            case ("add",):
                stack.append(stack.pop() + stack.pop())
            case (_, factor, shift):
                stack.append(stack.pop() * factor + shift)
            case _:
                stack.append(np.sin(stack.pop()))
        pc += 1
    return stack[-1]


@program(normal(3), second=True, jit=True)
def jumps(x):
    code = [("push", 0), ("dup",), ("mul",), ("if>", 1.0, 6), ("push", 1), ("add",), ("sin",)]
    stack, pc = [], 0
    while pc < len(code):
        op, *args = code[pc]
        pc += 1
        if op == "push":
            stack.append(x[args[0]])
        elif op == "dup":
            stack.append(stack[-1])
        elif op == "mul":
            stack.append(stack.pop() * stack.pop())
        elif op == "add":
            stack.append(stack.pop() + stack.pop())
        elif op == "if>":
            if stack[-1] > args[0]:
                pc = args[1]
        else:
            stack.append(np.sin(stack.pop()) * x[2])
    return stack.pop()


@program(normal(3), CODE, second=True)
def handed_on_to_functions(x, code):
    does = {
        "push": lambda s, k: s + x[k],
        "mul": lambda s: s * s,
        "add": lambda s: s + 1.0,
        "scale": lambda s, factor, shift: s * factor + shift,
        "sin": np.sin,
    }
    s, pc = x[0], 0
    while pc < len(code):
        op, *args = code[pc]
        s = does[op](s, *args)
        pc += 1
    return s


@program(normal(3), second=True)
def numbers_that_vary(x):
    code = [("line", x[0], x[1]), ("times", 2.0), ("line", x[2], x[0] * x[1]), ("end",)]
    s, pc = 1.0, 0
    while pc < len(code):
        op, *args = code[pc]
        if op == "line":
            s = s * args[0] + args[1]
        elif op == "times":
            s *= args[0]
        else:
            break
        pc += 1
    return s


@program(normal(3), second=True)
def layers_of_arrays(x):
    first, second = np.arange(6.0).reshape(2, 3) / 5, np.arange(4.0).reshape(2, 2) / 3
    net = [("dense", first, 0.1), ("act", "tanh"), ("dense", second, 0.2), ("act", "sin"), ("sum",)]
    h, i = x, 0
    while i < len(net):
        kind, *given = net[i]
        if kind == "dense":
            h = given[0] @ h + given[1]
        elif kind == "act":
            h = np.tanh(h) if given[0] == "tanh" else np.sin(h)
        else:
            h = np.sum(h)
        i += 1
    return h


@program(normal(3), second=True, jit=True)
def places_from_the_end(x):
    rows = [("a", 0), ("b", 1, 2), ("a", 2)]
    s, k = 0.5, x.size
    while k > -3:
        k -= 1
        if k > 0:
            continue
        op, *places = rows[k]
        s = s * x[places[0]] + places[-1] * x[1]
        k = k * 1
    return s
