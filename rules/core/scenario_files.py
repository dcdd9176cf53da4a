"""Scenarios as TOML files of a system's folder: read, checked, and by id."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import Protocol, TypeVar

from pydantic import BaseModel, ValidationError


class Identified(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> str:
        """By which it is found."""
        ...


M = TypeVar("M", bound=BaseModel)
N = TypeVar("N", bound=Identified)


def read(text: str, name: str, model: type[M], faults: Callable[[M], Iterable[str]]) -> M:
    """The scenario of a TOML text. Raises ValueError naming the file and the place of the first fault."""
    try:
        scenario = model.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise ValueError(f"{name}: {error}") from None
    fault = next(iter(faults(scenario)), None)
    if fault is not None:
        raise ValueError(f"{name}: {fault}")
    return scenario


def read_all(folder: Traversable, read_one: Callable[[str, str], N]) -> Mapping[str, N]:
    """Every scenario of a folder by id, in order of file names. Raises ValueError on the first fault of a file."""
    named = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    scenarios = (read_one(file.read_text(encoding="utf-8"), file.name) for file in named)
    return {scenario.id: scenario for scenario in scenarios}
