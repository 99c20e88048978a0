"""Parameters of estimators as a recipe: one document, made and checked by the library."""

import json
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from quickset import _quickset


def learners() -> dict[str, str]:
    """Every learner that a recipe can begin with, and what it does.

    >>> learners()["c45"]
    'C4.5 release 8: gain ratio, fractional missing values, pessimistic pruning'
    """
    return dict(_quickset.learners())


def keys() -> dict[str, str]:
    """Every key of a recipe that can be set, and the values that it takes.

    >>> keys()["prune"]
    'none|pessimistic|reduced-error|cost-complexity'
    """
    return dict(_quickset.keys())


def document(recipe: str | Mapping[str, Any], settings: Mapping[str, Any], seed: int | None) -> str:
    """The recipe of a learner, or one that was made before, with some keys set."""
    written = [(key, _value(key, value)) for key, value in settings.items()]
    if isinstance(recipe, Mapping):
        return _quickset.checked(json.dumps(dict(recipe)), written, seed)
    if isinstance(recipe, str):
        return _quickset.recipe(recipe, written, seed)
    raise TypeError(f"a recipe is a learner's name or a document, not {type(recipe).__name__}")


def key_of(parameter: str) -> str | None:
    """The key that a parameter of an estimator stands for: Python has neither dots nor hyphens in names."""
    return _KEY_OF.get(parameter)


# `score` is what estimators do with test data: scikit-learn's trees call the key `criterion`.
_KEY_OF = {key.replace(".", "_").replace("-", "_"): key for key in keys()} | {"criterion": "score"}


def _value(key: str, value: Any) -> str:
    match value:
        case str():
            return value
        case None:
            return "none"
        case bool() | np.bool_():
            return str(value).lower()
        case Integral():
            return str(int(value))
        case Real():
            return repr(float(value))
    raise TypeError(f"{key} is {value!r}: expected a word, a number, or True or False")
