"""`j48` against Weka's J48 with default options, the same tree from the same file."""

from contextlib import nullcontext

from measure import Bar, Side, faster
from processes import weka_peer

DENSE = ["letter", "waveform-5000", "optdigits"]
WARM_RUNS = 20  # optdigits still gains after eight
SPARSE = ["fbis", "la1s"]
SPARSE_WARM_SET = "oh5"


def run(bench):
    for name in DENSE:
        dense(bench, name)
    for name in SPARSE[:1] if bench.quick else SPARSE:
        sparse(bench, name)


def dense(bench, name):
    file = bench.sets.uci(name)
    sides = [ours(bench, file, 1), ours(bench, file, 2)]
    series = with_weka(bench, name, sides, file, file, WARM_RUNS, runs=9)
    for threads, bar in [(1, 15), (2, 25)]:
        row(bench, name, series, threads, bar)


def sparse(bench, name):
    """Weka needs minutes here: it trains once, after a warm-up on a smaller set of the same kind."""
    file = bench.sets.text(name)
    series = with_weka(bench, name, [ours(bench, file, 1)], file, bench.sets.text(SPARSE_WARM_SET), 2, runs=1)
    row(bench, name, series, 1, 100)


def ours(bench, file, threads):
    return bench.ours(f"quickset, {threads} thread(s)", 9,
                      lambda quickset: quickset.train(file, "--learner", "j48", threads=threads))


def with_weka(bench, name, sides, file, warm, warm_runs, runs):
    with weka_peer(file, warm, warm_runs) if bench.weka else nullcontext() as weka:
        weka_side = bench.peer(weka, runs) if weka else Side("Weka", runs, None)
        return bench.alternate("j48", name, [*sides, weka_side])


def row(bench, name, series, threads, bar):
    mine = series[f"quickset, {threads} thread(s)"]
    what = f"j48 on {name}, {threads} thread(s), against Weka"
    bench.rows.append(faster(what, mine, "seconds.total", series["Weka"], "cpu_seconds", Bar("at least", bar)))
