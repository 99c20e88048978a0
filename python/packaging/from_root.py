"""Builds the package for those who call pip in the project's root: what is built is described in `python/`."""

import os

os.chdir("python")
from maturin import *  # noqa: E402, F403
