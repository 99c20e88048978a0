"""How the time of `nt` grows with rows and with attributes, and its memory: labels of a hidden tree, one thread.

The exponent is the slope of a least-squares line through the logarithms of size and of the best time. Times below a
millisecond are left out: they are mostly start-up.
"""

import math
import statistics
from dataclasses import dataclass

from measure import Bar, Row, seconds
from sections.memory import MEGABYTE, peak_bytes, row

ROWS = [10**3, 10**4, 10**5, 10**6, 10**7]
ATTRIBUTES = [10, 10**2, 10**3, 10**4, 10**5]
OF_ALL_ROWS, AT_ALL_ATTRIBUTES = 10, 10**3  # attributes where rows vary, rows where attributes do
MEMORY_ROWS = [10**6, 10**7]
BINS, CLASSES = 64, 2
EXPONENT_BAR, MEMORY_BAR = 1.1, 2
LEAST_SECONDS = 0.001


@dataclass
class Setting:
    name: str
    bins: str
    noise: float
    bar: Bar | None = None


SETTINGS = [Setting(f"{BINS} bins", str(BINS), 0, Bar("at most", EXPONENT_BAR)), Setting("√m bins", "sqrt", 0),
            Setting(f"{BINS} bins, 10 % noise", str(BINS), 0.1)]


def run(bench):
    if not bench.quickset:
        return
    largest = -1 if bench.quick else None
    by_rows = {rows: times(bench, rows, OF_ALL_ROWS, rows == ROWS[-1]) for rows in ROWS[:largest]}
    by_attributes = {attributes: times(bench, AT_ALL_ATTRIBUTES, attributes, attributes == ATTRIBUTES[-1])
                     for attributes in ATTRIBUTES[:largest]}
    for what, found in [("rows", by_rows), ("attributes", by_attributes)]:
        for setting in SETTINGS:
            points = {size: measured[setting.name] for size, measured in found.items()}
            bench.rows.append(exponent(f"nt, {setting.name}: exponent of the time in {what}", points, setting.bar))


def times(bench, rows, attributes, largest):
    """The best time of each setting. The largest files are measured least often and not kept."""
    found = {}
    for noise in sorted({setting.noise for setting in SETTINGS}):
        file = generated(bench, rows, attributes, noise)
        settings = [setting for setting in SETTINGS if setting.noise == noise]
        sides = [trainer(bench, file, setting, 1 if largest else 5) for setting in settings]
        series = bench.alternate("scaling", f"{rows:,} × {attributes:,}, noise {noise:g}", sides)
        found.update({name: one.best("seconds.total") for name, one in series.items()})
        if rows in MEMORY_ROWS and noise == 0:
            memory(bench, file, rows, attributes)
        if largest:
            file.unlink()
    return found


def generated(bench, rows, attributes, noise):
    """Parquet is read fastest at any width, though 100,000 columns take it 5 GB."""
    return bench.sets.random_tree(bench.quickset, f"scaling-{rows}-{attributes}-{noise:g}.parquet", rows=rows,
                                  numeric=attributes // 2, nominal=attributes // 2, classes=CLASSES, noise=noise)


def trainer(bench, file, setting, runs):
    return bench.ours(setting.name, runs, lambda quickset: quickset.train(file, *options(setting.bins)))


def options(bins):
    return ["--learner", "nt", "--set", f"bins.count={bins}"]


def memory(bench, file, rows, attributes):
    """Numbers have eight bytes, codes four; a table has a number for each bin and class."""
    peak = peak_bytes(bench, "scaling", f"memory, {rows:,} × {attributes:,}", file, options(BINS))
    columns = rows * (attributes // 2 * (8 + 4) + 4)
    size = columns + attributes * BINS * CLASSES * 8
    what = f"peak memory, nt with {BINS} bins, {rows:,} × {attributes:,}, over the bytes of columns and tables"
    bench.rows.append(row(what, peak, f"{size / MEGABYTE:.0f} MB", size, Bar("at most", MEMORY_BAR)))


def exponent(what, points, bar):
    """A row with the slope; the times that it was fitted to stand beside it, and the slope where it is steepest."""
    fitted = {size: time for size, time in points.items() if time is not None and time >= LEAST_SECONDS}
    if len(fitted) < 2:
        return Row(what, "not run", "–", None, bar=bar)
    logs = [(math.log(size), math.log(time)) for size, time in fitted.items()]
    slope = statistics.linear_regression(*zip(*logs)).slope
    steepest = max((b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(logs, logs[1:]))
    listed = ", ".join(f"{seconds(time)} at {size:,}" for size, time in fitted.items())
    return Row(what, listed, f"steepest step {steepest:.2f}", slope, bar=bar)
