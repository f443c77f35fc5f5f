"""Floor 4: methods of lists and dicts."""

from __future__ import annotations

import ast
import builtins
import operator
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.analysis.infer import element_type
from s2sgrad.analysis.object_arrays import refuse_numbers
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.builtins.drawn import GENERATORS, drawn_by
from s2sgrad.frontend.containers.object_keys import ASKING, value_of_key
from s2sgrad.frontend.models import containers, lists, tables
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Iterator,
    Keys,
    Mapping,
    Sequence,
    Static,
    Value,
    is_array,
    is_numeric,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    BOTTOM,
    INT,
    STR,
    Bottom,
    Dict,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    join,
)  # fmt: skip

_TEXT_RESULTS: dict[str, Type] = {
    **dict.fromkeys(("split", "rsplit", "splitlines", "partition", "rpartition"), List(STR)),
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), INT),
    "encode": Opaque("bytes"),
}


def text_type(name: str) -> Type:
    """What a method of a text gives."""
    asks = name.startswith("is") or name in ("startswith", "endswith")
    return BOOL if asks else _TEXT_RESULTS.get(name, STR)


def is_place(expr: nodes.Expr) -> bool:
    """A variable, or an entry of one that plain names or numbers point at."""
    if isinstance(expr, nodes.Index):
        plain = all(isinstance(p, nodes.Var | nodes.Const) for p in expr.index)
        return plain and not isinstance(expr.base.type, Scalar) and is_place(expr.base)
    return isinstance(expr, nodes.Var)


_OF_TABLES = (
    "items", "values", "get", "setdefault", "update", "clear", "popitem", "move_to_end",
)  # fmt: skip
_OF_TABLES = (
    "items", "values", "get", "setdefault", "update", "clear", "popitem", "move_to_end",
)  # fmt: skip
CHANGING = ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort")
READING = ("getvalue", "read", "readline")  # methods of files
LOGGING = ("debug", "info", "warning", "error", "critical")  # methods of loggers


class ContainerMethods(Base):
    """Lowering of append, items, get and their like."""

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method call of a list, dict, string or unknown object."""
        contents = self.contents(owner)
        if name == "isdisjoint" and self.shows_keys(owner):
            return self.call(
                self.attribute(self.keys_as_set(owner, node), name, node), args, {}, node
            )
        given = isinstance(owner, Dyn) and isinstance(owner.type, Tuple) and owner.type.listed
        if given and name in CHANGING:
            raise self.refuse_given_list(node)
        if isinstance(contents, Mapping):
            return self._dict_method(owner, contents, name, args, kwargs, node)
        if isinstance(owner, Dyn) and isinstance(owner.type, Dict):
            return self._table_method(owner, name, args, kwargs, node)
        if isinstance(contents, Sequence) and contents.made_by is not None:
            found = self.record_method(contents, name, kwargs, node)
            if found is not None:
                return found
        if isinstance(contents, Sequence) and isinstance(owner, Heap):
            return self._static_list_method(owner, contents, name, args, kwargs, node)
        if isinstance(owner, Dyn) and isinstance(owner.type, List):
            return self._list_method(owner, name, args, kwargs, node)
        if name == "indices" and isinstance(owner, Dyn) and isinstance(owner.expr, nodes.Slice):
            bounds = (owner.expr.lower, owner.expr.upper, owner.expr.step)
            known = [Static(None) if b is None else Dyn(b) for b in bounds]
            return self.model(containers.slice_indices, [*known, *args], node)
        if name == "format":
            if (text := self.formatted_text(owner, args, kwargs, node)) is not None:
                return text
            args, kwargs = self.format_arguments(owner, args, kwargs, node)
        if (
            isinstance(owner, Static)
            and isinstance(owner.value, str)
            and all(map(self.known, (*args, *kwargs.values())))
            and (name != "format" or not any(map(self.is_made_again, (*args, *kwargs.values()))))
        ):
            return self.known_text_method(owner.value, name, args, kwargs, node)
        found = self.date_method(owner, name, args, kwargs, node)
        return found or self.opaque_method(owner, name, args, kwargs, node)

    def refuse_given_list(self, node: ast.AST) -> UnsupportedError:
        """The error for changes of a list that NumPy has made."""
        return self.refuse(
            "a change of a list that NumPy has made", node,
            "its length and its entries are taken for those that NumPy gives it",
            "make a list of your own: parts = list(np.array_split(x, 3))",
        )  # fmt: skip

    def special_method(self, owner: Value, name: str, args: list[Value], node: ast.AST) -> Value:
        """`a.__iadd__(b)`, `a.__len__()`: a special method, called by its name."""
        plain = name.strip("_")
        function = getattr(operator, plain, None) or getattr(builtins, plain, None)
        if function is None:
            raise self.refuse(
                f"calling '{name}' by its name",
                node,
                "generated code computes with operators and functions, which this is none of",
                "use the operator",
            )
        return self.call(Static(function), [owner, *args], {}, node)

    def of_texts(self, sign: str, a: Any, b: Any, node: ast.AST) -> Value:
        """An operator of known values, one of them a text."""
        try:
            return Static(eval(f"a {sign} b", {}, {"a": a, "b": b}))
        except TypeError as error:
            raise Fails(str(error), self.span(node)) from None

    def check_text(self, sign: str, left: Value, right: Value, node: ast.AST) -> None:
        """Operators of a text and a number fail in Python too."""
        sides = (left, right)
        if not any(map(self.is_text, sides)) or not any(map(is_numeric, sides)):
            return
        if (sign == "*" and any(map(is_array, sides))) or sign not in ("*", "==", "!="):
            raise Fails(f"a text and a number have no operator '{sign}'", self.span(node))

    def opaque_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method of an object that only matters forward: logger.info, rng.normal."""
        drawn = self.random_method(owner, name, args, kwargs, node)
        if drawn is not None:
            return drawn
        if name == "enter_context" and args and not isinstance(args[0], Dyn):
            raise self.refuse(
                "a context manager with Python source that a stack of contexts enters", node,
                "what it does when the stack is left is not followed",
                "enter it by a with statement of its own",
            )  # fmt: skip
        shown = name == "format" and self.is_text(owner)
        args = [
            self.on_list([a], {}, node) if isinstance(a, Generator | Iterator) and not shown else a
            for a in args
        ]
        if name in LOGGING and not self.is_text(owner):
            args = self.as_logged(args, node)
        exprs = tuple((self.text_part if shown else self.shown)(a, node) for a in (owner, *args))
        refuse_numbers(exprs[0].type, exprs[1:], self.span(node))
        named = tuple((k, self.residual(v, node)) for k, v in kwargs.items())
        text_like = self.is_text(owner)
        kind: Type = text_type(name) if text_like else STR if name in READING else Number()
        if isinstance(exprs[0].type, Bottom):  # of what a list will hold
            kind = BOTTOM
        if exprs[0].type in GENERATORS:
            kind = drawn_by(exprs[0].type, name, exprs[1:], dict(named))
        call = nodes.Call("opaque", name, exprs, named, "method", type=kind, span=self.span(node))
        return Dyn(call if text_like else self.builder.bind(name, call))

    def _table_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method of a dict whose keys are known only at run time."""
        assert isinstance(owner, Dyn)
        if name == "keys":
            return Keys(owner.expr)
        if name in _OF_TABLES or (name == "pop" and len(args) == 2):
            model = getattr(tables, f"dict_{name}")
            return self.model(model, [owner, *args], node, **kwargs)
        if name == "copy":
            call = nodes.Call(dict, "dict", (owner.expr,), type=owner.type)
            return Dyn(self.builder.bind(self.label("copied"), call))
        if name == "pop":
            key = self.named(args[0], "key", node)
            kind = infer_index(owner.type, (key,))
            target = self.builder.fresh("item", kind)
            self.emit_change(
                nodes.Mutate(owner.expr, "pop", (key,), target.name, span=self.span(node))
            )
            return Dyn(target)
        raise self.refuse(
            f"dict.{name} is not supported where the keys are known only at run time",
            node,
            "generated code keeps the dict as it is, and reads and writes its items",
            "write it with reading and writing of items",
        )

    def _dict_method(
        self,
        owner: Value,
        contents: Mapping,
        name: str,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value:
        table = dict(contents.items)
        assert isinstance(owner, Heap)
        if (
            name in ("get", "setdefault", "pop", "move_to_end")
            and args
            and self.key_of(args[0]) is MISSING
        ):
            if name != "get":
                self.refuse_outside(owner, node)
            return self._of_built(owner, name, args, kwargs, node)
        if name in ("items", "keys", "values"):
            return self.view_of(owner, contents, name)
        if name == "copy":
            return self.new(Mapping(contents.items))
        key = self.key_of(args[0]) if args else None
        if name == "get":
            return table.get(key, args[1] if len(args) > 1 else Static(None))
        self.refuse_outside(owner, node)
        args = [self._settled("item", a, node) for a in args]
        if name == "update":
            kwargs = {k: self._settled(k, v, node) for k, v in kwargs.items()}
            other = self.contents(args[0]) if args else None
            if isinstance(other, Mapping) or not args:
                new = {
                    **table,
                    **(dict(other.items) if isinstance(other, Mapping) else {}),
                    **kwargs,
                }
                self.state.heap[owner.id] = replace(contents, items=tuple(new.items()))
                return Static(None)
            return self._of_built(owner, name, args, kwargs, node)
        if name in ("setdefault", "pop") and (key in table or len(args) > 1 or name[0] == "s"):
            value = table.get(key, args[-1] if len(args) > 1 else Static(None))
            rest = (
                {**table, key: value}
                if name == "setdefault"
                else {k: v for k, v in table.items() if k != key}
            )
            self.state.heap[owner.id] = replace(contents, items=tuple(rest.items()))
            return value
        if name == "clear":
            self.state.heap[owner.id] = replace(contents, items=())
            return Static(None)
        if name in ("popitem", "move_to_end") and table:
            return self._by_order(owner, contents, name == "popitem", args, kwargs, node)
        raise self.refuse(
            f"dict.{name} is not supported here",
            node,
            "dicts whose keys are known are taken apart while compiling",
            "read and write the items: d[key], d[key] = value, del d[key]",
        )

    def _of_built(
        self, owner: Heap, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """The same method, of the dict that generated code builds."""
        built, args = self.built_beside(owner.id, args)
        return self._table_method(built, name, args, kwargs, node)

    def _by_order(
        self,
        owner: Heap,
        contents: Mapping,
        taken: bool,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value:
        """`popitem` and `move_to_end` of a dict whose keys are known."""
        ends = [kwargs.get("last", Static(True)), *args[0 if taken else 1 :]]
        keys, last = [k for k, _ in contents.items], self.constant_value(ends[-1])
        key = keys[-1 if last else 0] if taken else self.key_of(args[0])
        if type(last) is not bool or key not in keys:
            table, name = Dyn(self.materialize(owner.id)), "popitem" if taken else "move_to_end"
            return self._table_method(table, name, args, kwargs, node)
        item = contents.items[keys.index(key)]
        rest = tuple(i for i in contents.items if i is not item)
        moved = rest if taken else (*rest, item) if last else (item, *rest)
        self.state.heap[owner.id] = replace(contents, items=moved)
        return self.sequence([value_of_key(key), item[1]]) if taken else Static(None)

    def _static_list_method(
        self,
        owner: Heap,
        contents: Sequence,
        name: str,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value:
        if name not in ("copy", "index", "count"):
            self.refuse_outside(owner, node)
        items = list(contents.items)
        result: Value = Static(None)
        label = getattr(self, "target_hint", "item")
        args = [self._settled(label, a, node) for a in args]
        position = self.constant_value(args[0]) if args else -1
        if name == "append":
            items.append(args[0])
        elif name == "extend" and (more := self.iterate(args[0], node)) is not None:
            items += more
        elif name == "insert" and type(position) is int:
            items.insert(position, args[1])
        elif name == "pop" and type(position) is int and items:
            result = items.pop(position)
        elif name == "reverse":
            items.reverse()
        elif name == "clear":
            items.clear()
        elif name == "copy":
            return self.sequence(items, "list")
        elif name in ASKING and (found := self.asked_in_turn(items, name, args, node)) is not None:
            if name != "remove":
                return found
            items.pop(self.constant_value(found))
        else:
            built, args = self.built_beside(owner.id, args)
            return self._list_method(built, name, args, kwargs, node)
        self.state.heap[owner.id] = Sequence(contents.kind, tuple(items))
        return result

    def _list_method(
        self, owner: Dyn, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        kind = owner.type
        if not isinstance(kind, List):
            raise self.refuse(
                f"'{name}' of this can't be followed", node,
                "it is not known to be a list", "call it on a list that is made in the function",
            )  # fmt: skip
        own = name in ("index", "count") and self.are_themselves(owner)
        ours = own or name in ("sort", "remove")
        if ours or (name in ASKING and self.asks_items(name, owner, node)):
            made = getattr(lists, f"{'own' if own else 'list'}_{name}")
            return self.model(made, [owner, *args], node, **kwargs)
        if name == "extend":
            more = self.items_of(self.all_left(args[0], node), node)
            given = isinstance(more, Iterator | Generator)
            args = [self.comprehend_value(more, node) if given else more]
        if not is_place(owner.expr):
            owner = Dyn(self.builder.bind("items", owner.expr))
        var = owner.expr
        taken = self.operand if name == "extend" else self.held
        exprs = tuple(taken(a, node) for a in args)
        if name in ("append", "insert"):
            kind = List(join(kind.item, exprs[-1].type))
        elif name == "extend":
            kind = List(join(kind.item, element_type(exprs[0].type)))
        elif name == "copy":
            return Dyn(self.builder.bind("copied", nodes.Call(list, "list", (var,), type=kind)))
        elif name not in ("pop", "reverse", "clear"):
            if name in ("index", "count"):
                return Dyn(nodes.Call(name, name, (var, *exprs), form="method", type=INT))
            raise self.refuse(
                f"list.{name} is not supported",
                node,
                "it is no method of lists that generated code knows",
                "use append, pop, insert or an array",
            )
        self.grow(var, kind)
        target = self.builder.fresh("item", kind.item) if name == "pop" else None
        self.emit_change(
            nodes.Mutate(var, name, exprs, target.name if target else None, span=self.span(node))
        )
        return Dyn(target) if target else Static(None)
