"""What a run leaves behind: raw.csv as it goes, then summary.md and README.md. No paths and no names of machines."""

import csv
import os
import platform
import shutil
import subprocess
import zipfile
from datetime import datetime, timezone
from pathlib import Path

import install

RUNS = install.BENCH.parent / "runs"


def new_directory(label):
    """runs/<date>-<label>, with a number behind it if that was used before: no run overwrites another."""
    name = f"{datetime.now(timezone.utc):%Y-%m-%d}-{label}"
    directory, number = RUNS / name, 1
    while directory.exists():
        number += 1
        directory = RUNS / f"{name}-{number}"
    directory.mkdir(parents=True)
    return directory


class Raw:
    """One line per number, in the file as soon as it is measured."""

    def __init__(self, file):
        self.file = file
        self.write(["section", "case", "side", "run", "measure", "value"])

    def append(self, section, case, side, run, measurement):
        for measure, value in measurement.items():
            self.write([section, case, side, run, measure, value])

    def write(self, line):
        with open(self.file, "a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(line)


def table(rows):
    lines = ["| what | ours | peer | ratio of the best | of the medians | bar | met |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        sign = "> " if row.more_than else ""
        cells = [row.what, row.ours, row.peer, sign + figure(row.ratio), figure(row.medians), row.bar or "–",
                 row.verdict()]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def figure(value):
    return "–" if value is None else f"{value:.3g}"


def summary(rows, failures, quick):
    verdicts = [row.verdict() for row in rows if row.bar]
    lines = [table(rows), "", f"{verdicts.count('yes')} of {len(verdicts)} bars met, {verdicts.count('NO')} missed, "
             f"{verdicts.count('not run')} not run, {verdicts.count('not decided')} not decided."]
    lines += [f"The section `{name}` FAILED and has no complete figures." for name in failures]
    if quick:
        lines.append("A quick run: fewer rows and repetitions, not to be quoted.")
    return "\n".join(lines) + "\n"


def readme(command, binary, weka):
    lines = ["# Benchmark run", "", f"- date: {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC", f"- commit: {commit()}",
             f"- command: `{command}`", f"- machine: {machine()}", "", "## Versions", ""]
    lines += [f"- {line}" for line in versions(binary, weka)]
    lines += ["", "`summary.md` is the table, `raw.csv` every number measured. What is measured and how:",
              "`experiments/README.md`.", ""]
    return "\n".join(lines)


def machine():
    load = os.getloadavg()[1]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GiB; load before the run {load:.1f} (5 minutes)"


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def versions(binary, weka):
    yield said(binary, "--version") if binary else "quickset: not run"
    if shutil.which("rustc"):
        yield said("rustc", "--version")
    yield f"Python {platform.python_version()}"
    pinned = (install.BENCH / "requirements.txt").read_text().splitlines()
    yield from (line.replace("==", " ") for line in pinned if "==" in line)
    if weka:
        yield f"Weka {weka_version()}"
        yield said("java", "--version")
    else:
        yield "Weka: not run, no Java"


def weka_version():
    with zipfile.ZipFile(install.WEKA / "weka.jar") as jar:
        return jar.read("weka/core/version.txt").decode().strip().replace("-", ".")


def commit():
    dirty = said("git", "status", "--porcelain", "--untracked-files=no")
    return said("git", "rev-parse", "--short", "HEAD") + (" with uncommitted changes" if dirty else "")


def said(*command):
    """The first line that a command prints."""
    done = subprocess.run(list(map(str, command)), cwd=install.BENCH, capture_output=True, text=True, check=True)
    return done.stdout.strip().split("\n")[0]
