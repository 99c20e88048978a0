"""`nt` on many rows of numbers and levels: training alone, warm, one thread, against scikit-learn's tree and LightGBM.

scikit-learn gets the levels as ordinal codes, which is its fastest, and as dense columns of 0 and 1, which is more
accurate and hardly slower (sparse ones take it longer for the same tree); LightGBM gets them as categories. Our time
includes the table pass and LightGBM's its binning, which is the same thing; both are also compared without.
"""

from contextlib import ExitStack

import install
from measure import Bar, Side, faster, times_as_long
from processes import python_peer
from sections.cart import accuracies, trainer

SHAPE = {"numeric": 25, "nominal": 25, "classes": 5}
NOISES = {0: "no noise", 0.1: "10 % noise"}  # only the first has bars
ENTROPY = {"criterion": "entropy"}
SKLEARN = {"scikit-learn, codes": ENTROPY, "scikit-learn, one-hot": {**ENTROPY, "one_hot": True}}
LEAVES = [31, 255]
SKLEARN_BAR, LIGHTGBM_BAR, COPY_BAR = 20, 3, 4
MODEL = install.CACHE / "dense.json"


def run(bench):
    for noise in list(NOISES)[:1] if bench.quick else NOISES:
        measure(bench, noise)


def measure(bench, noise):
    rows, name = bench.sets.rows, NOISES[noise]
    made = bench.sets.random_tree_parts(bench.quickset, f"dense-{rows}-{noise}", rows, rows // 10, noise=noise, **SHAPE)
    train, test = made / "train.parquet", made / "test.parquet"
    runs = 1 if noise else 3
    with ExitStack() as stack:
        sides = [after_tables(bench.ours_warm(stack, "nt", runs, made / "train.csv", "nt", 1, 1))]
        copy = stack.enter_context(python_peer("copy", "copy_columns.py", train))
        sides.append(bench.peer(copy, 5, settle=True))
        sides += [bench.peer(stack.enter_context(lightgbm(leaves, train, test)), 3) for leaves in LEAVES]
        sides += [bench.peer(stack.enter_context(sklearn(name, train, test)), min(runs, 2)) for name in SKLEARN]
        series = bench.alternate("dense", name, sides)
    tested = bench.alternate("dense", f"{name}, test", [tester(bench, train, test)])["nt"]
    compare(bench, f"nt, {rows:,} × 50, {name}", series, tested, has_bars=not noise)


def after_tables(side):
    """Our side with one more figure: what comes after the table pass."""
    def measure():
        found = side.measure()
        return {**found, "seconds.after_tables": found["seconds.total"] - found["seconds.tables"]}
    return Side(side.name, side.runs, side.measure and measure)


def sklearn(name, train, test):
    return trainer(name, "sklearn_train.py", train, test, SKLEARN[name])


def lightgbm(leaves, train, test):
    settings = {"objective": "multiclass", "num_class": SHAPE["classes"], "num_leaves": leaves}
    return trainer(lightgbm_name(leaves), "lightgbm_train.py", train, test, settings)


def lightgbm_name(leaves):
    return f"LightGBM, {leaves} leaves"


def tester(bench, train, test):
    def test_once(quickset):
        quickset.train(train, "--learner", "nt", "--output", MODEL)
        return quickset.evaluate(MODEL, test)
    return bench.ours("nt", 1, test_once)


def compare(bench, what, series, tested, has_bars):
    def add(row):
        if not has_bars:
            row.bar = None
        bench.rows.append(row)

    nt = series["nt"]
    peers = [(name, SKLEARN_BAR) for name in SKLEARN] + [(lightgbm_name(leaves), LIGHTGBM_BAR) for leaves in LEAVES]
    for name, bar in peers:
        peer = series[name]
        add(faster(f"{what}, against {name}", nt, "seconds.total", peer, "cpu_seconds", Bar("at least", bar)))
        add(accuracies(f"{what}, against {name}: test accuracy, points more", tested, peer, Bar("at least", -1)))
    for leaves in LEAVES:
        name = lightgbm_name(leaves)
        add(faster(f"{what}, against {name}: both without tables or binning", nt, "seconds.after_tables", series[name],
                   "cpu_seconds_grow", None))
    add(times_as_long(f"{what}: the table pass over a plain copy of the columns", nt, "seconds.tables", series["copy"],
                      "cpu_seconds", Bar("at most", COPY_BAR)))
