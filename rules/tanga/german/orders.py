"""Base classes and checks of the German player's actions: phases, units that may act, buttons (TA-H.0)."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import A, ActionType, Caption, P, SimpleType
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.unit_lookup import find_unit
from rules.tanga.combat.losses import describe_hits
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import QuestionKind
from rules.tanga.questions import ask_for_table_result, question_prompts

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
ORDERS = {Phase.MOVE: "move", Phase.FIRE: "fire", Phase.MELEE: "attack", Phase.RALLY: "improve positions and rally"}
"""The player's task in each phase, in words."""
MAX_BUTTONS = 10
"""Maximum number of buttons per kind of order."""


class GermanActionType(ActionType[TangaState, A, P]):
    """Base class of all action types of the German player."""

    @override
    def side(self, state: TangaState, action: A) -> Viewer:
        """Return the German side."""
        return GERMAN


@dataclass(frozen=True)
class OrderPreview:
    """Preview of an order: its unit, target hex, button text, and the chance by which buttons are sorted."""

    unit: TangaUnit
    hex: Hex
    caption: Caption
    chance: Fraction = Fraction(0)


class OrderType(SimpleType[TangaState, A], GermanActionType[A, A]):
    """Base class of orders that are legal in one phase only."""

    phase: ClassVar[Phase]
    cite: ClassVar[Cite]
    asked: ClassVar[str]
    """Heading above the buttons."""
    is_shared_by_stack: ClassVar[bool] = True
    """Whether the units of a hex share one button for each target."""
    target_hexes: Callable[[TangaState, TangaUnit], Iterable[Hex]] | None = None
    """Yield the hexes of possible British targets for the unit; None for orders without a target."""

    @abstractmethod
    def preview(self, state: TangaState, action: A) -> OrderPreview:
        """Return the preview of a legal order: its unit, target hex, button text and chance."""

    @override
    def caption(self, state: TangaState, plan: A) -> Caption:
        """Return the caption of the order's preview, such as `1st Platoon 17. FK at 2712: 58%`."""
        return self.preview(state, plan).caption

    @override
    def suggest_for_unit(self, state: TangaState, unit: str) -> Iterable[A]:
        """Yield useful orders for a German on the map in this phase, unless a question is open."""
        german: TangaUnit = state.unit(unit)
        now = current_phase(state) is self.phase and state.british.asked is None
        if not (now and german.side == GERMAN and german.on_map):
            return
        make: type[Any] = self.action
        if self.target_hexes is None:
            yield make(unit=unit)
        else:
            yield from (make(unit=unit, target=units_at(state, at)[0].id) for at in self.target_hexes(state, german))

    @override
    def plan(self, state: TangaState, action: A) -> A:
        """Return the order. Raises Refused outside the phase."""
        require_phase(state, self.phase)
        return super().plan(state, action)

    @override
    def suppose(self, state: TangaState, action: A) -> A:
        """Return the order for `/odds`, in any phase. Raises Refused if the player's own tables decide the result."""
        if state.options.resolution is Resolution.OWN:
            raise Refused("Your own box's tables decide that, and their odds are not known here.", BOX)
        return super().plan(state, action)

    def order_prompts(self, state: TangaState) -> Iterable[Prompt]:
        """Yield an optional prompt with the likeliest orders; none if the player's own tables decide."""
        if state.options.resolution is Resolution.OWN:
            return
        choices: dict[object, tuple[OrderPreview, A]] = {}
        for action in self.possible_actions(state, GERMAN):
            preview = self.preview(state, action)
            key = (preview.unit.at, preview.hex) if self.is_shared_by_stack else preview.unit.id
            choices.setdefault(key, (preview, action))
        best = sorted(choices.values(), key=lambda choice: -choice[0].chance)[:MAX_BUTTONS]
        ending = f" (the likeliest {MAX_BUTTONS} of {len(choices)})" if len(choices) > MAX_BUTTONS else ""
        captions = ((str(preview.caption), action) for preview, action in best)
        offers = tuple(self.offer(state, action, f"{state.turn} {words}", words) for words, action in captions)
        if offers:
            text = self.asked + ending
            yield Prompt(key=self.asked, unit="", side=GERMAN, text=text, cite=self.cite, offers=offers, required=False)


class DiceOrderType(OrderType[A]):
    """Base class of orders with dice, or with a result from the player's own tables."""

    asks: ClassVar[QuestionKind]
    verb: ClassVar[str]
    """Verb before the target hex, such as `fires at`."""
    in_vain: ClassVar[str]
    """Result in the headline if no unit's condition changes, such as `no hit`."""

    @abstractmethod
    def throw(self, play: Play[TangaState], action: A) -> None:
        """Resolve the order with dice, by the house rules."""

    @override
    def resolve(self, play: Play[TangaState], plan: A) -> None:
        """Throw the order's dice, or ask for the result of the player's own table."""
        preview = self.preview(play.state, plan)
        if ask_for_table_result(play, self.asks, preview.unit, preview.hex):
            play.set(trails=())
            play.tell(headline=question_prompts(play.state)[0].text, units=(preview.unit.id,))
            return
        before, target_ids = play.state, [unit.id for unit in units_at(play.state, preview.hex)]
        self.throw(play, plan)
        deed = f"{preview.unit.name} {self.verb} {board_of(before).title(preview.hex)}"
        result = describe_hits(before, play.state, self.in_vain)
        play.tell(headline=f"{deed}: {result}", units=tuple(dict.fromkeys((preview.unit.id, *target_ids))))


def current_phase(state: TangaState) -> Phase:
    """Return the present phase."""
    return Phase(state.phase)


def find_german(state: TangaState, unit_id: str | None) -> TangaUnit:
    """Return the German unit with this id. Raises Refused unless it is on the map."""
    unit: TangaUnit = find_unit(state, unit_id)
    refuse(
        TURN,
        (unit.side != GERMAN, f"{unit.name} is British: the card decides for it. See /british turn."),
        (not unit.on_map, f"{unit.name} is not on the map."),
    )
    return unit


def find_german_in_good_order(state: TangaState, unit_id: str | None, act: str) -> TangaUnit:
    """Return the German unit with this id. Raises Refused, naming the `act`, unless it is on the map in good order."""
    unit = find_german(state, unit_id)
    why = f"{unit.name} is disrupted and cannot {act}: it retreats until it rallies."
    refuse(TURN, (not unit.is_in_good_order, why))
    return unit


def find_british_hex(state: TangaState, target_id: str | None) -> Hex:
    """Return the hex of the British unit with this id. Raises Refused unless it is on the map."""
    target = state.units.get(target_id or "")
    if target is None or target.at is None:
        raise Refused("Name a British unit on the map as the target. Completion shows them.", TURN)
    refuse(TURN, (target.side == GERMAN, f"{target.name} is on your own side. Name a British unit."))
    return target.at


def require_phase(state: TangaState, phase: Phase) -> None:
    """Raise Refused outside `phase`, with the way to reach it, or while a question is open."""
    now = current_phase(state)
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
    require_no_open_question(state)


def require_no_open_question(state: TangaState) -> None:
    """Raise Refused while a question about opportunity fire or the player's table is open."""
    if (question := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {question.text}", question.cite, keys=(question.key,))
