"""What all estimators have in common: a recipe made from their parameters, and a tree once they are fitted."""

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from numbers import Real
from os import PathLike
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from quickset import _columns, _quickset, _recipe
from quickset._progress import Bar
from quickset._told import Explanation, Rule


@dataclass(kw_only=True, eq=False, repr=False)
class Tree(ClassifierMixin, BaseEstimator):
    """The parameters that every estimator takes, and everything that it can do.

    A parameter that has the name of a recipe's key (``prune_confidence`` for ``prune.confidence``) sets it; None leaves it
    as the learner has it. Parameters are checked when :meth:`fit` is called.
    """

    #: The preset of the command line that the estimator begins with.
    learner: ClassVar[str] = "nt"

    criterion: str | None = None
    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows: float | None = None
    min_weight_fraction_leaf: float = 0.0
    leaf_penalty: float | None = None
    leaf: str | None = None
    missing: str | None = None
    settings: Mapping[str, Any] | None = None
    categorical_features: Iterable[int | str] | None = None
    class_weight: Mapping[Any, float] | Literal["balanced"] | None = None
    random_state: int | np.random.RandomState | None = None
    n_jobs: int | None = None
    verbose: bool = False

    # ---- fitting

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_samples, n_features)
            NumPy arrays, SciPy sparse matrices, and tables of pandas, polars, pyarrow or anything with Arrow's PyCapsule
            interface. Categories, text and truth values of tables are categories of the tree. NaN, None and NA are
            missing.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.

        Returns
        -------
        self : the fitted estimator
        """
        if y is None:
            name = type(self).__name__
            raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
        began = time.perf_counter()
        recipe, budget = self._recipe(), self._budget()
        X = _columns.validated(self, X, reset=True)
        names = _columns.names_of(X)
        target, classes = self._target(X, y, sample_weight, names)
        recipe = self._for(recipe, target)
        nominal = _columns.categorical(self.categorical_features, names)
        table = _columns.table(X, names, nominal, target, self._threads())
        # Tree and classes change together: if this fails, those of an earlier fit stay.
        self._model, self.notes_, report, self.training_seconds_ = self._train(table, recipe, budget, began)
        self.classes_ = classes
        self.report_ = None if report is None else json.loads(report)
        return self

    def _recipe(self) -> str:
        """The recipe that the parameters ask for."""
        mine = {field.name: getattr(self, field.name) for field in fields(self)}
        named = {_recipe.key_of(name): value for name, value in mine.items()}
        settings = {key: value for key, value in named.items() if key is not None and value is not None}
        # What decides which keys there are is set before them.
        first = sorted(settings, key=lambda key: "." in key)
        return _recipe.document(
            self._begins_with(), {key: settings[key] for key in first} | dict(self.settings or {}), self._seed()
        )

    def _for(self, recipe: str, target: _columns.Target) -> str:
        """The same for a target: with branches of the share of the weight that was asked for, and a leaf for one class."""
        present = target.codes if target.weights is None else target.codes[target.weights > 0]
        if len(present) > 0 and (present == present[0]).all():
            return _recipe.document("majority", {}, None)
        share = self.min_weight_fraction_leaf
        if not isinstance(share, Real) or not 0 <= share <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf is {share!r}: expected a share from 0 to 0.5")
        if share == 0:
            return recipe
        weight = len(target.codes) if target.weights is None else float(target.weights.sum())
        document = json.loads(recipe)
        return _recipe.document(document, {"min-rows": max(document["stop"]["min_rows"], share * weight)}, None)

    def _begins_with(self) -> str | Mapping[str, Any]:
        return self.learner

    def _seed(self) -> int | None:
        if self.random_state is None:
            return None
        if isinstance(self.random_state, int | np.integer):
            if self.random_state < 0:
                raise ValueError(f"random_state is {self.random_state}: expected a number from 0")
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _budget(self) -> str | None:
        budget = getattr(self, "budget", None)
        if isinstance(budget, Real) and not isinstance(budget, bool):
            return f"{budget}s"
        if budget is not None and not isinstance(budget, str):
            raise TypeError(f"budget is {budget!r}: expected a text such as '30s', or seconds")
        return budget

    def _threads(self) -> int | None:
        if self.n_jobs is None or self.n_jobs > 0:
            return self.n_jobs
        if self.n_jobs == 0:
            raise ValueError("n_jobs is 0: expected a number of threads, -1 for all cores, or None")
        return max(1, (os.cpu_count() or 1) + 1 + self.n_jobs)

    def _target(self, X: Any, y: Any, sample_weight: Any, names: list[str]) -> tuple[_columns.Target, NDArray[Any]]:
        name = getattr(y, "name", None)
        name = name if isinstance(name, str) and name else "class"
        while name in names:
            name += "_"
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        if y.dtype == np.dtype(object) and any(_columns.is_missing(label) for label in y.tolist()):
            raise ValueError("Input y contains missing labels: leave their rows out.")
        # Whole numbers are classes whatever they are, and looking at each takes as long as some trees.
        if y.dtype.kind not in "iub":
            check_classification_targets(y)
        check_consistent_length(X, y)
        classes, codes = _distinct(y)
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            if self.class_weight is not None:
                weights = weights * compute_sample_weight(self.class_weight, y)
        levels = [_columns.text(label) for label in classes.tolist()]
        return _columns.Target(name, levels, codes, weights), classes

    def _train(
        self, table: _quickset.Table, recipe: str, budget: str | None, began: float
    ) -> tuple[_quickset.Model, list[str], str | None, float]:
        # What it took to read the data counts.
        spent = time.perf_counter() - began
        if not self.verbose:
            return _quickset.train(table, recipe, budget, spent, self._threads(), None)
        with Bar(type(self).__name__, budget) as bar:
            return _quickset.train(table, recipe, budget, spent, self._threads(), bar.watch)

    # ---- predicting

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of every row."""
        check_is_fitted(self)
        X = _columns.validated(self, X, reset=False)
        # Rows that lie one after the other need no columns, which take longer to make than most trees to ask.
        codes = self._model.predict_array(X, self._threads()) if isinstance(X, np.ndarray) else None
        if codes is None:
            codes = self._model.predict(self._columns_of(X), self._threads())
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of every class, in the order of ``classes_``, for every row."""
        model, table = self._fitted(X)
        return model.predict_proba(table, self._threads())

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The leaf of every row; where missing values divide a row, the one that most of it reaches."""
        model, table = self._fitted(X)
        return model.apply(table, self._threads())

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Which nodes every row passes, as a sparse matrix of ones; the root is node 0."""
        model, table = self._fitted(X)
        starts, nodes = model.decision_path(table, self._threads())
        ones = np.ones(len(nodes), dtype=np.int64)
        return sparse.csr_matrix((ones, nodes, starts), shape=(table.rows, model.size))

    def explain(self, row: Any) -> Explanation:
        """Why a row gets its class, and what would change it.

        Parameters
        ----------
        row : a table or array of one row, or the values of one
        """
        check_is_fitted(self)
        if not _columns.is_table(row) and not sparse.issparse(row) and np.ndim(row) == 1:
            # A cell after the other: an array of text would make text of the numbers.
            numbers = all(isinstance(cell, Real) for cell in row)
            row = np.asarray(row, dtype=np.float64 if numbers else object).reshape(1, -1)
        model, table = self._fitted(row)
        if table.rows != 1:
            raise ValueError(f"found {table.rows} rows, expected one: choose it with X[i : i + 1]")
        return Explanation.of(model.explain(table, 0))

    def _fitted(self, X: Any) -> tuple[_quickset.Model, _quickset.Table]:
        check_is_fitted(self)
        return self._model, self._columns_of(_columns.validated(self, X, reset=False))

    def _columns_of(self, X: Any) -> _quickset.Table:
        # Columns are known by their place: scikit-learn has compared their names.
        return _columns.table(X, self._model.attributes, [], None, self._threads())

    # ---- looking

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each feature in what the tests of the tree tell about the class, in bits times rows."""
        check_is_fitted(self)
        return self._model.importances()

    @property
    def recipe_(self) -> dict[str, Any]:
        """The recipe that made the tree; ``TreeClassifier(recipe=...)`` follows it again."""
        check_is_fitted(self)
        recipe: dict[str, Any] = json.loads(self._model.recipe)
        return recipe

    def get_depth(self) -> int:
        """The tests on the longest path of the tree."""
        check_is_fitted(self)
        return self._model.depth

    def get_n_leaves(self) -> int:
        """The leaves of the tree."""
        check_is_fitted(self)
        return self._model.leaves

    def export_text(self, max_depth: int | None = None) -> str:
        """The tree as lines of text, as J48 prints it; of a large one perhaps only the first levels."""
        check_is_fitted(self)
        return self._model.text(max_depth)

    def export_dot(self) -> str:
        """The tree for Graphviz."""
        check_is_fitted(self)
        return self._model.dot()

    def rules(self) -> list[Rule]:
        """The tree as rules, one for every leaf."""
        check_is_fitted(self)
        return [Rule.of(parts) for parts in self._model.rules()]

    def _html_repr(self) -> str:
        # In a notebook an estimator shows its parameters until there is a tree to show.
        return self._model.html() if self.__sklearn_is_fitted__() else super()._html_repr()

    # ---- leaving

    def to_json(self) -> str:
        """The text of the model file: the one that the command line writes and reads."""
        check_is_fitted(self)
        return self._model.to_json()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model file, whole or not at all."""
        check_is_fitted(self)
        self._model.save(path)

    @classmethod
    def from_json(cls, text: str, *, classes: ArrayLike | None = None) -> Self:
        """A fitted estimator from the text of a model file.

        Parameters
        ----------
        text : str
            What :meth:`to_json` gave, or what is in a file that the command line wrote. It is checked, and runs no code.
        classes : array-like, default=None
            The labels in the file's order. A file knows them as text: by default whole numbers become numbers.
        """
        return cls._from_model(_quickset.Model.from_json(text), classes)

    @classmethod
    def load(cls, path: str | PathLike[str], *, classes: ArrayLike | None = None) -> Self:
        """A fitted estimator from a model file; see :meth:`from_json`."""
        with open(path, encoding="utf-8") as file:
            return cls.from_json(file.read(), classes=classes)

    @classmethod
    def _from_model(cls, model: _quickset.Model, classes: ArrayLike | None) -> Self:
        estimator = cls()
        labels = _labels(model.classes) if classes is None else np.asarray(classes)
        if labels.shape != (len(model.classes),):
            raise ValueError(f"found {labels.size} classes, the model has {len(model.classes)}: {model.classes}")
        estimator._model, estimator.classes_, estimator.notes_, estimator.report_ = model, labels, [], None
        estimator.n_features_in_ = len(model.attributes)
        if model.attributes != [f"x{index}" for index in range(len(model.attributes))]:
            estimator.feature_names_in_ = np.asarray(model.attributes, dtype=object)
        return estimator

    # ---- scikit-learn

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        # How far a search comes depends on the clock.
        tags.non_deterministic = getattr(self, "budget", None) is not None
        return tags


def _distinct(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The labels in ascending order, and the place of each row's among them."""
    if y.dtype.kind in "iu":
        least, most = int(y.min()), int(y.max())
        if most - least < _NEAR:
            # Whole numbers near each other are counted, which is faster than to sort them.
            offsets = (y - y.dtype.type(least)).astype(np.int64) if y.dtype.itemsize == 8 else y.astype(np.int64) - least
            present = np.bincount(offsets) > 0
            return np.flatnonzero(present).astype(y.dtype) + y.dtype.type(least), (np.cumsum(present) - 1)[offsets]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int64, copy=False)


_NEAR = 1 << 16


def _labels(classes: list[str]) -> NDArray[Any]:
    """Labels from the text of a model file."""
    if all(label.removeprefix("-").isdecimal() and str(int(label)) == label for label in classes):
        return np.asarray([int(label) for label in classes])
    return np.asarray(classes)
