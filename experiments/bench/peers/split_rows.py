"""Divides a Parquet file: split_rows.py FILE ROWS DIRECTORY.

The first ROWS rows go to train.parquet and train.csv, the rest to test.parquet. CSV is for our own warm process, which
is built without Parquet.
"""

import sys
from pathlib import Path

import polars as pl

frame = pl.read_parquet(sys.argv[1])
rows, directory = int(sys.argv[2]), Path(sys.argv[3])
frame.head(rows).write_parquet(directory / "train.parquet")
frame.head(rows).write_csv(directory / "train.csv")
frame.slice(rows).write_parquet(directory / "test.parquet")
