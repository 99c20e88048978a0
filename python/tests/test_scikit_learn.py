"""scikit-learn's own checks, and its tools around our estimators."""

import copy
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import quickset

CLASSES = [getattr(quickset, name) for name in quickset.__all__ if name.endswith("Classifier")]

DENSE = "check_sample_weight_equivalence_on_dense_data"
SPARSE = "check_sample_weight_equivalence_on_sparse_data"

#: Where a row of weight two is not two rows, and why.
SEES_ROWS = {
    "NaiveTreeClassifier": ([DENSE], "there are as many bins as the root of the number of rows"),
    "TreeClassifier": ([DENSE], "it is the naive tree: there are as many bins as the root of the number of rows"),
    "AnytimeTreeClassifier": ([DENSE], "the naive tree is one of those it compares"),
    "CartClassifier": ([SPARSE], "the folds that choose how much is pruned are made of rows"),
    "SelfAdaptiveNBTreeClassifier": ([DENSE, SPARSE], "bandwidths are chosen by leaving out one row"),
}


def small(estimator):
    """An estimator as it is constructed without arguments, but without a clock: some checks pass over what needs one."""
    return estimator(budget=None) if estimator is quickset.AnytimeTreeClassifier else estimator()


def expected_to_fail(estimator):
    checks, reason = SEES_ROWS.get(type(estimator).__name__, ([], ""))
    return dict.fromkeys(checks, reason)


@parametrize_with_checks([small(estimator) for estimator in CLASSES], expected_failed_checks=expected_to_fail)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_there_is_an_estimator_for_every_learner_of_the_issue():
    assert len(CLASSES) == 11
    for estimator in CLASSES:
        assert estimator().get_params() == clone(estimator()).get_params()


@pytest.mark.parametrize("estimator", CLASSES)
def test_tools_of_scikit_learn_work(estimator, iris):
    X, y = iris
    tree = small(estimator)
    assert cross_val_score(tree, X, y, cv=3).mean() > 0.85
    assert make_pipeline(StandardScaler(), tree).fit(X, y).score(X, y) > 0.9
    assert BaggingClassifier(tree, n_estimators=3, random_state=0).fit(X, y).score(X, y) > 0.9
    assert CalibratedClassifierCV(tree, cv=3).fit(X, y).predict_proba(X).shape == (150, 3)
    assert GridSearchCV(tree, {"class_weight": [None, "balanced"]}, cv=3).fit(X, y).best_score_ > 0.85


@pytest.mark.parametrize("estimator", CLASSES)
def test_copies_predict_alike(estimator, iris, tmp_path):
    X, y = iris
    tree = small(estimator).fit(X, y)
    joblib.dump(tree, tmp_path / "tree.joblib")
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), joblib.load(tmp_path / "tree.joblib")):
        assert again.to_json() == tree.to_json()
        np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))


def test_nested_parameters_reach_the_tree(iris):
    X, y = iris
    pipeline = make_pipeline(StandardScaler(), quickset.C45Classifier())
    assert pipeline.set_params(c45classifier__max_depth=1).fit(X, y)[-1].get_depth() == 1


def test_metadata_is_routed(iris):
    import sklearn

    X, y = iris
    with sklearn.config_context(enable_metadata_routing=True):
        tree = quickset.C45Classifier().set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        weights = np.where(y == 2, 0.0, 1.0)
        pipeline = make_pipeline(scaler, tree).fit(X, y, sample_weight=weights)
    assert 2 not in pipeline.predict(X)


def test_processes_that_are_forked_have_threads(iris):
    import multiprocessing

    X, y = iris
    tree = quickset.NaiveTreeClassifier().fit(X, y)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        scores = pool.starmap_async(tree.score, [(X, y)] * 4).get(timeout=60)
    assert scores == [tree.score(X, y)] * 4
