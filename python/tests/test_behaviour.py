"""Time, threads, interrupts, progress, and the command line."""

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import redirect_stderr

import numpy as np
import pytest

import quickset
from quickset import AnytimeTreeClassifier, C45Classifier, LookaheadTreeClassifier, NaiveTreeClassifier, TreeClassifier


@pytest.fixture(scope="module")
def parity():
    """Ten of twenty bits: a search has much to do."""
    bits = np.random.RandomState(0).randint(2, size=(4_000, 20))
    return bits, bits[:, :10].sum(axis=1) % 2


def test_python_goes_on_while_a_tree_grows(parity):
    X, y = parity
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    AnytimeTreeClassifier(budget="1s").fit(X, y)
    done.set()
    thread.join()
    # A hundred were possible; a lock held for the whole second would have allowed none.
    assert ticks > 20


@pytest.mark.parametrize("budget", ["700ms", 0.7])
def test_budgets_are_kept(parity, budget):
    X, y = parity
    began = time.perf_counter()
    tree = LookaheadTreeClassifier(budget=budget).fit(X, y)
    assert time.perf_counter() - began < 0.7 + 0.3
    assert tree.report_["bought"] and tree.report_["bought"][-1]["leaves"] == tree.get_n_leaves()


@pytest.mark.parametrize("budget", ["soon", "0s", -1, [3]])
def test_budgets_that_are_none_are_refused(iris, budget):
    with pytest.raises((ValueError, TypeError), match="budget"):
        AnytimeTreeClassifier(budget=budget).fit(*iris)


def test_a_search_without_anything_left_to_try_returns_early(iris):
    began = time.perf_counter()
    AnytimeTreeClassifier(budget="60s").fit(*iris)
    assert time.perf_counter() - began < 30


INTERRUPTED = """
    import sys, time, numpy as np, quickset
    random = np.random.RandomState(0)
    if sys.argv[1] == "NBTreeClassifier":
        # A concept that it splits again and again, which takes several times as long as the test waits.
        X = random.rand(300_000, 24)
        y = np.where(X[:, 0] > 0.3, np.where(X[:, 1] > 0.6, X[:, 2] > 0.4, X[:, 3] > 0.7), X[:, 4] > 0.6)
    else:
        X = random.randint(2, size=(6_000, 24)).astype(np.float64)
        y = X[:, :12].sum(axis=1) % 2
    tree = getattr(quickset, sys.argv[1])(**eval(sys.argv[2]))
    print("ready", flush=True)
    try:
        tree.fit(X, y)
        print("tree of", tree.get_n_leaves(), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    ("estimator", "parameters", "said"),
    [
        ("AnytimeTreeClassifier", {"budget": "60s"}, "tree of"),
        ("LookaheadTreeClassifier", {"budget": "60s"}, "tree of"),
        ("LookaheadTreeClassifier", {"r": 5000}, "interrupted"),
        # Looks up seldom.
        ("NBTreeClassifier", {}, "interrupted"),
    ],
)
def test_ctrl_c_ends_a_training_promptly(estimator, parameters, said):
    command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), estimator, repr(parameters)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    began = time.perf_counter()
    answer = process.stdout.readline()
    assert answer.startswith(said), answer
    assert time.perf_counter() - began < 1.0
    assert process.wait(timeout=20) == 0


def test_a_bar_shows_what_the_time_bought(parity):
    X, y = parity
    shown = io.StringIO()
    with redirect_stderr(shown):
        AnytimeTreeClassifier(budget="500ms", verbose=True).fit(X, y)
    assert "AnytimeTreeClassifier" in shown.getvalue() and "leaves, error" in shown.getvalue()


def test_without_verbose_nothing_is_printed(parity, capfd):
    AnytimeTreeClassifier(budget="200ms").fit(*parity)
    assert capfd.readouterr() == ("", "")


def test_a_tree_does_not_depend_on_threads_or_time_of_day(mixed):
    X, y = mixed
    for estimator in (NaiveTreeClassifier, C45Classifier, quickset.CartClassifier, quickset.NBTreeClassifier):
        trees = {estimator(n_jobs=jobs).fit(X, y).to_json() for jobs in (None, 1, 2, -1)}
        assert len(trees) == 1, estimator


def test_random_state_is_the_seed(parity):
    X, y = parity[0][:300], parity[1][:300]
    trees = [TreeClassifier(recipe="sid3", random_state=seed).fit(X, y).to_json() for seed in (3, 3, 4)]
    assert trees[0] == trees[1] != trees[2]
    drawn = [TreeClassifier(recipe="sid3", random_state=np.random.RandomState(8)).fit(X, y).to_json() for _ in range(2)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("learner", ["nt", "c45", "cart", "hyper", "nbtree", "snbtree", "nb", "lsid3", "one-r"])
def test_the_command_line_makes_the_same_file(mixed, command, tmp_path, learner):
    X, y = mixed
    table = X.assign(does=y.astype("category"))
    table.to_parquet(tmp_path / "mixed.parquet")
    command(
        "train", tmp_path / "mixed.parquet", "--target", "does", "--learner", learner, "--seed", 5,
        "--output", tmp_path / "command.json", "--quiet",
    )  # fmt: skip
    tree = TreeClassifier(recipe=learner, random_state=5).fit(X, y)
    tree.save(tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "command.json").read_bytes()
    loaded = TreeClassifier.load(tmp_path / "command.json")
    np.testing.assert_array_equal(loaded.predict(X), tree.predict(X))


def test_the_command_line_reads_what_python_wrote(iris, command, tmp_path):
    X, y = iris
    tree = C45Classifier().fit(X, y)
    tree.save(tmp_path / "tree.json")
    assert "x3 <= 0.6" in command("show", tmp_path / "tree.json")
    rows = "x0,x1,x2,x3\n" + "\n".join(",".join(map(repr, row)) for row in X.tolist())
    (tmp_path / "rows.csv").write_text(rows + "\n")
    lines = command("predict", tmp_path / "tree.json", tmp_path / "rows.csv").split()
    assert [int(line.split(",")[1]) for line in lines[-150:]] == tree.predict(X).tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="memory is measured where processes tell it")
@pytest.mark.parametrize(
    ("estimator", "parameters", "rows", "most"),
    [
        ("NaiveTreeClassifier", {}, 200_000, 3.0),
        ("C45Classifier", {}, 200_000, 3.0),
        ("CartClassifier", {}, 400_000, 3.0),
        ("CartClassifier", {"cut": "bins", "prune": "none"}, 1_000_000, 1.5),
    ],
)
def test_memory_of_fit_is_bounded_by_the_array(estimator, parameters, rows, most):
    script = """
        import sys, numpy as np, quickset
        X = np.random.default_rng(0).random((int(sys.argv[3]), 50), dtype=np.float32)
        y = (X[:, 0] > 0.5).astype(int) + (X[:, 1] > X[:, 2])
        getattr(quickset, sys.argv[1])(**eval(sys.argv[2])).fit(X[:2000], y[:2000])
        def peak():
            return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
        open("/proc/self/clear_refs", "w").write("5")
        before = peak()
        getattr(quickset, sys.argv[1])(**eval(sys.argv[2])).fit(X, y)
        print((peak() - before) / X.nbytes)
    """
    command = [sys.executable, "-c", textwrap.dedent(script), estimator, repr(parameters), str(rows)]
    ratio = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert ratio <= most


def test_reports_are_json(parity):
    tree = AnytimeTreeClassifier(budget="200ms").fit(*parity)
    assert json.loads(json.dumps(tree.report_)) == tree.report_


def test_nobody_waits_for_the_training_of_another_thread(parity, iris):
    X, y = parity
    small = C45Classifier().fit(*iris)
    training = threading.Thread(target=AnytimeTreeClassifier(budget="3s").fit, args=(X, y))
    training.start()
    time.sleep(0.5)
    began = time.perf_counter()
    small.predict(iris[0])
    small.predict_proba(iris[0])
    C45Classifier().fit(*iris)
    assert time.perf_counter() - began < 1.5
    assert training.is_alive()
    training.join()


def test_budgets_are_kept_side_by_side(parity):
    trees = [AnytimeTreeClassifier(budget="1s", n_jobs=1) for _ in range(3)]
    threads = [threading.Thread(target=tree.fit, args=parity) for tree in trees]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.perf_counter() - began < 1.9
    assert all(tree.get_n_leaves() > 1 for tree in trees)
