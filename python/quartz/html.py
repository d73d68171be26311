"""Tables that notebooks show."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def html_table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table in HTML with a title above it. All texts are escaped."""

    def cells(tag: str, items: Iterable[object]) -> str:
        return "".join(f"<{tag}>{html.escape(str(item))}</{tag}>" for item in items)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<div><b>{html.escape(title)}</b><table><tr>{cells('th', header)}</tr>{body}</table></div>"
