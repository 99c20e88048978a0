"""The estimators: each a learner of the command line with the parameters that matter most for it.

All other keys of a recipe can be given as ``settings={"cut.mdl": False}``; :func:`quickset.keys` lists them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from quickset._base import Tree

#: The parameters of every estimator, as documentation; ``_documented`` adds them where a docstring says so.
_COMMON = """criterion : str, default=None
        How tests are compared: the key ``score`` of recipes, such as "gain", "gain-ratio" or "gini".
    max_depth : int, default=None
        The most tests on a path.
    max_leaves : int, default=None
        The most leaves.
    min_rows : float, default=None
        What at least two branches of a test must hold, in rows; None leaves it as the learner has it.
    min_weight_fraction_leaf : float, default=0.0
        The same as a share of the weight of all rows; the larger of the two holds.
    leaf_penalty : float, default=None
        What a leaf costs, as a share of the rows: a test stays where it saves more errors than its leaves cost.
    leaf : {"majority", "distribution", "laplace", "m-estimate", "nb"}, default=None
        What a leaf predicts.
    missing : {"fractions", "learned", "impute", "own"}, default=None
        Where rows go whose value is missing.
    settings : dict, default=None
        Other keys of the recipe, as ``--set`` takes them on the command line; :func:`quickset.keys` lists them.
    categorical_features : list of names or places, default=None
        Columns of numbers that are categories. Categories, text and truth values of tables are known by their type.
    class_weight : dict or "balanced", default=None
        How much each class counts.
    random_state : int or RandomState, default=None
        Where random draws start; None stands for the same start always, so that the same data give the same tree.
    n_jobs : int, default=None
        Threads; None stands for one per core, -1 as well. The tree does not depend on it.
    verbose : bool, default=False
        Whether to show how far the training came, as a bar where tqdm is installed."""


def _documented(estimator: type) -> type:
    estimator.__doc__ = (estimator.__doc__ or "").replace("{common}", _COMMON)
    return estimator


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class NaiveTreeClassifier(Tree):
    """The naive tree: one pass over the data, the cost of naive Bayes, about the accuracy of C4.5 (Su and Zhang 2006).

    Parameters
    ----------
    bins : {"width", "frequency", "mdl"}, default=None
        How numbers are binned.
    bins_count : int or "sqrt", default=None
        How many bins; by default as many as the root of the number of rows.
    prune : {"none", "pessimistic", "reduced-error", "cost-complexity"}, default=None
        What is cut back afterwards.
    prune_confidence : float, default=None
        How much pessimistic pruning trusts the training rows: less cuts more; 0.25 unless said otherwise.
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = NaiveTreeClassifier().fit(X, y)
    >>> print(tree.export_text())  # doctest: +ELLIPSIS
    nt pruned tree
    ------------------
    <BLANKLINE>
    petal ... <= ...
    >>> tree.score(X, y) > 0.95
    True
    """

    learner: ClassVar[str] = "nt"

    bins: str | None = None
    bins_count: int | str | None = None
    prune: str | None = None
    prune_confidence: float | None = None


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(Tree):
    """C4.5 release 8: gain ratio, fractional missing values, pessimistic pruning (Quinlan 1993, 1996).

    Parameters
    ----------
    prune : {"none", "pessimistic", "reduced-error", "cost-complexity"}, default=None
        What is cut back afterwards; pessimistic unless said otherwise.
    prune_confidence : float, default=None
        How much pruning trusts the training rows: less cuts more; 0.25 unless said otherwise.
    prune_raising : bool, default=None
        Whether a subtree may take the place of its parent.
    collapse : bool, default=None
        Whether subtrees that do not lower the training errors are cut before pruning.
    {common}

    Examples
    --------
    >>> import pandas as pd
    >>> weather = pd.DataFrame({
    ...     "outlook": ["sunny", "sunny", "overcast", "rainy", "rainy", "rainy", "overcast"] * 2,
    ...     "humidity": [85, 90, 78, 96, 80, 70, 65] * 2,
    ... })
    >>> tree = C45Classifier().fit(weather, ["no", "no", "yes", "yes", "yes", "no", "yes"] * 2)
    >>> for rule in tree.rules():
    ...     print(rule)
    if outlook = sunny then no  (support 4, confidence 1.000)
    if outlook = overcast then yes  (support 4, confidence 1.000)
    if outlook = rainy and humidity <= 70 then no  (support 2, confidence 1.000)
    if outlook = rainy and humidity > 70 then yes  (support 4, confidence 1.000)
    """

    learner: ClassVar[str] = "c45"

    prune: str | None = None
    prune_confidence: float | None = None
    prune_raising: bool | None = None
    collapse: bool | None = None


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class CartClassifier(Tree):
    """CART: the Gini index, two-way splits, cost-complexity pruning by cross-validation (Breiman and others 1984).

    Parameters
    ----------
    cut : {"rows", "bins"}, default=None
        Whether every place between two numbers is tried, or the borders of bins, which is faster on many rows.
    cut_bins : int, default=None
        The most bins of a column, where bins are tried.
    prune : {"none", "pessimistic", "reduced-error", "cost-complexity"}, default=None
        What is cut back afterwards.
    prune_folds : int, default=None
        The folds of the cross-validation that chooses how much is cut.
    prune_rule : {"one-se", "min"}, default=None
        Whether the smallest tree within one standard error is taken, or the best.
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> CartClassifier(max_depth=3).fit(X, y).get_depth() <= 3
    True
    """

    learner: ClassVar[str] = "cart"

    cut: str | None = None
    cut_bins: int | None = None
    prune: str | None = None
    prune_folds: int | None = None
    prune_rule: str | None = None


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class Id3Classifier(Tree):
    """ID3: information gain, grown until every leaf is pure, never pruned (Quinlan 1986).

    Parameters
    ----------
    {common}

    Examples
    --------
    >>> Id3Classifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]).predict([[0, 0]])
    array([0])
    """

    learner: ClassVar[str] = "id3"


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class HypergeometricTreeClassifier(Tree):
    """Splits ranked by the exact probability of their table; growing stops where chance explains it (Martin 1997).

    Parameters
    ----------
    stop_p : float or "none", default=None
        A split that chance makes likelier than this is not made; 0.05 unless said otherwise.
    stop_mode : {"auto", "point", "tail", "ratio"}, default=None
        What is compared with it.
    numeric : {"threshold", "quartiles", "natural", "mdl", "sqrt", ...}, default=None
        How numbers are cut.
    numeric_ways : {"many", "two"}, default=None
        How many branches a test of a number has.
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> HypergeometricTreeClassifier().fit(X, y).get_n_leaves() < 10
    True
    """

    learner: ClassVar[str] = "hyper"

    stop_p: float | str | None = None
    stop_mode: str | None = None
    numeric: str | None = None
    numeric_ways: str | None = None


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class LookaheadTreeClassifier(Tree):
    """LSID3: the test below which sampled trees are smallest; sees parity, and takes its time (Esmeir and Markovitch 2007).

    Of the cuts of a number some are drawn, as LSID3-MC does.

    Parameters
    ----------
    r : int, default=5
        Trees that are sampled for every branch of every test.
    budget : str or seconds, default=None
        Return by then with the best tree, such as "500ms", "30s" or "10m": as many samples are taken as there is time for,
        whatever ``r`` is. Ctrl-C ends it early.
    p : float or "none", default=None
        How many cuts of a number are drawn, as a share of the rows; "none" tries all of them, which is faster for numbers
        that have few values, such as bits.
    {common}

    Examples
    --------
    >>> import numpy as np
    >>> bits = np.random.RandomState(0).randint(2, size=(300, 8))
    >>> parity = bits[:, 0] ^ bits[:, 1] ^ bits[:, 2]
    >>> LookaheadTreeClassifier().fit(bits[:200], parity[:200]).score(bits[200:], parity[200:])
    1.0
    """

    learner: ClassVar[str] = "lsid3-mc"

    r: int = 5
    budget: str | float | None = None
    p: float | str | None = None


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class AnytimeTreeClassifier(Tree):
    """The best tree that the time allows: a naive tree first, then C4.5, look-ahead, and repeated improvement.

    It returns early where nothing is left to try. Ctrl-C ends it with the best tree so far.

    Parameters
    ----------
    budget : str or seconds, default="10s"
        Return by then, such as "500ms", "30s" or "10m"; None takes a fixed number of steps instead.
    {common}

    Attributes
    ----------
    report_ : dict or None
        What the time bought: every tree that took the place of the one before, when it was there, and its estimated error.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = AnytimeTreeClassifier(budget="200ms").fit(X, y)
    >>> tree.report_["bought"][0]["by"]
    'nt'
    """

    learner: ClassVar[str] = "auto"

    budget: str | float | None = "10s"


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class NBTreeClassifier(Tree):
    """NBTree: naive Bayes in the leaves, split where that saves held-out errors (Kohavi 1996).

    Parameters
    ----------
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NBTreeClassifier().fit(X, y).score(X, y) > 0.9
    True
    """

    learner: ClassVar[str] = "nbtree"


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class SelfAdaptiveNBTreeClassifier(Tree):
    """Self-adaptive NBTree: branches where the most probable class changes, leaves of fitted kernel densities.

    Parameters
    ----------
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> SelfAdaptiveNBTreeClassifier().fit(X, y).score(X, y) > 0.9
    True
    """

    learner: ClassVar[str] = "snbtree"


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayesClassifier(Tree):
    """Naive Bayes for numbers, categories and counts in one table: a tree of one leaf.

    Parameters
    ----------
    leaf_density : {"normal", "kernel", "adaptive", "discretised", "multinomial"}, default=None
        What numbers are taken to follow; "multinomial" is for counts of words.
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NaiveBayesClassifier().fit(X, y).score(X, y) > 0.9
    True
    """

    learner: ClassVar[str] = "nb"

    leaf_density: str | None = None

    def _recipe(self) -> str:
        if self.max_depth is not None:
            raise ValueError(
                f"max_depth is {self.max_depth}, but naive Bayes is a lone leaf: TreeClassifier(leaf='nb') has several"
            )
        return super()._recipe()


@_documented
@dataclass(kw_only=True, eq=False, repr=False)
class TreeClassifier(Tree):
    """Any recipe.

    Parameters
    ----------
    recipe : str or dict, default="nt"
        A learner, as the command line names it, perhaps with changes: "c45[prune.confidence=0.1]"; or the ``recipe_`` of a
        fitted estimator. :func:`quickset.learners` lists the learners.
    budget : str or seconds, default=None
        Return by then, such as "500ms", "30s" or "10m".
    {common}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = TreeClassifier(recipe="j48[min-rows=5]").fit(X, y)
    >>> TreeClassifier(recipe=tree.recipe_).fit(X, y).to_json() == tree.to_json()
    True
    """

    recipe: str | Mapping[str, Any] = "nt"
    budget: str | float | None = None

    def _begins_with(self) -> str | Mapping[str, Any]:
        return self.recipe
