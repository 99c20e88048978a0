"""The Python package on 1,000,000 × 50: what `fit` adds to the training in Rust, its memory, and `predict` beside
scikit-learn's, on the same array of single precision whose rows lie one after the other.
"""

import install
from measure import Bar, Row
from processes import python_peer
from sections.dense import SHAPE

LEARNERS = {
    "nt": ("NaiveTreeClassifier", 3),
    "c45": ("C45Classifier, exact cuts", 3),
    "unlike": ("C45Classifier, exact cuts, 50 columns of numbers none of which are alike", 3),
    "cart": ("CartClassifier, binned cuts, depth 10", 1.5),
}
MEMORY_ONLY = {"unlike-cart": ("CartClassifier, exact cuts and cost-complexity pruning, the same numbers", 3)}


def run(bench):
    install.install_package()
    rows = bench.sets.rows
    made = bench.sets.random_tree_parts(bench.quickset, f"dense-{rows}-0", rows, rows // 10, noise=0, **SHAPE)
    with python_peer("Python", "quickset_python.py", made / "train.parquet") as python:
        series = bench.alternate("python", f"{rows:,} × 50", [bench.peer(python, 3)])["Python"]
    for name, (words, _) in LEARNERS.items():
        fit, inside = series.best(f"{name}.fit"), series.best(f"{name}.inside")
        ratios = [m[f"{name}.fit"] / m[f"{name}.inside"] for m in series.measurements]
        bench.rows.append(Row(f"{words}: `fit` from Python over the training within it", f"{fit:.2f} s", f"{inside:.2f} s",
                              min(ratios), sorted(ratios)[len(ratios) // 2], Bar("at most", 1.1)))
    for name, (words, most) in {**LEARNERS, **MEMORY_ONLY}.items():
        with python_peer(f"Python, {name}", "quickset_python.py", made / "train.parquet", name) as python:
            alone = bench.alternate("python", "memory", [bench.peer(python, 1)])[f"Python, {name}"]
        memory = alone.best(f"{name}.memory")
        bench.rows.append(Row(f"{words}: peak memory of `fit` above the array, over its bytes", f"{memory:.2f}", "1",
                              memory, None, Bar("at most", most)))
    leaves = f"{series.best('leaves')} leaves against {series.best('their_leaves')}"
    for ours, theirs, words, bar in [
        ("ours", "theirs", "as called", Bar("at least", 4)),
        ("ours.one_thread", "theirs", "ours on one thread", None),
        ("ours.one_thread", "theirs.unchecked", "ours on one thread, theirs without its input check", None),
    ]:
        mine, other = series.best(f"predict.{ours}"), series.best(f"predict.{theirs}")
        ratios = [m[f"predict.{theirs}"] / m[f"predict.{ours}"] for m in series.measurements]
        bench.rows.append(Row(f"`predict` of {rows:,} × 50, {leaves}, {words}: scikit-learn", f"{mine * 1e3:.1f} ms",
                              f"{other * 1e3:.1f} ms", other / mine, sorted(ratios)[len(ratios) // 2], bar))
