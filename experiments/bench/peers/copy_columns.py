"""A plain copy of the columns of a Parquet file, as we hold them: copy_columns.py FILE.

Numbers of eight bytes, codes of four. The memory copied to is there already, so that this is the least it can take.
"""

import sys

import numpy as np
import polars as pl

from big import coded
from serve import serve, timed

frame = coded(pl.read_parquet(sys.argv[1]))
columns = [column.to_numpy().astype(np.float64 if column.dtype == pl.Float64 else np.uint32) for column in frame]
copies = [np.zeros_like(column) for column in columns]


def copy():
    for target, column in zip(copies, columns):
        np.copyto(target, column)


def measure():
    _, seconds = timed(copy)
    return {**seconds, "bytes": sum(column.nbytes for column in columns)}


serve(measure)
