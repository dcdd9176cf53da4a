"""Firepower before dice: permission, effect, range and number of dice (MM-3.1 to MM-3.6)."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, prod

from rules.core.chart import Row
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Modifier, Step
from rules.core.tabletop.placement import terrain_under
from rules.core.tabletop.table import CLOSE
from rules.core.wording import count_of, inches, number_text
from rules.magdala.arms import DEFENCES, LEADERS
from rules.magdala.engagement import is_engaged
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Nation, Order, StoredPrompt, Troop, Weapon, Works
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import COVERING, ROUGH_GOING
from rules.magdala.shared import require_may_be_ordered, require_not_in_melee, require_obedience
from rules.magdala.tables import TABLES, cell_value, cite, row, value

from .ammunition import low_ammunition_reason
from .mishaps import JAM

SMALL_ARMS = (Weapon.BREECHLOADER, Weapon.OTHER_SMALL_ARMS)
GUNS = (Weapon.FIELD_GUN, Weapon.HEAVY_GUN, Weapon.MACHINE_GUN, Weapon.LIGHT_GUN, Weapon.ROCKET)
RANGES = Cite(rule="MM-3.6")
ROUNDING = Cite(rule="MM-3.5", mark=Mark.RULING)
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
ROUNDED_UP_FROM = Fraction(1, 2)
"""Least fraction of a die that counts as one, for units that round up (MM-3.5)."""


def require_may_fire(state: MagdalaState, unit: MagdalaUnit, defensive: bool, answers: StoredPrompt | None) -> None:
    """Raise Refused unless the unit is armed, unlimbered, not jammed, and has not fired or is charged (MM-3.1)."""
    refuse(RANGES, (unit.weapon is Weapon.MELEE, f"{unit:have} nothing to fire with."))
    refuse(Cite(rule="MM-2.4"), (unit.limbered, f"{unit:are} limbered. Unlimbering takes a full turn."))
    refuse(JAM.as_ruling, (unit.jammed, f"{unit:are} jammed. Clear {unit:them} first, on 4-6, one attempt a turn."))
    if answers is not None:
        return
    if defensive:
        require_not_in_melee(unit)
        require_obedience(state, unit)
        nobody = f"Nobody is moving into contact with {unit.name}: {unit:they fire} in {unit:their} own turn."
        refuse(STANDING, (unit.place is not None, nobody))
        return
    require_may_be_ordered(state, unit)
    refuse(STANDING.as_ruling, (unit.this_turn.has_fired, f"{unit:have} fired this turn. A unit fires once a turn."))


def require_lawful_target(
    state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, answers: StoredPrompt | None
) -> None:
    """Raise Refused if the target is a friend, a leader without a unit, or already in melee (MM-3.1)."""
    same_side = f"{target:are} on the same side as {unit.name}. Choose an enemy."
    leader = f"{target:are} not fired at alone: generals run their risk with their units. Choose a unit."
    melee = f"{target:are} in melee: fire would fall on friends. Choose another target."
    refuse(STANDING.as_ruling, (target.side == unit.side, same_side))
    refuse(Cite(rule="MM-6", mark=Mark.RULING), (target.troop in LEADERS, leader))
    refuse(STANDING.as_ruling, (answers is None and is_engaged(state, target), melee))


def reason_for_half_effect(
    state: MagdalaState, unit: MagdalaUnit, words: tuple[str, ...], answers: StoredPrompt | None, defensive: bool
) -> str:
    """Return why the volley has half effect (MM-3.1, MM-5.7); empty at full effect.

    Raises Refused if the player states full effect, but the unit may not have it.
    """
    turn, reordered = unit.this_turn, state.options.one_change_of_order and unit.this_turn.changed_order
    reasons = {
        "pinned": unit.morale is Morale.PINNED,
        "halted by a failed test": unit.morale is Morale.HALTED or unit.half_effect_next_fire,
        "moved": not defensive and (turn.moved > 0 or turn.half_turn_spent),
        "move spent": not defensive and turn.marched,
        "changed order": not defensive and reordered,
        "the attackers came a short way": answers is not None and answers.half_effect,
    }
    by_state = (f"{HALF_EFFECT}, {reason}" for reason, holds in reasons.items() if holds)
    forced = low_ammunition_reason(unit, charged=answers is not None) or next(by_state, "")
    refuse(STANDING, (FULL_EFFECT in words and forced, f"{unit.name} cannot fire at full effect: {forced}."))
    return forced or (HALF_EFFECT if HALF_EFFECT in words else "")


def volley_reductions(
    state: MagdalaState, weapon: Weapon, target: MagdalaUnit, words: tuple[str, ...] = (), why_half: str = ""
) -> tuple[Modifier, ...]:
    """Return every chart factor that reduces a volley (MM-3.4); `why_half` is the reason for half effect, or empty."""
    skirmishers = target.order is Order.SKIRMISH or SKIRMISHING in words
    low = {PINNED: target.morale is Morale.PINNED, PRONE: target.prone}
    lies = next((word for word, holds in low.items() if holds or word in words), "")
    return (
        *((chart_factor("target in skirmish order"),) if skirmishers else ()),
        *_cover_reductions(state, weapon, target, words),
        *((chart_factor("target pinned or prone", lies),) if lies else ()),
        *((chart_factor(HALF_EFFECT, why_half),) if why_half else ()),
    )


def _cover_reductions(
    state: MagdalaState, weapon: Weapon, target: MagdalaUnit, words: tuple[str, ...]
) -> tuple[Modifier, ...]:
    """Return the factor of the target's cover, if any: protective works (MM-7) or the ground (MM-3.4).

    By the printed rules, only earthworks protect from machine guns. With option machine_guns_as_small_arms, all works
    that protect from small arms do.
    """
    if IN_THE_OPEN in words:
        return ()
    machine_gun = weapon is Weapon.MACHINE_GUN
    bullets = weapon in SMALL_ARMS or (machine_gun and state.options.machine_guns_as_small_arms)
    column = "cover from small arms" if bullets else "cover from artillery"
    for works in (*(works for word, works in COVER_WORDS.items() if word in words), target.works):
        if works is not Works.NONE and value("defences", works, column):
            by, ruled = cite("defences", works), machine_gun and works in DEFENCES and works is not Works.EARTHWORKS
            return (chart_factor(COVER, f"target {works}", by.as_ruling if ruled else by),)
    piece = terrain_under(state, target, COVERING_GROUND)
    return (chart_factor(COVER, f"target in {COVERING_GROUND[piece.feature]}"),) if piece else ()


def is_boer(unit: MagdalaUnit) -> bool:
    """Whether the unit is Boer, on foot or mounted, or a Boer gun."""
    return unit.troop is Troop.KOMMANDO or unit.nation is Nation.BOER


def is_sharpshooter(unit: MagdalaUnit) -> bool:
    """Whether the unit is European sharpshooters: Boers, skirmishing regulars, or units listed as such (MM-3.2)."""
    skirmishing = unit.european and unit.regular and unit.order is Order.SKIRMISH
    return unit.weapon not in GUNS and (unit.sharpshooter or is_boer(unit) or skirmishing)


def dice_chart_row(unit: MagdalaUnit) -> Row:
    """Return the row of the dice chart by which the unit fires (MM-3.2)."""
    rows = {
        "artillery, machine guns, rockets": unit.weapon in GUNS,
        "specialist snipers": unit.sniper,
        "European sharpshooters": is_sharpshooter(unit),
        "volleying European regulars": unit.regular and unit.european,
        "volleying regulars": unit.regular,
        "native irregulars": True,
    }
    return row("firing-dice", next(label for label, holds in rows.items() if holds))


def rounds_half_dice_up(unit: MagdalaUnit) -> bool:
    """Whether the unit rounds half dice up: European regulars, Boers and snipers; others drop fractions (MM-3.5)."""
    by_row = cell_value("firing-dice", dice_chart_row(unit).label, "halves")
    return (unit.european and unit.regular) or is_boer(unit) if by_row is None else bool(by_row)


def chart_factor(label: str, reason: str = "", by: Cite | None = None) -> Modifier:
    """Return a circumstance's factor on the number of dice (MM-3.3, MM-3.4); `by` replaces the row's citation."""
    times, divided_by = (value("firing-factors", label, column) for column in ("times", "divided by"))
    rule = by or cite("firing-factors", label)
    return Modifier(value=Fraction(times, divided_by), reason=reason or label, cite=rule, times=True)


def firing_factors(unit: MagdalaUnit, options: MagdalaOptions) -> tuple[Modifier, ...]:
    """Return the factors of the unit's kind and weapon on its number of dice."""
    by = dice_chart_row(unit)
    dice, figures = (TABLES.charts["firing-dice"].cell(by, column) for column in ("dice", "for each"))
    ratio = Fraction(value("firing-dice", by.label, "dice"), value("firing-dice", by.label, "for each"))
    reason = f"{by.label}, {dice.text} per {figures.text}"
    magazine = unit.magazine and (unit.weapon in SMALL_ARMS or options.magazine_artillery)
    poor = Modifier(value=options.poor_shots, reason="poor shots", cite=RANGES.as_ruling, times=True)
    return (
        Modifier(value=ratio, reason=reason, cite=by.cite, times=True),
        *((chart_factor("magazine rifles"),) if magazine else ()),
        *((poor,) if unit.poor_shots else ()),
    )


def round_dice(exact: Fraction | float, up: bool) -> int:
    """Round `exact` dice down, or if `up`, to the nearest whole number with halves up (MM-3.5)."""
    return floor(exact + ROUNDED_UP_FROM) if up else floor(exact)


def count_volley_dice(
    unit: MagdalaUnit, reductions: tuple[Modifier, ...], options: MagdalaOptions
) -> tuple[int, tuple[Step, ...]]:
    """Return the number of dice of the unit's whole strength, and the steps of its calculation."""
    figures, up = Fraction(unit.strength), rounds_half_dice_up(unit)
    modifiers = (*firing_factors(unit, options), *reductions)
    exact = prod((modifier.value for modifier in modifiers), start=figures)
    dice = round_dice(exact, up)
    dice_text = count_of(dice, "die", "dice")
    text = f"{dice_text} from {unit.strength} {'crew' if unit.weapon in GUNS else 'figures'}"
    steps = [Step(text=text, cite=dice_chart_row(unit).cite, start=figures, modifiers=modifiers, score=exact)]
    if exact != dice:
        habit = "halves round up" if up else "fractions are dropped"
        steps.append(Step(text=f"{number_text(exact)} makes {dice_text}: {habit}", cite=ROUNDING))
    return dice, tuple(steps)


@dataclass(frozen=True)
class RangeBand:
    """A band of range: its name, the least face that hits, the rule, and its end in inches (None: endless)."""

    name: str
    hits_from: int
    cite: Cite
    to: float | None


def maximum_range(unit: MagdalaUnit, options: MagdalaOptions) -> float | None:
    """Return the range in inches of the unit's weapon; None for a weapon that reaches across any table."""
    long = cell_value("ranges", unit.weapon, "long, to")
    marksmen = is_sharpshooter(unit) if unit.weapon is Weapon.BREECHLOADER else unit.sniper
    further = options.sharpshooter_bonus if marksmen and unit.weapon in SMALL_ARMS else 0
    return None if long is None else long + further


def range_bands(unit: MagdalaUnit, options: MagdalaOptions) -> tuple[RangeBand, ...]:
    """Return the bands of range of the unit's weapon, the nearest first (MM-3.6)."""
    printed, most = row("ranges", unit.weapon), maximum_range(unit, options)
    short, long = (cell_value("ranges", unit.weapon, column) for column in ("short, under", "long, to"))
    hits_near, hits_far = (cell_value("ranges", unit.weapon, f"hits at {distance}") for distance in ("short", "long"))
    name, far = "long range" if short is not None or long is None else "any range", hits_far or 0
    near = () if short is None else (RangeBand("short range", hits_near or 0, printed.cite, short - CLOSE),)
    beyond_print = long is not None and most is not None and most > long
    further = (RangeBand(name, far, printed.cite.as_ruling, most),) if beyond_print else ()
    return (*near, RangeBand(name, far, printed.cite, None if long is None else long + CLOSE), *further)


def minimum_range(unit: MagdalaUnit, options: MagdalaOptions) -> float:
    """Return the least range in inches of the unit's weapon (MM-3.6, ruling)."""
    return options.heavy_gun_least_range if unit.weapon is Weapon.HEAVY_GUN else 0.0


def find_range_band(unit: MagdalaUnit, range_: float, options: MagdalaOptions) -> RangeBand:
    """Return the band of range for the unit's weapon. Raises Refused beyond its range or under its least range."""
    printed, most, least = row("ranges", unit.weapon), maximum_range(unit, options), minimum_range(unit, options)
    if most is not None and range_ > most + CLOSE:
        far = inches(ceil(range_ * 10 - CLOSE) / 10)  # 24.02 inches are shown as more than 24
        why = f"{unit.name} cannot reach {far}: {inches(most)} is the most ({printed.label}). Nothing is spent."
        raise Refused(why, printed.cite)
    if range_ + CLOSE < least:
        why = f"A heavy gun has no short range: it fires at {inches(least)} or more, not at {inches(range_)}."
        raise Refused(why, printed.cite.as_ruling)
    *nearer, last = range_bands(unit, options)
    return next((band_ for band_ in nearer if band_.to is None or range_ < band_.to), last)
