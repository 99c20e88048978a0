"""What the documentation shows is run."""

import doctest
import importlib
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / name for name in ("PYTHON.md", "FROM-SCIKIT-LEARN.md", "FROM-J48.md")] + [ROOT / "python/README.md"]


@pytest.mark.parametrize("module", ["_estimators", "_recipe"])
def test_examples_in_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(f"quickset.{module}"), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_on_pages_runs(page, mixed):
    X, y = mixed
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page.name, "exec"), {"X": X, "y": y})


def test_parameters_that_pages_name_exist():
    import quickset

    pages = " ".join(page.read_text() for page in PAGES)
    for key in re.findall(r'settings=\{"([a-z.-]+)"', pages):
        assert key in quickset.keys(), key
    known = {
        name
        for estimator in vars(quickset).values()
        if hasattr(estimator, "get_params")
        for name in estimator().get_params()
    }
    ours = set(re.findall(r"`(prune_\w+|min_rows|max_\w+|leaf_\w+|categorical_features|n_jobs)[=`]", pages))
    theirs = {"max_leaf_nodes", "max_features"}
    assert ours and ours - theirs <= known


def test_every_parameter_is_documented():
    import quickset

    for name in quickset.__all__:
        if name.endswith("Classifier"):
            estimator = getattr(quickset, name)
            missing = [key for key in estimator().get_params() if f"\n    {key} : " not in estimator.__doc__]
            assert not missing, (name, missing)


def test_the_quickstart_runs(tmp_path):
    notebook = nbformat.read(ROOT / "docs/quickstart.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("quickset-tree" in output.get("data", {}).get("text/html", "") for output in shown)
    assert not any(output["output_type"] == "error" for output in shown)
