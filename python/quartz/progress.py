"""What is shown while a search runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

from quartz.caller import warn_caller

#: Called with the seconds since the start of the search and the best cost so far, as the value of each objective.
ProgressFunction = Callable[[float, dict[str, float]], object]
#: False: nothing; True: a bar of tqdm; or a function that is called instead.
Progress = Union[bool, ProgressFunction]


class Bar:
    """A bar of tqdm, in a terminal or a notebook, that shows the time and the best cost."""

    def __init__(self, tqdm: Any, seconds: float) -> None:
        self._bar = tqdm(total=round(seconds, 3), unit="s", bar_format="{l_bar}{bar}| {n:.1f}/{total:.1f} s{postfix}")

    def show(self, seconds: float, best_cost: dict[str, float]) -> None:
        self._bar.set_postfix({name: f"{value:g}" for name, value in best_cost.items()}, refresh=False)
        self._bar.update(min(seconds, self._bar.total) - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def make_bar(seconds: float) -> Bar | None:
    """Returns a bar for a search of this time, or None, with a warning, if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        warn_caller("progress=True shows a bar of tqdm, which is not installed")
        return None
    return Bar(tqdm, seconds)
