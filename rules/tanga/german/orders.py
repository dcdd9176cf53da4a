"""What every order of the German player's has in common: to whom and when it may be given, and its buttons (TA-H.0)."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import A, ActionType, P, SimpleType
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.unit_lookup import known
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask
from rules.tanga.questions import by_box, prompts

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
ORDERS = {Phase.MOVE: "move", Phase.FIRE: "fire", Phase.MELEE: "attack", Phase.RALLY: "improve positions and rally"}
"""What the player does in each."""
MOST = 10
"""Buttons of a kind."""


class GermanType(ActionType[TangaState, A, P]):
    """A kind of action that the Germans' player does: all but the umpire's word."""

    @override
    def side(self, state: TangaState, action: A) -> Viewer:
        """The Germans, whomever it is about."""
        return GERMAN


@dataclass(frozen=True)
class Prospect:
    """What an order comes to: who does it, in or against which hex, its chance, and what its button says."""

    unit: TangaUnit
    hex: Hex
    words: str
    chance: Fraction = Fraction(0)


class OrderType(SimpleType[TangaState, A], GermanType[A, A]):
    """An order of one phase to a unit."""

    phase: ClassVar[Phase]
    cite: ClassVar[Cite]
    asked: ClassVar[str]
    """What stands above its buttons."""
    of_a_stack: ClassVar[bool] = True
    """One button is enough for all of a hex that may do it to another."""

    def to(self, state: TangaState, unit: TangaUnit) -> Iterable[Any]:  # noqa: ARG002
        """A useful choice of such orders to a unit on the map; those that cannot be done drop out."""
        yield self.action(unit=unit.id)

    @abstractmethod
    def prospect(self, state: TangaState, action: A) -> Prospect:
        """What comes of one that may be given."""

    @override
    def label(self, state: TangaState, plan: A) -> str:
        """As `1st Platoon 17. FK at 2712: 58%`."""
        return self.prospect(state, plan).words

    @override
    def thinkable(self, state: TangaState) -> Iterable[A]:
        """Those to every German, while they are called for."""
        if phase_of(state) is self.phase and state.british.asked is None:
            for unit in state.of_side(GERMAN):
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
        found: dict[object, tuple[Prospect, A]] = {}
        for action in self.possible(state, GERMAN):
            one = self.prospect(state, action)
            found.setdefault((one.unit.at, one.hex) if self.of_a_stack else one.unit.id, (one, action))
        best = sorted(found.values(), key=lambda choice: -choice[0].chance)[:MOST]
        more = f" (the likeliest {MOST} of {len(found)})" if len(found) > MOST else ""
        offers = tuple(self.offer(state, action, f"{state.turn} {one.words}", one.words) for one, action in best)
        if offers:
            text = self.asked + more
            yield Prompt(key=self.asked, unit="", side=GERMAN, text=text, cite=self.cite, offers=offers, required=False)


class DiceType(OrderType[A]):
    """An order that is thrown for; in a player's own game his box is asked what comes of it."""

    asks: ClassVar[Ask]
    does: ClassVar[str]
    """What is done to, or in, the hex: `fires at`."""

    @abstractmethod
    def throw(self, play: Play[TangaState], action: A) -> None:
        """Throws for it by the house rules."""

    @override
    def resolve(self, play: Play[TangaState], plan: A) -> None:
        """Throws for it, or asks the player's own table."""
        found = self.prospect(play.state, plan)
        if by_box(play, self.asks, found.unit, found.hex):
            play.set(trails=())
            play.tell(headline=prompts(play.state)[0].text, units=(found.unit.id,))
            return
        there = (other.id for other in units_at(play.state, found.hex))
        headline = f"{found.unit.name} {self.does} {board_of(play.state).title(found.hex)}"
        play.tell(headline=headline, units=tuple(dict.fromkeys((found.unit.id, *there))))
        self.throw(play, plan)


def phase_of(state: TangaState) -> Phase:
    """The phase that is on."""
    return Phase(state.phase)


def german(state: TangaState, unit_id: str | None) -> TangaUnit:
    """The German unit of that id, on the map. Raises Refused."""
    unit: TangaUnit = known(state, unit_id)
    refuse(
        TURN,
        (unit.side != GERMAN, f"{unit.name} is British: the card decides for it. See /british turn."),
        (not unit.on_map, f"{unit.name} is not on the map."),
    )
    return unit


def good(state: TangaState, unit_id: str | None, act: str) -> TangaUnit:
    """The German unit of that id, on the map in good order. Raises Refused."""
    unit = german(state, unit_id)
    refuse(TURN, (not unit.is_good, f"{unit.name} is disrupted and cannot {act}: it retreats until it rallies."))
    return unit


def hex_of_foe(state: TangaState, target_id: str | None) -> Hex:
    """Where the British unit of that id is. Raises Refused unless it is on the map."""
    target = state.units.get(target_id or "")
    if target is None or target.at is None:
        raise Refused("Name a British unit on the map as the target. Completion shows them.", TURN)
    refuse(TURN, (target.side == GERMAN, f"{target.name} is on your own side. Name a British unit."))
    return target.at


def require_phase(state: TangaState, phase: Phase) -> None:
    """Raises Refused, saying how to come to the phase, unless it is on."""
    now = phase_of(state)
    order, doing = list(Phase), ORDERS.get(now)
    refuse(
        TURN,
        (now is Phase.BRITISH, "The British are acting. Play on with /british turn; then it is your turn."),
        (
            order.index(now) < order.index(phase),
            f"Now you {doing}. When you have done so, /turn next goes on to the {phase} phase.",
        ),
        (now is not phase, f"The {phase} phase is over this turn; now you {doing}."),
    )
    require_answered(state)


def require_answered(state: TangaState) -> None:
    """Raises Refused while a question is open: shall Germans fire, or what does the player's own table say?"""
    if (question := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {question.text}", question.cite, keys=(question.key,))
