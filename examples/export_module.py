"""Write a gradient to a file of its own, that needs NumPy and nothing else."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import s2sgrad


def energy(positions, charges):
    """Coulomb energy of point charges on a line."""
    total = 0.0
    for i in range(len(positions)):
        for j in range(i):
            total += charges[i] * charges[j] / abs(positions[i] - positions[j])
    return total


USE = """
import sys
import numpy as np
import energy_gradient as module

function = next(f for name, f in vars(module).items() if name.startswith("energy") and callable(f))
print(function(np.array([0.0, 1.0, 2.5]), np.array([1.0, -1.0, 2.0])))
assert "s2sgrad" not in sys.modules and "s2sgrad_runtime" not in sys.modules
"""


def main():
    positions, charges = np.array([0.0, 1.0, 2.5]), np.array([1.0, -1.0, 2.0])
    force = s2sgrad.grad(energy)
    s2sgrad.check_grad(energy, positions, charges)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "energy_gradient.py"
        s2sgrad.export(force, path, positions, charges, inline_runtime=True)
        print(path.read_text())
        done = subprocess.run(
            [sys.executable, "-c", USE], cwd=folder, capture_output=True, text=True, check=True
        )
    print("from the exported module:", done.stdout.strip())
    print("from s2sgrad:            ", force(positions, charges))
    assert done.stdout.strip() == str(force(positions, charges))


if __name__ == "__main__":
    main()
