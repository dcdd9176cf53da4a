"""TOML files of a system's folder: its data, found by how their names end and read as models, and its scenarios."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Generic, TypeVar

from pydantic import ValidationError

from .model import Model
from .state import Named

M = TypeVar("M", bound=Model)


def read(model: type[M], file: Traversable) -> M:
    """What a TOML file holds. Raises ValidationError on an unknown key."""
    return model.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def read_as(model: type[M], package: str, name: str) -> M:
    """What a TOML file of a package's data holds. Raises ValidationError on an unknown key."""
    return read(model, files(package) / "data" / name)


def ending(package: str, end: str) -> Sequence[Traversable]:
    """The files of a package's data whose names end so, in the order of their names."""
    return _in_order(files(package) / "data", end)


def _in_order(folder: Traversable, end: str) -> Sequence[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(end)), key=lambda file: file.name)


class ScenarioFile(Model):
    """A scenario as its file has it."""

    id: Named

    def faults(self) -> Iterable[str]:
        """What is wrong in the file beyond its shape, each with its place."""
        return ()


F = TypeVar("F", bound=ScenarioFile)


class ScenarioFiles(Generic[F]):
    """The scenario files of one package, in the order of their names. Read when first asked for."""

    def __init__(self, package: str, file_type: type[F]) -> None:
        self._package = package
        self.file_type = file_type

    def read(self, text: str, name: str) -> F:
        """The scenario of a TOML text. Raises ValueError naming the file and the place of the first fault."""
        try:
            scenario = self.file_type.model_validate(tomllib.loads(text))
        except (tomllib.TOMLDecodeError, ValidationError) as error:
            raise ValueError(f"{name}: {error}") from None
        for fault in scenario.faults():
            raise ValueError(f"{name}: {fault}")
        return scenario

    @cached_property
    def all(self) -> Mapping[str, F]:
        """Every scenario by id. Raises ValueError on the first fault of a file."""
        named = _in_order(files(self._package) / "scenarios", ".toml")
        found = (self.read(file.read_text(encoding="utf-8"), file.name) for file in named)
        return {scenario.id: scenario for scenario in found}
