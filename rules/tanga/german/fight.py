"""German fire and melee: a stack fires as one, and attacks an adjacent hex (TA-H.5, TA-H.7)."""

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.field import able_to_fire, board_of, hexes_of, reach_of, units_at
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.own.table import ask_table
from rules.tanga.progress import Ask

from .orders import allowed, german, germans, require_foe, require_good, require_house, require_phase

FIRING = Cite(rule="TA-H.5", mark=Mark.HOUSE)
FIGHTING = Cite(rule="TA-H.7", mark=Mark.HOUSE)


class Fire(Action):
    """A German stack fires at the hex of a British unit."""

    kind: ClassVar[str] = "fire"

    unit: str
    target: str


class Melee(Action):
    """A German stack attacks the adjacent hex of a British unit."""

    kind: ClassVar[str] = "melee"

    unit: str
    target: str


def fire(state: TangaState, action: Fire, dice: Dice) -> tuple[TangaState, Report]:
    """Fires. Raises Refused out of range or sight, or when the stack has fired."""
    require_phase(state, Phase.FIRE)
    shooters, at = volley(state, action)
    shooter = fires.reckon(state, shooters, at).shooter
    if state.options.resolution is Resolution.OWN:
        return ask_table(state, Ask.FIRE_RESULT, shooter, at)
    after, steps = fires.fire(state, shooters, at, dice)
    report = Report(
        headline=f"{shooter.name} fires at {board_of(state).title(at)}",
        side=GERMAN,
        steps=steps,
        units=(shooter.id, action.target),
    )
    return after, report


def fire_odds(state: TangaState, action: Fire) -> Odds:
    """The chances of a volley from where the stack stands, in any phase. Raises Refused as `fire` does."""
    require_house(state)
    shooters, at = volley(state, action)
    return fires.odds(state, shooters, at)


def volley(state: TangaState, action: Fire) -> tuple[tuple[TangaUnit, ...], Hex]:
    """Who fires, the firing unit first, and at which hex, in whatever phase. Raises Refused."""
    unit = german(state, action.unit)
    require_good(unit, "fire")
    target = require_foe(state, unit, action.target)
    assert unit.at is not None
    assert target.at is not None
    board, distance = board_of(state), unit.at.distance(target.at)
    if not any(one.is_combat for one in units_at(state, target.at)):
        raise Refused(f"No combat unit is in {board.title(target.at)}. Enter the hex instead.", FIRING)
    stack = [one for one in units_at(state, unit.at) if one.side == GERMAN]
    if unit.fired:
        raise Refused(f"{unit.name} has fired this turn; each unit fires once.", FIRING)
    reached = reach_of(state, unit)
    if reached < distance:
        raise Refused(f"{unit.name} reaches {reached} hexes, and {board.title(target.at)} is {distance} away.", FIRING)
    if not board.sees(unit.at, target.at):
        raise Refused(f"{unit.name} does not see {board.title(target.at)}: something blocks the line.", FIRING)
    others = (one for one in able_to_fire(state, stack, distance) if one.id != unit.id)
    return (unit, *others), target.at


def fire_legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every stack's shots, by its unit that comes first, at one unit of each British hex it can hit."""
    if side not in (GERMAN, UMPIRE) or not allowed(partial(require_phase, state, Phase.FIRE)):
        return
    british = sorted(hexes_of(state, BRITISH))
    for unit in germans(state):
        reach = reach_of(state, unit) if unit.is_good and not unit.fired else 0
        for hex_ in (other for other in british if unit.at is not None and unit.at.distance(other) <= reach):
            target = units_at(state, hex_)[0].id
            action = Fire(unit=unit.id, target=target)
            if allowed(partial(volley, state, action)):
                yield action


def melee(state: TangaState, action: Melee, dice: Dice) -> tuple[TangaState, Report]:
    """Attacks. Raises Refused unless the hexes touch and the stack has not fought."""
    require_phase(state, Phase.MELEE)
    here, there = attack(state, action)
    if state.options.resolution is Resolution.OWN:
        return ask_table(state, Ask.MELEE_RESULT, state.unit(action.unit), there)
    board, name = board_of(state), state.unit(action.unit).name
    after, steps = melees.melee(state, here, there, dice)
    report = Report(
        headline=f"{name} attacks {board.title(there)}",
        side=GERMAN,
        steps=steps,
        units=(action.unit, action.target),
    )
    return after, report


def melee_odds(state: TangaState, action: Melee) -> Odds:
    """The chances of an attack from where the stack stands, in any phase. Raises Refused as `melee` does."""
    require_house(state)
    return melees.odds(state, *attack(state, action))


def attack(state: TangaState, action: Melee) -> tuple[Hex, Hex]:
    """From which hex to which, in whatever phase. Raises Refused."""
    unit = german(state, action.unit)
    require_good(unit, "attack")
    target = require_foe(state, unit, action.target)
    assert unit.at is not None
    assert target.at is not None
    board = board_of(state)
    if unit.at.distance(target.at) != 1:
        raise Refused(f"{board.title(target.at)} is not next to {unit.name} in {board.title(unit.at)}.", FIGHTING)
    if not any(one.is_combat for one in units_at(state, target.at)):
        raise Refused(f"No combat unit is in {board.title(target.at)}. Enter the hex instead.", FIGHTING)
    if any(one.fought for one in units_at(state, unit.at)):
        raise Refused(f"The stack of {unit.name} has fought this turn; a stack attacks once.", FIGHTING)
    if not any(one.is_good and one.is_combat for one in units_at(state, unit.at)):
        raise Refused(f"No combat unit in good order stands with {unit.name}.", FIGHTING)
    melees.require_strength(state, unit.at, GERMAN, target.at)
    return unit.at, target.at


def melee_legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every attack by a stack on a hex next to it."""
    if side not in (GERMAN, UMPIRE) or not allowed(partial(require_phase, state, Phase.MELEE)):
        return
    held = hexes_of(state, BRITISH)
    for unit in germans(state):
        for hex_ in unit.at.neighbours() if unit.at else ():
            if hex_ in held and unit.is_combat:
                action = Melee(unit=unit.id, target=units_at(state, hex_)[0].id)
                if allowed(partial(attack, state, action)):
                    yield action


DEEDS: tuple[Deed[TangaState], ...] = (
    Deed(Fire, fire, odds=fire_odds, legal=fire_legal),
    Deed(Melee, melee, odds=melee_odds, legal=melee_legal),
)
