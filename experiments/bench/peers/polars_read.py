"""polars reading a CSV file: polars_read.py FILE. Its threads come from POLARS_MAX_THREADS."""

import sys

import polars as pl

from serve import serve, timed


def measure():
    frame, seconds = timed(lambda: pl.read_csv(sys.argv[1]))
    return {**seconds, "rows": frame.height, "threads": pl.thread_pool_size()}


serve(measure)
