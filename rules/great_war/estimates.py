"""The exact odds of a battle: to destroy, to drive back, expected hits, and to bog (GW-1, GW-6.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.core.odds import Odds, combine_outcomes
from rules.core.report import Step
from rules.core.scene import DieFace

from .battle_dice import Volley, chance_of_face
from .battle_strength import HITS
from .ground import can_enter_terrain, terrain_of
from .ground_gained import GAINING
from .model import GreatWarState

HOLDS, DRIVEN, DESTROYED, HIT = "they hold", "driven back", "destroyed", "hit, and hold"


@dataclass(frozen=True)
class BattlePlan:
    """A battle settled before its dice, as ids and numbers.

    The target can retreat at most `retreat_hexes` hexes. If `may_gain`, the attacker gains the ground that the target
    leaves. `no_gain` says why an attacking tank gains no ground.
    """

    unit: str
    target: str
    hexes: int
    volley: Volley
    retreat_hexes: int
    by_ambush: bool
    may_gain: bool
    no_gain: str
    steps: tuple[Step, ...]


def outcome_chances(state: GreatWarState, plan: BattlePlan) -> Mapping[str, Fraction]:
    """Return the chance of each fate of the target, if its owner ignores as many flags as allowed."""
    target, volley = state.unit(plan.target), plan.volley
    chances = dict.fromkeys((DESTROYED, DRIVEN, HIT, HOLDS), Fraction(0))
    for (hits, flags), chance in volley.distribution.items():
        hexes_back = max(flags - volley.may_ignore, 0)
        losses = hits + max(hexes_back - plan.retreat_hexes, 0) * state.options.lost_for_a_flag
        if losses >= target.figures:
            chances[DESTROYED] += chance
        else:
            chances[DRIVEN if hexes_back and plan.retreat_hexes else HIT if losses else HOLDS] += chance
    return chances


def battle_odds(state: GreatWarState, plan: BattlePlan) -> Odds:
    """Return the odds of the target's fate, with the expected hits and the chance to bog on gained ground."""
    target, chances, volley = state.unit(plan.target), outcome_chances(state, plan), plan.volley
    steps = [*plan.steps, Step(text="Hits to be expected", cite=HITS, needed=f"{float(volley.expected_hits):.2f}")]
    if plan.may_gain and can_enter_terrain(terrain_of(state, target), state.unit(plan.unit).arm):
        bog = (chances[DESTROYED] + chances[DRIVEN]) * chance_of_face(DieFace.FLAG)
        steps.append(Step(text="To gain ground and bog there", cite=GAINING, chance=bog))
    distribution: dict[int, Fraction] = {}
    for (hits, _), chance in volley.distribution.items():
        distribution[hits] = distribution.get(hits, Fraction(0)) + chance
    return Odds(
        question=f"What becomes of {target.name}, if they ignore the flags that they may?",
        steps=tuple(steps),
        outcomes=combine_outcomes(chances.items(), lambda end: (end, end in (DESTROYED, DRIVEN))),
        distribution=tuple(sorted(distribution.items())),
        score_label="hits",
        pass_from=target.figures,
    )
