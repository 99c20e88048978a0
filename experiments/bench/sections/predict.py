"""Predicting the large set with a tree of depth 10, against scikit-learn with a tree of as many leaves; one thread.

scikit-learn is given single precision, its own. We are given the same, and double precision beside it: reading twice
the memory is then our handicap.
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
    peer = series["scikit-learn"]
    for ours in (single, double):
        row = faster("", series[ours.name], "seconds.predict", peer, "cpu_seconds", Bar("at least", 4))
        precision = ours.name.split(", ")[1]
        row.what = (f"predicting {bench.sets.rows:,} rows in {precision}, "
                    f"{leaves or '?'} leaves against scikit-learn's {peer.best('leaves')}")
        row.ours = speed(bench.sets.rows, series[ours.name].best("seconds.predict"))
        row.peer = speed(bench.sets.rows, peer.best("cpu_seconds"))
        bench.rows.append(row)


def evaluator(bench, name, file):
    return bench.ours(name, 9, lambda quickset: quickset.evaluate(MODEL, bench.sets.big / file))


def speed(rows, seconds):
    return "not run" if seconds is None else f"{rows / seconds / 1e6:.3g} M rows/s"
