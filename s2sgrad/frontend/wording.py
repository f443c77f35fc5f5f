"""Floor 4: why things are refused, and what to write instead: (why, fix)."""

from __future__ import annotations

ALSO = "Python raises an error here as well"

ABOUT_ARRAYS = (
    "it tells of an array, and does not hold its numbers",
    "compute the value from the entries of the array",
)
CHOSEN_LATE = (
    "it is chosen while the code runs",
    "call one function by name in each branch: if ...: y = g(x) / else: y = h(x)",
)
DEPTH = ("how deep the list is depends on it", "give the array its axes: x.reshape(-1).tolist()")
FILLING = (
    "generated code has the keys it came with, and does not make the entries that it lacks",
    "make the defaultdict inside the function, or use d.get(key, 0.0)",
)
MADE_HERE = (
    "functions on tensors take numbers, arrays, and containers of them",
    "define the function at the top of the module",
)
NOT_CALLED_SO = (ALSO, "call it with the arguments that it takes")
NOT_SET = ("the function on tensors is given what it changes", "set the name before, on every path")
NO_ATTRIBUTE = (ALSO, "use one of the attributes that it has, as dir() lists them")
NO_EXTREME = (ALSO, "say what is the answer then: max(items, default=0.0)")
NO_IN_PLACE = ("it has no derivative", "use slices")
NO_ITEMS = (
    "it is no array, list or dict that generated code knows",
    "keep the items in a list, a dict or an array",
)
NO_MODULE = (ALSO, "install the package, or leave the import out")
NO_METHOD = (ALSO, "use a method or function that NumPy has")
NO_NUMBERS = ("it is nothing that numbers come out of", "compute the value from numbers and arrays")
NO_PARTS = (
    "Python raises an error here as well, or it is nothing that generated code can take parts of",
    "make a list, tuple, dict or array of it first",
)
NO_SEQUENCE = (
    "it is no list, tuple or array of which the parts are known",
    "make a list of it first: a, b = list(...)",
)
NO_TARGET = ("it is no name, subscript or attribute", "assign to a name, an item or an attribute")
ON_TENSORS = (
    "functions on tensors take numbers, arrays, and containers of them",
    "pass it by position, or bind it: functools.partial",
)
OTHER_COUNT = (ALSO, "write as many names as there are values, or star one of them: a, *rest = ...")
OUT_OF_RANGE = (ALSO, "ask for len(...) first")
PARTS_ALONE = (
    "derivatives of functions on tensors are arrays",
    "pass the arrays of the containers as arguments of their own",
)
REPEATED = ("how many items a tuple has is known while compiling", "repeat a list: [x] * n")
STEP = (
    "how many items are replaced depends on it",
    "write the step as a constant, or assign the items in a loop",
)
TOO_DEEP = (
    "each call is written out in the place where it stands",
    "write the recursion as a loop, or change nothing outside in the function, so that it "
    "stays one of its own",
)
TUPLE_ITEM = (ALSO, "make a list of it first: items = list(items)")
UNKNOWN_KEYS = (
    "which keys it has is not known while compiling",
    "name the arguments, or pass a dict whose keys are written in the code",
)
ONE_OF_TWO = ("which value it gives is not known in the reverse sweep", "use if / else")
CALLED = (
    "a run chooses it, in a way that is not followed",
    "call it by name in each branch: y = g(x) if ... else h(x)",
)
