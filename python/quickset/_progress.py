"""How far a training came, as a bar where tqdm is installed and as lines where it is not."""

import json
import sys
import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from quickset import _quickset

_SECONDS_BETWEEN_LINES = 5.0


class Bar(AbstractContextManager["Bar"]):
    """Listens to a training. With a budget the bar fills as time goes by; without one it shows the seconds."""

    def __init__(self, name: str, budget: str | None) -> None:
        self._name = name
        self._said = time.monotonic()
        self._bar: Any = None
        try:
            # In notebooks it says how to have a nicer bar: nobody hears of it who does not ask for a bar.
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            total = None if budget is None else _quickset.seconds(budget)
            form = "{l_bar}{bar}| {n:.1f}/{total:.1f} s{postfix}" if total else "{desc}: {n:.1f} s{postfix}"
            self._bar = tqdm(desc=name, total=total, bar_format=form)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    def watch(self, seconds: float, news: str | None) -> None:
        """Hear of a training, as the library calls it."""
        best = json.loads(news).get("best") if news else None
        told = f"{best['leaves']} leaves, error {100 * best['estimated_error']:.2f} %" if best else ""
        if self._bar is not None:
            if told:
                self._bar.set_postfix_str(told, refresh=False)
            self._bar.n = seconds if self._bar.total is None else min(seconds, self._bar.total)
            self._bar.refresh()
        elif time.monotonic() - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = time.monotonic()
            print(f"{self._name}: {seconds:.0f} s {told}".rstrip(), file=sys.stderr)
