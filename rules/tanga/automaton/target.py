"""Whom the British fire at, and whom they attack (TA-4, TA-5): a German firing unit, by the Target chart."""

from collections.abc import Sequence

from rules.core.automaton.decisions import settled_by
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite
from rules.tanga.charts import Doing, Measure, Measures, Situation, priority, weigh
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, firing_unit, hexes_of, may_fire_at, protection, units_at
from rules.tanga.model import GERMAN, Arm, TangaState, TangaUnit

CHART = "target"
CITES = {Doing.FIRE: Cite(rule="TA-4"), Doing.MELEE: Cite(rule="TA-5")}


def target(state: TangaState, units: Sequence[TangaUnit], *, melee: bool) -> Decision | None:
    """The hex a stack fires at or attacks; None when no German can be its target.

    For fire those in range and line of sight of a unit that can fire, for melee those next to it. Whether fire or
    melee is worth it (TCF, hit chance) is asked afterwards.
    """
    here = units[0].at
    assert here is not None
    held = hexes_of(state, GERMAN)
    near = held.intersection(here.neighbours()) if melee else (at for at in held if may_fire_at(state, here, at, units))
    targets = {at: unit for at in near if (unit := firing_unit(units_at(state, at)))}
    if not targets:
        return None
    doing = Doing.MELEE if melee else Doing.FIRE
    chosen, rows = weigh(priority(CHART), targets, _measures(state, targets), Situation(doing=doing))
    assert chosen is not None
    return Decision(
        question=Question.TARGET,
        chart=CHART,
        units=tuple(unit.id for unit in units),
        candidates=tuple(sorted(targets)),
        rows=rows,
        chosen=chosen,
        why=f"{targets[chosen].name} in {board_of(state).title(chosen)}: {settled_by(rows)}",
        cite=CITES[doing],
    )


def _measures(state: TangaState, targets: dict[Hex, TangaUnit]) -> Measures:
    return {
        Measure.MACHINE_GUN: lambda hex_: targets[hex_].arm is Arm.MACHINE_GUN,
        Measure.PROTECTION: lambda hex_: protection(state, hex_),
        Measure.COMBAT_FACTOR: lambda hex_: targets[hex_].cf,
        Measure.BLACK_POWDER: lambda hex_: targets[hex_].black_powder,
        Measure.NUMBER: lambda hex_: hex_,
    }
