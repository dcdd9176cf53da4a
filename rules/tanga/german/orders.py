"""What every order of the German player's has in common: to whom and when it may be given, and its buttons (TA-H.0)."""

from abc import abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

from typing_extensions import override

from rules.core.action_type import ActionType, SimpleType
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Prompt
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.field import board_of, units_at
from rules.tanga.model import GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask
from rules.tanga.questions import ask_table

A = TypeVar("A", bound=Action)
P = TypeVar("P")

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
PHASES = (Phase.MOVE, Phase.FIRE, Phase.MELEE, Phase.RALLY)
"""The German part of a turn, in order."""
ORDERS = {Phase.MOVE: "move", Phase.FIRE: "fire", Phase.MELEE: "attack", Phase.RALLY: "improve positions and rally"}
"""What the player does in each."""
MOST = 10
"""Buttons of a kind."""


class GermanType(ActionType[TangaState, A, P], Generic[A, P]):
    """A kind of action that the Germans' player does: all but the umpire's word."""

    @override
    def side(self, state: TangaState, action: A) -> Viewer:
        """The Germans, whomever it is about."""
        return GERMAN


class OrderType(SimpleType[TangaState, A], GermanType[A, A], Generic[A]):
    """An order of one phase to a unit."""

    phase: ClassVar[Phase]
    cite: ClassVar[Cite]
    asked: ClassVar[str]
    """What stands above its buttons."""

    @abstractmethod
    def to(self, state: TangaState, unit: TangaUnit) -> Iterable[A]:
        """A useful choice of such orders to a unit on the map; those that cannot be done drop out."""

    @abstractmethod
    def worth(self, state: TangaState, action: A) -> tuple[object, Fraction]:
        """What it is about (of equals the first gets a button), and by what the likeliest comes first."""

    @override
    def thinkable(self, state: TangaState) -> Iterable[A]:
        """Those to every German, while they are called for."""
        if phase_of(state) is self.phase and state.british.asked is None:
            for unit in germans(state):
                yield from self.to(state, unit)

    @override
    def plan(self, state: TangaState, action: A, *, supposing: bool = False) -> A:
        """Raises Refused outside its phase; of a supposed one where the player's own box decides."""
        if not supposing:
            require_phase(state, self.phase)
        elif state.options.resolution is Resolution.OWN:
            raise Refused("Your own box's tables decide that, and their odds are not known here.", BOX)
        return super().plan(state, action)

    def buttons(self, state: TangaState) -> Iterable[Prompt]:
        """The likeliest of such orders, none of which has to be; nothing where the player's own box decides."""
        if state.options.resolution is Resolution.OWN:
            return
        found: dict[object, tuple[Fraction, A]] = {}
        for action in self.possible(state, GERMAN):
            about, chance = self.worth(state, action)
            found.setdefault(about, (chance, action))
        best = sorted(found.values(), key=lambda one: -one[0])[:MOST]
        more = f" (the likeliest {MOST} of {len(found)})" if len(found) > MOST else ""
        said = ((action, self.label(state, action)) for _, action in best)
        offers = tuple(self.offer(state, action, f"{state.turn} {words}", words) for action, words in said)
        if offers:
            text = self.asked + more
            yield Prompt(key=self.asked, unit="", side=GERMAN, text=text, cite=self.cite, offers=offers, required=False)


class DiceType(OrderType[A], Generic[A]):
    """An order that is thrown for; in a player's own game his box is asked what comes of it."""

    asks: ClassVar[Ask]
    does: ClassVar[str]
    """What is done to, or in, the hex: `fires at`."""

    @abstractmethod
    def about(self, state: TangaState, action: A) -> tuple[TangaUnit, Hex]:
        """Who does it, and in or against which hex."""

    @abstractmethod
    def throw(self, play: Play[TangaState], action: A) -> None:
        """Throws for it by the house rules."""

    @override
    def resolve(self, play: Play[TangaState], plan: A) -> None:
        """Throws for it, or asks the player's own table."""
        unit, hex_ = self.about(play.state, plan)
        if play.state.options.resolution is Resolution.OWN:
            ask_table(play, self.asks, unit, hex_)
            return
        there = (other.id for other in units_at(play.state, hex_))
        headline = f"{unit.name} {self.does} {board_of(play.state).title(hex_)}"
        play.tell(headline=headline, units=tuple(dict.fromkeys((unit.id, *there))))
        self.throw(play, plan)


def phase_of(state: TangaState) -> Phase:
    """The phase that is on."""
    return Phase(state.phase)


def german(state: TangaState, unit_id: str | None) -> TangaUnit:
    """The German unit of that id, on the map. Raises Refused."""
    unit = state.units.get(unit_id or "")
    if unit is None:
        raise Refused(f"There is no unit “{(unit_id or '')[:40]}”. /unit list shows them all.")
    if unit.side != GERMAN:
        raise Refused(f"{unit.name} is British: the card decides for it. See /british turn.", TURN)
    if not unit.on_map:
        raise Refused(f"{unit.name} is not on the map.", TURN)
    return unit


def good(state: TangaState, unit_id: str | None, act: str) -> TangaUnit:
    """The German unit of that id, on the map in good order. Raises Refused."""
    unit = german(state, unit_id)
    if not unit.is_good:
        raise Refused(f"{unit.name} is disrupted and cannot {act}: it retreats until it rallies.", TURN)
    return unit


def hex_of_foe(state: TangaState, target_id: str | None) -> Hex:
    """Where the British unit of that id is. Raises Refused unless it is on the map."""
    target = state.units.get(target_id or "")
    if target is None or target.at is None:
        raise Refused("Name a British unit on the map as the target. Completion shows them.", TURN)
    if target.side == GERMAN:
        raise Refused(f"{target.name} is on your own side. Name a British unit.", TURN)
    return target.at


def require_phase(state: TangaState, phase: Phase) -> None:
    """Raises Refused, saying how to come to the phase, unless it is on."""
    now = phase_of(state)
    if now is phase:
        require_answered(state)
        return
    if now is Phase.BRITISH:
        raise Refused("The British are acting. Play on with /british turn; then it is your turn.", TURN)
    if PHASES.index(now) < PHASES.index(phase):
        raise Refused(f"Now you {ORDERS[now]}. Go on to the {phase.value} phase with /turn next.", TURN)
    raise Refused(f"The {phase.value} phase is over this turn; now you {ORDERS[now]}.", TURN)


def require_answered(state: TangaState) -> None:
    """Raises Refused while the player's own table is asked for a result and has not told it."""
    if (question := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {question.text}", question.cite)


def germans(state: TangaState) -> Iterable[TangaUnit]:
    """German units on the map."""
    return (unit for unit in state.units.values() if unit.side == GERMAN and unit.on_map)
