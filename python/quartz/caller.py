"""Warnings about what a program asked for."""

from __future__ import annotations

import os
import sys
import warnings

_FOLDER = os.path.join(os.path.dirname(__file__), "")


def warn_caller(text: str) -> None:
    """Issues a RuntimeWarning at the line outside of this package from which it was called."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
        level += 1
    warnings.warn(text, RuntimeWarning, stacklevel=level)
