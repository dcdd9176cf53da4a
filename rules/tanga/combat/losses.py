"""Hits and what follows: disruption, collapse, recovery and rally (TA-7, TA-H.5, TA-H.8, TA-H.9)."""

from collections.abc import Collection, Iterable

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.wording import join_with_and
from rules.tanga.field import board_of, count_losses, firing_unit, formation_units
from rules.tanga.model import BRITISH, ELIMINATED_FIELDS, Condition, Formation, TangaState, TangaUnit

from .reveal import deal_gun_markers, reveal_marker_of_eliminated_company
from .strike import HITS, Factor, nonzero_modifiers

RECOVERY = Cite(rule="TA-7")
RALLYING = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def apply_hits(play: Play[TangaState], hex_: Hex, side: str, hits: int, entering: Collection[str] = ()) -> None:
    """Apply hits to units in a hex: disrupt good-order units, and eliminate disrupted units (TA-H.5).

    If `entering` has ids, only these units are hit (TA-H.6). Excess hits are lost. Dice are thrown only to find out
    what a marker hides (TA-1).
    """
    for _ in range(hits):
        unit = firing_unit(units_under_fire(play.state, hex_, side, entering))
        if unit is not None and unit.is_disrupted:
            eliminate_unit(play, unit)
        elif unit is not None:
            _set_condition(play, unit, condition=Condition.DISRUPTED)
    collapse_broken_formations(play)


def units_under_fire(state: TangaState, hex_: Hex, side: str, entering: Collection[str] = ()) -> list[TangaUnit]:
    """Return a side's units that can be hit in a hex: all, or only those with ids in `entering` (TA-H.5, TA-H.6)."""
    return [unit for unit in units_at(state, hex_) if unit.side == side and (not entering or unit.id in entering)]


def eliminate_unit(play: Play[TangaState], unit: TangaUnit) -> None:
    """Remove a unit from the map for good; a company's MG marker is removed with the company (TA-1)."""
    _set_condition(play, unit, **ELIMINATED_FIELDS)
    reveal_marker_of_eliminated_company(play, unit)


def _set_condition(play: Play[TangaState], unit: TangaUnit, condition: Condition, **fields: object) -> None:
    """Give the unit a new condition, and report it."""
    play.change(unit.id, condition=condition, **fields)
    place = f" in {board_of(play.state).title(unit.at)}" if unit.at is not None else ""
    play.note(f"{unit.name}{place}", HITS, condition.value)


def describe_hits(before: TangaState, after: TangaState, otherwise: str) -> str:
    """Return the units whose condition changed, in words: `13 A disrupted`; `otherwise` if there are none."""
    changes: dict[Condition, list[str]] = {}
    for unit in before.units.values():
        condition = after.units[unit.id].condition
        if condition is not unit.condition:
            changes.setdefault(condition, []).append(unit.name)
    return "; ".join(f"{join_with_and(names)} {condition}" for condition, names in changes.items()) or otherwise


def collapse_broken_formations(play: Play[TangaState]) -> None:
    """Collapse every formation whose losses (FBL) have reached its break number (FBN)."""
    for formation in play.state.formations.values():
        fbl = count_losses(play.state, formation.id)
        if formation.collapsed or fbl < formation.fbn:
            continue
        units = formation_units(play.state, formation.id)
        _update_formation(play, formation, units, collapsed=True, entry=None, entered=False)
        text = f"{formation.name}: FBL {fbl} of FBN {formation.fbn}"
        play.note(text, Cite(rule="TA-H.9", mark=Mark.HOUSE), "collapses, all its units rout")
        if formation.entry is not None:
            play.note(f"{formation.name}: its entry marker on {formation.entry}", RECOVERY, "removed")


def _update_formation(play: Play[TangaState], formation: Formation, units: Iterable[TangaUnit], **now: object) -> None:
    """Change fields of a collapsed or recovered formation, and clear the RO hexes of `units`."""
    without_ro = (unit.model_copy(update={"ro": None, "retreating": False}) for unit in units)
    play.state = play.state.with_unit(*without_ro).with_formation(formation.model_copy(update=now))


def recovery_factor(state: TangaState, formation: Formation) -> Factor:
    """Return the maximum D6 with which a formation recovers (TA-7). Raises Refused if it has not collapsed."""
    if not formation.collapsed:
        raise Refused(f"{formation.name} has not collapsed: it has nothing to recover from.", RECOVERY)
    cite = RECOVERY if formation.side == BRITISH else Cite(rule="TA-7", mark=Mark.HOUSE)
    loss = nonzero_modifiers(cite, (-count_losses(state, formation.id), "FBL"))
    return Factor(text=f"{formation.name}: FBN for recovery", start=formation.fbn, modifiers=loss, cite=cite, dice=1)


def try_recovery(play: Play[TangaState], formation_id: str) -> None:
    """Try a collapsed formation's recovery, by a D6 if the result is uncertain (TA-7).

    After recovery, MG markers are dealt again. Disrupted units keep their RO hex until they rally (TA-9.C).
    """
    formation = play.state.formation(formation_id)
    factor = recovery_factor(play.state, formation)
    recovers = factor.chance == 1
    if recovers or not factor.chance:
        verdict = "recovers automatically" if recovers else "it cannot recover, so nothing is thrown"
        play.say(factor.step.model_copy(update={"verdict": verdict}))
    else:
        words = ("still routs", "recovers")
        recovers = factor.throw(play, f"{formation.name}: recovery", formation.side, words, "to recover") > 0
    if recovers:
        good = [unit for unit in formation_units(play.state, formation_id) if unit.is_in_good_order]
        _update_formation(play, formation, good, collapsed=False)
        deal_gun_markers(play, formation_id)


def rally_factor(state: TangaState, unit_id: str) -> Factor:
    """Return the maximum 2D6 with which a unit rallies. Raises Refused if the unit may not rally now."""
    unit, options = state.unit(unit_id), state.options
    require_may_rally(state, unit)
    leaders = (other for other in units_at(state, unit_hex(unit)) if other.side == unit.side and other.is_leader)
    leader = max(leaders, key=lambda leader: leader.eb, default=None)
    return Factor(
        text=f"{unit.name}, {f'with {leader.name}' if leader else 'without a leader'}, rallies at or under",
        start=options.rally_with_leader if leader else options.rally_alone,
        modifiers=nonzero_modifiers(RALLYING, (leader.eb, f"EB of {leader.name}")) if leader else (),
        cite=RALLYING,
    )


def require_may_rally(state: TangaState, unit: TangaUnit) -> None:
    """Raise Refused unless the unit may rally now."""
    hint = f"That is {board_of(state).title(unit.ro)}." if unit.ro else "It gets one when it begins to retreat."
    refuse(
        RALLYING,
        (not unit.is_disrupted, f"{unit.name} is not disrupted, and need not rally."),
        (unit.tried_to_rally, f"{unit.name} has tried to rally this turn; it may again next turn."),
        (unit.at != unit.ro, f"{unit.name} rallies in its RO hex alone. {hint}"),
    )


def throw_to_rally(play: Play[TangaState], unit_id: str) -> None:
    """Throw 2D6 to rally a unit."""
    factor, unit = rally_factor(play.state, unit_id), play.state.unit(unit_id)
    words = ("still disrupted", Condition.GOOD.value)
    rallies = factor.throw(play, f"{unit.name} rallies", unit.side, words, "to rally") > 0
    record_rally(play, unit_id, rallies=rallies)


def record_rally(play: Play[TangaState], unit_id: str, *, rallies: bool) -> None:
    """Record a rally attempt. A rallied unit is in good order, and loses its RO hex and retreat marker."""
    play.change(unit_id, tried_to_rally=True)
    if rallies:
        play.change(unit_id, condition=Condition.GOOD, ro=None, retreating=False)


def rally_odds(state: TangaState, unit_id: str) -> Odds:
    """Return the exact chance to rally. Raises Refused if the unit may not rally now."""
    factor = rally_factor(state, unit_id)
    rallies = Outcome(label="rallies", chance=factor.chance, good=True)
    stays = Outcome(label="stays disrupted", chance=1 - factor.chance, good=False)
    return Odds(question=f"Does {state.unit(unit_id).name} rally?", steps=(factor.step,), outcomes=(rallies, stays))
