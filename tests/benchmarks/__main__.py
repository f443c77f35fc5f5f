"""`python -m tests.benchmarks [SECTION ...] [--quick] [--out FILE]`: prints the speed tables."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import settings

settings.threads(1)  # before NumPy is loaded

Section = Callable[[int, Path], str]


def numpy_code(rounds: int, _: Path) -> str:
    from tests.benchmarks.numpy_code import against_hand, against_peers

    return against_hand(rounds) + "\n" + against_peers(rounds)


def start_up(rounds: int, folder: Path) -> str:
    from tests.benchmarks.start_up import compile_times, import_times

    return import_times(rounds) + "\n" + compile_times(rounds, folder)


def calls(rounds: int, _: Path) -> str:
    from tests.benchmarks.call_cost import call_costs

    return call_costs(rounds)


def eager(rounds: int, _: Path) -> str:
    from tests.benchmarks.eager_cost import eager_costs

    return eager_costs(rounds)


def costs(rounds: int, _: Path) -> str:
    from tests.benchmarks.operation_costs import operation_costs

    return operation_costs(rounds)


def derivatives(rounds: int, _: Path) -> str:
    from tests.benchmarks.derivative_cost import derivative_costs

    return derivative_costs(rounds)


def kernels(rounds: int, folder: Path) -> str:
    from tests.benchmarks.kernel_table import kernels

    return kernels(rounds, folder, image=ROOT / "docs" / "kernels.png")


ROOT = Path(__file__).resolve().parents[2]
SECTIONS: dict[str, Section] = {
    "numpy": numpy_code,
    "start": start_up,
    "calls": calls,
    "eager": eager,
    "costs": costs,
    "derivatives": derivatives,
    "kernels": kernels,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="few rounds, rougher numbers")
    parser.add_argument("--out", type=Path, help="also write what is printed to this file")
    options = parser.parse_args()
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    rounds = 5 if options.quick else 15
    texts = [settings.describe()]
    print(texts[0], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.sections or SECTIONS:
            try:
                texts.append(SECTIONS[name](rounds, Path(folder)))
            except Exception as error:  # the other sections still have something to say
                texts.append(f"\n{name}: {type(error).__name__}: {error}")
            print(texts[-1], flush=True)
    if options.out:
        heading = "# Benchmarks\n\nOne run of `make bench`, as it was printed.\n\n```text\n"
        options.out.write_text(f"{heading}{texts[0]}\n```\n" + "\n".join(texts[1:]) + "\n")


if __name__ == "__main__":
    main()
