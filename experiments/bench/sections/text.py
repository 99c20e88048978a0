"""`nt` on word counts: training alone, warm, against scikit-learn's tree and naive Bayes, Weka's J48 and our `c45`."""

from contextlib import ExitStack

from measure import Bar, Row, faster, quotient, seconds, times_as_long
from processes import python_peer
from sections.j48 import SPARSE_WARM_SET

# How many times faster than scikit-learn's tree.
SETS = {"ohscal": 100, "la1s": 60, "la2s": 60}
QUICK_SET = "la2s"
WEKA_BAR = 2000
WEKA_LIMIT = 160  # seconds: enough to decide the bar wherever we need less than 0.08 of one
# By threads: at most so many times as long as naive Bayes with one.
BAYES_BARS = {1: 3, 2: 2}
PHASES = ["tables", "grow", "prune"]


def run(bench):
    for name in [QUICK_SET] if bench.quick else SETS:
        measure(bench, name)


def measure(bench, name):
    file = bench.sets.text(name)
    with ExitStack() as stack:
        sides = [ours(bench, stack, "nt", threads, file, 15) for threads in BAYES_BARS]
        sides.append(ours(bench, stack, "c45", 1, file, 3))
        bayes = stack.enter_context(python_peer("naive Bayes", "sklearn_bayes.py", file))
        sides.append(bench.peer(bayes, 15, settle=True))
        tree = stack.enter_context(python_peer("scikit-learn", "sklearn_words.py", file))
        sides.append(bench.peer(tree, 3))
        sides.append(weka(bench, stack, file))
        series = bench.alternate("text", name, sides)
    rows(bench, name, series)


def ours(bench, stack, learner, threads, file, runs):
    return bench.ours_warm(stack, f"{learner}, {threads} thread(s)", runs, file, learner, threads, 3)


def weka(bench, stack, file):
    limit, warm_runs = (5, 0) if bench.quick else (WEKA_LIMIT, 2)
    return bench.weka(stack, file, bench.sets.text(SPARSE_WARM_SET), warm_runs, runs=1, limit=limit)


def rows(bench, name, series):
    what, nt = f"nt on {name}", series["nt, 1 thread(s)"]
    for peer, bar in [("scikit-learn", SETS[name]), ("Weka", WEKA_BAR)]:
        bench.rows.append(faster(f"{what}, 1 thread(s), against {peer}'s tree", nt, "seconds.total", series[peer],
                                 "cpu_seconds", Bar("at least", bar)))
    for threads, bar in BAYES_BARS.items():
        bench.rows.append(times_as_long(f"{what}, {threads} thread(s): our time over multinomial naive Bayes'",
                                        series[f"nt, {threads} thread(s)"], "seconds.total", series["naive Bayes"],
                                        "cpu_seconds", Bar("at most", bar)))
    bench.rows.append(faster(f"{what}, 1 thread(s), against our c45", nt, "seconds.total", series["c45, 1 thread(s)"],
                             "seconds.total", None))
    for phase in PHASES:
        bench.rows.append(share(f"{what}, 1 thread(s): {phase}, as a share of training", nt, f"seconds.{phase}"))


def share(what, series, key):
    """A row for information: what part of our training one phase is."""
    part, whole = series.best(key), series.best("seconds.total")
    return Row(what, seconds(part), "–", quotient(part, whole))
