"""Files of a system's data: read as a model, or found by how their names end."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from .model import Model

M = TypeVar("M", bound=Model)


def read_as(model: type[M], package: str, name: str) -> M:
    """What a TOML file of a package's data holds. Raises ValidationError on an unknown key."""
    return model.model_validate(tomllib.loads((files(package) / "data" / name).read_text(encoding="utf-8")))


def ending(package: str, end: str) -> Sequence[Traversable]:
    """The files of a package's data whose names end so, in the order of their names."""
    found = (file for file in (files(package) / "data").iterdir() if file.name.endswith(end))
    return sorted(found, key=lambda file: file.name)
