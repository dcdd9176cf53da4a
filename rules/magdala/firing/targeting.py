"""Who may fire at whom, at what effect, and what of the target halves the volley (MM-3.1, MM-3.4, MM-7)."""

from rules.core.model import Cite, Mark
from rules.core.refused import refuse
from rules.core.report import Modifier
from rules.core.tabletop.placement import standing_on
from rules.magdala.action_types import free_in_own_turn, not_in_melee, obeys
from rules.magdala.arms import DEFENCES, LEADERS
from rules.magdala.engagement import engaged
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, StoredPrompt, Weapon, Works
from rules.magdala.placement import COVERING, ROUGH_GOING
from rules.magdala.tables import cite, value

from .ammunition import half_by_ammunition
from .firepower import RANGES, SMALL_ARMS, factor
from .mishaps import JAM

FULL_EFFECT, HALF_EFFECT = "full effect", "half effect"
IN_THE_OPEN = "target in the open"
COVER_WORDS = {
    "target in cover": Works.COVER,
    "target in rough going": Works.ROUGH,
    "target behind a zareba": Works.ZAREBA,
    "target behind sandbags": Works.SANDBAGS,
    "target behind earthworks": Works.EARTHWORKS,
    "target behind a sangar": Works.SANGAR,
}
SKIRMISHING, PRONE, PINNED = "target skirmishing", "target prone", "target pinned"
TARGET_WORDS = (IN_THE_OPEN, *COVER_WORDS, SKIRMISHING, PRONE, PINNED)
COVERING_GROUND = COVERING | ROUGH_GOING
COVER = "target in cover or rough going"
STANDING = Cite(rule="MM-3.1")


def may_fire(state: MagdalaState, unit: MagdalaUnit, defensive: bool, answers: StoredPrompt | None) -> None:
    """Armed, unlimbered, not jammed, in its turn, once; or as it is charged. Raises Refused (MM-3.1)."""
    refuse(RANGES, (unit.weapon is Weapon.MELEE, f"{unit.name} has nothing to fire with."))
    refuse(Cite(rule="MM-2.4"), (unit.limbered, f"{unit.name} is limbered. Unlimbering takes a full turn."))
    refuse(JAM.ruled, (unit.jammed, f"{unit.name} is jammed. Clear it first, on 4-6, one attempt a turn."))
    if answers is not None:
        return
    if defensive:
        not_in_melee(unit)
        obeys(state, unit)
        nobody = f"Nobody is moving into contact with {unit.name}: it fires in its own turn."
        refuse(STANDING, (unit.place is not None, nobody))
        return
    free_in_own_turn(state, unit)
    refuse(STANDING.ruled, (unit.this_turn.has_fired, f"{unit.name} has fired this turn. A unit fires once a turn."))


def may_be_fired_at(state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, answers: StoredPrompt | None) -> None:
    """An enemy, not a leader alone, and in no melee but that it comes into. Raises Refused (MM-3.1)."""
    ours = f"{target.name} is on the same side as {unit.name}. Choose an enemy."
    leader = f"{target.name} is not fired at alone: generals run their risk with their units. Choose a unit."
    melee = f"{target.name} is in melee: fire would fall on friends. Choose another target."
    refuse(STANDING.ruled, (target.side == unit.side, ours))
    refuse(Cite(rule="MM-6", mark=Mark.RULING), (target.troop in LEADERS, leader))
    refuse(STANDING.ruled, (answers is None and engaged(state, target), melee))


def half_effect(
    state: MagdalaState, unit: MagdalaUnit, words: tuple[str, ...], answers: StoredPrompt | None, defensive: bool
) -> str:
    """Why the volley is at half effect; empty at full. Raises Refused if full effect was asked for and may not be.

    Full effect needs a unit to stand (MM-3.1), in the order it began the turn in (ruling), held by no test (MM-5.7).
    """
    turn, reordered = unit.this_turn, state.options.one_change_of_order and unit.this_turn.changed_order
    reasons = {
        "pinned": unit.morale is Morale.PINNED,
        "halted by a failed test": unit.morale is Morale.HALTED or unit.half_effect_next_fire,
        "moved": not defensive and (turn.moved > 0 or turn.half_turn_spent),
        "its move is spent": not defensive and turn.marched,
        "changed its order": not defensive and reordered,
        "the attackers came a short way": answers is not None and answers.half_effect,
    }
    by_state = (f"{HALF_EFFECT}, {reason}" for reason, holds in reasons.items() if holds)
    forced = half_by_ammunition(unit, charged=answers is not None) or next(by_state, "")
    refuse(STANDING, (FULL_EFFECT in words and forced, f"{unit.name} cannot fire at full effect: {forced}."))
    return forced or (HALF_EFFECT if HALF_EFFECT in words else "")


def halvings(
    state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, words: tuple[str, ...], half: str
) -> tuple[Modifier, ...]:
    """Everything that halves the volley (MM-3.4)."""
    skirmishers = target.order is Order.SKIRMISH or SKIRMISHING in words
    low = {PINNED: target.morale is Morale.PINNED, PRONE: target.prone}
    lies = next((word for word, holds in low.items() if holds or word in words), "")
    return (
        *((factor("target in skirmish order"),) if skirmishers else ()),
        *_cover(state, unit, target, words),
        *((factor("target pinned or prone", lies),) if lies else ()),
        *((factor(HALF_EFFECT, half),) if half else ()),
    )


def _cover(state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, words: tuple[str, ...]) -> tuple[Modifier, ...]:
    """What covers the target: works, from small arms or from artillery (MM-7), or the ground (MM-3.4).

    Print tells of machine guns only behind earthworks, which cover from both.
    """
    if IN_THE_OPEN in words:
        return ()
    machine_gun = unit.weapon is Weapon.MACHINE_GUN
    bullets = unit.weapon in SMALL_ARMS or (machine_gun and state.options.machine_guns_as_small_arms)
    column = "cover from small arms" if bullets else "cover from artillery"
    for works in (*(works for word, works in COVER_WORDS.items() if word in words), target.works):
        if works is not Works.NONE and value("defences", works, column):
            by, ruled = cite("defences", works), machine_gun and works in DEFENCES and works is not Works.EARTHWORKS
            return (factor(COVER, f"target {works}", by.ruled if ruled else by),)
    piece = standing_on(state, target, COVERING_GROUND)
    return (factor(COVER, f"target in {COVERING_GROUND[piece.feature]}"),) if piece else ()
