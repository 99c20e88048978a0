"""One decision tree a person can read, better the longer it may grow.

The estimators follow scikit-learn's conventions: :class:`NaiveTreeClassifier` is the place to start,
:class:`AnytimeTreeClassifier` takes the time it is given, :class:`TreeClassifier` follows any recipe.
"""

from quickset._estimators import (
    AnytimeTreeClassifier,
    C45Classifier,
    CartClassifier,
    HypergeometricTreeClassifier,
    Id3Classifier,
    LookaheadTreeClassifier,
    NaiveBayesClassifier,
    NaiveTreeClassifier,
    NBTreeClassifier,
    SelfAdaptiveNBTreeClassifier,
    TreeClassifier,
)
from quickset._recipe import keys, learners
from quickset._told import Explanation, Rule

__all__ = [
    "AnytimeTreeClassifier",
    "C45Classifier",
    "CartClassifier",
    "Explanation",
    "HypergeometricTreeClassifier",
    "Id3Classifier",
    "LookaheadTreeClassifier",
    "NBTreeClassifier",
    "NaiveBayesClassifier",
    "NaiveTreeClassifier",
    "Rule",
    "SelfAdaptiveNBTreeClassifier",
    "TreeClassifier",
    "keys",
    "learners",
]
