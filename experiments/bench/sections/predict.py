"""Predicting the large set with a tree of depth 10, against scikit-learn with a tree of as many leaves; one thread.

Both are given the same numbers, in single and in double precision. Single is scikit-learn's own; that our doubles are
also set against its singles, where we read twice the memory, is for information.
"""

import install
from measure import Bar, faster
from processes import python_peer
from sections.cart import BINS, OPTIONS

MODEL = install.CACHE / "predict.json"


def run(bench):
    bench.sets.make_big()
    file = bench.sets.big / "train.parquet"
    trainer = bench.ours("quickset, bins", 1,
                         lambda quickset: quickset.train(file, *OPTIONS, *BINS, "--output", MODEL))
    leaves = bench.alternate("predict", "train", [trainer])[trainer.name].best("leaves") or 0
    with python_peer("scikit-learn", "sklearn_predict.py", file, leaves) as sklearn:
        single = evaluator(bench, "quickset, single precision", "train32.parquet")
        double = evaluator(bench, "quickset, double precision", "train.parquet")
        series = bench.alternate("predict", "predict", [single, double, bench.peer(sklearn, 9)])
    row(bench, series, "single", "cpu_seconds", leaves, Bar("at least", 4))
    row(bench, series, "double", "cpu_seconds_double", leaves, Bar("at least", 4))
    row(bench, series, "double", "cpu_seconds", leaves, None)


def row(bench, series, precision, key, leaves, bar):
    ours, peer = series[f"quickset, {precision} precision"], series["scikit-learn"]
    row = faster("", ours, "seconds.predict", peer, key, bar)
    against = "scikit-learn's" if bar else "scikit-learn's in single precision,"
    row.what = (f"predicting {bench.sets.rows:,} rows in {precision} precision, "
                f"{leaves or '?'} leaves against {against} {peer.best('leaves')}")
    row.ours = speed(bench.sets.rows, ours.best("seconds.predict"))
    row.peer = speed(bench.sets.rows, peer.best(key))
    bench.rows.append(row)


def evaluator(bench, name, file):
    return bench.ours(name, 9, lambda quickset: quickset.evaluate(MODEL, bench.sets.big / file))


def speed(rows, seconds):
    return "not run" if seconds is None else f"{rows / seconds / 1e6:.3g} M rows/s"
