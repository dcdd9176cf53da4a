"""What stands between a volley and its target: range, cover, and why a unit fires at half effect (MM-3)."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tabletop.line_of_fire import LineOfFire
from rules.core.tabletop.placement import standing_on
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.arms import DEFENCES, LEADERS
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Weapon, Works
from rules.magdala.tables import cite, value

from .firepower import SMALL_ARMS, Situation

IN_THE_OPEN = "target in the open"
COVER_WORDS = {
    "target in cover": Works.COVER,
    "target in rough going": Works.ROUGH,
    "target behind a zareba": Works.ZAREBA,
    "target behind sandbags": Works.SANDBAGS,
    "target behind earthworks": Works.EARTHWORKS,
    "target behind a sangar": Works.SANGAR,
}
SKIRMISHING = "target skirmishing"
PRONE = "target prone"
PINNED = "target pinned"
TARGET_WORDS = (IN_THE_OPEN, *COVER_WORDS, SKIRMISHING, PRONE, PINNED)

LINES: LineOfFire[MagdalaUnit] = LineOfFire(
    placement.PLACEMENT,
    takes_ground=lambda unit: unit.troop not in LEADERS,
    rule=Cite(rule="MM-3.11", mark=Mark.HOUSE),
)
"""Leaders are in nobody's way; other friends are, of guns as of rifles (MM-3.11)."""
DOUBTFUL = 0.5
"""Inches between a range given and the range measured that are worth a warning."""


def cover(
    state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, words: tuple[str, ...]
) -> tuple[str, Cite | None]:
    """What covers the target from this unit's weapon, in words, and the rule of works; empty in the open (MM-3.4)."""
    if IN_THE_OPEN in words:
        return "", None
    said = [works for word, works in COVER_WORDS.items() if word in words]
    for works in (*said, target.works):
        if works is not Works.NONE and covers(state, unit, works):
            return f"target {works}", _cover_cite(unit, works)
    ground = placement.COVERING | placement.ROUGH_GOING
    piece = standing_on(state, target, ground)
    return (f"target in {ground[piece.feature]}" if piece else ""), None


def _cover_cite(unit: MagdalaUnit, works: Works) -> Cite:
    """The rule by which works cover: print tells of small arms and artillery, not of machine guns (MM-7)."""
    by = cite("defences", works)
    ruled = unit.weapon is Weapon.MACHINE_GUN and works in DEFENCES and works is not Works.EARTHWORKS
    return Cite(rule=by.rule, mark=Mark.RULING) if ruled else by


def covers(state: MagdalaState, unit: MagdalaUnit, works: Works) -> bool:
    """Whether works cover from small arms, or from artillery, as the unit fires the one or the other (MM-7)."""
    bullets = unit.weapon in SMALL_ARMS
    if unit.weapon is Weapon.MACHINE_GUN:
        bullets = state.options.machine_guns_as_small_arms
    column = "cover from small arms" if bullets else "cover from artillery"
    return bool(value("defences", works, column))


def situation(
    state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, words: tuple[str, ...], half_effect: str
) -> Situation:
    """Everything that halves the volley (MM-3.4)."""
    skirmishers = target.order is Order.SKIRMISH or SKIRMISHING in words
    pinned = target.morale is Morale.PINNED or PINNED in words
    prone = target.prone or PRONE in words
    covered, by_works = cover(state, unit, target, words)
    return Situation(
        half_effect=half_effect,
        skirmishers="target in skirmish order" if skirmishers else "",
        cover=covered,
        cover_cite=by_works,
        prone="target pinned" if pinned else "target prone" if prone else "",
    )


def half_by_state(unit: MagdalaUnit) -> str:
    """Why the unit's state lets it fire at half effect only (MM-5.1, MM-5.7); empty if it does not."""
    if unit.morale is Morale.PINNED:
        return "half effect, pinned"
    if unit.morale is Morale.HALTED or unit.half_effect_next_fire:
        return "half effect, halted by a failed test"
    return ""


def half_by_moving(state: MagdalaState, unit: MagdalaUnit) -> str:
    """Full effect needs a unit to stand (MM-3.1), in the order it began the turn in (ruling); empty if it has."""
    if unit.this_turn.moved > 0 or unit.this_turn.half_turn_spent:
        return "half effect, moved"
    if unit.this_turn.marched:
        return "half effect, its move is spent"
    reordered = state.options.one_change_of_order and unit.this_turn.changed_order
    return "half effect, changed its order" if reordered else ""


def range_to(unit: MagdalaUnit, target: MagdalaUnit, given: float | None) -> tuple[float, Step | None, str]:
    """Inches to the target, the step that says they were measured, and a warning. Raises Refused if unknown."""
    measured = placement.gap(unit, target)
    if measured is None:
        if given is None:
            raise Refused(
                f"How far is {target.name} from {unit.name}? Give the range in inches: they have no places to measure.",
                Cite(rule="MM-3.6"),
            )
        return given, None, ""
    step = Step(
        text=f"{inches(measured)} between the nearest points of the bases", cite=Cite(rule="MM-3.6", mark=Mark.RULING)
    )
    doubt = given is not None and abs(given - measured) > DOUBTFUL
    warning = f"The range given, {inches(given or 0)}, is not the measured one, which counts." if doubt else ""
    return measured, step, warning
