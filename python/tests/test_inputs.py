"""The same data in every form give the same tree."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from quickset import C45Classifier, NaiveTreeClassifier, TreeClassifier


def tree_of(estimator):
    """The tree of a fitted estimator, without the names of its columns."""
    return json.loads(estimator.to_json())["model"]["tree"]


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u1", "u2", "u4", "u8", ">f8", ">i4", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_every_type_and_order_are_read_alike(kind, order):
    draws = np.random.RandomState(0)
    numbers = draws.randint(0, 2 if kind == "?" else 9, size=(300, 5))
    y = (numbers[:, 1] > numbers[:, 3]).astype(int)
    expected = C45Classifier().fit(numbers.astype(np.float64), y)
    array = np.asarray(numbers.astype(kind), order=order)
    tree = C45Classifier().fit(array, y)
    assert tree_of(tree) == tree_of(expected)
    np.testing.assert_array_equal(tree.predict(array), expected.predict(numbers))


def test_views_with_steps_and_readonly_arrays_are_read(iris):
    X, y = iris
    expected = C45Classifier().fit(X[::-2, ::-1].copy(), y[::-2])
    assert tree_of(C45Classifier().fit(X[::-2, ::-1], y[::-2])) == tree_of(expected)
    frozen = X.copy()
    frozen.setflags(write=False)
    assert tree_of(C45Classifier().fit(frozen, y)) == tree_of(C45Classifier().fit(X, y))


def test_single_precision_stays_single(iris):
    X, y = iris
    singles = X.astype(np.float32)
    tree = C45Classifier().fit(singles, y)
    np.testing.assert_array_equal(tree.predict(singles), tree.predict(singles.astype(np.float64)))


def test_a_table_of_pandas_keeps_names_categories_and_holes(mixed):
    X, y = mixed
    tree = C45Classifier().fit(X, y)
    model = json.loads(tree.to_json())["model"]
    levels = {attribute["name"]: attribute.get("levels") for attribute in model["schema"]["attributes"]}
    assert levels["colour"] == ["green", "red", "blue", "never"]
    assert levels["size"] is None and levels["age"] is None
    assert levels["member"] == ["false", "true"] and set(levels["city"]) == {"Basel", "Bern"}
    assert model["schema"]["class"] == "does"
    assert list(tree.feature_names_in_) == list(X.columns)
    assert "colour = red" in tree.export_text() and tree.score(X, y) > 0.9


def test_tables_of_other_libraries_give_the_tree_of_pandas(mixed):
    X, y = mixed
    expected = C45Classifier().fit(X, y).to_json()
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    assert C45Classifier().fit(arrow, y).to_json() == expected
    # The categories of polars have no order of their own, but for those of an Enum.
    frame = pl.from_arrow(arrow).with_columns(pl.col("colour").cast(pl.Enum(X["colour"].cat.categories.to_list())))
    assert C45Classifier().fit(frame, pl.Series("does", y.to_numpy())).to_json() == expected

    class Capsule:
        def __arrow_c_stream__(self, requested_schema=None):
            return arrow.__arrow_c_stream__(requested_schema)

    tree = C45Classifier().fit(Capsule(), y)
    assert tree.to_json() == expected
    for table in (X, arrow, frame, Capsule()):
        np.testing.assert_array_equal(tree.predict(table), tree.predict(X))


def test_batches_of_an_arrow_table_are_joined(mixed):
    X, y = mixed
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    parts = pa.concat_tables([arrow[:150], arrow[150:]])
    assert C45Classifier().fit(parts, y).to_json() == C45Classifier().fit(arrow, y).to_json()


def test_text_in_arrays_is_categories():
    X = np.array([["a", 1.0], ["b", 2.0], ["a", None], [None, 4.0]] * 10, dtype=object)
    y = ["p", "q", "p", "q"] * 10
    tree = C45Classifier().fit(X, y)
    attributes = json.loads(tree.to_json())["model"]["schema"]["attributes"]
    assert attributes[0]["levels"] == ["a", "b"] and "levels" not in attributes[1]
    assert tree.score(X, y) == 1.0
    assert C45Classifier().fit(X[:, :1].astype(str), y).score(X[:, :1].astype(str), y) == 1.0


def test_numbers_are_categories_where_the_user_says_so():
    draws = np.random.RandomState(1)
    code = draws.randint(0, 6, size=(300, 1))
    y = np.isin(code[:, 0], [1, 4])
    for features in ([0], ["x0"]):
        tree = C45Classifier(categorical_features=features).fit(code, y)
        assert tree.get_depth() == 1 and tree.score(code, y) == 1.0
    with pytest.raises(ValueError, match="not a column"):
        C45Classifier(categorical_features=["colour"]).fit(code, y)
    with pytest.raises(ValueError, match="a place below 1"):
        C45Classifier(categorical_features=[1]).fit(code, y)


def test_a_category_that_training_never_saw_is_missing(mixed):
    X, y = mixed
    tree = C45Classifier().fit(X, y)
    strange, unknown = X[:5].copy(), X[:5].copy()
    strange["colour"] = pd.Categorical(["violet"] * 5)
    unknown["colour"] = pd.Categorical([None] * 5, categories=["red"])
    np.testing.assert_array_equal(tree.predict_proba(strange), tree.predict_proba(unknown))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array])
def test_sparse_matrices_give_the_predictions_of_dense_ones(form):
    draws = np.random.RandomState(3)
    words = draws.poisson(0.3, size=(200, 30)).astype(float)
    y = np.where(words[:, 2] > 0, "a", np.where(words[:, 7] > 1, "b", "c"))
    tree = C45Classifier().fit(form(words), y)
    np.testing.assert_array_equal(tree.predict(form(words)), C45Classifier().fit(words, y).predict(words))
    np.testing.assert_array_equal(tree.predict(form(words)), tree.predict(words))


def test_sparse_matrices_are_left_as_they_were():
    twice = sparse.csr_matrix((np.ones(6), [0, 0, 1, 2, 1, 2], [0, 2, 4, 6]), shape=(3, 3))
    before = twice.copy()
    NaiveTreeClassifier().fit(twice, [0, 1, 1])
    assert twice.nnz == before.nnz and (twice.indices == before.indices).all()


def test_wide_sparse_data_need_no_dense_copy():
    rows, columns = 2_000, 200_000
    draws = np.random.RandomState(5)
    words = sparse.random(rows, columns, density=2e-4, random_state=draws, format="csr")
    y = np.asarray(words[:, :50].sum(axis=1) > 0).ravel().astype(int)
    y[0], y[1] = 0, 1
    # Dense it would be 3.2 GB.
    assert NaiveTreeClassifier().fit(words, y).predict(words).shape == (rows,)


@pytest.mark.parametrize(
    "labels", [["b", "a"], [3, -1], [True, False], [2.0, 1.0], np.array(["x", "y"], dtype=object), [2**40, 7]]
)
def test_labels_come_back_as_they_were(labels, iris):
    X, y = iris[0][:100], np.asarray(labels)[iris[1][:100]]
    tree = C45Classifier().fit(X, y)
    predicted = tree.predict(X)
    np.testing.assert_array_equal(predicted, y)
    assert predicted.dtype == np.asarray(labels).dtype
    np.testing.assert_array_equal(tree.classes_, np.unique(labels))
    assert tree.predict_proba(X).argmax(axis=1).tolist() == np.searchsorted(tree.classes_, y).tolist()


def test_labels_of_every_library_are_read(mixed):
    X, y = mixed
    expected = C45Classifier().fit(X, y).to_json()
    forms = (y.astype("category"), y.astype("string"), pa.chunked_array([y]), y.to_frame()["does"])
    for labels in forms:
        tree = C45Classifier().fit(X, labels)
        assert tree_of(tree) == json.loads(expected)["model"]["tree"]


def test_weights_count_rows(iris):
    X, y = iris
    draws = np.random.RandomState(0)
    times = draws.randint(0, 3, len(y))
    by_weight = C45Classifier().fit(X, y, sample_weight=times)
    by_rows = C45Classifier().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert tree_of(by_weight) == tree_of(by_rows)
    balanced = C45Classifier(class_weight="balanced").fit(X[:120], y[:120])
    assert balanced.predict_proba(X).shape == (150, 3)


def test_columns_that_nothing_can_be_learnt_from_are_refused(mixed):
    X, y = mixed
    dated = X.assign(when=pd.Timestamp("2026-01-01"))
    with pytest.raises(ValueError, match="'when' is of type datetime64.*leave it out"):
        C45Classifier().fit(dated, y)
    with pytest.raises(ValueError, match='"when".*neither numbers nor categories'):
        C45Classifier().fit(pa.Table.from_pandas(dated), y)


def test_other_names_than_those_of_the_training_are_refused(mixed):
    X, y = mixed
    tree = C45Classifier().fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        tree.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="expecting 5 features"):
        tree.predict(X.to_numpy()[:, :4])


def test_a_recipe_of_any_learner_can_be_followed(iris):
    import quickset

    X, y = iris
    for learner in quickset.learners():
        if learner not in ("auto", "iidt"):
            assert TreeClassifier(recipe=learner).fit(X, y).score(X, y) >= 1 / 3


def test_truth_values_are_known_in_every_form():
    bits = np.random.RandomState(0).rand(200, 3) < 0.5
    y = bits[:, 0] ^ (bits[:, 1] & bits[:, 2])
    frame = pd.DataFrame(bits, columns=["a", "b", "c"])
    forms = [frame, frame.astype(int), frame.astype("boolean"), frame.astype(str), frame.astype("category")]
    for trained_on in forms:
        if trained_on is not forms[1]:
            tree = TreeClassifier(recipe="id3").fit(trained_on, y)
            assert [tree.score(form, y) for form in forms] == [1.0] * len(forms)
    numbers = TreeClassifier(recipe="id3").fit(bits.astype(int), y)
    assert numbers.score(bits, y) == numbers.score(bits.tolist(), y) == 1.0


def test_numbers_where_training_had_text_are_refused(mixed):
    X, y = mixed
    tree = C45Classifier().fit(X, y)
    with pytest.raises(ValueError, match="found numbers, expected levels such as"):
        tree.predict(X.assign(colour=1.0))


def test_rows_of_numbers_and_text_in_lists_stay_what_they_are():
    rows = [["a", 0.1], ["b", 0.9], ["a", 0.8], [None, 0.2], [float("nan"), 0.7]] * 20
    y = [row[1] > 0.5 for row in rows]
    tree = C45Classifier().fit(rows, y)
    attributes = json.loads(tree.to_json())["model"]["schema"]["attributes"]
    assert attributes[0]["levels"] == ["a", "b"] and "levels" not in attributes[1]
    assert tree.score(rows, y) == 1.0
    assert tree.explain(rows[0]) == tree.explain([rows[0]])
    assert tree.explain(["a", np.float32(0.75)])["prediction"] == "True"


def test_arrow_types_of_pandas_are_read(mixed):
    X, y = mixed
    arrow = X.drop(columns="colour").convert_dtypes(dtype_backend="pyarrow")
    plain = X.drop(columns="colour")
    assert tree_of(C45Classifier().fit(arrow, y)) == tree_of(C45Classifier().fit(plain, y))


def test_names_of_a_record_batch_are_known(mixed):
    X, y = mixed
    batch = pa.RecordBatch.from_pandas(X, preserve_index=False)
    tree = C45Classifier().fit(batch, y)
    assert list(tree.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        tree.predict(batch.select(batch.schema.names[::-1]))


def test_one_class_makes_a_lone_leaf(iris):
    X, _ = iris
    for estimator in (C45Classifier(), NaiveTreeClassifier()):
        tree = estimator.fit(X, ["only"] * 150)
        assert tree.predict(X).tolist() == ["only"] * 150 and tree.get_n_leaves() == 1
    zero = C45Classifier().fit(X, iris[1], sample_weight=(iris[1] == 1).astype(float))
    assert set(zero.predict(X)) == {1} and zero.predict_proba(X).shape == (150, 3)
