"""Wrong input gets a sentence; nothing makes the library panic."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse
from sklearn.exceptions import NotFittedError

import quickset
from quickset import C45Classifier, NaiveTreeClassifier, TreeClassifier

CLASSES = [getattr(quickset, name) for name in quickset.__all__ if name.endswith("Classifier")]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_path", "explain"])
def test_methods_ask_for_fit_first(method):
    with pytest.raises(NotFittedError):
        getattr(C45Classifier(), method)([[1.0]])
    for look in ("get_depth", "get_n_leaves", "export_text", "export_dot", "rules", "to_json"):
        with pytest.raises(NotFittedError):
            getattr(C45Classifier(), look)()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prune": "shears"}, "prune=shears is not valid.*none|pessimistic"),
        ({"prune_confidence": 0.9}, "prune.confidence"),
        ({"max_depth": -1}, "max-depth=-1 is not valid"),
        ({"max_depth": 2.5}, "max-depth=2.5 is not valid"),
        ({"criterion": "beauty"}, "score=beauty is not valid.*gain"),
        ({"settings": {"oak": 1}}, 'there is no part named "oak"'),
        ({"random_state": -3}, "random_state is -3"),
        ({"min_weight_fraction_leaf": 0.7}, "min_weight_fraction_leaf is 0.7"),
        ({"class_weight": "fair"}, "class_weight"),
    ],
)
def test_wrong_parameters_are_named_when_fitting(parameters, message, iris):
    tree = C45Classifier(**parameters)
    with pytest.raises(ValueError, match=message):
        tree.fit(*iris)


def test_parameters_of_wrong_types_are_named(iris):
    with pytest.raises(TypeError, match="max-depth is"):
        C45Classifier(max_depth=[3]).fit(*iris)
    with pytest.raises(TypeError, match="a recipe is a learner's name or a document"):
        TreeClassifier(recipe=3).fit(*iris)
    with pytest.raises(ValueError, match='no learner named "oak"'):
        TreeClassifier(recipe="oak").fit(*iris)
    with pytest.raises(ValueError, match="this is not a recipe"):
        TreeClassifier(recipe={"name": "oak"}).fit(*iris)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [2.0]], [0], "inconsistent numbers of samples"),
        ([[1.0], [np.inf]], [0, 1], "infinity"),
        (sparse.csr_matrix([[1.0], [np.inf]]), [0, 1], "infinity"),
        (pd.DataFrame({"a": [1.0, -np.inf]}), [0, 1], "infinity"),
        ([[1.0], [2.0]], [0.5, 1.7], "Unknown label type"),
        ([[1.0], [2.0]], [0, np.nan], "NaN"),
        ([[1.0], [2.0]], ["a", None], "missing labels"),
        ([[1j], [2.0]], [0, 1], "Complex data not supported"),
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((2, 0)), [0, 1], "0 feature"),
        (pd.DataFrame(index=[0, 1]), [0, 1], "0 feature"),
        (pd.DataFrame({"a": []}), [], "0 sample"),
        ([1.0, 2.0], [0, 1], "Expected 2D array"),
        (pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", "a"]), [0, 1], "column names"),
        (pd.DataFrame({"a": [1.0, "x"]}), [0, 1], "numbers and text"),
        ([[1.0], [2.0]], None, "requires y"),
    ],
)
def test_data_that_cannot_be_learnt_from_are_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        NaiveTreeClassifier().fit(X, y)


def test_objects_are_neither_numbers_nor_text():
    X = np.array([[{"a": 1}], [2.0]], dtype=object)
    with pytest.raises(TypeError, match="argument must be a string or a real number, not 'dict'"):
        C45Classifier().fit(X, [0, 1])


def test_more_classes_than_there_can_be_are_refused():
    many = np.arange(70_000)
    with pytest.raises(ValueError, match="70000 different values"):
        NaiveTreeClassifier().fit(many.reshape(-1, 1), many)


KINDS = st.one_of(
    st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u2", "u8", "?", "U3", "S2", "O", "c8", "M8[s]", "m8[s]", ">f4", "g"])
)
SHAPES = st.tuples(st.integers(0, 12), st.integers(0, 4))


@st.composite
def anything(draw):
    """An array of some type and shape with any values, and labels that may or may not fit."""
    kind, shape = np.dtype(draw(KINDS)), draw(SHAPES)
    elements = st.one_of(st.none(), st.floats(), st.text(max_size=2), st.booleans()) if kind == np.dtype(object) else None
    X = draw(arrays.arrays(kind, shape, elements=elements))
    if draw(st.booleans()):
        X = np.asfortranarray(X)
    if draw(st.booleans()) and X.ndim == 2 and kind.kind != "M":
        X = pd.DataFrame(X)
    length = draw(st.sampled_from([shape[0], shape[0], shape[0], shape[0] + 1]))
    labels = st.one_of(
        st.lists(st.integers(0, 3), min_size=length, max_size=length),
        st.lists(st.sampled_from(["a", "b", "é\n"]), min_size=length, max_size=length),
        st.lists(st.booleans(), min_size=length, max_size=length),
        st.lists(st.one_of(st.none(), st.floats(), st.text(max_size=1)), min_size=length, max_size=length),
    )
    weights = st.one_of(st.none(), st.lists(st.floats(), min_size=length, max_size=length))
    return X, draw(labels), draw(weights)


@given(data=anything(), estimator=st.sampled_from(CLASSES))
@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_thrown_at_fit_is_learnt_or_refused(data, estimator):
    X, y, weights = data
    tree = estimator(budget="20ms") if estimator is quickset.AnytimeTreeClassifier else estimator()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree.fit(X, y, sample_weight=weights)
        except (ValueError, TypeError, OverflowError) as error:
            assert str(error)
            return
        probabilities = tree.predict_proba(X)
        labels = tree.predict(X)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert np.isin(labels, tree.classes_).all()
