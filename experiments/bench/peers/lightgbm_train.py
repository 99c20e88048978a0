"""One round of LightGBM on a large set, binning included: lightgbm_train.py TRAIN TEST SETTINGS, a JSON object.

With two classes a round is one tree, with more it is one for each class: LightGBM has no other way. float32 in F order
with `force_col_wise` was the fastest of the layouts tried. Binning and growing are also told apart.
"""

import json
import sys

import lightgbm
import polars as pl

from big import load, nominal
from serve import serve, timed

COMMON = {"learning_rate": 1.0, "max_bin": 255, "force_col_wise": True, "num_threads": 1, "verbose": -1}

settings = {**COMMON, **json.loads(sys.argv[3])}
x, y = load(sys.argv[1], "F")
x_test, y_test = load(sys.argv[2], "C")
columns = pl.read_parquet(sys.argv[1], n_rows=1)
categorical = [columns.columns.index(name) for name in nominal(columns.drop("class"))]


def bin_columns():
    return lightgbm.Dataset(x, y, params=settings, categorical_feature=categorical).construct()


def measure():
    bins, binning = timed(bin_columns)
    booster, growing = timed(lambda: lightgbm.train(settings, bins, num_boost_round=1))
    trees = booster.dump_model()["tree_info"]
    return {**{key: binning[key] + growing[key] for key in growing}, "cpu_seconds_grow": growing["cpu_seconds"],
            "trees": len(trees), "leaves": sum(tree["num_leaves"] for tree in trees), "accuracy": accuracy(booster)}


def accuracy(booster):
    answers = booster.predict(x_test)
    predicted = answers > 0.5 if answers.ndim == 1 else answers.argmax(axis=1)
    return 100 * float((predicted == y_test).mean())


serve(measure)
