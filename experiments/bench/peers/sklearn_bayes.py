"""scikit-learn's multinomial naive Bayes on word counts: sklearn_bayes.py FILE.

CSR in double and in single precision; the faster of the two counts.
"""

import sys

import numpy as np
from sklearn.naive_bayes import MultinomialNB

from serve import serve, timed
from words import load

double, y = load(sys.argv[1])
single = double.astype(np.float32)


def measure():
    [of_double, of_single] = [timed(lambda: MultinomialNB().fit(x, y))[1]["cpu_seconds"] for x in [double, single]]
    return {"cpu_seconds": min(of_double, of_single), "cpu_seconds_double": of_double, "cpu_seconds_single": of_single}


serve(measure)
