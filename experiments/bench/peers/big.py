"""A large set as numpy arrays, for the peers that take them."""

import numpy as np
import polars as pl


def load(file, order, precision=np.float32, one_hot=False):
    """Attributes in C or F order and the class; what is nominal as codes of its sorted levels, or a column for each."""
    frame = pl.read_parquet(file)
    frame = coded(with_levels_apart(frame) if one_hot else frame)
    x = frame.drop("class").to_numpy().astype(precision, order=order)
    return x, frame["class"].to_numpy().astype(np.int32)


def coded(frame):
    return frame.with_columns([codes(frame[name]) for name in nominal(frame)])


def with_levels_apart(frame):
    names = nominal(frame.drop("class"))
    apart = [(frame[name].cast(pl.String) == level).cast(pl.Int8).alias(f"{name}={level}")
             for name in names for level in levels(frame[name])]
    return frame.drop(names).with_columns(apart)


def nominal(frame):
    return [name for name, kind in frame.schema.items() if kind in (pl.String, pl.Categorical)]


def codes(column):
    return column.cast(pl.String).cast(pl.Enum(levels(column))).to_physical()


def levels(column):
    return column.cast(pl.String).unique().sort()
