"""Retreats and routs hex by hex to the RO hex (TA-6, TA-9.C, TA-H.9)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import distance_to_side, hexes_of_side, unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.field import board_of, fits_stacking_limit, opposing_side
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit, Trail
from rules.tanga.progress import BritishTurn, Decision, March
from rules.tanga.ways import choose_next_hex, choose_ro_hex, guns_left_behind

from .entering import move_into_hex
from .losses import try_recovery

RETREAT = Cite(rule="TA-6")
GERMANS_AS_BRITISH = Cite(rule="TA-9.C", mark=Mark.HOUSE)
"""Citation for Germans, who choose RO hexes and retreat as the card says for the British."""


def begin_german_phase(play: Play[TangaState]) -> None:
    """Begin the German phases: collapsed German formations try to recover, then units rout and retreat (TA-H.0)."""
    play.set(phase=Phase.MOVE.value, active=GERMAN, british=BritishTurn(count=play.state.british.count))
    for formation in sorted(play.state.formations.values(), key=lambda formation: formation.order):
        if formation.side == GERMAN and formation.collapsed:
            try_recovery(play, formation.id)
    for hex_ in sorted(hexes_of_side(play.state, GERMAN)):
        state, options = play.state, play.state.options
        germans = [unit for unit in units_at(state, hex_) if unit.side == GERMAN and unit.is_combat]
        if routed := [unit for unit in germans if state.formation(unit.formation).collapsed]:
            retreat_combat_units(play, routed, options.rout_hexes)  # TA-H.9
        elif disrupted := [unit for unit in germans if unit.is_disrupted]:
            retreat_combat_units(play, disrupted, options.retreat_hexes)  # TA-6


def retreat_combat_units(play: Play[TangaState], units: Sequence[TangaUnit], hexes: int) -> None:
    """Retreat combat units of one hex up to `hexes` hexes towards their RO hex.

    Two kinds of units retreat separately: British MGs whose stack enters a hex next to Germans (TA-9.5), and a revealed
    MG that exceeds the stacking limit (TA-1).
    """
    first, after = split_stack(play.state, units)
    _retreat_party(play, first, hexes)
    if after:
        retreat_combat_units(play, [play.state.unit(unit.id) for unit in after], hexes)


def _retreat_party(play: Play[TangaState], units: Sequence[TangaUnit], hexes: int) -> None:
    """Retreat units within the stacking limit together. An MG revealed on the way joins them if it fits (TA-H.3)."""
    start, party, step_count = unit_hex(units[0]), add_leaders(play.state, units), play.step_count
    decision = choose_new_ro_hex(play.state, party)
    _store_decision(play, decision)
    goal = chosen_ro_hex(party, decision)
    why = _ro_hex_reason(play.state, party[0].side, goal, decision)
    _mark_retreating(play, party, goal)
    march = March(units=tuple(unit.id for unit in party), goal=goal, left=hexes, way=(start,), retreats=True)
    guns: tuple[TangaUnit, ...] = ()
    left_to_guns = 0
    while march.left and (ahead := _store_decision(play, choose_next_hex(play.state, march))) is not None:
        if parting_guns := guns_left_behind(play.state, party, ahead):
            guns, left_to_guns = parting_guns, march.left
            party = tuple(unit for unit in party if unit not in guns)
        revealed_guns = move_into_hex(play, party, ahead)
        if fits_stacking_limit(play.state, (*party, *revealed_guns)):
            _mark_retreating(play, revealed_guns, goal)
            party = (*party, *revealed_guns)
        unit_ids, way = tuple(unit.id for unit in party), (*march.way, ahead)
        march = march.model_copy(update={"units": unit_ids, "left": march.left - 1, "way": way})
    cite = RETREAT if party[0].side == BRITISH else GERMANS_AS_BRITISH
    names, title = ", ".join(unit.name for unit in party), board_of(play.state).title
    if len(march.way) == 1:
        if not units[0].ro == goal == start:
            play.note(f"{names} stays in {title(start)}", cite, why)
        return
    line = " → ".join(hex_.label for hex_ in march.way)
    play.insert_steps(step_count, Step(text=f"{names}: {line}", cite=cite, verdict=why))
    play.set(trails=(*play.state.trails, Trail(hexes=march.way, kind="retreat", side=party[0].side)))
    if guns:
        retreat_combat_units(play, [play.state.unit(gun.id) for gun in guns], left_to_guns)


def _store_decision(play: Play[TangaState], decision: Decision | None) -> Hex | None:
    """Store a British decision for `/british why` (TA-0.3). Return the decision's hex, or None without one."""
    if decision is None or decision.chosen is None:
        return None
    if play.state.unit(decision.units[0]).side == BRITISH:
        play.set(retreats=(*play.state.retreats, decision))
    return decision.chosen


def split_stack(state: TangaState, units: Sequence[TangaUnit]) -> tuple[Sequence[TangaUnit], Sequence[TangaUnit]]:
    """Split a hex's combat units into units within the stacking limit and units beyond it, such as an MG (TA-1)."""
    ordered, limit = sorted(units, key=lambda unit: unit.turned_up), state.options.stack_limit
    return ordered[:limit], ordered[limit:]


def add_leaders(state: TangaState, units: Sequence[TangaUnit]) -> tuple[TangaUnit, ...]:
    """Return the units, with leaders and stevedores of their hex if no other combat unit stays there (TA-6)."""
    ids = {unit.id for unit in units}
    others = [unit for unit in units_at(state, unit_hex(units[0])) if unit.id not in ids]
    return tuple(units) if any(unit.is_combat for unit in others) else (*units, *others)


def chosen_ro_hex(units: Sequence[TangaUnit], decision: Decision | None) -> Hex:
    """Return the decision's RO hex; without a decision, the present RO hex of the units (TA-9.C)."""
    return decision.chosen_hex if decision is not None else units[0].ro or unit_hex(units[0])


def _ro_hex_reason(state: TangaState, side: str, goal: Hex, decision: Decision | None) -> str:
    """Return the reason for the RO hex in words."""
    title = board_of(state).title(goal)
    if decision is None:
        return f"RO hex {title}, as before"
    return decision.why if side == BRITISH else f"RO hex {title}, by the card's retreat table with the sides swapped"


def choose_new_ro_hex(state: TangaState, units: Sequence[TangaUnit]) -> Decision | None:
    """Return the decision for a new RO hex. If no enemy is near, units keep their RO hex: return None (TA-9.C)."""
    near = distance_to_side(state, unit_hex(units[0]), opposing_side(units[0].side))
    if units[0].ro is not None and (near is None or near > state.options.ro_kept_beyond):
        return None
    return choose_ro_hex(state, units, rout=state.formation(units[0].formation).collapsed)


def _mark_retreating(play: Play[TangaState], units: Sequence[TangaUnit], goal: Hex) -> None:
    """Give disrupted units, and units of collapsed formations, the RO hex `goal` and a retreat marker."""
    for unit in units:
        if unit.is_disrupted or (unit.is_combat and play.state.formation(unit.formation).collapsed):
            play.change(unit.id, ro=goal, retreating=True)
