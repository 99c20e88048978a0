"""The Python package and scikit-learn in one process: quickset_python.py TRAIN.

Both get the same array in single precision, rows one after the other. scikit-learn's tree is grown best-first to as many
leaves as ours of depth 10; its `predict` without its input check is its fastest documented way, and ours has no such way.
"""

import gc
import sys
import time

import numpy as np
from quickset import C45Classifier, CartClassifier, NaiveTreeClassifier
from sklearn.tree import DecisionTreeClassifier

from big import load
from serve import serve, timed

x, y = load(sys.argv[1], "C")
BINNED = {"cut": "bins", "prune": "none", "max_depth": 10}
ours = CartClassifier(**BINNED).fit(x, y)
alone = CartClassifier(**BINNED, n_jobs=1).fit(x, y)
theirs = DecisionTreeClassifier(max_depth=10, max_leaf_nodes=ours.get_n_leaves(), random_state=0).fit(x, y)
LEARNERS = {
    "nt": NaiveTreeClassifier(),
    "c45": C45Classifier(),
    "cart": CartClassifier(**BINNED),
}


# Numbers of which no two are alike, all of which exact cuts have to sort: the most that they can ask for.
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
    found |= fitted("unlike", LEARNERS["c45"], unlike, above)
    for name, predict in {
        "ours": lambda: ours.predict(x),
        "ours.one_thread": lambda: alone.predict(x),
        "theirs": lambda: theirs.predict(x),
        "theirs.unchecked": lambda: theirs.predict(x, check_input=False),
    }.items():
        found[f"predict.{name}"] = min(timed(predict)[1]["wall_seconds"] for _ in range(5))
    found["agree"] = float(np.mean(ours.predict(x) == theirs.predict(x)))
    return {**found, "leaves": ours.get_n_leaves(), "their_leaves": int(theirs.get_n_leaves())}


serve(measure)
