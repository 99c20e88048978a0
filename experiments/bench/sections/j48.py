"""`j48` against Weka's J48 with default options, the same tree from the same file.

Both sides stay in one warm process. The command, started anew for every training, stands beside it for information.
"""

from contextlib import ExitStack

from measure import Bar, faster

DENSE = ["letter", "waveform-5000", "optdigits"]
WARM_RUNS = 20  # optdigits in Weka still gains after eight
SPARSE = ["fbis", "la1s"]
SPARSE_WARM_SET = "oh5"
BARS = {1: 15, 2: 25}


def run(bench):
    for name in DENSE:
        dense(bench, name)
    for name in SPARSE[:1] if bench.quick else SPARSE:
        sparse(bench, name)


def dense(bench, name):
    file = bench.sets.uci(name)
    with ExitStack() as stack:
        sides = [bench.ours_warm(stack, f"quickset, {threads} thread(s)", 15, file, "j48", threads, WARM_RUNS)
                 for threads in BARS]
        sides += [fresh(bench, file, threads) for threads in BARS]
        series = bench.alternate("j48", name, [*sides, bench.weka(stack, file, file, WARM_RUNS, runs=9)])
    for threads, bar in BARS.items():
        row(bench, name, series, f"{threads} thread(s)", Bar("at least", bar))
    for threads in BARS:
        row(bench, name, series, f"{threads} thread(s), started anew", None)


def sparse(bench, name):
    """Weka needs minutes here: it trains once, after a warm-up on a smaller set of the same kind."""
    file = bench.sets.text(name)
    with ExitStack() as stack:
        ours = bench.ours_warm(stack, "quickset, 1 thread(s)", 9, file, "j48", 1, 2)
        weka = bench.weka(stack, file, bench.sets.text(SPARSE_WARM_SET), 2, runs=1)
        series = bench.alternate("j48", name, [ours, weka])
    row(bench, name, series, "1 thread(s)", Bar("at least", 100))


def fresh(bench, file, threads):
    return bench.ours(f"quickset, {threads} thread(s), started anew", 9,
                      lambda quickset: quickset.train(file, "--learner", "j48", threads=threads))


def row(bench, name, series, how, bar):
    mine = series[f"quickset, {how}"]
    what = f"j48 on {name}, {how}, against Weka"
    bench.rows.append(faster(what, mine, "seconds.total", series["Weka"], "cpu_seconds", bar))
