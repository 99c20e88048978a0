"""Makes the large numeric set: make_big.py ROWS TEST_ROWS DIRECTORY.

Twenty float64 columns and a two-class target that depends on thresholds, interactions and a smooth term of
some of the columns, plus noise; cut at the median so that both classes are equally frequent.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

SEED = 20240229
COLUMNS = 20
# Median of the noisy score on a million rows: a constant, so that train and test share one concept.
MEDIAN_SCORE = 3.34


def attributes(rng, rows):
    """Normal, uniform and skewed columns in turn, so that equal-width bins would be a poor choice."""
    makers = [rng.standard_normal, rng.random, rng.standard_exponential, lambda n: np.exp(rng.standard_normal(n))]
    return [makers[column % len(makers)](rows) for column in range(COLUMNS)]


def score(x):
    """What decides the class; columns 12 and above are irrelevant."""
    steps = 2.0 * (x[0] > 0.3) + 1.2 * (x[2] > 0.9) - 1.5 * (x[5] > 0.65) + 0.8 * (x[7] > 1.4)
    interactions = 2.2 * ((x[1] > 0.5) ^ (x[4] > 0)) + 1.6 * ((x[8] > -0.4) & (x[6] < 1.1))
    smooth = 0.6 * np.sin(2 * x[4]) + 0.5 * x[9] * x[10] - 0.3 * np.log(x[3]) + 0.2 * x[11].clip(0, 4)
    return steps + interactions + smooth


def table(seed, rows):
    """The noise is drawn after the columns, so the same seed always gives the same file."""
    rng = np.random.default_rng(seed)
    x = attributes(rng, rows)
    noisy = score(x) + 0.9 * rng.standard_normal(rows)
    label = np.where(noisy > MEDIAN_SCORE, "yes", "no")
    columns = {f"x{index}": values for index, values in enumerate(x)}
    return pl.DataFrame({**columns, "class": label})


def main():
    rows, test_rows, directory = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    train = table(SEED, rows)
    train.write_csv(directory / "train.csv")
    train.write_parquet(directory / "train.parquet")
    train.cast({pl.Float64: pl.Float32}).write_parquet(directory / "train32.parquet")
    table(SEED + 1, test_rows).write_parquet(directory / "test.parquet")


if __name__ == "__main__":
    main()
