"""The contract of a rule system: all the bot asks of one. Adding a system is a folder and a line of the registry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from . import fields, naming
from .abilities import Abilities, Choice, Explained, Scenario
from .amiss import amiss
from .book import Book
from .chart import Chart
from .circumstances import contradiction
from .dice import Dice
from .hex_scene import Scene
from .model import UMPIRE, Cite, Model, Viewer
from .odds import Odds
from .refused import Refused
from .report import Prompt, Report
from .state import Action, Circumstance, Options, State, UnitCard
from .stored import Stored

__all__ = ["Choice", "Explained", "Refused", "Ruleset", "Scenario", "Troop"]

S = TypeVar("S", bound=State)

MOST_TURNS = 9999


class Troop(Model):
    """A kind of troops for the ad hoc forms (`/morale rules: troop:`)."""

    id: str
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        """Words it is known by beside its name."""
        return ()


class Ruleset(Stored[S], Abilities[S], ABC, Generic[S]):
    """One rule system. Stateless: every method is a pure function of its arguments."""

    id: str
    title: str
    options_type: type[Options]
    scenarios: Mapping[str, Scenario]
    actions: Mapping[str, type[Action]]
    charts: Mapping[str, Chart]
    book: Book
    troops: Mapping[str, Troop]
    circumstances: Mapping[str, Circumstance]
    ad_hoc_takes: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Kinds of action that can be asked about without a game, each with the options it then takes beside `with`."""

    @abstractmethod
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""

    @abstractmethod
    def legal(self, state: S, side: Viewer, kind: str | None = None) -> Iterable[Action]:
        """Actions `side` may take now, of one kind or all: enough of them to play a whole game by."""

    def places(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Where that unit may now be sent, as a move's `to` says it. What is here is accepted."""
        moves = (move for move in self.legal(state, viewer, "move") if move.unit == unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    @abstractmethod
    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Does it. Never changes its argument. Raises Refused before any die is thrown."""

    @abstractmethod
    def odds(self, state: S, action: Action) -> Odds:
        """The exact chances of `action`, by the same charts. Raises Refused as `act` would."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> S:
        """What that viewer may know."""

    @abstractmethod
    def prompts(self, state: S) -> tuple[Prompt, ...]:
        """Every test, retreat and choice now owed or open, with the offers that settle each."""

    @abstractmethod
    def roster(self, state: S, viewer: Viewer) -> tuple[UnitCard, ...]:
        """The units that viewer may know of, in order of battle."""

    @abstractmethod
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> Scene:
        """The table or map as that viewer may see it, with arrows for what moved since `before`."""

    @abstractmethod
    def ad_hoc(self, kind: str, args: Mapping[str, Any]) -> tuple[S, Action]:
        """A throwaway state and action for a question asked without a game. Raises Refused."""

    @abstractmethod
    def ad_hoc_circumstances(self, kind: str) -> tuple[str, ...]:
        """The circumstances the ad hoc form of `kind` knows."""

    @property
    def askable(self) -> tuple[str, ...]:
        """Kinds of action whose odds can be asked for."""
        return tuple(kind for kind, action in self.actions.items() if not action.umpire_only)

    @property
    def editable(self) -> Mapping[str, FieldInfo]:
        """Fields of a unit that the umpire may `set`, by name; `fields.values` has the words each may take."""
        return fields.editable(fields.unit_type(self.state_type))

    @property
    def secrets(self) -> Mapping[str, FieldInfo]:
        """Fields of a unit that only the umpire knows, set by `secret`."""
        return fields.secrets(fields.unit_type(self.state_type))

    @property
    def option_fields(self) -> Mapping[str, FieldInfo]:
        """Options of a game that the umpire may change, by name."""
        return fields.settable(self.options_type)

    def check(self, state: S) -> None:
        """Raises Refused with the place when a state from outside contradicts itself, and so cannot be played."""
        sides = {side.id for side in state.sides}
        if len(sides) < len(state.sides) or state.active not in sides:
            raise Refused(f"sides: each comes once, and “{state.active[:40]}” (active) is one of them.")
        if not 1 <= state.turn <= MOST_TURNS:
            raise Refused(f"turn: it is from 1 to {MOST_TURNS}.")
        if state.over is not None and state.over.winner is not None and state.over.winner not in sides:
            raise Refused(f"over.winner: there is no side “{state.over.winner[:40]}”.")
        for key, unit in state.units.items():
            if unit.id != key or unit.side not in sides:
                raise Refused(f"units.{key[:40]}: it has another id, or is of a side that there is not.")

    def side_of(self, state: S, action: Action) -> Viewer:
        """The side whose business `action` is: the unit's, else the side whose turn it is."""
        if action.umpire_only:
            return UMPIRE
        unit = state.units.get(action.unit) if action.unit else None
        return unit.side if unit is not None else state.active

    def parse(self, kind: str, args: Mapping[str, Any]) -> Action:
        """The action of that kind with the arguments given, as words or values. Raises Refused with the place.

        `with` may be a list by comma; an unknown circumstance is refused with the nearest names, and so are two that
        contradict each other.
        """
        if kind not in self.actions:
            raise Refused(f"{self.title} knows no {kind}. It has: {', '.join(sorted(self.actions))}.")
        action_type = self.actions[kind]
        given = {name: value for name, value in args.items() if value is not None}
        if isinstance(given.get("with"), str):
            given["with"] = self.words(action_type.circumstance_names, given["with"])
        try:
            action = action_type.model_validate(given)
        except ValidationError as error:
            raise Refused(self._complaint(kind, error)) from None
        if action.secret and not action.can_be_secret:
            raise Refused(f"In {self.title}, {kind} is seen by all. Leave “secret” out.")
        return action

    def read_action(self, kind: str, args: Mapping[str, Any], version: int) -> Action:
        """The action that an entry of that version stored. Raises Refused where it is none, ValueError."""
        return self.parse(*self.action_of(kind, args, version))

    def words(self, known: Sequence[str], text: str) -> tuple[str, ...]:
        """A list by comma as circumstances.

        Raises Refused on one that is none of `known`, or may be several, and on two that contradict each other.
        """
        names = {name: name for name in known}
        unknown = "{} is no circumstance of this." if names else "{} is no circumstance of this. It takes none here."
        said = (word for word in text.split(",") if word.strip())
        chosen = tuple(dict.fromkeys(naming.one(word, names, unknown) for word in said))
        both = contradiction(self.circumstances, chosen)
        if both is not None:
            one, other = both
            rule = Cite(rule=self.circumstances[one].rule)
            raise Refused(f"“{one}” and “{other}” contradict each other. Say one of them.", rule)
        return chosen

    def _complaint(self, kind: str, error: ValidationError) -> str:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else kind
        if first["type"] == "extra_forbidden":
            return f"In {self.title}, {kind} takes no “{name}”. Leave it out."
        if first["type"] == "missing":
            return f"In {self.title}, {kind} needs “{name}”. Give it and try again."
        return f"{kind}, “{name}”: {amiss(first)}"
