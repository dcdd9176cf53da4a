"""The words for `with:` of a system: every *circumstances.toml of its data."""

import tomllib
from collections.abc import Mapping

from .data_files import ending
from .state import Circumstance


def load_circumstances(package: str) -> Mapping[str, Circumstance]:
    """Every word by name; a word of several groups once. Raises ValidationError on an unknown key."""
    texts = (file.read_text(encoding="utf-8") for file in ending(package, "circumstances.toml"))
    groups = (group for text in texts for group in tomllib.loads(text).values())
    words = (Circumstance.model_validate({"name": name, **meant}) for group in groups for name, meant in group.items())
    return {word.name: word for word in words}
