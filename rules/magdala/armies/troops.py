"""Named troops of data/troops.toml: what lists, ad hoc questions and `/unit add` are made of."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import ConfigDict, Field, ValidationError
from rapidfuzz import process, utils

from rules.core import ruleset
from rules.core.model import Model
from rules.core.ruleset import Refused
from rules.magdala.model import MagdalaUnit

NEAREST = 4


class NamedTroop(ruleset.Troop):
    """A kind of troops: its further keys are fields of a unit, `figures` the usual size (MM-1)."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @property
    def fields(self) -> Mapping[str, Any]:
        """What it says of a unit."""
        return self.model_extra or {}

    def unit(self, unit_id: str, name: str, side: str, **more: Any) -> MagdalaUnit:
        """A unit of these troops. Raises ValidationError on a field that a unit has not."""
        return MagdalaUnit.model_validate({**self.fields, "id": unit_id, "name": name, "side": side, **more})


class _Troops(Model):
    troops: tuple[NamedTroop, ...] = Field(alias="troop")


def read_troops(text: str) -> Mapping[str, NamedTroop]:
    """The named troops of a TOML text by id. Raises ValueError naming the troop whose data is wrong."""
    found: dict[str, NamedTroop] = {}
    for troop in _Troops.model_validate(tomllib.loads(text)).troops:
        try:
            troop.unit(troop.id, troop.name, "none")
        except ValidationError as error:
            raise ValueError(f"troops.toml, {troop.id}: {error}") from None
        if troop.id in found:
            raise ValueError(f"troops.toml, {troop.id}: two troops have that id")
        found[troop.id] = troop
    return found


@cache
def troops() -> Mapping[str, NamedTroop]:
    """Every named troop by id."""
    return read_troops((files("rules.magdala") / "data" / "troops.toml").read_text(encoding="utf-8"))


def troop_of(words: str) -> NamedTroop:
    """The troop of that id or name, in any case. Raises Refused with the nearest."""
    wanted = words.strip().casefold()
    for troop in troops().values():
        if wanted in (troop.id.casefold(), troop.name.casefold()):
            return troop
    names = {troop.id: troop.name for troop in troops().values()}
    near = process.extract(wanted, names, processor=utils.default_process, limit=NEAREST)
    nearest = "; ".join(name for name, _, _ in near)
    raise Refused(f"No troops are called “{words[:60]}”. The nearest: {nearest}.")
