"""How far a training came, as a bar where tqdm is installed and as lines where it is not."""

import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

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
            total = _seconds(budget)
            form = "{l_bar}{bar}| {n:.1f}/{total:.1f} s{postfix}" if total else "{desc}: {n:.1f} s{postfix}"
            self._bar = tqdm(desc=name, total=total, bar_format=form)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    @property
    def watch(self) -> Callable[[float, str | None], None]:
        """What the training calls."""
        return self._heard

    def _heard(self, seconds: float, news: str | None) -> None:
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


def _seconds(budget: str | None) -> float | None:
    """The seconds of a budget that the library took."""
    if budget is None:
        return None
    for unit, seconds in (("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)):
        if budget.strip().endswith(unit):
            return float(budget.strip().removesuffix(unit)) * seconds
    return None
