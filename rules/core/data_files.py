"""Read the TOML files in a system's folder: scenarios, charts, rule texts and other data."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Generic, Self, TypeVar

from .model import Model
from .state import Named

M = TypeVar("M", bound=Model)


def read_model(model: type[M], file: Traversable) -> M:
    """Return the content of a TOML file as a model. Raises ValidationError for an unknown key."""
    return model.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def read_data_file(model: type[M], package: str, name: str) -> M:
    """Return the content of a TOML file in a package's data as a model. Raises ValidationError for an unknown key."""
    return read_model(model, files(package) / "data" / name)


def data_files_ending(package: str, end: str) -> Sequence[Traversable]:
    """Return the files of a package's data whose names end with `end`, sorted by name."""
    return _sorted_files_ending(files(package) / "data", end)


def _sorted_files_ending(folder: Traversable, end: str) -> Sequence[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(end)), key=lambda file: file.name)


class ScenarioFile(Model):
    """The content of a scenario file."""

    id: Named

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the scenario in a TOML text. Raises ValueError with the first fault."""
        scenario = cls.model_validate(tomllib.loads(text))
        for fault in scenario.faults():
            raise ValueError(fault)
        return scenario

    def faults(self) -> Iterable[str]:
        """Yield faults in the file's content, each with its path."""
        return ()


F = TypeVar("F", bound=ScenarioFile)


class ScenarioFiles(Generic[F]):
    """The scenario files of one package, sorted by name and read at first use."""

    def __init__(self, package: str, file_type: type[F]) -> None:
        self._package = package
        self.file_type = file_type

    def read(self, text: str, name: str) -> F:
        """Return the scenario in a TOML text. Raises ValueError naming the file and the place of a fault."""
        try:
            return self.file_type.read(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    @cached_property
    def all(self) -> Mapping[str, F]:
        """Return every scenario by id. Raises ValueError for the first fault of a file."""
        return {scenario.id: scenario for scenario in map(self.read, self._text_by_file.values(), self._text_by_file)}

    def text(self, scenario: str) -> str:
        """Return the text of a scenario's file, by the scenario's id. Raises KeyError."""
        texts = dict(zip(self.all, self._text_by_file.values(), strict=True))
        return texts[scenario]

    @cached_property
    def _text_by_file(self) -> Mapping[str, str]:
        """Return the text of each scenario file, by file name."""
        scenarios = _sorted_files_ending(files(self._package) / "scenarios", ".toml")
        return {file.name: file.read_text(encoding="utf-8") for file in scenarios}
