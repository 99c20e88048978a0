"""The files that are measured on: the shared data sets, and one large set made here."""

import shutil
from pathlib import Path

import install

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

    def existing(self, file):
        if not file.exists():
            raise FileNotFoundError(f"{file.parent.name}/{file.name} is not among the data sets: give --data DIR")
        return file

    def big_bytes(self):
        """Bytes of the numeric columns as f64, against which memory is judged."""
        return self.rows * COLUMNS * 8

    def make_big(self):
        """Writes the large set once, aside first, so that an interrupted run leaves no half of it."""
        if self.big.exists():
            return
        aside = self.big.with_suffix(".partial")
        shutil.rmtree(aside, ignore_errors=True)
        install.run(install.PYTHON, install.BENCH / "peers" / "make_big.py", self.rows, TEST_ROWS, aside)
        aside.rename(self.big)
