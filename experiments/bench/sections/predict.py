"""Predicting the large set with a tree of depth 10, against scikit-learn with a tree of as many leaves; one thread."""

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
        mine = bench.ours("quickset", 9, lambda quickset: quickset.evaluate(MODEL, file))
        series = bench.alternate("predict", "predict", [mine, bench.peer(sklearn, 9)])
    row = faster("", series["quickset"], "seconds.predict", series["scikit-learn"], "cpu_seconds", Bar("at least", 4))
    theirs = series["scikit-learn"].best("leaves")
    row.what = f"predicting {bench.sets.rows:,} rows, {leaves or '?'} leaves against scikit-learn's {theirs}"
    row.ours = speed(bench.sets.rows, series["quickset"].best("seconds.predict"))
    row.peer = speed(bench.sets.rows, series["scikit-learn"].best("cpu_seconds"))
    bench.rows.append(row)


def speed(rows, seconds):
    return "not run" if seconds is None else f"{rows / seconds / 1e6:.3g} M rows/s"
