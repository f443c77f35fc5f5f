"""A floor imports only lower floors; the eager wing and the runtime stand apart; no circles.

Read from the syntax trees, so imports inside functions count too. What it cannot see: modules
loaded by name (`importlib.import_module`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"s2sgrad": ROOT / "s2sgrad", "s2sgrad_runtime": ROOT / "runtime" / "s2sgrad_runtime"}

FLOORS = (
    "errors",
    "ir",
    "rules",
    "analysis",
    "frontend",
    "transform",
    "backend",
    "pipeline",
    "face",
)
# The top floor is a few folders, the public `api`, and nothing else.
FACE = frozenset({"api", "bridge", "calls", "derivatives", "showing", "standins"})
EAGER_MAY_SEE = frozenset({"eager", "errors", "rules"})
# These stand on the top floor: they may see everything, and no floor may see them.
ROOF = frozenset({"__init__", "__main__"})
HEAVY = frozenset({"numba", "scipy", "llvmlite"})


def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of both packages (`s2sgrad.ir` for its __init__)."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            if parts[-1] == "__init__":
                parts.pop()
            found[".".join(parts)] = path
    return found


MODULES = modules()


def imports(name: str, path: Path, *, top_level: bool = False) -> Iterator[tuple[str, int]]:
    """(dotted module, line) of each import statement; `from a import b` gives a.b for a module b.

    With `top_level`, only imports that run when the module is imported (no function bodies, no
    `if TYPE_CHECKING` blocks).
    """
    is_package = path.name == "__init__.py"
    pending: list[ast.AST] = [ast.parse(path.read_text(), str(path))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".")
                kept = parts[: len(parts) - node.level + is_package]
                base = ".".join([*kept, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield (full if full in MODULES else base), node.lineno
        if top_level and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            if not top_level:
                pending.extend(node.body)
            pending.extend(node.orelse)
            continue
        pending.extend(ast.iter_child_nodes(node))


def floor_of(module: str) -> str:
    """The folder or module below the package: `ir` for s2sgrad.ir.nodes, `__init__` for s2sgrad."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "__init__"
    return "face" if name in FACE else name


def compiler_violations() -> Iterator[str]:
    for name, path in MODULES.items():
        if not name.startswith("s2sgrad.") or floor_of(name) in ROOF:
            continue
        own = floor_of(name)
        for target, line in imports(name, path):
            if target.split(".")[0] != "s2sgrad":
                continue
            other = floor_of(target)
            if own == "eager":
                allowed = other in EAGER_MAY_SEE
            elif own not in FLOORS or other not in FLOORS:
                # The bridge and the public face alone may see the eager wing.
                allowed = other == own or (other == "eager" and own == "face")
            else:
                allowed = FLOORS.index(other) <= FLOORS.index(own)
            if not allowed:
                yield f"{path.relative_to(ROOT)}:{line}: {own} imports {target}"


def test_floors_import_only_lower_floors() -> None:
    assert list(compiler_violations()) == []


def test_every_module_stands_on_a_known_floor() -> None:
    known = {*FLOORS, *ROOF, "eager"}
    assert [n for n in MODULES if n.startswith("s2sgrad.") and floor_of(n) not in known] == []


def test_runtime_imports_only_numpy() -> None:
    """Numba and SciPy may appear in files of their own, loaded on first use."""
    allowed = {"numpy", "s2sgrad_runtime", "__future__"}
    strangers = []
    for name, path in MODULES.items():
        if not name.startswith("s2sgrad_runtime"):
            continue
        own_file = any(word in path.stem for word in ("numba", "scipy", "special"))
        for target, line in imports(name, path, top_level=False):
            top = target.split(".")[0]
            lazily_heavy = top in HEAVY and (
                own_file or target not in {t for t, _ in imports(name, path, top_level=True)}
            )
            if not (top in allowed or lazily_heavy or top in sys.stdlib_module_names):
                strangers.append(f"{path.relative_to(ROOT)}:{line}: {target}")
    assert strangers == []


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_import_circles(package: str) -> None:
    """Among the imports that run at import time there is no cycle."""
    edges = {
        name: {t for t, _ in imports(name, path, top_level=True) if t in MODULES and t != name}
        for name, path in MODULES.items()
        if name.split(".")[0] == package
    }
    assert find_circle(edges) is None


def find_circle(edges: dict[str, set[str]]) -> list[str] | None:
    """A cycle as a list of names, or None. A package and its own modules are one step apart."""
    state: dict[str, int] = {}

    def visit(node: str, path: list[str]) -> list[str] | None:
        state[node] = 1
        for target in sorted(edges.get(node, ())):
            if state.get(target) == 1:
                return [*path[path.index(target) :], target] if target in path else [node, target]
            if target not in state:
                found = visit(target, [*path, target])
                if found:
                    return found
        state[node] = 2
        return None

    for start in sorted(edges):
        if start not in state:
            circle = visit(start, [start])
            if circle:
                return circle
    return None


def test_the_circle_finder_finds_circles() -> None:
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": set()}) is None
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
