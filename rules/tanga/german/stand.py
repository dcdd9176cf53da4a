"""Actions of German units that stay: improving positions, rallying, standing orders (TA-H.6, TA-H.8)."""

from collections.abc import Iterable

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import Caption, Chance, SimpleType
from rules.core.hexboard.stacks import is_next_to, unit_hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.state import Action
from rules.tanga.combat.losses import rally_factor, rally_odds, require_may_rally, throw_to_rally
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, GERMAN, Arm, FireOrder, Phase, TangaState
from rules.tanga.progress import QuestionKind

from .orders import DiceOrderType, GermanActionType, OrderPreview, OrderType, find_german, find_german_in_good_order

WORKS = Cite(rule="TA-H.8", mark=Mark.HOUSE)
FORMATION, ALL = "formation", "all"


class ImprovePosition(Action):
    """Build an improved position; only for infantry that does nothing else this turn."""

    kind = "improve"
    unit: str


class Rally(Action):
    """Try to rally a disrupted unit in its RO hex."""

    unit: str


class StandingOrder(Action):
    """Give a unit its order for British marches in its range: hold fire, fire within a distance, or ask."""

    kind = "standing"
    only_announces = True
    circumstance_names = (FORMATION, ALL)

    unit: str
    order: FireOrder
    hexes: int | None = Field(default=None, ge=1, le=10)


class ImprovePositionType(OrderType[ImprovePosition]):
    """Action type of building an improved position, complete at once (TA-H.8)."""

    action = ImprovePosition
    phase = Phase.RALLY
    cite = WORKS
    asked = "Infantry may dig in"

    @override
    def check(self, state: TangaState, action: ImprovePosition) -> None:
        """Raise Refused unless the unit is infantry that did nothing this turn, and no enemy is adjacent."""
        unit = find_german_in_good_order(state, action.unit, "build")
        own_hex, name = unit_hex(unit), unit.name
        refuse(
            WORKS,
            (unit.arm is not Arm.INFANTRY, f"{name} is no infantry: only infantry builds."),
            (unit.acted, f"{name} has moved, fired or fought this turn. It builds in a turn without."),
            (own_hex in state.improved, f"There is an improved position in {board_of(state).title(own_hex)} already."),
            (is_next_to(state, own_hex, BRITISH), f"{name} is next to the British, and cannot build there."),
        )

    @override
    def preview(self, state: TangaState, action: ImprovePosition) -> OrderPreview:
        """Return the preview, with a button text such as `Dig in: 1st Platoon 17. FK in 2712`."""
        unit = state.unit(action.unit)
        place = board_of(state).title(unit_hex(unit))
        return OrderPreview(unit, unit_hex(unit), Caption(f"Dig in: {unit.name} in {place}"))

    @override
    def resolve(self, play: Play[TangaState], plan: ImprovePosition) -> None:
        """Build the position."""
        unit = play.state.unit(plan.unit)
        place, bonus = board_of(play.state).title(unit_hex(unit)), play.state.options.improved_protection
        play.change(unit.id, acted=True)
        play.set(improved=tuple(sorted({*play.state.improved, unit_hex(unit)})))
        play.note(f"An improved position in {place}: protection +{bonus}", WORKS)
        play.tell(headline=f"{unit.name} digs in at {place}", units=(unit.id,))


class RallyType(DiceOrderType[Rally]):
    """Action type of rallying a unit (TA-H.8)."""

    action = Rally
    phase = Phase.RALLY
    cite = WORKS
    asked = "Disrupted units may rally"
    is_shared_by_stack = False
    asks = QuestionKind.RALLY_RESULT
    verb = "tries to rally in"
    in_vain = "still disrupted"

    @override
    def check(self, state: TangaState, action: Rally) -> None:
        """Raise Refused unless the unit is disrupted, in its RO hex, and has not tried this turn."""
        require_may_rally(state, find_german(state, action.unit))

    @override
    def preview(self, state: TangaState, action: Rally) -> OrderPreview:
        """Return the preview, with a button text such as `Rally 1st Platoon 17. FK: 42%`."""
        unit, chance = state.unit(action.unit), rally_factor(state, action.unit).chance
        return OrderPreview(unit, unit_hex(unit), Caption(f"Rally {unit.name}", Chance(chance)), chance)

    @override
    def odds(self, state: TangaState, plan: Rally) -> Odds:
        """Return the chance to rally."""
        return rally_odds(state, plan.unit)

    @override
    def throw(self, play: Play[TangaState], action: Rally) -> None:
        """Throw 2D6 to rally."""
        throw_to_rally(play, action.unit)


class StandingOrderType(SimpleType[TangaState, StandingOrder], GermanActionType[StandingOrder, StandingOrder]):
    """Action type of standing orders for a unit, its formation or all Germans, legal at any time (TA-H.6)."""

    action = StandingOrder

    @override
    def suggest_actions(self, state: TangaState) -> Iterable[StandingOrder]:
        """Yield for each German combat unit the standing orders that differ from its present one."""
        for unit in state.units_of(GERMAN):
            for order in FireOrder:
                if unit.is_combat and order is not unit.standing:
                    yield StandingOrder(unit=unit.id, order=order)

    @override
    def check(self, state: TangaState, action: StandingOrder) -> None:
        """Raise Refused unless the unit is a German on the map."""
        find_german(state, action.unit)

    @override
    def caption(self, state: TangaState, plan: StandingOrder) -> Caption:
        """Return the button's label, as in `1st Platoon 17. FK: ask each time the British come into reach`."""
        within = _firing_distance(state, plan)
        near = "the adjacent hex" if within == 1 else f"{within} hexes"
        captions = {
            FireOrder.HOLD: "hold fire when the British come into reach",
            FireOrder.WITHIN: f"fire when the British come within {near}",
            FireOrder.ASK: "ask each time the British come into reach",
        }
        return Caption(f"{_receiver_in_words(state, plan)}: {captions[plan.order]}")

    @override
    def resolve(self, play: Play[TangaState], plan: StandingOrder) -> None:
        """Store the standing order on all units concerned."""
        state, within, receiver = play.state, _firing_distance(play.state, plan), play.state.unit(plan.unit)
        for unit in state.units.values():
            is_fellow = FORMATION in plan.circumstances and unit.formation == receiver.formation
            shares_order = (is_fellow or ALL in plan.circumstances) and unit.side == GERMAN and unit.is_combat
            if shares_order or unit.id == receiver.id:
                play.change(unit.id, standing=plan.order, fires_within=within)
        play.note(self.label(state, plan), Cite(rule="TA-H.6", mark=Mark.HOUSE))
        has = "have" if ALL in plan.circumstances else "has"
        play.tell(headline=f"{_receiver_in_words(state, plan)} {has} a standing order for opportunity fire")


def _firing_distance(state: TangaState, plan: StandingOrder) -> int:
    """Return the order's firing distance in hexes; by default option `standing_within`, or the unit's present one."""
    is_order_to_fire = plan.order is FireOrder.WITHIN
    return plan.hexes or (state.options.standing_within if is_order_to_fire else state.unit(plan.unit).fires_within)


def _receiver_in_words(state: TangaState, plan: StandingOrder) -> str:
    """Return the name of the unit or formation that receives the order, or “All Germans”."""
    unit = state.unit(plan.unit)
    if FORMATION in plan.circumstances:
        return state.formation(unit.formation).name
    return "All Germans" if ALL in plan.circumstances else unit.name


IMPROVE, RALLY, STANDING = ImprovePositionType(), RallyType(), StandingOrderType()
