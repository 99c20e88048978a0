"""`cart` to depth 10 on the large set, against scikit-learn's tree and one tree of LightGBM; one thread each."""

import json

import install
from measure import Bar, Row, faster
from processes import python_peer

OPTIONS = ["--learner", "cart", "--set", "prune=none", "--set", "max-depth=10", "--set", "min-rows=1"]
BINS = ["--set", "cut=bins"]
SKLEARN = {"criterion": "gini", "max_depth": 10}
# Logistic loss at balanced classes ranks splits as Gini does, so this is the same tree grown over 255 bins.
LIGHTGBM = {"objective": "binary", "num_leaves": 1024, "max_depth": 10, "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0}
PEERS = [("scikit-learn", "sklearn_train.py", SKLEARN, 5), ("LightGBM", "lightgbm_train.py", LIGHTGBM, 1)]


def run(bench):
    bench.sets.make_big()
    big = bench.sets.big
    files = [big / "train.parquet", big / "test.parquet"]
    [sklearn, lightgbm] = [trainer(name, script, *files, settings) for name, script, settings, _ in PEERS]
    with sklearn, lightgbm:
        sides = [ours(bench, "bins", BINS), ours(bench, "exact", []), bench.peer(lightgbm, 7), bench.peer(sklearn, 3)]
        series = bench.alternate("cart", "train", sides)
    tested = bench.alternate("cart", "test", [tester(bench, cut) for cut in ["bins", "exact"]])
    for cut in ["bins", "exact"]:
        for name, _, _, bar in PEERS:
            compare(bench, cut, series, tested, name, bar)


def trainer(name, script, train, test, settings):
    return python_peer(name, script, train, test, json.dumps(settings))


def ours(bench, cut, options):
    file = bench.sets.big / "train.parquet"
    return bench.ours(f"quickset, {cut}", 7 if cut == "bins" else 3,
                      lambda quickset: quickset.train(file, *OPTIONS, *options, "--output", model(cut)))


def tester(bench, cut):
    return bench.ours(f"quickset, {cut}", 1,
                      lambda quickset: quickset.evaluate(model(cut), bench.sets.big / "test.parquet"))


def model(cut):
    return install.CACHE / f"cart-{cut}.json"


def compare(bench, cut, series, tested, peer_name, bar):
    """Only binned scanning has bars; exact cuts are for information."""
    mine, peer = series[f"quickset, {cut}"], series[peer_name]
    has_bar = cut == "bins"
    what = f"cart ({cut}), {bench.sets.rows:,} × 20, against {peer_name}"
    bench.rows.append(faster(what, mine, "seconds.total", peer, "cpu_seconds", Bar("at least", bar) if has_bar else None))
    bench.rows.append(accuracies(f"{what}: test accuracy, points apart", tested[f"quickset, {cut}"], peer,
                                 Bar("within", 0.3) if has_bar else None))


def accuracies(what, mine, peer, bar):
    correct, rows = mine.best("correct"), mine.best("rows")
    theirs = peer.best("accuracy")
    if correct is None:
        return Row(what, "not run", f"{theirs:.2f} %", None, bar=bar)
    percent = 100 * correct / rows
    return Row(what, f"{percent:.2f} %", f"{theirs:.2f} %", percent - theirs, bar=bar)
