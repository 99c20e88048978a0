"""What the tests run with, and what they have in common."""

import importlib.metadata
import os

# One of scikit-learn's checks passes over itself without it; it is read when SciPy is first imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

ROOT = Path(__file__).resolve().parents[2]


def pytest_terminal_summary(terminalreporter) -> None:
    packages = ["quickset", "scikit-learn", "numpy", "scipy", "pandas", "polars", "pyarrow"]
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)
    terminalreporter.write_line(f"ran with {versions}")


@pytest.fixture(scope="session")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="session")
def mixed():
    """A table of numbers, categories, text and truth values with holes, and classes that depend on them."""
    import pandas as pd

    draws = np.random.RandomState(7)
    rows = 400
    colour = draws.choice(["red", "green", "blue"], rows)
    size = draws.normal(size=rows).astype(np.float32)
    age = draws.randint(18, 90, rows)
    member = draws.rand(rows) < 0.4
    label = np.where((colour == "red") & (size > 0), "buys", np.where(age > 60, "asks", "leaves"))
    X = pd.DataFrame(
        {
            "colour": pd.Categorical(colour, categories=["green", "red", "blue", "never"]),
            "size": size,
            "age": pd.array(age, dtype="Int64"),
            "member": member,
            "city": draws.choice(["Basel", "Bern", None], rows),
        }
    )
    X.loc[::17, "age"] = pd.NA
    X.loc[::13, "size"] = np.nan
    X.loc[::19, "colour"] = np.nan
    return X, pd.Series(label, name="does")


@pytest.fixture(scope="session")
def command():
    """The command line, or a note that the test was skipped."""
    path = os.environ.get("QUICKSET_COMMAND") or shutil.which("quickset") or ROOT / "target/release/quickset"
    if not Path(path).exists():
        return skip("the command line is not built")

    def run(*arguments: object) -> str:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def skip(why: str) -> None:
    """Skips a test and says so where `make test` looks; with CI nothing may be skipped."""
    assert os.environ.get("CI") != "true", why
    if noted := os.environ.get("QUICKSET_SKIPPED"):
        with open(noted, "a") as notes:
            notes.write(f"{os.environ.get('PYTEST_CURRENT_TEST')}: {why}\n")
    pytest.skip(why)
