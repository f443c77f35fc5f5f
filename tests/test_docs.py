"""The code in README.md and docs/*.md runs, and prints what the page says it prints.

In a page, every fenced block that starts with ```python is run, all in one namespace; a block
that starts with ```text output or ```python output holds what the block before it prints.
```python skip is shown only. `python tests/test_docs.py --update` rewrites the outputs.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.docs


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after the fence, its text, and where the text stands."""

    info: tuple[str, ...]
    body: str
    start: int
    stop: int

    @property
    def runs(self) -> bool:
        return self.info == ("python",)

    @property
    def is_output(self) -> bool:
        return "output" in self.info


def blocks(text: str) -> list[Block]:
    return [
        Block(tuple(m["info"].split()), m["body"], m.start("body"), m.end("body"))
        for m in FENCE.finditer(text)
    ]


def run(block: Block, namespace: dict[str, Any], path: Path) -> str:
    """What the block prints. The text goes to a file, so that its source can be found."""
    path.write_text(block.body)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.body, str(path), "exec"), namespace)
    return printed.getvalue()


def outputs(page: Path, folder: Path) -> Iterator[tuple[Block, str]]:
    """(output block, what is really printed) for a page; runs every block on the way."""
    namespace: dict[str, Any] = {"__name__": f"page_{page.stem}"}
    printed = ""
    for i, block in enumerate(blocks(page.read_text())):
        if block.runs:
            printed = run(block, namespace, folder / f"{page.stem}_{i}.py")
        elif block.is_output:
            yield block, printed


def tidy(text: str) -> str:
    """The lines that say something: the formatter owns the blank ones of a page."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_page(page: Path, tmp_path: Path) -> None:
    for block, printed in outputs(page, tmp_path):
        assert tidy(printed) == tidy(block.body)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def update(page: Path) -> None:
    """Put what is really printed into the page, as far as it runs."""
    text = page.read_text()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for item in outputs(page, Path(folder)):
                found.append(item)
        except Exception as error:
            print(f"{page.name}: {type(error).__name__}: {error}", file=sys.stderr)
    for block, printed in reversed(found):
        text = text[: block.start] + tidy(printed) + "\n" + text[block.stop :]
    page.write_text(text)


if __name__ == "__main__" and "--update" in sys.argv:
    for each in PAGES:
        update(each)
