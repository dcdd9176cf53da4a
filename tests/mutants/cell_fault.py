"""A pytest plugin that changes one cell of one chart, before any test module is imported."""

import os
import tomllib
from pathlib import Path
from typing import Any

from .cells import FAULT, STEP

OPPOSITE = {"yes": "no", "no": "yes", "least": "most", "most": "least"}

_READ = tomllib.loads
_SYSTEM, _REST = os.environ[FAULT].split("/data/")
_FILE, *_KEYS = _REST.split("/")
_TEXT = (Path(__file__).parents[2] / "rules" / _SYSTEM / "data" / _FILE).read_text(encoding="utf-8")


def change_cell(cell: Any, words: str) -> Any:
    """Return another value for a cell: a truth or preference reversed, or a number changed by the step."""
    if isinstance(cell, str):
        return OPPOSITE[cell]
    if isinstance(cell, bool):
        return not cell
    return 1 - cell if words and not any(sign.isdigit() for sign in words) else cell + int(os.environ[STEP])


def loads(text: str, **options: Any) -> dict[str, Any]:
    """Parse a TOML text; change the cell if the text is its file."""
    document = _READ(text, **options)
    if text == _TEXT:
        *path, last = (int(key) if key.isdigit() else key for key in _KEYS)
        inner: Any = document
        for key in path:
            inner = inner[key]
        inner[last] = change_cell(inner[last], str(inner.get("text", "")))
    return document


tomllib.loads = loads
