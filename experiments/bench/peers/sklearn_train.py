"""scikit-learn's tree on a large set: sklearn_train.py TRAIN TEST SETTINGS, where SETTINGS is a JSON object.

With `one_hot` among the settings every level is a column, otherwise nominal columns are codes.
float32 in C order is what its tree works on internally: nothing is converted inside the timed part.
"""

import json
import sys

from sklearn.tree import DecisionTreeClassifier

from big import load
from serve import serve, timed

settings = json.loads(sys.argv[3])
one_hot = settings.pop("one_hot", False)
x, y = load(sys.argv[1], "C", one_hot=one_hot)
x_test, y_test = load(sys.argv[2], "C", one_hot=one_hot)


def measure():
    tree = DecisionTreeClassifier(**settings, random_state=0)
    _, seconds = timed(lambda: tree.fit(x, y))
    return {**seconds, "leaves": int(tree.get_n_leaves()), "accuracy": 100 * tree.score(x_test, y_test)}


serve(measure)
