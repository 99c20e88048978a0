"""The Python package and scikit-learn in one process: quickset_python.py TRAIN [LEARNER].

With a learner only the memory of its `fit` is measured, once and from a plain array that another process wrote: a process
that has read or fitted before keeps memory that would be used again, and not be seen.

Both get the same array in single precision, rows one after the other. scikit-learn's tree is grown best-first to as many
leaves as ours of depth 10; its `predict` without its input check is its fastest documented way, and ours has no such way.
"""

import gc
import sys
import time

import numpy as np
from quickset import C45Classifier, CartClassifier, NaiveTreeClassifier
from sklearn.tree import DecisionTreeClassifier

from serve import serve, timed

ARRAYS = [f"{sys.argv[1]}.{name}.npy" for name in "xy"]
if len(sys.argv) > 2:
    x, y = map(np.load, ARRAYS)
else:
    from big import load

    x, y = load(sys.argv[1], "C")
    for file, array in zip(ARRAYS, (x, y)):
        np.save(file, array)
BINNED = {"cut": "bins", "prune": "none", "max_depth": 10}
LEARNERS = {
    "nt": NaiveTreeClassifier(),
    "c45": C45Classifier(),
    "cart": CartClassifier(**BINNED),
}
# Those that get numbers of which no two are alike, all of which exact cuts have to sort: the most that they can ask for.
SORTED = {"unlike": C45Classifier(), "unlike-cart": CartClassifier()}


if len(sys.argv) == 2 or sys.argv[2] in SORTED:
    unlike = np.random.default_rng(0).random(x.shape, dtype=np.float32)
    above = (unlike[:, 0] > 0.5).astype(np.int32) + (unlike[:, 1] > unlike[:, 2])


def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024


def fitted(name, learner, x, y):
    """Seconds of `fit`, of the training within it, and the memory above what there was, over the bytes of the array."""
    gc.collect()
    with open("/proc/self/clear_refs", "w") as forget:
        forget.write("5")
    before = peak()
    began = time.perf_counter()
    tree = learner.fit(x, y)
    seconds = time.perf_counter() - began
    return {
        f"{name}.fit": seconds,
        f"{name}.inside": tree.training_seconds_,
        f"{name}.memory": (peak() - before) / x.nbytes,
    }


def measure():
    found = {}
    for name, learner in LEARNERS.items():
        found |= fitted(name, learner, x, y)
    found |= fitted("unlike", SORTED["unlike"], unlike, above)
    found = {name: value for name, value in found.items() if not name.endswith(".memory")}
    for name, predict in {
        "ours": lambda: ours.predict(x),
        "ours.one_thread": lambda: alone.predict(x),
        "theirs": lambda: theirs.predict(x),
        "theirs.unchecked": lambda: theirs.predict(x, check_input=False),
    }.items():
        found[f"predict.{name}"] = min(timed(predict)[1]["wall_seconds"] for _ in range(5))
    found["agree"] = float(np.mean(ours.predict(x) == theirs.predict(x)))
    return {**found, "leaves": ours.get_n_leaves(), "their_leaves": int(theirs.get_n_leaves())}


def memory_of(name):
    learner, rows, classes = (SORTED[name], unlike, above) if name in SORTED else (LEARNERS[name], x, y)
    # Threads and code are there before.
    learner.fit(rows[:2000], classes[:2000])
    return fitted(name, learner, rows, classes)


if len(sys.argv) > 2:
    serve(lambda: memory_of(sys.argv[2]))
else:
    ours = CartClassifier(**BINNED).fit(x, y)
    alone = CartClassifier(**BINNED, n_jobs=1).fit(x, y)
    theirs = DecisionTreeClassifier(max_depth=10, max_leaf_nodes=ours.get_n_leaves(), random_state=0).fit(x, y)
    serve(measure)
