"""Files of a system's data, found by how their names end."""

from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable


def ending(package: str, end: str) -> Sequence[Traversable]:
    """The files of a package's data whose names end so, in the order of their names."""
    found = (file for file in (files(package) / "data").iterdir() if file.name.endswith(end))
    return sorted(found, key=lambda file: file.name)
