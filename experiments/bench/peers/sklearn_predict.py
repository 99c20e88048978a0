"""scikit-learn's predictions for the large set: sklearn_predict.py TRAIN LEAVES.

The tree is grown best-first to LEAVES leaves (0: no limit) of depth 10 at most, to be of the same size as ours.
For single precision, its own, skipping the input check is its fastest documented way; double precision it converts.
"""

import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from big import load
from serve import serve, timed

x, y = load(sys.argv[1], "C")
leaves = int(sys.argv[2]) or None
tree = DecisionTreeClassifier(criterion="gini", max_depth=10, max_leaf_nodes=leaves, random_state=0).fit(x, y)


doubles = x.astype(np.float64)


def measure():
    _, seconds = timed(lambda: tree.predict(x, check_input=False))
    _, of_doubles = timed(lambda: tree.predict(doubles))
    return {**seconds, "cpu_seconds_double": of_doubles["cpu_seconds"], "leaves": int(tree.get_n_leaves()), "depth": int(tree.get_depth())}


serve(measure)
