"""`compare` as a whole: three learners on the 33 UCI sets, ten runs of ten folds, reading and printing included."""

import time

from measure import Bar, Row
from sections.accuracy import UCI

LEARNERS = "nt,c45,nb"
SECONDS_BAR, THREADS_BAR = 60, 1.7


def run(bench):
    runs = 1 if bench.quick else 10
    sides = [bench.ours(f"{threads} threads", 3, lambda quickset, threads=threads: timed(bench, quickset, threads, runs))
             for threads in (2, 1)]
    series = bench.alternate("compare", LEARNERS, sides)
    two, one = (series[side.name].best("seconds") for side in sides)
    if two is None:
        return
    what = f"compare {LEARNERS}, 33 UCI sets, {runs}×10"
    bench.rows.append(Row(f"{what}, two threads, seconds", f"{two:.1f} s", "–", two, bar=Bar("at most", SECONDS_BAR)))
    bench.rows.append(Row(f"{what}, two threads, times as fast as one", f"{two:.1f} s", f"{one:.1f} s", one / two,
                          bar=Bar("at least", THREADS_BAR)))


def timed(bench, quickset, threads, runs):
    files = [bench.sets.uci(name) for name in UCI]
    start = time.monotonic()
    quickset.said("compare", *files, "--learners", LEARNERS, "--runs", runs, "--threads", threads, "--format", "csv",
                  "--quiet")
    return {"seconds": time.monotonic() - start}
