"""The forces of `data/forces.toml` as formations with their counters (TA-2, TA-8, TA-H.10)."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from rules.core.model import Model

from .model import BRITISH, GERMAN, Arm, Formation, Kind, TangaUnit


class Force(Model):
    """A formation and its counters, off the map, by the keys that scenarios call them."""

    formation: Formation
    units: Mapping[str, TangaUnit]


class _Listed(Model):
    """A formation of the file: what its infantry has, and fields of its other counters, each with its key."""

    id: str
    name: str
    short: str
    kind: Kind
    fbn: int
    beach: str = ""
    infantry: Mapping[str, Any] = Field(default_factory=dict)
    units: tuple[Mapping[str, Any], ...]


class _File(Model):
    """Fields of every counter of an arm, names of the infantry by kind and key, and the formations in their order."""

    arms: Mapping[Arm, Mapping[str, Any]]
    infantry: Mapping[Kind, Mapping[str, str]]
    formations: tuple[_Listed, ...]

    def forces(self) -> Iterable[Force]:
        """Each formation, its place in the order of its side's."""
        places = Counter[str]()
        for one in self.formations:
            side = GERMAN if one.kind is Kind.COMPANY else BRITISH
            places[side] += 1
            said = one.model_dump(exclude={"infantry", "units"})
            units = {row["key"]: self._unit(one, side, **row) for row in (*self._infantry(one), *one.units)}
            yield Force(formation=Formation(**said, side=side, order=places[side]), units=units)

    def _infantry(self, one: _Listed) -> Iterable[Mapping[str, Any]]:
        for key, name in self.infantry.get(one.kind, {}).items():
            letter = key if one.kind is Kind.BATTALION else ""
            yield {"key": key, "name": name, "arm": Arm.INFANTRY, "letter": letter, **one.infantry}

    def _unit(self, of: _Listed, side: str, key: str, name: str, arm: str, **more: Any) -> TangaUnit:
        """The counter, off the map. Its id is the formation's and its key: `13-rajputs-a`."""
        said = {**self.arms[Arm(arm)], **more, "arm": Arm(arm), "name": name.format(name=of.name, short=of.short)}
        return TangaUnit(id=f"{of.id}-{key.lower()}", side=side, formation=of.id, **said)


def read_forces(text: str) -> Mapping[str, Force]:
    """The formations of a TOML text by id. Raises ValueError on a fault, or where two have the same id or name."""
    found: dict[str, Force] = {}
    names = set[str]()
    for force in _File.model_validate(tomllib.loads(text)).forces():
        one = force.formation
        if one.id in found:
            raise ValueError(f"forces.toml, {one.id}: two formations have that id")
        for name in (one.name, *(unit.name for unit in force.units.values())):
            if name in names:
                raise ValueError(f"forces.toml, {one.id}: “{name}” comes twice")
            names.add(name)
        found[one.id] = force
    return found


@cache
def forces() -> Mapping[str, Force]:
    """Every formation of the house game by id, the British in the sequence of play, then the Germans."""
    return read_forces((files("rules.tanga") / "data" / "forces.toml").read_text(encoding="utf-8"))
