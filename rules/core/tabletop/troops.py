"""Named troops of a system: what lists, ad hoc questions and `/unit add` are made of."""

import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, Self

from pydantic import ConfigDict, PrivateAttr, ValidationError

from rules.core import naming, ruleset
from rules.core.model import Model
from rules.core.parsing import what_is_invalid
from rules.core.refusal import Refused
from rules.core.umpire import AddUnit

from .battle import Place, U


class NamedTroop(ruleset.Troop, Generic[U]):
    """A kind of troops: its further keys are fields of a unit."""

    model_config = ConfigDict(frozen=True, extra="allow")

    _unit_type: type[U] = PrivateAttr()

    def of(self, unit_type: type[U]) -> Self:
        """Return the troop, of which units of that type are made."""
        self._unit_type = unit_type
        return self

    @property
    def fields(self) -> Mapping[str, Any]:
        """Return the troop's unit fields."""
        return self.model_extra or {}

    @property
    def words(self) -> tuple[str, ...]:
        """What its fields say in words: `regular infantry`, `massed assault`."""
        return tuple(value for value in self.fields.values() if isinstance(value, str))

    def unit(self, unit_id: str, name: str, side: str, **more: Any) -> U:
        """Return a unit of these troops. Raises ValidationError on a field that a unit has not."""
        return self._unit_type.model_validate({**self.fields, "id": unit_id, "name": name, "side": side, **more})


class _Listed(Model):
    troop: tuple[Mapping[str, Any], ...]


class Troops(Generic[U]):
    """The troops of one package's data/troops.toml, of which units of one type are made. Read when first asked for."""

    def __init__(self, package: str, unit_type: type[U]) -> None:
        self._package = package
        self._unit_type = unit_type

    def read(self, text: str) -> Mapping[str, NamedTroop[U]]:
        """Return the named troops of a TOML text by id. Raises ValueError naming the troop whose data is wrong."""
        found: dict[str, NamedTroop[U]] = {}
        for listed in _Listed.model_validate(tomllib.loads(text)).troop:
            troop = NamedTroop[U].model_validate(listed).of(self._unit_type)
            try:
                troop.unit(troop.id, troop.name, "none")
            except ValidationError as error:
                raise ValueError(f"troops.toml, {troop.id}: {error}") from None
            if troop.id in found:
                raise ValueError(f"troops.toml, {troop.id}: two troops have that id")
            found[troop.id] = troop
        return found

    @cached_property
    def all(self) -> Mapping[str, NamedTroop[U]]:
        """Every named troop by id. Raises ValueError naming the troop whose data is wrong."""
        return self.read((files(self._package) / "data" / "troops.toml").read_text(encoding="utf-8"))

    def named(self, words: str) -> NamedTroop[U]:
        """Return the troop meant by id, name or values of its fields. Raises Refused if none or several are meant."""
        names, known_by = self._names
        return self.all[naming.resolve(words, names, "No troops are called {}.", known_by)]

    def near(self, words: str) -> str:
        """Return the nearest ids, as a hint behind a fault; nothing where none is near."""
        found = naming.nearest(words, {troop: troop for troop in self.all})
        return f"; the nearest: {', '.join(found)}" if found else ""

    @cached_property
    def _names(self) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
        """Return troop names by id, and further words by id."""
        every = self.all.values()
        return {troop.id: troop.name for troop in every}, {troop.id: troop.words for troop in every}

    def brought_on(self, action: AddUnit, unit_id: str, figures: str = "figures") -> U:
        """Return the unit that the umpire adds, so many of what the field `figures` counts. Raises Refused."""
        given: dict[str, Any] = {} if action.figures is None else {figures: action.figures}
        if action.x is not None and action.y is not None:
            given["place"] = Place(x=action.x, y=action.y, facing=action.facing % 360)
        try:
            return self.named(action.troop).unit(unit_id, action.name, action.side, **given)
        except ValidationError as error:
            raise Refused(f"{what_is_invalid(error)} Change it and try again.") from None
