"""scikit-learn's tree on the large set: sklearn_train.py TRAIN TEST.

float32 in C order is what its tree works on internally: nothing is converted inside the timed part.
"""

import sys

from sklearn.tree import DecisionTreeClassifier

from big import load
from serve import serve, timed

x, y = load(sys.argv[1], "C")
x_test, y_test = load(sys.argv[2], "C")


def measure():
    tree = DecisionTreeClassifier(criterion="gini", max_depth=10, random_state=0)
    _, seconds = timed(lambda: tree.fit(x, y))
    return {**seconds, "leaves": int(tree.get_n_leaves()), "accuracy": 100 * tree.score(x_test, y_test)}


serve(measure)
