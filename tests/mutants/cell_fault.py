"""A pytest plugin that changes one number of one chart, before any test module is imported: a yes becomes a no."""

import os
import tomllib
from pathlib import Path
from typing import Any

from .cells import FAULT

_READ = tomllib.loads
_FILE, *_KEYS = os.environ[FAULT].split("/data/")[1].split("/")
_TEXT = (Path(__file__).parents[2] / "rules" / os.environ[FAULT].split("/")[0] / "data" / _FILE).read_text("utf-8")


def _loads(text: str, **how: Any) -> dict[str, Any]:
    document = _READ(text, **how)
    if text == _TEXT:
        *path, last = (int(key) if key.isdigit() else key for key in _KEYS)
        inner: Any = document
        for key in path:
            inner = inner[key]
        inner[last] = 1 - inner[last] if inner.get("text") in ("yes", "no") else inner[last] + 1
    return document


tomllib.loads = _loads
