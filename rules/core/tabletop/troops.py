"""Named troops of a system, from which army lists, questions without a game and `/unit add` make units."""

import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, Self

from pydantic import ConfigDict, PrivateAttr, ValidationError

from rules.core import naming, ruleset
from rules.core.model import Model
from rules.core.parsing import invalid_field_in_words
from rules.core.refusal import Refused
from rules.core.umpire import AddUnit

from .battle import Place, U


class NamedTroop(ruleset.Troop, Generic[U]):
    """A kind of troops. Its further keys are default values for fields of its units."""

    model_config = ConfigDict(frozen=True, extra="allow")

    _unit_type: type[U] = PrivateAttr()

    def with_unit_type(self, unit_type: type[U]) -> Self:
        """Set the class of this troop's units, and return this troop."""
        self._unit_type = unit_type
        return self

    @property
    def fields(self) -> Mapping[str, Any]:
        """The unit fields that the troop sets, with their values."""
        return self.model_extra or {}

    @property
    def words(self) -> tuple[str, ...]:
        """The field values that are texts, such as `regular infantry`. Players may find the troops by them."""
        return tuple(value for value in self.fields.values() if isinstance(value, str))

    def make_unit(self, unit_id: str, name: str, side: str, **changes: Any) -> U:
        """Create a unit of these troops; `changes` override the fields. Raises ValidationError for a wrong field."""
        return self._unit_type.model_validate({**self.fields, "id": unit_id, "name": name, "side": side, **changes})


class _TroopList(Model):
    """The contents of a troops.toml file."""

    troop: tuple[Mapping[str, Any], ...]


class Troops(Generic[U]):
    """The troops of one package, from its data/troops.toml. The file is read on first use."""

    def __init__(self, package: str, unit_type: type[U]) -> None:
        """Create the troops of a package; `unit_type` is the class of their units."""
        self.package = package
        self._unit_type = unit_type

    def read(self, text: str) -> Mapping[str, NamedTroop[U]]:
        """Return the troops in a TOML text by id. Raises ValueError, naming the first troop with wrong data."""
        troop_by_id: dict[str, NamedTroop[U]] = {}
        for data in _TroopList.model_validate(tomllib.loads(text)).troop:
            troop = NamedTroop[U].model_validate(data).with_unit_type(self._unit_type)
            try:
                troop.make_unit(troop.id, troop.name, "none")
            except ValidationError as error:
                raise ValueError(f"troops.toml, {troop.id}: {error}") from None
            if troop.id in troop_by_id:
                raise ValueError(f"troops.toml, {troop.id}: two troops have that id")
            troop_by_id[troop.id] = troop
        return troop_by_id

    @cached_property
    def all(self) -> Mapping[str, NamedTroop[U]]:
        """All troops by id. Raises ValueError, naming the first troop with wrong data."""
        return self.read((files(self.package) / "data" / "troops.toml").read_text(encoding="utf-8"))

    def find(self, words: str) -> NamedTroop[U]:
        """Return the only troop whose id, name or `NamedTroop.words` match. Raises Refused if none or several match."""
        names, known_by = self._names
        return self.all[naming.resolve_name(words, names, "No troops are called {}.", known_by)]

    def suggest_ids(self, words: str) -> str:
        """Return a hint with the most similar ids, to append to an error; an empty string if none is similar."""
        nearest = naming.most_similar_names(words, {troop: troop for troop in self.all})
        return f"; the nearest: {', '.join(nearest)}" if nearest else ""

    @cached_property
    def _names(self) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
        """Return the names of the troops by id, and their `words` by id."""
        troops = self.all.values()
        return {troop.id: troop.name for troop in troops}, {troop.id: troop.words for troop in troops}

    def make_added_unit(self, action: AddUnit, unit_id: str, figures: str = "figures") -> U:
        """Return the unit that the umpire's action adds. Raises Refused. `figures` names the unit's strength field."""
        field_values: dict[str, Any] = {} if action.figures is None else {figures: action.figures}
        if action.x is not None and action.y is not None:
            field_values["place"] = Place(x=action.x, y=action.y, facing=action.facing % 360)
        try:
            return self.find(action.troop).make_unit(unit_id, action.name, action.side, **field_values)
        except ValidationError as error:
            raise Refused(f"{invalid_field_in_words(error)} Change it and try again.") from None
