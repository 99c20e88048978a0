"""Accuracy and tree size of `nt` beside `c45` and naive Bayes, on the folds of the reference. There are no peers here.

The figures of Su and Zhang (2006), as far as they are at hand, stand beside ours in tables of their own; their form of
the naive tree is `nt[score=iig,range=observed]` on dense data.
"""

import csv
import gzip
import statistics
import sys

import install
from measure import Bar, Row
from processes import Failed

UCI = ("letter mushroom waveform-5000 sick hypothyroid kr-vs-kp splice segment credit-g vowel anneal vehicle diabetes "
       "breast-w credit-a soybean balance-scale vote colic ionosphere primary-tumor heart-c breast-cancer "
       "heart-statlog audiology glass sonar autos hepatitis iris lymph zoo labor").split()
WITH_MISSING = ("mushroom sick hypothyroid breast-w credit-a soybean vote colic primary-tumor heart-c breast-cancer "
                "audiology autos hepatitis labor").split()
TEXT = "ohscal la1s la2s fbis re1 re0 wap oh0 oh10 oh15 oh5 tr31 tr11 tr12 tr21 tr23 tr41 tr45".split()
QUICK_TEXT = "tr11 tr12 tr23 oh5".split()

IIG, PAPER, FRACTIONS = "nt[score=iig]", "nt[score=iig,range=observed]", "nt[missing=fractions]"
UCI_LEARNERS = ["c45", "nt", IIG, PAPER, "nb"]
TEXT_LEARNERS = ["c45", "nt", "nb"]
PUBLISHED = install.BENCH.parents[1] / "crates/quickset-cli/src/study/published.csv"
NEAR_THE_PAPER = {"letter": 0.5, "vowel": 1, "vehicle": 1.5}  # points


def run(bench):
    if not bench.quickset:
        return
    runs = 1 if bench.quick else 10
    uci(bench, runs)
    text(bench)
    missing(bench, runs)


def uci(bench, runs):
    files = {name: bench.sets.imputed(bench.quickset, name) for name in UCI}
    found = compare(bench, "uci", files, UCI_LEARNERS, runs)
    published = figures("uci")
    write_table(bench, "uci", found, UCI_LEARNERS, {"c45": "c45", PAPER: "nt", "nb": "nb"}, published)
    mean_row(bench, "uci", found, "nt", published, Bar("at least", 83.7))
    mean_row(bench, "uci", found, IIG, published, Bar("at least", 83.3))
    for learner in [PAPER, "c45", "nb"]:
        mean_row(bench, "uci", found, learner, published, None)
    size_row(bench, "uci", found, Bar("at most", 1.1))
    for name, points in NEAR_THE_PAPER.items():
        ours, theirs = found[name][PAPER]["accuracy"], published[name, "nt"]
        bench.rows.append(Row(f"accuracy of {PAPER} on {name}, points from the published", percent(ours),
                              percent(theirs), ours - theirs, bar=Bar("within", points)))


def text(bench):
    files = {name: bench.sets.text(name) for name in (QUICK_TEXT if bench.quick else TEXT)}
    found = compare(bench, "text", files, TEXT_LEARNERS, 1)
    published = figures("text")
    write_table(bench, "text", found, TEXT_LEARNERS, {learner: learner for learner in TEXT_LEARNERS}, published)
    mean_row(bench, "text", found, "nt", published, Bar("at least", 82))
    for learner in ["c45", "nb"]:
        mean_row(bench, "text", found, learner, published, None)
    size_row(bench, "text", found, Bar("at most", 0.75))


def missing(bench, runs):
    """The files as they are: values imputed from the training rows, or rows divided in fractions."""
    files = {name: bench.sets.uci(name) for name in WITH_MISSING}
    learners = ["nt", FRACTIONS]
    found = compare(bench, "missing", files, learners, runs)
    write_table(bench, "missing", found, learners, {}, {})
    [imputed, divided] = [mean(found, learner, "accuracy") for learner in learners]
    bench.rows.append(Row(f"accuracy of {FRACTIONS} over nt, mean of {len(files)} sets with missing values, points",
                          percent(divided), percent(imputed), divided - imputed))


def compare(bench, table, files, learners, runs):
    """Means over the folds by set and learner; every fold goes to a compressed file.

    A learner that this binary does not have is left out, and its column stays empty.
    """
    known = bench.quickset.learners()
    learners = [learner for learner in learners if learner.split("[")[0] in known]
    found = {}
    for name, file in files.items():
        print(f"accuracy {table}: {name}", file=sys.stderr)
        lines = bench.quickset.compare(file, learners, runs, bench.sets.folds())
        keep(bench.directory / f"accuracy-{table}.csv.gz", lines)
        found[name] = means(lines)
        for learner, measurement in found[name].items():
            bench.raw.append("accuracy", f"{table} {name}", learner, 1, measurement)
    return found


def keep(file, lines):
    """One head for all sets."""
    text = lines.split("\n", 1)[1] if file.exists() else lines
    with gzip.open(file, "at") as out:
        out.write(text)


def means(lines):
    folds = {}
    for line in csv.DictReader(lines.splitlines()):
        if line["status"] != "ok":
            raise Failed(f"{line['learner']} on {line['dataset']}: {line['status']}")
        folds.setdefault(line["learner"], []).append(line)
    return {learner: {key: statistics.fmean(float(line[key] or "nan") for line in of) for key in ["accuracy", "size"]}
            for learner, of in folds.items()}


def figures(table):
    """The published ones, by set and learner."""
    with open(PUBLISHED, newline="") as lines:
        return {(line["dataset"], line["learner"]): float(line["value"])
                for line in csv.DictReader(lines) if line["table"] == table}


def mean(found, learner, key):
    """Over the sets; None for a learner that was not run."""
    values = [measured[learner][key] for measured in found.values() if learner in measured]
    return statistics.fmean(values) if values else None


def size_ratio(measured):
    """Nodes of `nt` over those of `c45`, if both were run."""
    return measured["nt"]["size"] / measured["c45"]["size"] if "c45" in measured else None


def mean_ratio(found):
    ratios = [ratio for ratio in map(size_ratio, found.values()) if ratio is not None]
    return statistics.fmean(ratios) if ratios else None


def mean_row(bench, table, found, learner, published, bar):
    ours = mean(found, learner, "accuracy")
    theirs = published.get((all_of(found), learner.split("[")[0]))
    bench.rows.append(Row(f"accuracy of {learner}, {table}, {all_of(found)}, beside the published", percent(ours),
                          percent(theirs), ours, bar=bar))


def size_row(bench, table, found, bar):
    what = f"nodes of nt over those of c45, {table}, {all_of(found)}"
    bench.rows.append(Row(what, nodes(found, "nt"), nodes(found, "c45"), mean_ratio(found), bar=bar))


def nodes(found, learner):
    return f"{mean(found, learner, 'size'):.1f}"


def all_of(found):
    """What published.csv calls the mean of as many sets."""
    return f"mean of {len(found)}"


def percent(value):
    return "–" if value is None else f"{value:.2f} %"


def write_table(bench, table, found, learners, counterparts, published):
    """accuracy-<table>.md: percent by set and learner, each followed by what was published and the difference to it."""
    sized = "c45" in learners
    head = ["set"]
    for learner in learners:
        head += [learner] + (["published", "difference"] if learner in counterparts else [])
    rows = [(name, {learner: figure["accuracy"] for learner, figure in measured.items()}, size_ratio(measured))
            for name, measured in found.items()]
    rows.append((all_of(found), {learner: mean(found, learner, "accuracy") for learner in learners}, mean_ratio(found)))
    lines = [head + ["nodes nt/c45"] * sized, ["---"] * (len(head) + sized)]
    for name, accuracies, ratio in rows:
        cells = [name]
        for learner in learners:
            ours, theirs = accuracies.get(learner), published.get((name, counterparts.get(learner)))
            cells.append(decimals(ours))
            if learner in counterparts:
                cells += [decimals(theirs), "–" if None in (ours, theirs) else f"{ours - theirs:+.2f}"]
        lines.append(cells + [decimals(ratio)] * sized)
    text = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
    (bench.directory / f"accuracy-{table}.md").write_text(text + "\n")


def decimals(value):
    return "–" if value is None else f"{value:.2f}"
