"""Opportunity fire of the Germans at a British stack that enters a hex, by their standing orders (TA-H.6)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.wording import in_a_row, likely
from rules.tanga.field import able_to_fire, board_of, firing_unit, hexes_of, may_fire_at, units_at
from rules.tanga.model import BRITISH, GERMAN, Standing, TangaState, TangaUnit
from rules.tanga.progress import Ask, Asked, March

from .fire import Reckoning, reckon
from .losses import shot_at

WATCH = Cite(rule="TA-H.6", mark=Mark.HOUSE)
FIRE, HOLD = "fire", "hold"
ANSWERS = ((FIRE, "Fire"), (HOLD, "Hold fire"))


@dataclass(frozen=True)
class OpportunityFire:
    """A volley that Germans of one hex may fire at the marching stack now; those with `asks` wait for their player."""

    at: Hex
    units: tuple[TangaUnit, ...]
    """The firing unit first."""
    asks: bool
    reckoning: Reckoning


def shots(state: TangaState, march: March) -> tuple[OpportunityFire, ...]:
    """What may be fired at the stack in the hex it has just entered, in order of hex number; first who need not ask.

    Units in good order that have not fired, in range and sight, with a chance to hit; left out are those on hold,
    those the stack is too far for, and those whose fire at it here is settled (`offered`). Friends of the stack who
    were in the hex before it are not fired at.
    """
    target = march.way[-1]
    if len(march.way) < 2 or firing_unit(shot_at(state, target, BRITISH, march.units)) is None:
        return ()
    shooters = (hex_ for hex_ in sorted(hexes_of(state, GERMAN)) if may_fire_at(state, hex_, target))
    return tuple(shot for hex_ in shooters for shot in _of(state, hex_, march))


def _of(state: TangaState, hex_: Hex, march: March) -> Iterable[OpportunityFire]:
    target = march.way[-1]
    able = able_to_fire(state, units_at(state, hex_), hex_.distance(target))
    open_ = [unit for unit in able if unit.id not in state.british.offered]
    for asks in (False, True):
        units = tuple(unit for unit in open_ if _fires(unit, hex_.distance(target), asks=asks))
        if units:
            reckoning = reckon(state, units, target, march.units)
            if reckoning.hit:
                yield OpportunityFire(hex_, units, asks, reckoning)


def _fires(unit: TangaUnit, distance: int, *, asks: bool) -> bool:
    if asks:
        return unit.standing is Standing.ASK
    return unit.standing is Standing.WITHIN and distance <= unit.fires_within


def firers(state: TangaState, march: March) -> tuple[Hex, ...]:
    """Hexes of German stacks that fire, or ask to, at the stack now in `march.way[-1]`, in order of number."""
    return tuple(dict.fromkeys(shot.at for shot in shots(state, march)))


def asked_about(state: TangaState, march: March, unit_id: str) -> tuple[TangaUnit, ...]:
    """Who fires if that German, who was asked about, is to: him alone if standing orders were changed meanwhile."""
    party = next((one.units for one in shots(state, march) if one.reckoning.shooter.id == unit_id), None)
    return party or (state.unit(unit_id),)


def question(state: TangaState, shot: OpportunityFire) -> Asked:
    """What their player is asked, by the same key as long as no other question is asked between."""
    reckoning, title = shot.reckoning, board_of(state).title
    entering = shot_at(state, reckoning.target, BRITISH, reckoning.entering)
    stack = sorted(entering, key=lambda unit: unit.id != reckoning.aimed_at.id)
    text = (
        f"{reckoning.shooter.name} in {title(shot.at)} may fire at {in_a_row([unit.name for unit in stack])} "
        f"in {title(reckoning.target)}: "
        f"TCF {reckoning.factor.total}, {likely(reckoning.hit)} to hit."
    )
    return Asked(
        key=f"opportunity-{state.turn}-{state.british.count}",
        ask=Ask.OPPORTUNITY_FIRE,
        text=text,
        cite=WATCH,
        side=GERMAN,
        answers=ANSWERS,
        unit=reckoning.shooter.id,
        at=reckoning.target,
    )
