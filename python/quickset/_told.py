"""What a tree tells in structures that also read well."""

import json
from typing import Any, Self


class _Told(dict[str, Any]):
    """A dictionary that a person can read."""

    text: str = ""

    @classmethod
    def of(cls, parts: tuple[str, str]) -> Self:
        document, text = parts
        told = cls(json.loads(document))
        told.text = text.rstrip("\n")
        return told

    def __str__(self) -> str:
        return self.text


class Rule(_Told):
    """One path through a tree: ``conditions``, the ``class`` that follows, its ``support`` and ``confidence``."""


class Explanation(_Told):
    """Why a row got its class: ``prediction``, ``probability``, the ``path`` to a leaf, and ``changes`` of one value that
    would have given another class."""
