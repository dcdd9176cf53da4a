"""Where a move ends, and how it is told (MM-2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.tabletop.place import Turn
from rules.core.tabletop.placement import spoken
from rules.core.tabletop.ways import Halt, stand
from rules.core.wording import inches, tenths
from rules.magdala.action_types import conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit

from . import astray, formation
from .marching import ATTACKS, CHARGE, March, setting_out

FLANKING = Cite(rule="MM-4.2", mark=Mark.RULING)
MOST_WORDS = 120
"""Characters of a player's own words for a place."""
DONE = {
    formation.SKIRMISH: "takes skirmish order",
    formation.CLOSE: "takes close order",
    formation.FORM_SQUARE: "forms square",
    formation.LEAVE_SQUARE: "leaves its square",
    formation.LIE_DOWN: "lies down",
    formation.STAND_UP: "stands up",
    formation.MOUNT: "mounts",
    formation.DISMOUNT: "dismounts",
    formation.LIMBER: "limbers up",
    formation.UNLIMBER: "unlimbers",
    formation.TAKE_COVER: "takes cover",
    formation.ROUGH: "goes into rough going",
    formation.LEAVE_COVER: "leaves cover",
    **{word: f"occupies {word.split()[-1]}" for word in formation.OCCUPY},
}


@dataclass(frozen=True)
class Halted:
    """Where a move ends: the unit, the inches run, what halted it, and the changes that it could not make."""

    unit: MagdalaUnit
    run: float
    halt: Halt[MagdalaUnit] | None
    unmade: dict[str, str]
    steps: tuple[Step, ...]


def where_to(march: March, halted: Halted) -> tuple[Step, ...]:
    """Where no place is kept, the player's own words for it."""
    if not march.marches or halted.unit.place is not None or march.to is None:
        return ()
    return (Step(text=f"Moves {inches(halted.run)}, {march.to[:MOST_WORDS]}", cite=march.rate.cite),)


def tell(play: MagdalaPlay, march: March, halted: Halted) -> None:
    """The move is done, and told: its headline, where the unit stands, and what could not be."""
    state, moved = play.state, play.state.unit(march.unit)
    ready = setting_out(play.before, play.before.unit(march.unit), march.changes)
    enemy = state.units.get(moved.melee_with or "")
    by = halted.halt.crowded_by if halted.halt else ()
    crowded = (f"There was no room further on, where {stand(by)}: it halts after {inches(halted.run)}.",) if by else ()
    conclude(
        play,
        _headline(ready, moved, march, halted, enemy.name if enemy else ""),
        moved.id,
        *((enemy.id,) if enemy else ()),
        outcome=_outcome(march, moved, halted.run),
        warnings=(
            *crowded,
            *halted.unmade.values(),
            *_of_no_account(state, moved, march.words),
            *(astray.warnings(state, moved) if march.marches else ()),
        ),
    )


def _headline(ready: MagdalaUnit, moved: MagdalaUnit, march: March, halted: Halted, enemy: str) -> str:
    did = []
    if march.marches:
        did.append(f"{'charges' if CHARGE in march.words else 'moves'} {inches(halted.run)}")
    elif isinstance(march.destination, Turn):
        did.append(f"turns to face {tenths(march.destination.facing)}°")
    if ready.prone and not moved.prone:
        did.append(DONE[formation.STAND_UP])
    did.extend(DONE[word] for word in march.changes if word not in halted.unmade)
    if enemy:
        did.append(f"into contact with {enemy}")
    return f"{moved.name} {', '.join(did)}"


def _outcome(march: March, unit: MagdalaUnit, run: float) -> str:
    if unit.place is None:
        return f"Move the figures {inches(run)}." if march.marches else ""
    return f"It stands at {spoken(unit.place)}."


def _of_no_account(state: MagdalaState, moved: MagdalaUnit, words: tuple[str, ...]) -> Iterable[str]:
    """What was said of an attack where there is none, or one on a square (MM-4.2)."""
    enemy = state.units.get(moved.melee_with or "")
    for word in words:
        if word in ATTACKS and (enemy is None or enemy.in_square):
            why = f"{enemy.name} is in square, which has none" if enemy else f"{moved.name} has come into no melee"
            yield f"“{word}” changes nothing here: {why} ({FLANKING})."
