"""scikit-learn's tree on word counts: sklearn_words.py FILE.

CSC of float32 is what its tree works on internally: nothing is converted inside the timed part.
"""

import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from serve import serve, timed
from words import load

counts, y = load(sys.argv[1])
x = counts.tocsc().astype(np.float32)
x.sort_indices()


def measure():
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
    _, seconds = timed(lambda: tree.fit(x, y))
    return {**seconds, "leaves": int(tree.get_n_leaves())}


serve(measure)
