"""Measuring in turn, and the rows that come of it.

A *section* is one question (one file in `sections/`), a *case* one file or setting of it, a *side* is ours or a peer,
and a *row* is one line of the table: ours against one peer, with a bar or for information.
"""

import statistics
import sys
from dataclasses import dataclass, field
from typing import Callable

from processes import Failed, weka_peer

# How often a side does its work before it is measured. On the virtual machine of the runs the second and third training
# after a sleep often took two threads as long as one, as if they shared a core; the fifth and sixth did not.
SETTLE = 4


@dataclass
class Side:
    """One of those compared in a case. It is left out when `measure` is None."""

    name: str
    runs: int
    measure: Callable[[], dict] | None


class Series:
    """All measurements of one side; empty when it was not run."""

    def __init__(self, name):
        self.name = name
        self.measurements = []

    def values(self, key):
        if any(key not in measurement for measurement in self.measurements):
            raise Failed(f"{self.name} reports no {key}")
        return [measurement[key] for measurement in self.measurements]

    def best(self, key):
        return min(self.values(key), default=None)

    def median(self, key):
        return statistics.median(self.values(key)) if self.measurements else None

    def unfinished(self):
        """Whether a limit ended one of them, so that their times are only a lower bound."""
        return any("unfinished" in measurement for measurement in self.measurements)


@dataclass
class Bar:
    """`at least`, `at most` or `within` a limit; `within` is of the absolute value."""

    relation: str
    limit: float

    def met(self, value):
        if self.relation == "at least":
            return value >= self.limit
        return (abs(value) if self.relation == "within" else value) <= self.limit

    def __str__(self):
        return f"{self.relation} {self.limit:g}"


@dataclass
class Row:
    what: str
    ours: str
    peer: str
    ratio: float | None
    medians: float | None = None
    bar: Bar | None = None
    more_than: bool = False  # the ratio is a lower bound

    def verdict(self):
        if self.ratio is None:
            return "not run"
        if self.bar is None:
            return "information"
        if self.bar.met(self.ratio):
            return "yes"
        return "not decided" if self.more_than else "NO"


@dataclass
class Bench:
    """What a section is given: who can be measured, on what, how often, and where results go."""

    quickset: object  # None: only the peers are measured
    weka_runs: bool
    sets: object
    quick: bool
    directory: object  # of the run, for tables of a section's own
    raw: object
    rows: list = field(default_factory=list)

    def runs(self, usual):
        return min(usual, 2) if self.quick else usual

    def ours(self, name, runs, measure):
        """Our side of a case: `measure` is called with the `Quickset`."""
        return Side(name, self.runs(runs), self.quickset and (lambda: measure(self.quickset)))

    def ours_warm(self, stack, name, runs, *setting):
        """Our side in a process that stays until `stack` ends; `setting` is that of `Quickset.warm`."""
        if not self.quickset:
            return Side(name, runs, None)
        return self.peer(stack.enter_context(self.quickset.warm(name, *setting)), runs, settle=True)

    def peer(self, process, runs, settle=False):
        """A process that stays. With `settle` it does its work some times more before each measurement: the sides take
        turns, so it has slept, and others have had its caches and cores."""
        if settle:
            return Side(process.name, self.runs(runs), lambda: [process.measure() for _ in range(SETTLE + 1)][-1])
        return Side(process.name, self.runs(runs), process.measure)

    def weka(self, stack, file, warm, warm_runs, runs, limit=None):
        """Weka's J48 on `file`, warmed by `warm`. Where it needs minutes, once must do."""
        if not self.weka_runs:
            return Side("Weka", runs, None)
        return self.peer(stack.enter_context(weka_peer(file, warm, warm_runs, limit)), runs, settle=runs > 1)

    def alternate(self, section, case, sides):
        """Runs the sides in turn, so that a busy minute falls on all of them; keeps each result at once."""
        series = {side.name: Series(side.name) for side in sides}
        for run in range(max(side.runs for side in sides)):
            for side in sides:
                if side.measure is None or run >= side.runs:
                    continue
                print(f"{section} {case}: {side.name}, run {run + 1} of {side.runs}", file=sys.stderr)
                measurement = side.measure()
                self.raw.append(section, case, side.name, run + 1, measurement)
                series[side.name].measurements.append(measurement)
        return series


def faster(what, ours, ours_key, peer, peer_key, bar):
    """A row whose ratio is the peer's least time over ours: how many times faster we are.

    Ours is wall time. For a peer of one thread `peer_key` is CPU time: a busy machine is to our disadvantage only.
    """
    best, peer_best = ours.best(ours_key), peer.best(peer_key)
    ratio = quotient(peer_best, best)
    medians = quotient(peer.median(peer_key), ours.median(ours_key))
    if peer.unfinished():
        return Row(what, seconds(best), f"> {seconds(peer_best)}", ratio, bar=bar, more_than=True)
    return Row(what, seconds(best), seconds(peer_best), ratio, medians, bar)


def times_as_long(what, ours, ours_key, peer, peer_key, bar):
    """A row whose ratio is our least time over the peer's."""
    best, peer_best = ours.best(ours_key), peer.best(peer_key)
    medians = quotient(ours.median(ours_key), peer.median(peer_key))
    return Row(what, seconds(best), seconds(peer_best), quotient(best, peer_best), medians, bar)


def quotient(above, below):
    return None if above is None or below is None else above / below


def seconds(value):
    return "not run" if value is None else f"{value:.4g} s"
