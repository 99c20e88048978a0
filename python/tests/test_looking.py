"""Looking at trees, and taking them along."""

import json
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import quickset
from quickset import C45Classifier, NaiveBayesClassifier, NaiveTreeClassifier, TreeClassifier


@pytest.fixture(scope="module")
def tree(mixed):
    return C45Classifier().fit(*mixed)


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.opened, self.closed, self.words = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.opened.append(tag)

    def handle_endtag(self, tag):
        self.closed.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def test_a_notebook_shows_the_tree_with_names_and_counts(tree, mixed):
    html = tree._repr_mimebundle_()["text/html"]
    assert html == tree._repr_html_()
    tags = Tags(html)
    assert sorted(tags.opened) == sorted(tags.closed)
    assert tags.opened.count("details") == tree._model.size - tree.get_n_leaves()
    words = "".join(tags.words)
    assert "colour = red" in words and "colour = 1" not in words
    counts = mixed[1].value_counts()
    assert all(f"{label} {count}" in words for label, count in counts.items())


def test_before_fitting_a_notebook_shows_the_parameters():
    html = C45Classifier(max_depth=3)._repr_html_()
    assert "C45Classifier" in html and "quickset-tree" not in html
    assert repr(C45Classifier(max_depth=3)) == "C45Classifier(max_depth=3)"


def test_text_dot_and_rules_say_the_same(tree):
    text, dot, rules = tree.export_text(), tree.export_dot(), tree.rules()
    assert f"Number of Leaves  : \t{tree.get_n_leaves()}" in text
    assert dot.startswith("digraph") and "colour" in dot
    assert len(rules) == tree.get_n_leaves()
    assert {rule["class"] for rule in rules} <= set(tree.classes_)
    assert sum(rule["support"] for rule in rules) == pytest.approx(400)
    assert str(rules[0]).startswith("if ")
    assert "more nodes" in tree.export_text(max_depth=1)


def test_an_explanation_names_the_path_and_what_would_change_it(tree, mixed):
    X, _ = mixed
    explanation = tree.explain(X[3:4])
    assert explanation["prediction"] == tree.predict(X[3:4])[0]
    assert explanation["path"][0]["attribute"] in X.columns
    assert explanation["probability"] == pytest.approx(tree.predict_proba(X[3:4]).max())
    assert "What would change it" in str(explanation)
    with pytest.raises(ValueError, match="found 2 rows, expected one"):
        tree.explain(X[:2])


def test_values_of_a_row_can_be_explained(iris):
    X, y = iris
    tree = C45Classifier().fit(X, y)
    assert tree.explain(X[0]) == tree.explain(X[:1]) == tree.explain(X[0].tolist())


def test_leaves_and_paths_fit_the_tree(tree, mixed):
    X, y = mixed
    leaves, paths = tree.apply(X), tree.decision_path(X)
    assert sparse.issparse(paths) and paths.shape == (len(X), tree._model.size)
    assert (paths[:, 0].toarray() == 1).all()
    assert (np.asarray(paths[np.arange(len(X)), leaves]) == 1).all()
    assert paths.sum(axis=1).min() >= 1
    nodes = json.loads(tree.to_json())["model"]["tree"]
    assert all("leaf" in nodes[leaf] for leaf in leaves)
    whole = X.dropna()
    assert (tree.decision_path(whole).sum(axis=1) <= tree.get_depth() + 1).all()
    assert len(np.unique(leaves)) <= tree.get_n_leaves()
    assert len(y) == len(leaves)


def test_importances_are_shares(tree, iris):
    assert tree.feature_importances_.sum() == pytest.approx(1)
    assert tree.feature_importances_.argmax() in (0, 1, 2)
    X, y = iris
    constant = np.c_[X, np.zeros(150)]
    assert C45Classifier().fit(constant, y).feature_importances_[4] == 0
    assert NaiveBayesClassifier().fit(X, y).feature_importances_.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b", "c"], [-5, 7, 10**12]])
def test_a_model_file_brings_the_tree_back(iris, tmp_path, labels):
    X, y = iris[0], np.asarray(labels)[iris[1]]
    tree = C45Classifier().fit(X, y)
    tree.save(tmp_path / "tree.json")
    for again in (C45Classifier.load(tmp_path / "tree.json"), TreeClassifier.from_json(tree.to_json())):
        np.testing.assert_array_equal(again.predict(X), tree.predict(X))
        assert again.classes_.dtype == tree.classes_.dtype
        assert again.n_features_in_ == 4 and not hasattr(again, "feature_names_in_")


def test_labels_of_a_model_file_can_be_given(iris):
    X, y = iris[0], np.array(["0", "1", "2"])[iris[1]]
    text = C45Classifier().fit(X, y).to_json()
    assert C45Classifier.from_json(text).classes_.tolist() == [0, 1, 2]
    again = C45Classifier.from_json(text, classes=["0", "1", "2"])
    np.testing.assert_array_equal(again.predict(X), C45Classifier().fit(X, y).predict(X))
    with pytest.raises(ValueError, match="found 2 classes, the model has 3"):
        C45Classifier.from_json(text, classes=[1, 2])


def test_names_come_back_with_a_model_file(mixed, tmp_path):
    X, y = mixed
    tree = NaiveTreeClassifier().fit(X, y)
    tree.save(tmp_path / "tree.json")
    again = NaiveTreeClassifier.load(tmp_path / "tree.json")
    assert list(again.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="feature names"):
        again.predict(X.rename(columns={"age": "years"}))


def test_damaged_and_absent_files_are_refused(iris, tmp_path):
    tree = C45Classifier().fit(*iris)
    text = tree.to_json()
    for damaged in (text[:-40], text.replace('"cut":', '"cut":1', 1), "{}", "import os"):
        with pytest.raises(ValueError):
            C45Classifier.from_json(damaged)
    with pytest.raises(OSError, match="nowhere"):
        C45Classifier.load(tmp_path / "nowhere.json")
    with pytest.raises(OSError):
        tree.save(tmp_path / "no folder" / "tree.json")


def test_the_recipe_of_a_tree_says_what_was_asked_for(iris):
    tree = C45Classifier(prune_confidence=0.1, min_rows=5, settings={"cut.mdl": False}).fit(*iris)
    recipe = tree.recipe_
    assert recipe["name"] == "c45" and recipe["stop"]["min_rows"] == 5 and recipe["candidates"]["cut"]["mdl"] is False
    assert "0.1" in json.dumps(recipe["prune"])


def test_what_there_is_can_be_listed():
    assert "nt" in quickset.learners() and "prune.confidence" in quickset.keys()


def test_naive_bayes_leaves_are_told_apart(iris):
    tree = quickset.NBTreeClassifier().fit(*iris)
    assert "(naive Bayes)" in tree._repr_html_()
    with pytest.raises(ValueError, match="naive Bayes leaf cannot be written as a rule"):
        tree.rules()


def test_names_in_a_notebook_are_never_markup():
    X = pd.DataFrame({"<script>alert(1)</script>": [0.0, 1.0] * 20})
    html = C45Classifier().fit(X, ["<b>", "&"] * 20)._repr_html_()
    assert "<script" not in html and "&lt;b&gt;" in html


def test_a_fit_that_fails_changes_nothing(iris):
    X, y = iris
    tree = quickset.AnytimeTreeClassifier(budget="50ms").fit(X, np.array(["a", "b", "c"])[y])
    before, report = tree.predict(X), tree.report_
    with pytest.raises(ValueError, match="infinity"):
        tree.fit(np.where(X > 7, np.inf, X), np.array(["d", "e", "f"])[y])
    np.testing.assert_array_equal(tree.predict(X), before)
    assert tree.report_ == report
    assert tree.set_params(budget=None).fit(X, y).report_ is not None
    assert TreeClassifier(recipe="c45").fit(X, y).report_ is None


def test_naive_bayes_has_one_leaf(iris):
    with pytest.raises(ValueError, match="naive Bayes is a lone leaf"):
        NaiveBayesClassifier(max_depth=2).fit(*iris)
