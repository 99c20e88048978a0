"""The files that are measured on: the shared data sets, one large set made here, and what our own generator makes."""

import shutil
from pathlib import Path

import install
from processes import Failed

COLUMNS = 20
TEST_ROWS = 200_000


class Sets:
    def __init__(self, directory, rows):
        self.directory = Path(directory).resolve()
        self.rows = rows
        self.big = install.CACHE / f"big-{rows}"

    def uci(self, name):
        return self.existing(self.directory / "uci" / f"{name}.arff")

    def text(self, name):
        return self.existing(self.directory / "text" / f"{name}.arff")

    def folds(self):
        return self.existing(self.directory.parent / "reference" / "folds")

    def imputed(self, quickset, name):
        """The set with missing values replaced over the whole file, as in the study. The folds go by its name."""
        target = install.CACHE / "imputed" / f"{name}.arff"
        target.parent.mkdir(exist_ok=True)
        install.run(quickset.binary, "data", "convert", self.uci(name), "--impute", "mode-mean", "--output", target,
                    "--quiet")
        return target

    def existing(self, file):
        if not file.exists():
            raise FileNotFoundError(f"{file.parent.name}/{file.name} is not among the data sets: give --data DIR")
        return file

    def big_bytes(self):
        """Bytes of the numeric columns as f64, against which memory is judged."""
        return self.rows * COLUMNS * 8

    def make_big(self):
        script = install.BENCH / "peers" / "make_big.py"
        made(self.big, lambda aside: install.run(install.PYTHON, script, self.rows, TEST_ROWS, aside))

    def random_tree(self, quickset, file, **knobs):
        """A file of our generator in the cache."""
        return made(install.CACHE / file, lambda aside: generate(quickset, aside, knobs))

    def random_tree_parts(self, quickset, name, rows, test_rows, **knobs):
        """A directory with train.parquet, train.csv and test.parquet: the same hidden tree, other rows."""
        def make(aside):
            aside.mkdir()
            both = aside / "both.parquet"
            generate(quickset, both, {**knobs, "rows": rows + test_rows})
            install.run(install.PYTHON, install.BENCH / "peers" / "split_rows.py", both, rows, aside)
            both.unlink()
        return made(install.CACHE / name, make)


def generate(quickset, file, knobs):
    if not quickset:
        raise Failed(f"{file.name} is made by quickset itself, which is not run")
    options = [word for knob, value in knobs.items() for word in (f"--{knob}", value)]
    install.run(quickset.binary, "data", "generate", "random-tree", *options, "--output", file, "--quiet")


def made(target, make):
    """Makes a file or directory once, aside first, so that an interrupted run leaves no half of it."""
    if not target.exists():
        aside = target.with_name(f"partial-{target.name}")
        shutil.rmtree(aside, ignore_errors=True)
        make(aside)
        aside.rename(target)
    return target
