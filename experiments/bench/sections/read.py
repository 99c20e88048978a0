"""Reading the large CSV file, against polars with as many threads. The file is in the page cache for both."""

import os
import shutil

from measure import Bar, times_as_long
from processes import python_peer

# The cheapest training there is: only `seconds.read` is of interest.
STUMP = ["--learner", "cart", "--set", "prune=none", "--set", "max-depth=1", "--set", "cut=bins"]


def run(bench):
    bench.sets.make_big()
    into_page_cache(bench.sets.big / "train.csv")
    for threads in [1, 2]:
        measure(bench, threads)


def into_page_cache(file):
    """In pieces: a large harness would be counted as memory of the processes it starts."""
    with open(file, "rb") as source, open(os.devnull, "wb") as sink:
        shutil.copyfileobj(source, sink)


def measure(bench, threads):
    file = bench.sets.big / "train.csv"
    mine = bench.ours("quickset", 7, lambda quickset: quickset.train(file, *STUMP, threads=threads))
    with python_peer("polars", "polars_read.py", file, threads=threads) as polars:
        series = bench.alternate("read", f"{threads} thread(s)", [mine, bench.peer(polars, 7)])
    what = f"reading CSV, {bench.sets.rows:,} × 20, {threads} thread(s): our time over polars'"
    bench.rows.append(times_as_long(what, series["quickset"], "seconds.read", series["polars"], "wall_seconds",
                                    Bar("at most", 1.5)))
