"""TOML files of a system's folder: its data, found by how their names end and read as models, and its scenarios."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Generic, Self, TypeVar

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
    """A scenario in the form of its file."""

    id: Named

    @classmethod
    def read(cls, text: str) -> Self:
        """The scenario of a TOML text. Raises ValueError with what is wrong."""
        scenario = cls.model_validate(tomllib.loads(text))
        for fault in scenario.faults():
            raise ValueError(fault)
        return scenario

    def faults(self) -> Iterable[str]:
        """Yield content faults of the file, each with its path."""
        return ()


F = TypeVar("F", bound=ScenarioFile)


class ScenarioFiles(Generic[F]):
    """The scenario files of one package, in the order of their names. Read when first asked for."""

    def __init__(self, package: str, file_type: type[F]) -> None:
        self._package = package
        self.file_type = file_type

    def read(self, text: str, name: str) -> F:
        """The scenario of a TOML text. Raises ValueError naming the file and the place of a fault."""
        try:
            return self.file_type.read(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    @cached_property
    def all(self) -> Mapping[str, F]:
        """Every scenario by id. Raises ValueError on the first fault of a file."""
        return {scenario.id: scenario for scenario in map(self.read, self._texts.values(), self._texts)}

    def text(self, scenario: str) -> str:
        """The file of the scenario of that id. Raises KeyError."""
        texts = dict(zip(self.all, self._texts.values(), strict=True))
        return texts[scenario]

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """What each file says, by its name."""
        named = _in_order(files(self._package) / "scenarios", ".toml")
        return {file.name: file.read_text(encoding="utf-8") for file in named}
