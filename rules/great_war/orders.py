"""Ordering units, recovering bogged tanks, and ditching them (GW-1.1, GW-3.4)."""

from collections.abc import Iterable
from fractions import Fraction

from pydantic import Field

from rules.core.action_type import Caption, Chance, SimpleType
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, combine_outcomes
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.scene import DieFace
from rules.core.state import Action
from rules.core.wording import count_of, join_with_and

from .battle_dice import chance_of_face, faces_in_words, faces_shown
from .model import Bogged, GreatWarPlay, GreatWarState, GreatWarUnit, Recovery
from .options import Scores
from .shared import (
    ANOTHER,
    DITCHED,
    FRAME,
    ORDERS,
    award_medals,
    distance_to_enemy,
    find_unit_on_map,
    require_flags_answered,
    require_ordered,
    require_own_turn,
    require_phase,
)
from .tables import SIDES, chart_number

HOW_MANY = Cite(rule="GW-1.1", mark=Mark.HOUSE)
RECOVERY = Cite(rule="GW-3.4", mark=Mark.FOUND)
FIRST_STRIKE = "first strike"


class Order(Action):
    """Order a unit, which may then move and battle this turn; by a First Strike card it gains no ground."""

    circumstance_names = (FIRST_STRIKE,)
    rationed = True

    unit: str


class OrderType(SimpleType[GreatWarState, Order]):
    """Ordering units (GW-1.1)."""

    action = Order
    says = "Order {unit}"

    def suggest_actions(self, state: GreatWarState) -> Iterable[Order]:
        """Yield an order for every unit, units nearest to the enemy first."""
        if state.phase == ORDERS:
            army = state.units_of(state.active)
            near = sorted(army, key=lambda unit: distance_to_enemy(state, unit.side, unit_hex(unit)))
            yield from (Order(unit=unit.id) for unit in near)

    def check(self, state: GreatWarState, action: Order) -> None:
        """Raise Refused if no order is left, or the unit is ordered already or ditched."""
        unit = find_unit_on_map(state, action.unit)
        require_phase(state, unit, ORDERS)
        most = state.options.orders
        names = [other.name for other in state.units_of(unit.side) if other.this_turn.is_ordered]
        refuse(FRAME, (unit.this_turn.is_ordered, f"{unit:are} ordered already. {ANOTHER}."))
        ditched = f"{unit:are} ditched: {unit:they act} no more. Order another unit."
        refuse(DITCHED, (unit.bogged is Bogged.DITCHED, ditched))
        all_given = f"{count_of(most, 'unit')} may be ordered in a turn (option “orders”): {join_with_and(names)}"
        instead = "Move and battle with them: /turn next goes on. /game undo takes an order back"
        refuse(HOW_MANY, (len(names) >= most, f"{all_given}. {instead}."))

    def resolve(self, play: GreatWarPlay, plan: Order) -> None:
        """Record that the unit is ordered."""
        unit = play.state.unit(plan.unit)
        first = FIRST_STRIKE in plan.circumstances
        play.remember(unit.id, is_ordered=True, by_first_strike=first)
        play.tell(headline=f"{unit:are} ordered{' by First Strike' if first else ''}.", units=(unit.id,))


class Recover(Action):
    """Throw a bogged tank's recovery dice, and one more for each HQ token spent."""

    unit: str
    tokens: int = Field(default=0, ge=0, le=9)


class RecoverType(SimpleType[GreatWarState, Recover]):
    """The recovery of a tank: any HQ frees it (GW-3.4)."""

    action = Recover

    def suggest_actions(self, state: GreatWarState) -> Iterable[Recover]:
        """Yield a recovery for every bogged tank and each allowed number of tokens."""
        for unit in state.units_of(state.active):
            if has_to_recover(unit):
                most = min(state.tokens.get(unit.side, 0), state.options.most_tokens)
                yield from (Recover(unit=unit.id, tokens=tokens) for tokens in range(most + 1))

    def check(self, state: GreatWarState, action: Recover) -> None:
        """Raise Refused if the tank is not bogged or not ordered, has acted, or its side lacks the tokens."""
        unit = find_unit_on_map(state, action.unit)
        require_flags_answered(state)
        require_own_turn(state, unit)
        free = f"{unit:are} not bogged: there is nothing to recover. {ANOTHER}."
        refuse(RECOVERY, (unit.bogged is not Bogged.BOGGED, free))
        require_ordered(state, unit)
        first = f"recovery comes before anything else. Order {unit:them} next turn"
        acted = f"{unit:have} acted already this turn, and {first}."
        refuse(RECOVERY, (not has_to_recover(unit), acted))
        own, most = state.tokens.get(unit.side, 0), state.options.most_tokens
        may = f"{most} may be spent on one recovery (option “most tokens”)"
        have = f"{state.side(unit.side):The} have {count_of(own, 'HQ token')}"
        too_many = f"{have}, and {may}. Spend {min(own, most)} or fewer."
        refuse(RECOVERY, (action.tokens > min(own, most), too_many))

    def chance_to_free(self, state: GreatWarState, plan: Recover) -> Fraction:
        """Return the chance of at least one HQ."""
        return 1 - (1 - chance_of_face(DieFace.HQ)) ** self.dice_count(state, plan)

    def dice_count(self, state: GreatWarState, plan: Recover) -> int:
        """Return the number of dice: the tank's recovery dice, and one for each token."""
        return chart_number(state.unit(plan.unit).arm, "recovery dice") + plan.tokens

    def caption(self, state: GreatWarState, plan: Recover) -> Caption:
        """Return a caption such as `Recover Deborah, 1 HQ token: 30.6%`."""
        spent = f", {count_of(plan.tokens, 'HQ token')}" if plan.tokens else ""
        return Caption(f"Recover {state.unit(plan.unit).name}{spent}", Chance(self.chance_to_free(state, plan)))

    def odds(self, state: GreatWarState, plan: Recover) -> Odds:
        """Return the chance that any HQ frees the tank."""
        unit, chance = state.unit(plan.unit), self.chance_to_free(state, plan)
        chances = ((True, chance), (False, 1 - chance))
        both = combine_outcomes(chances, lambda freed: ("freed" if freed else "still bogged", freed))
        return Odds(question=f"Is {unit.name} freed?", steps=(self._recovery_step(state, plan),), outcomes=both)

    def _recovery_step(self, state: GreatWarState, plan: Recover) -> Step:
        chance = self.chance_to_free(state, plan)
        text = f"{state.unit(plan.unit).name}: recovery"
        needed, hope = "freed by any HQ", "to be freed"
        return Step(text=text, cite=RECOVERY, needed=needed, chance=chance, hope=hope, text_in_headline=True)

    def resolve(self, play: GreatWarPlay, plan: Recover) -> None:
        """Throw the dice. A freed tank may move and battle. A tank still bogged may be ditched before it battles."""
        unit, step = play.state.unit(plan.unit), self._recovery_step(play.state, plan)
        tokens = play.state.tokens
        play.set(tokens={**tokens, unit.side: tokens.get(unit.side, 0) - plan.tokens} if plan.tokens else tokens)
        throw = play.throw(self.dice_count(play.state, plan), SIDES, step.text, side=unit.side)
        faces = faces_shown(throw.dice)
        freed = DieFace.HQ in faces
        verdict = "freed" if freed else "still bogged"
        needed = f"{faces_in_words(faces)} (an HQ frees)"
        play.say(step.model_copy(update={"throws": (throw,), "needed": needed, "verdict": verdict}))
        play.set(faces=faces)
        play.remember(unit.id, recovery=Recovery.FREED if freed else Recovery.FAILED)
        if freed:
            play.change(unit.id, bogged=Bogged.NO)
        ends = "is freed" if freed else "stays bogged"
        play.tell(headline=f"Recovery of {unit.name}: it {ends}.", units=(unit.id,))


class Ditch(Action):
    """Ditch a tank after a failed recovery: the tank acts no more, and stays on the map."""

    unit: str


class DitchType(SimpleType[GreatWarState, Ditch]):
    """Ditching a tank (GW-3.4)."""

    action = Ditch
    says = "Ditch {unit}: it acts no more"
    danger = True

    def suggest_actions(self, state: GreatWarState) -> Iterable[Ditch]:
        """Yield a ditching of every unit on the map. `check` refuses all but tanks whose recovery has failed."""
        yield from (Ditch(unit=unit.id) for unit in state.units_of(state.active))

    def check(self, state: GreatWarState, action: Ditch) -> None:
        """Raise Refused unless the tank's recovery failed this turn and it has not battled since."""
        unit = find_unit_on_map(state, action.unit)
        require_own_turn(state, unit)
        failed = unit.bogged is Bogged.BOGGED and unit.this_turn.recovery is Recovery.FAILED
        why = f"{unit:may} be ditched only when {unit:their} recovery has just failed."
        refuse(RECOVERY, (not failed, why), (unit.this_turn.has_battled, f"{unit:have} battled since: too late."))
        require_flags_answered(state)

    def resolve(self, play: GreatWarPlay, plan: Ditch) -> None:
        """Mark the tank as permanently ditched."""
        unit = play.state.unit(plan.unit)
        play.change(unit.id, bogged=Bogged.DITCHED)
        if play.state.options.ditched_scores is Scores.AT_ONCE:
            worth = chart_number(unit.arm, "medals when ditched")
            play.note(f"{count_of(worth, 'medal')} to {award_medals(play, unit.side, worth):the}", RECOVERY.as_ruling)
        play.tell(headline=f"{unit:are} ditched.", units=(unit.id,))


def has_to_recover(unit: GreatWarUnit) -> bool:
    """Whether the tank is ordered and bogged, and must throw for recovery before it acts."""
    now = unit.this_turn
    acted = now.moved or now.entered or now.has_battled
    return unit.bogged is Bogged.BOGGED and now.is_ordered and now.recovery is Recovery.NONE and not acted


ORDER, RECOVER, DITCH = OrderType(), RecoverType(), DitchType()
