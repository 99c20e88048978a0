"""The large set as numpy arrays, for the peers that take them."""

import numpy as np
import polars as pl


def load(file, order, precision=np.float32):
    """Attributes in C or F order, and the class as 0 or 1."""
    frame = pl.read_parquet(file)
    x = frame.drop("class").to_numpy().astype(precision, order=order)
    y = (frame["class"] == "yes").to_numpy().astype(np.int32)
    return x, y
