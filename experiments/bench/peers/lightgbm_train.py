"""One LightGBM tree on the large set, binning included: lightgbm_train.py TRAIN TEST.

Logistic loss at balanced classes ranks splits as Gini does, so this is the same tree grown over 255 bins. float32 in
F order with `force_col_wise` was the fastest of the layouts tried.
"""

import sys

import lightgbm

from big import load
from serve import serve, timed

PARAMETERS = {
    "objective": "binary",
    "learning_rate": 1.0,
    "num_leaves": 1024,
    "max_depth": 10,
    "min_data_in_leaf": 1,
    "min_sum_hessian_in_leaf": 0.0,
    "max_bin": 255,
    "force_col_wise": True,
    "num_threads": 1,
    "verbose": -1,
}

x, y = load(sys.argv[1], "F")
x_test, y_test = load(sys.argv[2], "C")


def fit():
    return lightgbm.train(PARAMETERS, lightgbm.Dataset(x, y, params=PARAMETERS), num_boost_round=1)


def measure():
    booster, seconds = timed(fit)
    right = (booster.predict(x_test) > 0.5) == y_test
    leaves = booster.dump_model()["tree_info"][0]["num_leaves"]
    return {**seconds, "leaves": leaves, "accuracy": 100 * float(right.mean())}


serve(measure)
