"""Time as the dial: how well budgets and interrupts are kept, and how fast look-ahead is beside its plain twin."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import install
from measure import Bar, Row
from processes import Failed

ROOT = install.BENCH.parent.parent
BUDGETS = [("builtin:mux-20", 0.5), ("builtin:mux-20", 2), ("builtin:xor-10", 5), ("builtin:numeric-xor-4d", 2)]
UCI_BUDGETS = [("letter", 3), ("waveform-5000", 3)]
TWIN_BAR, THREADS_BAR, INTERRUPT_BAR = 20, 1.8, 0.1


def run(bench):
    if bench.quickset is None:
        return
    sets = [(name.removeprefix("builtin:"), name, budget) for name, budget in BUDGETS]
    sets += [(name, bench.sets.uci(name), budget) for name, budget in UCI_BUDGETS]
    for name, data, budget in sets:
        side = bench.ours("quickset", 5, lambda quickset, data=data, budget=budget: late(quickset, data, budget))
        series = bench.alternate("anytime", f"budget {budget:g} s on {name}", [side])[side.name]
        worst = max(series.values("late"))
        allowed = max(0.05 * budget, 0.05)
        bench.rows.append(Row(f"auto --budget {budget:g}s on {name}: latest end over the 5 % or 50 ms allowed",
                              f"{1000 * worst:.0f} ms", f"{1000 * allowed:.0f} ms", worst / allowed, bar=Bar("at most", 1)))
    for name, data in {name: data for name, data, _ in sets}.items():
        side = bench.ours("quickset", 5, lambda quickset, data=data: interrupted(quickset, data))
        series = bench.alternate("anytime", f"Ctrl-C on {name}", [side])[side.name]
        worst = max(series.values("seconds"))
        bench.rows.append(Row(f"Ctrl-C on {name} until the command has ended, slowest of {len(series.measurements)}, seconds",
                              f"{1000 * worst:.0f} ms", "–", worst, bar=Bar("at most", INTERRUPT_BAR)))
    twin(bench)


def late(quickset, data, budget):
    """How long after its deadline the command ends; below zero where it had nothing left to try."""
    start = time.monotonic()
    quickset.said("train", data, "--budget", f"{budget:g}s", "--format", "json", "--quiet")
    return {"late": time.monotonic() - start - budget}


def interrupted(quickset, data):
    command = [str(quickset.binary), "train", str(data), "--budget", "10m", "--format", "json", "--progress", "off"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(2)
    if process.poll() is not None:
        raise Failed(f"the search on {data} ended before it was interrupted")
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    code = process.wait()
    if code != 0:
        raise Failed(f"an interrupted search on {data} ended with {code}")
    return {"seconds": time.monotonic() - start}


def twin(bench):
    """The library's own measurement: LSID3 with five samples on xor-10, three times the same tree."""
    print("anytime: lsid3 beside its plain twin, which takes a minute", file=sys.stderr)
    command = ["cargo", "test", "--release", "--locked", "-p", "quickset", "--lib", "against_the_plain_twin", "--",
               "--ignored", "--nocapture"]
    said = subprocess.run(command, cwd=Path(ROOT), stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r"lsid3 on xor-10: ([\d.]+) times .* two threads ([\d.]+) times", said)
    if not found:
        raise Failed("the measurement of look-ahead printed no ratios")
    ratio, threads = map(float, found.groups())
    bench.raw.append("anytime", "lsid3 on xor-10", "quickset", 1, {"twin": ratio, "threads": threads})
    bench.rows.append(Row("lsid3, r = 5, on xor-10: times as fast as its row-by-row twin", "–", "–", ratio,
                          bar=Bar("at least", TWIN_BAR)))
    bench.rows.append(Row("lsid3, r = 5, on xor-10: two threads, times as fast as one", "–", "–", threads,
                          bar=Bar("at least", THREADS_BAR)))
