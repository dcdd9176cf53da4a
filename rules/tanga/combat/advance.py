"""The winner of a melee may advance into the hex the loser has left (TA-5, TA-H.7)."""

from collections.abc import Sequence
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.throws import Against
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, leader_bonus, units_at
from rules.tanga.model import BRITISH, Standing, TangaState, TangaUnit, Trail
from rules.tanga.ways.prohibited import closed_beaches, stays_behind

from .retreats import in_parties
from .reveal import reveal

SIDES = 6
ADVANCE = Cite(rule="TA-H.7", mark=Mark.HOUSE)
ALWAYS = Cite(rule="TA-5")


def advance(play: Play[TangaState], winner: Hex, into: Hex, side: str) -> None:
    """Throws D6 and EB where no enemy combat unit is left in the hex and somebody would go; on 4 or more they do."""
    going = advancing(play.state, winner, into, side)
    if not going:
        return
    bonus = leader_bonus(going)
    cite = ALWAYS if side == BRITISH else ADVANCE
    part = (Modifier(value=Fraction(bonus), reason="leader's EB", cite=cite),) if bonus else ()
    test = Against(1, SIDES, play.state.options.advance_on, part)
    throw = play.throw(1, SIDES, "Advance after melee", side=side)
    onward = f"{', '.join(unit.name for unit in going)} advance into {board_of(play.state).title(into)}"
    play.say(
        Step(
            text=throw.label,
            cite=ADVANCE,
            throws=(throw,),
            start=Fraction(throw.total),
            modifiers=part,
            score=Fraction(test.score(throw)),
            needed=f"against {test.needed}",
            chance=test.chance,
            hope="to advance",
            verdict=onward if test.passes(throw) else "no advance",
        )
    )
    if test.passes(throw):
        take(play, going, winner, into)


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


def take(play: Play[TangaState], going: Sequence[TangaUnit], winner: Hex, into: Hex) -> None:
    """They are in the hex now: enemies without a combat unit are lost, markers that Germans see are turned up."""
    trail = Trail(hexes=(winner, into), kind="move", side=going[0].side)
    play.state = play.state.with_unit(*(gone_into(play.state, unit, into) for unit in going))
    play.set(trails=(*play.state.trails, trail))
    entered(play, into, going[0].side)
    reveal(play)
