"""Peak memory of a whole `train`, reading included: what it reports or what the kernel saw, whichever is more."""

from measure import Bar, Row
from sections.cart import BINS, OPTIONS

J48 = ["--learner", "j48"]
MEGABYTE = 1_000_000


def run(bench):
    bench.sets.make_big()
    big, size = bench.sets.big, bench.sets.big_bytes()
    cases = [
        ("j48 from Parquet", big / "train.parquet", J48),
        ("j48 from CSV", big / "train.csv", J48),
        ("cart (bins) from Parquet", big / "train.parquet", OPTIONS + BINS),
        ("cart (bins) from CSV", big / "train.csv", OPTIONS + BINS),
    ]
    for case, file, options in cases:
        peak = peak_bytes(bench, "memory", case, file, options)
        what = f"peak memory, {case}, {bench.sets.rows:,} × 20, over the bytes of the columns"
        bench.rows.append(row(what, peak, f"{size / MEGABYTE:.0f} MB", size, Bar("at most", 3)))
    peak = peak_bytes(bench, "memory", "j48 on ohscal", bench.sets.text("ohscal"), J48)
    bench.rows.append(row("peak memory, j48 on ohscal, in MB", peak, "–", MEGABYTE, Bar("at most", 200)))


def peak_bytes(bench, section, case, file, options):
    """Two threads, since every thread has its own scratch."""
    side = bench.ours("quickset", 1, lambda quickset: quickset.train(file, *options, threads=2))
    series = bench.alternate(section, case, [side])[side.name]
    reported, seen = series.best("peak_memory_bytes"), series.best("kernel_peak_bytes")
    return None if reported is None else max(reported, seen)


def row(what, peak, against, unit, bar):
    if peak is None:
        return Row(what, "not run", against, None, bar=bar)
    return Row(what, f"{peak / MEGABYTE:.0f} MB", against, peak / unit, bar=bar)
