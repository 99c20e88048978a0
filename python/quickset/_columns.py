"""From what Python programmers have in hand to columns: arrays, sparse matrices and tables of several libraries.

Numbers stay numbers; categories, text and truth values become categories with their names. NaN, None and NA are missing.
"""

import sys
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, validate_data

from quickset._quickset import Table


class Target(NamedTuple):
    """What is to be predicted: a level for every row."""

    name: str
    levels: list[str]
    codes: np.ndarray
    weights: np.ndarray | None


class _Meaning(NamedTuple):
    names: list[str]
    nominal: list[int]


class _Csc(NamedTuple):
    rows: int
    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


def validated(estimator: Any, X: Any, *, reset: bool) -> Any:
    """``X`` as scikit-learn checks it: tables as they are, all else as an array or a sparse matrix."""
    if is_table(X):
        if not _is_known_table(X):
            X = _as_pyarrow(X)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        rows, columns = X.shape
        if columns == 0:
            raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
        if rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        return X
    if not hasattr(X, "dtype") and not sparse.issparse(X):
        array = np.asarray(X)
        # NumPy makes text of everything beside text: each cell is to stay what it was.
        X = np.asarray(X, dtype=object) if array.dtype.kind in "US" else array
    # Infinite numbers are looked for where columns are made, which is faster.
    return validate_data(estimator, X, reset=reset, accept_sparse=("csc", "csr"), dtype=None, ensure_all_finite=False)


def is_table(X: Any) -> bool:
    """Whether ``X`` has columns with types of their own."""
    return _is_pandas(X) or (hasattr(X, "__arrow_c_stream__") and len(getattr(X, "shape", (0, 0))) == 2)


def names_of(X: Any) -> list[str]:
    """A name for every column."""
    if _is_pandas(X):
        return [str(name) for name in X.columns]
    if is_table(X):
        return list(X.column_names if hasattr(X, "column_names") else X.columns)
    return [f"x{index}" for index in range(X.shape[1])]


def categorical(features: Iterable[int | str] | None, names: Sequence[str]) -> list[int]:
    """The places of columns that a user calls categorical, by name or by place."""
    places = []
    for feature in features if features is not None else ():
        if isinstance(feature, str):
            if feature not in names:
                raise ValueError(f"categorical_features names {feature!r}, which is not a column: {_some(names)}")
            places.append(names.index(feature))
        elif isinstance(feature, bool) or not isinstance(feature, Integral) or not 0 <= feature < len(names):
            raise ValueError(f"categorical_features has {feature!r}: expected a name, or a place below {len(names)}")
        else:
            places.append(int(feature))
    return sorted(set(places))


def table(X: Any, names: list[str], nominal: list[int], target: Target | None, threads: int | None) -> Table:
    """The columns of what :func:`validated` let through."""
    meaning = _Meaning(names, nominal)
    if _is_pandas(X):
        columns = [_pandas_column(X.iloc[:, at], name) for at, name in enumerate(names)]
        return Table.from_columns(columns, meaning, target, threads)
    if is_table(X):
        return Table.from_arrow(X, meaning, target, threads)
    if sparse.issparse(X):
        return Table.from_sparse(_csc(X), meaning, target, threads)
    if X.dtype.kind in "OUST":
        columns = [_object_column(X[:, at], name) for at, name in enumerate(names)]
        return Table.from_columns(columns, meaning, target, threads)
    return Table.from_array(_plain(X), meaning, target, threads)


def text(value: Any) -> str:
    """A category or a class as model files write it: whole numbers without a fraction."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return f"{float(value):.0f}"
    return str(value)


def _is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _is_known_table(X: Any) -> bool:
    """Whether scikit-learn knows the names of its columns."""
    polars, pyarrow = sys.modules.get("polars"), sys.modules.get("pyarrow")
    return (
        _is_pandas(X)
        or (polars is not None and isinstance(X, polars.DataFrame))
        or (pyarrow is not None and isinstance(X, pyarrow.Table))
    )


def _as_pyarrow(X: Any) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise TypeError(f"a table of type {type(X).__qualname__} is read through pyarrow: install it") from error
    try:
        return pyarrow.table(X)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"a {type(X).__qualname__} is not a table: {error}") from error


def _pandas_column(column: Any, name: str) -> Any:
    import pandas as pd

    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(np.int64), _distinct([text(level) for level in kind.categories], name)
    if isinstance(kind, np.dtype) and kind.kind in "iuf":
        return _plain(column.to_numpy())
    if pd.api.types.is_bool_dtype(kind):
        return column.astype("float64").fillna(-1).to_numpy().astype(np.int64), ["false", "true"]
    if pd.api.types.is_complex_dtype(kind):
        raise ValueError(f"Complex data not supported, here: column {name!r}")
    if pd.api.types.is_numeric_dtype(kind):
        return column.to_numpy(np.float64, na_value=np.nan)
    if isinstance(kind, pd.StringDtype):
        codes, levels = pd.factorize(column)
        return codes.astype(np.int64), [str(level) for level in levels]
    if kind == np.dtype(object) or isinstance(kind, pd.ArrowDtype):
        return _object_column(column.to_numpy(dtype=object, na_value=None), name)
    raise ValueError(f"column {name!r} is of type {kind}: turn it into numbers or text, or leave it out")


def _object_column(column: np.ndarray, name: str) -> Any:
    """A column whose cells may be anything: numbers, or text and truth values as categories."""
    cells = column.tolist()
    known = [cell for cell in cells if not is_missing(cell)]
    if all(isinstance(cell, Real) and not isinstance(cell, bool | np.bool_) for cell in known):
        return np.array([np.nan if is_missing(cell) else cell for cell in cells], dtype=np.float64)
    levels: dict[str, int] = {"false": 0, "true": 1} if all(isinstance(cell, bool | np.bool_) for cell in known) else {}
    codes = np.empty(len(cells), dtype=np.int64)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            codes[row] = -1
        elif isinstance(cell, bool | np.bool_):
            codes[row] = levels.setdefault(str(cell).lower(), len(levels))
        elif isinstance(cell, str):
            codes[row] = levels.setdefault(cell, len(levels))
        elif isinstance(cell, Real):
            raise ValueError(f"column {name!r} has numbers and text, here {cell!r} in row {row}: make it one or the other")
        elif isinstance(cell, complex):
            raise ValueError(f"Complex data not supported, here: column {name!r}")
        else:
            kind = type(cell).__qualname__
            raise TypeError(f"argument must be a string or a real number, not {kind!r} (column {name!r}, row {row})")
    return codes, list(levels)


def is_missing(cell: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, or pandas' NA and NaT."""
    # NaN is not equal to itself; pandas' NA answers neither way.
    is_nan = isinstance(cell, float | np.floating) and bool(cell != cell)
    return is_nan or cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _plain(array: np.ndarray) -> np.ndarray:
    """An array of numbers of a type and layout that the library reads."""
    if array.dtype.kind not in "biuf":
        # The message of scikit-learn for what is not a number.
        numbers: np.ndarray = check_array(array, dtype="numeric", ensure_2d=False, ensure_all_finite=False)
        return numbers
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return np.require(array, requirements="A")


def _csc(X: Any) -> _Csc:
    columns = X.tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy() if columns is X else columns
        columns.sum_duplicates()
    return _Csc(
        columns.shape[0],
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int64),
        columns.data.astype(np.float64),
    )


def _distinct(levels: list[str], name: str) -> list[str]:
    if len(set(levels)) != len(levels):
        raise ValueError(f"categories of column {name!r} are written alike: give each its own name")
    return levels


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
