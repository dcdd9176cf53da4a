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
from rules.core.throws import Distribution, ScoreThrow, difference_distribution
from rules.tanga.field import board_of, leader_bonus, opposing_side
from rules.tanga.model import BRITISH, FireOrder, TangaState, TangaUnit, Trail
from rules.tanga.options import Resolution
from rules.tanga.ways import closed_beaches, guns_left_behind

from .entering import move_into_hex
from .losses import apply_hits
from .retreats import add_leaders, choose_new_ro_hex, chosen_ro_hex, retreat_combat_units, split_stack
from .strike import DIE_SIDES, HIT_WORDS, Factor, full_names, nonzero_modifiers, protection_modifiers

BLOWS = Cite(rule="TA-H.7", mark=Mark.HOUSE)
REFUSES = Cite(rule="TA-5")
BEGINS_NONE = Cite(rule="TA-5", mark=Mark.RULING)
OUTCOMES_BY_MARGIN = {1: ("the attackers win", True), 0: ("both stay", None), -1: ("the defenders win", False)}
"""Outcomes of a melee, by the side with more hits: attackers (1), neither side (0), defenders (-1)."""


def melee_factor(state: TangaState, hex_: Hex, side: str, against: Hex) -> Factor:
    """Return a side's melee factor: CF of good-order units plus best EB, minus protection of hex `against` (TA-H.7)."""
    stack = _units_of_side(state, hex_, side)
    units = fighting_units(stack)
    added = [*((unit.cf, unit.name) for unit in units[1:]), (leader_bonus(stack), "leader's EB")]
    return Factor(
        text=f"Melee factor of {full_names(units) or 'nobody in good order'} in {board_of(state).title(hex_)}",
        start=units[0].cf if units else 0,
        modifiers=(*nonzero_modifiers(BLOWS, *added), *protection_modifiers(state, against)),
        cite=BLOWS,
        double=state.options.double_hit,
    )


def fighting_units(stack: Iterable[TangaUnit]) -> list[TangaUnit]:
    """Return the combat units in good order."""
    return [unit for unit in stack if unit.is_in_good_order and unit.is_combat]


def _units_of_side(state: TangaState, hex_: Hex, side: str) -> list[TangaUnit]:
    """Return the side's units in the hex."""
    return [unit for unit in units_at(state, hex_) if unit.side == side]


def _combat_units(state: TangaState, hex_: Hex, side: str) -> list[TangaUnit]:
    """Return the side's combat units in the hex."""
    return [unit for unit in _units_of_side(state, hex_, side) if unit.is_combat]


def least_melee_factor(state: TangaState, side: str) -> int:
    """Return the minimum factor with which a side begins a melee (TA-5, TA-H.7)."""
    house = 0 if state.options.resolution is Resolution.OWN else state.options.begins_melee
    return max(house, state.options.least_melee) if side == BRITISH else house


def can_begin_melee(state: TangaState, hex_: Hex, side: str, enemy: Hex) -> bool:
    """Whether a side in a hex is strong enough to begin a melee with the hex `enemy` (TA-5, TA-H.7)."""
    return melee_factor(state, hex_, side, enemy).total >= least_melee_factor(state, side)


def retreats_before_blows(state: TangaState, own_hex: Hex, enemy: Hex) -> bool:
    """Whether British defenders retreat before any blow: they are too weak, and their RO hex is elsewhere (TA-5)."""
    if melee_factor(state, own_hex, BRITISH, enemy).total >= state.options.least_melee:
        return False
    first, _ = split_stack(state, _combat_units(state, own_hex, BRITISH))
    party = add_leaders(state, first)
    return chosen_ro_hex(party, choose_new_ro_hex(state, party)) != own_hex


def fight_melee(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """Fight a whole melee: blows of both sides, the loser's retreat and the winner's advance.

    British defenders who are too weak retreat before any blow.
    """
    side = fighting_units(units_at(play.state, attackers))[0].side
    record_melee(play, attackers, defenders)
    if side != BRITISH and retreats_before_blows(play.state, defenders, attackers):
        weak = melee_factor(play.state, defenders, BRITISH, attackers).step
        verdict = f"under {play.state.options.least_melee}, they retreat before blows"
        play.say(weak.model_copy(update={"cite": REFUSES, "verdict": verdict}))
        retreat_and_advance(play, defenders, attackers)
        return
    hits_dealt = _throw_for_side(play, attackers, side, defenders)
    hits_taken = _throw_for_side(play, defenders, opposing_side(side), attackers)
    apply_hits(play, defenders, opposing_side(side), hits_dealt)
    apply_hits(play, attackers, side, hits_taken)
    if hits_dealt == hits_taken:
        play.note("As many hits on either side", BLOWS, "both stay")
    else:
        retreat_and_advance(play, *((defenders, attackers) if hits_dealt > hits_taken else (attackers, defenders)))


def require_may_attack(state: TangaState, attackers: Hex, defenders: Hex) -> str:
    """Return the side of the attackers. Raises Refused unless the attackers' stack may attack the hex now."""
    title, stack = board_of(state).title, units_at(state, attackers)
    fit_units, spent_units = fighting_units(stack), [unit for unit in stack if unit.fought]
    far = attackers.distance(defenders) != 1
    refuse(
        BLOWS,
        (far, f"{title(defenders)} is not next to {title(attackers)}. Only adjacent hexes are attacked."),
        (not fit_units, f"Nobody in good order in {title(attackers)} can attack. Rally them first."),
        (spent_units, f"{full_names(spent_units)} attacked this turn already; a stack attacks once a turn."),
    )
    side = fit_units[0].side
    nobody = not _combat_units(state, defenders, opposing_side(side))
    refuse(BLOWS, (nobody, f"{title(defenders)} holds no enemy combat unit to fight. Enter the hex instead."))
    if not can_begin_melee(state, attackers, side, defenders):
        total = melee_factor(state, attackers, side, defenders).total
        subject = "The British begin no melee" if side == BRITISH else "Nobody begins a melee"
        why = f"that of {title(attackers)} against {title(defenders)} is {total}"
        cite = BEGINS_NONE if side == BRITISH else BLOWS
        raise Refused(f"{subject} with a factor under {least_melee_factor(state, side)}; {why}.", cite)
    return side


def record_melee(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """Mark the attackers as having fought this turn, and all units in the melee as having acted (TA-H.8)."""
    first, second = (fighting_units(units_at(play.state, hex_)) for hex_ in (attackers, defenders))
    for unit in (*first, *second):
        play.change(unit.id, acted=True, fought=unit.fought or unit in first)
    blow = Trail(hexes=(attackers, defenders), kind="melee", side=first[0].side)
    play.set(trails=(*play.state.trails, blow))


def _throw_for_side(play: Play[TangaState], hex_: Hex, side: str, against: Hex) -> int:
    """Throw a side's dice in a melee with the hex `against`, and return the hits."""
    units = fighting_units(_units_of_side(play.state, hex_, side))
    factor = melee_factor(play.state, hex_, side, against)
    if units:
        label = f"{full_names(units)} in melee"
        return factor.throw(play, label, side, HIT_WORDS, "to hit", against="melee factor ")
    play.note(factor.text, BLOWS, "strikes no blow")
    return 0


def retreat_and_advance(play: Play[TangaState], loser: Hex, winner: Hex) -> None:
    """Retreat the losing units of a melee, and throw for the winner's advance into their hex (TA-H.7).

    The throw is a D6 plus the leader's EB, against option `advance_on`.
    """
    side = units_at(play.state, winner)[0].side
    if losers := _combat_units(play.state, loser, opposing_side(side)):
        retreat_combat_units(play, losers, play.state.options.retreat_hexes)
    party = units_to_advance(play.state, winner, loser, side)
    if not party:
        return
    bonus = nonzero_modifiers(REFUSES if side == BRITISH else BLOWS, (leader_bonus(party), "leader's EB"))
    test = ScoreThrow(1, DIE_SIDES, play.state.options.advance_on, bonus)
    onward = f"{', '.join(unit.name for unit in party)} advance into {board_of(play.state).title(loser)}"
    trial = Trial(party[0].id, "Advance after melee", BLOWS, test, "to advance", onward, "no advance")
    if trial.take(play):
        play.set(trails=(*play.state.trails, Trail(hexes=(winner, loser), kind="move", side=side)))
        move_into_hex(play, party, loser)


def units_to_advance(state: TangaState, winner: Hex, into: Hex, side: str) -> tuple[TangaUnit, ...]:
    """Return the good-order combat units that may advance, with their leaders.

    If combat units stay behind, only the best leader goes along.
    """
    if any(unit.side != side and unit.is_combat for unit in units_at(state, into)):
        return ()
    stack = [unit for unit in _units_of_side(state, winner, side) if unit.is_in_good_order]
    able = [unit for unit in stack if unit.is_combat and _can_advance(state, unit, into)]
    party, _ = split_stack(state, able)
    stays = any(unit.is_combat and unit not in party for unit in units_at(state, winner))
    leaders = sorted((unit for unit in stack if unit.is_leader), key=lambda unit: -unit.eb)
    return (*party, *(leaders[:1] if stays else leaders)) if party else ()


def _can_advance(state: TangaState, unit: TangaUnit, into: Hex) -> bool:
    """Whether a unit may advance into a hex after a melee.

    Units with an order to hold, and units closed out of a beach (TA-3), may not. Nor may a British MG advance next to
    Germans (TA-9.5).
    """
    is_closed = into in closed_beaches(state, (unit,))
    return not (is_closed or unit.standing is FireOrder.HOLD or guns_left_behind(state, (unit,), into))


def melee_odds(state: TangaState, attackers: Hex, defenders: Hex) -> Odds:
    """Return the exact chances of the melee's outcomes, or the certain retreat of British who give way.

    Raises Refused unless the attackers may attack the hex now.
    """
    side = require_may_attack(state, attackers, defenders)
    question = f"Who wins the melee for {board_of(state).title(defenders)}?"
    enemy = opposing_side(side)
    ours, theirs = melee_factor(state, attackers, side, defenders), melee_factor(state, defenders, enemy, attackers)
    if side != BRITISH and retreats_before_blows(state, defenders, attackers):
        outcome = Outcome(label="the British retreat before blows", chance=Fraction(1), good=True)
        return Odds(question=question, steps=(theirs.step,), outcomes=(outcome,))
    strikes_back = fighting_units(_units_of_side(state, defenders, enemy))
    their_distribution: Distribution = theirs.distribution if strikes_back else ((0, Fraction(1)),)
    ends = combine_outcomes(
        reversed(difference_distribution(ours.distribution, their_distribution)),
        lambda margin: OUTCOMES_BY_MARGIN[(margin > 0) - (margin < 0)],
    )
    return Odds(question=question, steps=(ours.step, theirs.step), outcomes=ends)
