"""Battle strength before dice: number of dice and their effects (GW-1, GW-2, GW-5.2, GW-7)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.core.wording import count_of

from .battle_dice import Volley
from .ground import TERRAIN, WIRE, WIRE_FEWER, GreatWarTerrain
from .model import Arm
from .options import GreatWarOptions
from .tables import SIDES, chart_number, cite_of_row, dice_at_range

HITS = Cite(rule="GW-1.4", mark=Mark.FOUND)
AT_TANKS = Cite(rule="GW-1.6", mark=Mark.HOUSE)
BOGGED = Cite(rule="GW-3.3", mark=Mark.FOUND)
SHORT = 2
"""Range in hexes up to which the Deadly Die hits for some types of tank (GW-2)."""


@dataclass(frozen=True)
class Thrower:
    """The unit that throws battle dice: its arm, and what changes its number of dice."""

    arm: Arm
    entered: GreatWarTerrain | None = None
    """Terrain that the unit entered this turn, or None."""
    on_wire: bool = False
    recovery_failed: bool = False
    card_dice: int | None = None
    """Number of dice that a card sets in place of the chart's; None without such a card."""


@dataclass(frozen=True)
class Target:
    """The target of the dice: its arm, its terrain, and whether it is a stuck tank."""

    arm: Arm
    terrain: GreatWarTerrain
    is_stuck: bool = False


def count_battle_dice(thrower: Thrower, hexes: int, options: GreatWarOptions) -> tuple[int, tuple[Step, ...]]:
    """Return the number of battle dice, and the step that explains it. A number below 1 means no battle."""
    arm = thrower.arm
    start = dice_at_range(arm, hexes) if thrower.card_dice is None else thrower.card_dice
    fewer = [
        (thrower.entered.dice_fewer, f"entered {thrower.entered.name}", thrower.entered.cite)
        if thrower.entered
        else (0, "", TERRAIN),
        (WIRE_FEWER if thrower.on_wire and not arm.is_tank else 0, "on wire", WIRE),
        (options.weaker_when_bogged if thrower.recovery_failed else 0, "its recovery failed", BOGGED),
    ]
    modifiers = tuple(Modifier(value=Fraction(-drop), reason=why, cite=rule) for drop, why, rule in fewer if drop)
    number = start + int(sum((modifier.value for modifier in modifiers), Fraction(0)))
    range_text = "in close combat" if hexes == 1 else f"at {count_of(hexes, 'hex', 'hexes')}"
    rule = cite_of_row(arm, f"dice at {hexes}") if start and thrower.card_dice is None else HITS
    text, score = f"Battle dice of {arm} {range_text}", Fraction(max(number, 0))
    return number, (Step(text=text, cite=rule, start=Fraction(start), modifiers=modifiers, score=score),)


def make_volley(
    thrower: Thrower, target: Target, hexes: int, number: int, options: GreatWarOptions
) -> tuple[Volley, tuple[Step, ...]]:
    """Return the volley of `number` dice at the target, and the steps that explain the volley."""
    is_close, at_tank = hexes == 1, target.arm.is_tank
    terrain = target.terrain
    deadly = is_close or (hexes == SHORT and bool(chart_number(thrower.arm, f"Deadly Die hits at {SHORT}")))
    shelter = terrain.close if is_close else terrain.ranged
    terror = is_close and thrower.arm.is_tank and not at_tank
    keeps = not terror or terrain.shelters or target.arm is Arm.FIELD_ARTILLERY
    volley = Volley(
        dice=number,
        at_tank=at_tank,
        deadly=deadly,
        soldiers_ignored=0 if at_tank else shelter.soldiers,
        must_ignore=chart_number(target.arm, "must ignore flags"),
        may_ignore=shelter.flags if keeps and not at_tank else 0,
        confirmed=score_to_confirm(thrower.arm, is_close=is_close, options=options) if at_tank else None,
        retreats=not target.is_stuck,
    )
    hitting_faces = "burst" if at_tank else "soldier, burst"
    steps = [Step(text=f"{hitting_faces}{' and Deadly Die' if deadly else ''} hit", cite=HITS)]
    if volley.soldiers_ignored:
        ignored = count_of(volley.soldiers_ignored, "soldier")
        steps.append(Step(text=f"In {terrain.name} they ignore {ignored}", cite=terrain.cite))
    if volley.must_ignore and volley.retreats:
        steps.append(Step(text="One flag is ignored", cite=cite_of_row(target.arm, "must ignore flags")))
    if volley.may_ignore:
        flags = count_of(volley.may_ignore, "flag")
        steps.append(Step(text=f"In {terrain.name} {flags} may be ignored", cite=terrain.cite))
    if terror and not keeps:
        steps.append(Step(text="Tankschreken: no flag may be ignored", cite=Cite(rule="GW-5.2")))
    if volley.confirmed is not None:
        steps.append(Step(text=f"Each hit is confirmed on {d6_scores_in_words(volley.confirmed)}", cite=AT_TANKS))
    if not volley.retreats:
        steps.append(Step(text="It is stuck: flags do not move it", cite=HITS.model_copy(update={"mark": Mark.HOUSE})))
    return volley, tuple(steps)


def score_to_confirm(arm: Arm, *, is_close: bool, options: GreatWarOptions) -> int:
    """Return the least score on a D6 that confirms a hit on a tank (GW-1.6)."""
    if arm is Arm.FIELD_ARTILLERY:
        return options.hit_by_guns
    return options.hit_close if is_close and not arm.is_tank else options.hit_else


def d6_scores_in_words(least: int) -> str:
    """Return the scores of a D6 from `least` on: `6`, `3-6`."""
    return str(least) if least == SIDES else f"{least}-{SIDES}"
