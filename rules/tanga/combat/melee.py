"""Melee: both sides strike at once, the loser retreats, the winner may advance (TA-5, TA-H.7)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome, combine_outcomes
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.test_action import Trial
from rules.core.throws import ScoreThrow, Spread, difference_spread
from rules.tanga.field import board_of, foe, leader_bonus
from rules.tanga.model import BRITISH, Standing, TangaState, TangaUnit, Trail
from rules.tanga.options import Resolution
from rules.tanga.ways import closed_beaches, guns_left_behind

from .entering import go_into
from .losses import take_hits
from .retreats import new_ro, retreat, ro_hex, split_party, with_leaders
from .strike import DIE_SIDES, Factor, cover, names_of, nonzero_modifiers, strike

BLOWS = Cite(rule="TA-H.7", mark=Mark.HOUSE)
REFUSES = Cite(rule="TA-5")
BEGINS_NONE = Cite(rule="TA-5", mark=Mark.RULING)
OVER = {1: ("the attackers win", True), 0: ("both stay", None), -1: ("the defenders win", False)}
"""Outcomes of a melee, by the side with more hits: attackers (1), neither side (0), defenders (-1)."""


def factor(state: TangaState, hex_: Hex, side: str, against: Hex) -> Factor:
    """Return a side's melee factor: CF of good-order units, plus best EB, less protection of hex `against` (TA-H.7)."""
    stack = _units_of(state, hex_, side)
    units = fighters(stack)
    return Factor(
        text=f"Melee factor of {names_of(units) or 'nobody in good order'} in {board_of(state).title(hex_)}",
        start=units[0].cf if units else 0,
        modifiers=(
            *nonzero_modifiers(
                BLOWS, *((unit.cf, unit.name) for unit in units[1:]), (leader_bonus(stack), "leader's EB")
            ),
            *cover(state, against),
        ),
        cite=BLOWS,
        double=state.options.double_hit,
    )


def fighters(stack: Iterable[TangaUnit]) -> list[TangaUnit]:
    """Return the stack's combat units in good order."""
    return [unit for unit in stack if unit.is_good and unit.is_combat]


def _units_of(state: TangaState, hex_: Hex, side: str) -> list[TangaUnit]:
    """Return the side's units in the hex."""
    return [unit for unit in units_at(state, hex_) if unit.side == side]


def _combat_units(state: TangaState, hex_: Hex, side: str) -> list[TangaUnit]:
    """Return the side's combat units in the hex."""
    return [unit for unit in _units_of(state, hex_, side) if unit.is_combat]


def least_factor(state: TangaState, side: str) -> int:
    """Return the least factor with which a side begins a melee (TA-5, TA-H.7).

    This is the house minimum; for the British the card's minimum, if greater. With the player's own tables there is no
    house minimum.
    """
    house = 0 if state.options.resolution is Resolution.OWN else state.options.begins_melee
    return max(house, state.options.least_melee) if side == BRITISH else house


def begins(state: TangaState, hex_: Hex, side: str, enemy: Hex) -> bool:
    """Whether a side in a hex is strong enough to begin a melee with the hex `enemy` (TA-5, TA-H.7)."""
    return factor(state, hex_, side, enemy).total >= least_factor(state, side)


def gives_way(state: TangaState, own_hex: Hex, enemy: Hex) -> bool:
    """Whether British defenders retreat before blows, because they are too weak and have an RO hex elsewhere (TA-5)."""
    if factor(state, own_hex, BRITISH, enemy).total >= state.options.least_melee:
        return False
    first, _ = split_party(state, _combat_units(state, own_hex, BRITISH))
    party = with_leaders(state, first)
    return ro_hex(party, new_ro(state, party)) != own_hex


def melee(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """Fight a whole melee, from a British retreat before blows to the winner's advance."""
    side = fighters(units_at(play.state, attackers))[0].side
    engage(play, attackers, defenders)
    if side != BRITISH and gives_way(play.state, defenders, attackers):
        weak = factor(play.state, defenders, BRITISH, attackers).step
        verdict = f"under {play.state.options.least_melee}, they retreat before blows"
        play.say(weak.model_copy(update={"cite": REFUSES, "verdict": verdict}))
        retreat_loser(play, defenders, attackers)
        return
    hits_dealt = _throw_side(play, attackers, side, defenders)
    hits_taken = _throw_side(play, defenders, foe(side), attackers)
    take_hits(play, defenders, foe(side), hits_dealt)
    take_hits(play, attackers, side, hits_taken)
    if hits_dealt == hits_taken:
        play.note("As many hits on either side", BLOWS, "both stay")
    else:
        retreat_loser(play, *((defenders, attackers) if hits_dealt > hits_taken else (attackers, defenders)))


def require_attack(state: TangaState, attackers: Hex, defenders: Hex) -> str:
    """Return the side of the attackers. Raises Refused unless the attackers' stack may attack the hex now."""
    title, stack = board_of(state).title, units_at(state, attackers)
    fit_units, spent_units = fighters(stack), [unit for unit in stack if unit.fought]
    far = attackers.distance(defenders) != 1
    refuse(
        BLOWS,
        (far, f"{title(defenders)} is not next to {title(attackers)}. Only adjacent hexes are attacked."),
        (not fit_units, f"Nobody in good order in {title(attackers)} can attack. Rally them first."),
        (spent_units, f"{names_of(spent_units)} attacked this turn already; a stack attacks once a turn."),
    )
    side = fit_units[0].side
    nobody = not _combat_units(state, defenders, foe(side))
    refuse(BLOWS, (nobody, f"{title(defenders)} holds no enemy combat unit to fight. Enter the hex instead."))
    if not begins(state, attackers, side, defenders):
        total = factor(state, attackers, side, defenders).total
        subject = "The British begin no melee" if side == BRITISH else "Nobody begins a melee"
        why = f"that of {title(attackers)} against {title(defenders)} is {total}"
        cite = BEGINS_NONE if side == BRITISH else BLOWS
        raise Refused(f"{subject} with a factor under {least_factor(state, side)}; {why}.", cite)
    return side


def engage(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """Mark the attackers as having fought this turn, and all units in the melee as having acted (TA-H.8)."""
    first, second = (fighters(units_at(play.state, hex_)) for hex_ in (attackers, defenders))
    for unit in (*first, *second):
        play.change(unit.id, acted=True, fought=unit.fought or unit in first)
    blow = Trail(hexes=(attackers, defenders), kind="melee", side=first[0].side)
    play.set(trails=(*play.state.trails, blow))


def _throw_side(play: Play[TangaState], hex_: Hex, side: str, against: Hex) -> int:
    """Throw a side's dice in a melee, and return its hits."""
    units = fighters(_units_of(play.state, hex_, side))
    worth = factor(play.state, hex_, side, against)
    if units:
        return strike(play, worth, f"{names_of(units)} in melee", "melee factor", side)
    play.note(worth.text, BLOWS, "strikes no blow")
    return 0


def retreat_loser(play: Play[TangaState], loser: Hex, winner: Hex) -> None:
    """Retreat the losing units of a melee, in good order or disrupted, and let the winner advance (TA-H.7).

    The retreat draws no opportunity fire.
    """
    side = units_at(play.state, winner)[0].side
    if losers := _combat_units(play.state, loser, foe(side)):
        retreat(play, losers, play.state.options.retreat_hexes)
    advance(play, winner, loser, side)


def advance(play: Play[TangaState], winner: Hex, into: Hex, side: str) -> None:
    """Throw for the winner's advance, if no enemy combat unit is left in hex `into`.

    The throw is a D6 plus the leader's EB, against option advance_on.
    """
    party = units_to_advance(play.state, winner, into, side)
    if not party:
        return
    bonus = nonzero_modifiers(REFUSES if side == BRITISH else BLOWS, (leader_bonus(party), "leader's EB"))
    test = ScoreThrow(1, DIE_SIDES, play.state.options.advance_on, bonus)
    onward = f"{', '.join(unit.name for unit in party)} advance into {board_of(play.state).title(into)}"
    trial = Trial(party[0].id, "Advance after melee", BLOWS, test, "to advance", onward, "no advance")
    if trial.throw(play):
        play.set(trails=(*play.state.trails, Trail(hexes=(winner, into), kind="move", side=side)))
        go_into(play, party, into)


def units_to_advance(state: TangaState, winner: Hex, into: Hex, side: str) -> tuple[TangaUnit, ...]:
    """Return the units that would advance: good-order combat units that may, with their leaders.

    Only the best leader goes along if combat units stay.
    """
    if any(unit.side != side and unit.is_combat for unit in units_at(state, into)):
        return ()
    stack = [unit for unit in _units_of(state, winner, side) if unit.is_good]
    able = [unit for unit in stack if unit.is_combat and _may_advance(state, unit, into)]
    party, _ = split_party(state, able)
    stays = any(unit.is_combat and unit not in party for unit in units_at(state, winner))
    leaders = sorted((unit for unit in stack if unit.is_leader), key=lambda unit: -unit.eb)
    return (*party, *(leaders[:1] if stays else leaders)) if party else ()


def _may_advance(state: TangaState, unit: TangaUnit, into: Hex) -> bool:
    """Whether the unit may advance into the hex. An order to hold, or a closed beach (TA-3), forbids the advance.

    A British MG may not advance next to Germans (TA-9.5).
    """
    if unit.standing is Standing.HOLD or into in closed_beaches(state, (unit,)):
        return False
    return not guns_left_behind(state, (unit,), into)


def odds(state: TangaState, attackers: Hex, defenders: Hex) -> Odds:
    """Return the exact chances of who wins the melee, or the certain retreat of British who give way.

    Raises Refused unless the attackers may attack the hex now.
    """
    side = require_attack(state, attackers, defenders)
    question = f"Who wins the melee for {board_of(state).title(defenders)}?"
    ours, theirs = factor(state, attackers, side, defenders), factor(state, defenders, foe(side), attackers)
    if side != BRITISH and gives_way(state, defenders, attackers):
        outcome = Outcome(label="the British retreat before blows", chance=Fraction(1), good=True)
        return Odds(question=question, steps=(theirs.step,), outcomes=(outcome,))
    their_spread: Spread = theirs.spread if fighters(_units_of(state, defenders, foe(side))) else ((0, Fraction(1)),)
    ends = combine_outcomes(
        reversed(difference_spread(ours.spread, their_spread)), lambda margin: OVER[(margin > 0) - (margin < 0)]
    )
    return Odds(question=question, steps=(ours.step, theirs.step), outcomes=ends)
