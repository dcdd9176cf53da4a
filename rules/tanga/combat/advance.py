"""The winner of a melee may advance into the hex the loser has left (TA-5, TA-H.7)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.tanga.automaton.prohibited import closed_beaches, stays_behind
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, leader_bonus, units_at
from rules.tanga.model import BRITISH, Standing, TangaState, TangaUnit, Trail

from .retreats import in_parties
from .reveal import reveal

SIDES = 6
ADVANCE = Cite(rule="TA-H.7", mark=Mark.HOUSE)
ALWAYS = Cite(rule="TA-5")

Told = tuple[TangaState, tuple[Step, ...]]


def advance(state: TangaState, winner: Hex, into: Hex, side: str, dice: Dice) -> Told:
    """Throws D6 and EB where no enemy combat unit is left in the hex and somebody would go; on 4 or more they do."""
    going = advancing(state, winner, into, side)
    if not going:
        return state, ()
    bonus, least = leader_bonus(going), state.options.advance_on
    cite = ALWAYS if side == BRITISH else ADVANCE
    throw = dice.throw(1, SIDES, "Advance after melee", side=side)
    score = throw.total + bonus
    goes = score >= least
    step = Step(
        text=throw.label,
        cite=ADVANCE,
        throws=(throw,),
        start=Fraction(throw.total),
        modifiers=(Modifier(value=Fraction(bonus), reason="leader's EB", cite=cite),) if bonus else (),
        score=Fraction(score),
        needed=f"against {least}",
        chance=Fraction(min(max(SIDES + 1 - least + bonus, 0), SIDES), SIDES),
        hope="to advance",
        verdict=f"{_names(going)} advance into {board_of(state).title(into)}" if goes else "no advance",
    )
    if not goes:
        return state, (step,)
    state, told = take(state, going, winner, into, dice)
    return state, (step, *told)


def advancing(state: TangaState, winner: Hex, into: Hex, side: str) -> tuple[TangaUnit, ...]:
    """Who of a stack would advance: good order not ordered to hold, and its leaders, of whom one if others stay."""
    if any(unit.side != side and unit.is_combat for unit in units_at(state, into)):
        return ()
    stack = [unit for unit in units_at(state, winner) if unit.side == side and unit.is_good]
    able = [unit for unit in stack if unit.is_combat and _may_go(state, unit, into)]
    going, _ = in_parties(state, able)
    stays = any(unit.is_combat and unit not in going for unit in units_at(state, winner))
    leaders = sorted((unit for unit in stack if unit.is_leader), key=lambda unit: -unit.eb)
    return (*going, *(leaders[:1] if stays else leaders)) if going else ()


def _may_go(state: TangaState, unit: TangaUnit, into: Hex) -> bool:
    """Not one ordered to hold, nor to beaches it has left, nor a British MG next to Germans (TA-3, TA-9.5)."""
    if unit.standing is Standing.HOLD or into in closed_beaches(state, (unit,)):
        return False
    return not stays_behind(state, (unit,), into)


def take(state: TangaState, going: Iterable[TangaUnit], winner: Hex, into: Hex, dice: Dice) -> Told:
    """They are in the hex now: enemies without a combat unit are lost, markers that Germans see are turned up."""
    units = tuple(going)
    trail = Trail(hexes=(winner, into), kind="move", side=units[0].side)
    state = state.with_unit(*(gone_into(state, unit, into) for unit in units)).model_copy(
        update={"trails": (*state.trails, trail)}
    )
    state, told = entered(state, into, units[0].side)
    state, turned, _ = reveal(state, dice)
    return state, (*told, *turned)


def _names(units: Iterable[TangaUnit]) -> str:
    return ", ".join(unit.name for unit in units)
