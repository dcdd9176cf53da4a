"""Scenarios as TOML files of a system's folder: read, checked, and by id."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Generic, TypeVar

from pydantic import ValidationError

from .model import Model
from .state import Named


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
        folder = (files(self._package) / "scenarios").iterdir()
        named = sorted((file for file in folder if file.name.endswith(".toml")), key=lambda file: file.name)
        found = (self.read(file.read_text(encoding="utf-8"), file.name) for file in named)
        return {scenario.id: scenario for scenario in found}
