"""Melee: both sides at once, the loser retreats, the winner may advance (TA-5, TA-H.7)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.report import Modifier, Step
from rules.core.wording import in_a_row
from rules.tanga.field import board_of, foe, leader_bonus, units_at
from rules.tanga.model import BRITISH, TangaState, TangaUnit, Trail
from rules.tanga.options import Resolution

from .advance import advance
from .results import take_hits
from .retreats import in_parties, retreat, ro_hex, with_leaders
from .strike import Factor, chances, cover, strike

BLOWS = Cite(rule="TA-H.7", mark=Mark.HOUSE)
REFUSES = Cite(rule="TA-5")
BEGINS_NONE = Cite(rule="TA-5", mark=Mark.RULING)
OVER = ("the attackers win", "both stay", "the defenders win")


def factor(state: TangaState, hex_: Hex, side: str, against: Hex) -> Factor:
    """Sum of CF of a side's good-order units in a hex, and the best EB, less the other hex's protection (TA-H.7)."""
    title = board_of(state).title
    stack = [unit for unit in units_at(state, hex_) if unit.side == side]
    able = fighters(stack)
    bonus = leader_bonus(stack)
    return Factor(
        text=f"Melee factor of {_names(able) or 'nobody in good order'} in {title(hex_)}",
        start=able[0].cf if able else 0,
        modifiers=(
            *(Modifier(value=Fraction(unit.cf), reason=unit.name, cite=BLOWS) for unit in able[1:]),
            *((Modifier(value=Fraction(bonus), reason="leader's EB", cite=BLOWS),) if bonus else ()),
            *cover(state, against),
        ),
        cite=BLOWS,
    )


def fighters(stack: Sequence[TangaUnit]) -> list[TangaUnit]:
    """Those of a stack that strike blows: its combat units in good order."""
    return [unit for unit in stack if unit.is_good and unit.is_combat]


def stands(state: TangaState, hex_: Hex, enemy: Hex) -> bool:
    """Whether the British in a hex stand in melee with the Germans of another: their factor is 7 or more (TA-5)."""
    return factor(state, hex_, BRITISH, enemy).total >= state.options.least_melee


def least(state: TangaState, side: str) -> int:
    """The least factor with which a side begins a melee: the house's for both (TA-H.7), and the British the card's.

    Where the tables of the player's own box decide, only the card's (TA-5).
    """
    house = 0 if state.options.resolution is Resolution.OWN else state.options.begins_melee
    return max(house, state.options.least_melee) if side == BRITISH else house


def begins(state: TangaState, hex_: Hex, side: str, enemy: Hex) -> bool:
    """Whether a side in a hex is strong enough to begin a melee with another (TA-5, TA-H.7)."""
    return factor(state, hex_, side, enemy).total >= least(state, side)


def require_strength(state: TangaState, hex_: Hex, side: str, enemy: Hex) -> None:
    """Raises Refused unless a side in a hex may begin a melee with another (TA-5, TA-H.7)."""
    if begins(state, hex_, side, enemy):
        return
    total, title = factor(state, hex_, side, enemy).total, board_of(state).title
    who = "The British begin no melee" if side == BRITISH else "Nobody begins a melee"
    why = f"{who} with a factor under {least(state, side)}; that of {title(hex_)} against {title(enemy)} is {total}."
    raise Refused(why, BEGINS_NONE if side == BRITISH else BLOWS)


def gives_way(state: TangaState, here: Hex, enemy: Hex) -> bool:
    """Whether the British in a hex retreat from its melee before blows: too weak, and with somewhere to go (TA-5)."""
    if stands(state, here, enemy):
        return False
    first, _ = in_parties(state, _combat(state, here, BRITISH))
    goal, _ = ro_hex(state, with_leaders(state, first))
    return goal != here


def melee(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """A melee, from the British retreat before blows to the winner's advance."""
    side = fighters(units_at(play.state, attackers))[0].side
    engage(play, attackers, defenders)
    if side != BRITISH and gives_way(play.state, defenders, attackers):
        weak = factor(play.state, defenders, BRITISH, attackers).step
        verdict = f"under {play.state.options.least_melee}, they retreat before blows"
        play.say(weak.model_copy(update={"cite": REFUSES, "verdict": verdict}))
        beaten(play, defenders, attackers)
        return
    struck = _blow(play, attackers, side, defenders)
    taken = _blow(play, defenders, foe(side), attackers)
    take_hits(play, defenders, foe(side), struck)
    take_hits(play, attackers, side, taken)
    if struck == taken:
        play.say(Step(text="As many hits on either side", cite=BLOWS, verdict="both stay"))
    else:
        beaten(play, *((defenders, attackers) if struck > taken else (attackers, defenders)))


def require(state: TangaState, attackers: Hex, defenders: Hex) -> str:
    """The attackers' side. Raises Refused unless they may attack that hex now."""
    title = board_of(state).title
    if attackers.distance(defenders) != 1:
        raise Refused(f"{title(defenders)} is not next to {title(attackers)}. Only adjacent hexes are attacked.", BLOWS)
    able = fighters(units_at(state, attackers))
    if not able:
        raise Refused(f"Nobody in good order in {title(attackers)} can attack. Rally them first.", BLOWS)
    if any(unit.fought for unit in able):
        raise Refused(f"{_names(able)} attacked this turn already; a stack attacks once a turn.", BLOWS)
    side = able[0].side
    if not _combat(state, defenders, foe(side)):
        raise Refused(f"{title(defenders)} holds no enemy combat unit to fight.", BLOWS)
    require_strength(state, attackers, side, defenders)
    return side


def engage(play: Play[TangaState], attackers: Hex, defenders: Hex) -> None:
    """The attackers have had their melee of this turn; nobody who fights builds in it (TA-H.8)."""
    state = play.state
    first, second = fighters(units_at(state, attackers)), fighters(units_at(state, defenders))
    blow = Trail(hexes=(attackers, defenders), kind="melee", side=first[0].side)
    play.state = state.with_unit(
        *(unit.model_copy(update={"fought": True, "stirred": True}) for unit in first),
        *(unit.model_copy(update={"stirred": True}) for unit in second),
    )
    play.set(trails=(*state.trails, blow))


def _blow(play: Play[TangaState], hex_: Hex, side: str, against: Hex) -> int:
    """The hits that a side in a hex strikes."""
    able = fighters([unit for unit in units_at(play.state, hex_) if unit.side == side])
    worth = factor(play.state, hex_, side, against)
    if able:
        return strike(play, worth, f"{_names(able)} in melee", "melee factor", side)
    play.say(Step(text=worth.text, cite=BLOWS, verdict="strikes no blow"))
    return 0


def beaten(play: Play[TangaState], loser: Hex, winner: Hex) -> None:
    """The loser of a melee retreats 3 hexes, and the winner may advance into its hex (TA-H.7).

    In good order or disrupted; nobody shoots at it on the way.
    """
    side = next(unit.side for unit in units_at(play.state, winner))
    if losers := _combat(play.state, loser, foe(side)):
        retreat(play, losers, play.state.options.retreat_hexes)
    advance(play, winner, loser, side)


def _combat(state: TangaState, hex_: Hex, side: str) -> list[TangaUnit]:
    return [unit for unit in units_at(state, hex_) if unit.side == side and unit.is_combat]


def _names(units: Sequence[TangaUnit]) -> str:
    return in_a_row(unit.name for unit in units)


def odds(state: TangaState, attackers: Hex, defenders: Hex) -> Odds:
    """The exact chances of who wins; of no blow where the British would retreat before. Raises Refused as `melee`."""
    side = require(state, attackers, defenders)
    ours, theirs = factor(state, attackers, side, defenders), factor(state, defenders, foe(side), attackers)
    title = board_of(state).title(defenders)
    if side != BRITISH and gives_way(state, defenders, attackers):
        outcome = Outcome(label="the British retreat before blows", chance=Fraction(1), good=True)
        return Odds(question=f"Who wins the melee for {title}?", steps=(theirs.step,), outcomes=(outcome,))
    weighed = [Fraction(0)] * len(OVER)
    for (hits, ours_chance), (taken, theirs_chance) in product(
        _spread(state, attackers, side, ours), _spread(state, defenders, foe(side), theirs)
    ):
        weighed[1 + (taken > hits) - (hits > taken)] += ours_chance * theirs_chance
    return Odds(
        question=f"Who wins the melee for {title}?",
        steps=(ours.step, theirs.step),
        outcomes=tuple(
            Outcome(label=label, chance=chance, good=good)
            for label, chance, good in zip(OVER, weighed, (True, None, False), strict=True)
        ),
    )


def _spread(state: TangaState, hex_: Hex, side: str, worth: Factor) -> Sequence[tuple[int, Fraction]]:
    """Hits with their chances; none of a side with nobody in good order."""
    able = fighters([unit for unit in units_at(state, hex_) if unit.side == side])
    return tuple(enumerate(chances(state, worth.total))) if able else ((0, Fraction(1)),)
