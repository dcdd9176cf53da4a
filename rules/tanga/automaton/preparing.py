"""Preparation of a formation: recovery from collapse, ammunition supply, entry hex, landing (TA-3, TA-7 to TA-9.A)."""

from collections.abc import Sequence
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, units_at
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat.entering import move_into_hex
from rules.tanga.combat.losses import try_recovery
from rules.tanga.combat.reveal import reveal_seen_markers
from rules.tanga.field import board_of, formation_units
from rules.tanga.maps import Beach
from rules.tanga.model import BRITISH, Arm, Condition, Formation, Kind, TangaState, TangaUnit
from rules.tanga.progress import Decision, Question, change_progress

from . import marching
from .stacks import mark_acted, names_with_verb, sort_units, unit_ids
from .step_results import StepResult

ENTRY = Cite(rule="TA-9.A")
HELD = Cite(rule="TA-9.A", mark=Mark.RULING)
"""Citation: an entry hex that already holds British units counts as entered."""
THROWS_EXHAUSTED = Cite(rule="TA-9.A", mark=Mark.RULING)
"""Citation for taking the nearest entry hex without a marker after the maximum number of throws."""
LANDING = Cite(rule="TA-3")
PLACES = Cite(rule="TA-3", mark=Mark.RULING)
MOST_LANDED_PER_HEX = 2
"""Maximum number of a wave's combat units that land in one hex: in the beachhead, and in the beach hex."""


def prepare_formation(play: Play[TangaState], formation: Formation, _forced: Hex | None) -> StepResult | None:
    """Carry out the next step of a formation's preparation. Return None when the preparation is complete."""
    if reveal_seen_markers(play):
        return StepResult()
    if not formation.collapsed:
        return _supply_artillery(play, formation) or throw_for_entry_hex(play, formation)
    units = unit_ids(formation_units(play.state, formation.id))
    if set(units) <= set(play.state.british.acted):
        return None
    mark_acted(play, units)
    try_recovery(play, formation.id)
    collapsed = play.state.formation(formation.id).collapsed
    return StepResult(clause="still collapsed" if collapsed else "recovered from collapse")


def _supply_artillery(play: Play[TangaState], formation: Formation) -> StepResult | None:
    """Refill the artillery's rounds if the staff's stevedores are in their beach hex (TA-8). Return None otherwise."""
    board, units = board_of(play.state), formation_units(play.state, formation.id)
    beach = board.beaches.get(formation.beach)
    bearers = next((unit for unit in units if unit.arm is Arm.STEVEDORES), None)
    guns = (unit for unit in units if unit.on_map and unit.rounds is not None)
    short = [unit for unit in guns if (unit.rounds or 0) < (unit.rounds_full or 0)]
    if not short or bearers is None or beach is None or bearers.at != beach.beach:
        return None
    for unit in short:
        play.change(unit.id, rounds=unit.rounds_full)
        text = f"{bearers.name} in {board.title(beach.beach)} supply {unit.name}"
        play.note(text, Cite(rule="TA-8", mark=Mark.RULING), f"{unit.rounds_full} rounds")
    return StepResult()


def throw_for_entry_hex(play: Play[TangaState], formation: Formation) -> StepResult | None:
    """Throw for the entry hex of a battalion ashore that has none yet (TA-9.A). Return None if no throw is due.

    A hex that already holds British units counts as entered.
    """
    ashore = any(unit.on_map for unit in formation_units(play.state, formation.id))
    if formation.kind is not Kind.BATTALION or formation.entry is not None or not ashore:
        return None
    hex_ = _draw_entry_hex(play, formation)
    title, entered = board_of(play.state).title(hex_), hex_ in hexes_of_side(play.state, BRITISH)
    if entered:
        play.note(f"British are in {title}, entry hex of {formation.name}", HELD, "its stacks choose objectives now")
    play.state = play.state.with_formation(formation.model_copy(update={"entry": hex_, "entered": entered}))
    return StepResult(clause=f"entry hex {title}")


def _draw_entry_hex(play: Play[TangaState], formation: Formation) -> Hex:
    """Throw 2D6 for the entry hex, again if the hex has a marker, up to option `entry_throws` times in all.

    If every throw finds a marker, return the nearest free entry hex.
    """
    board, most = board_of(play.state), play.state.options.entry_throws
    holders = {other.entry: other.name for other in play.state.formations.values() if other.entry is not None}
    free = frozenset(board.spec.entries.values()) - holders.keys()
    for number in range(1, most + 1):
        throw = play.throw(2, 6, f"{formation.name}: entry hex", side=formation.side)
        hex_ = board.spec.entries[throw.total]
        counts = hex_ in free or not free
        remark = "" if counts else f", where {holders[hex_]} has its marker{': again' if number < most else ''}"
        verdict = f"{board.title(hex_)}{remark}"
        throw_step = Step(text=throw.label, cite=ENTRY, throws=(throw,), start=Fraction(throw.total), verdict=verdict)
        play.say(throw_step.model_copy(update={"text_in_headline": True}))
        if counts:
            return hex_
    nearest = min(free, key=lambda other: (hex_.distance(other), other))
    without = f"the nearest entry hex without one, {board.title(nearest)}"
    play.note(f"{formation.name}: {most} throws have all found a marker", THROWS_EXHAUSTED, without)
    return nearest


def land_next_stack(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Land the next stack of the formation, at its beach. Return None if no unit can land (TA-3).

    A formation without a beach draws one; the hex `forced` overrules the draw.
    """
    waiting, ashore = units_aboard(play.state, formation), [play.state.units[unit] for unit in play.state.british.acted]
    room = play.state.options.wave - sum(unit.is_combat for unit in ashore)
    if not waiting or room <= 0 or (not ashore and _must_wait_to_land(play.state, formation)):
        return None
    decision = None if formation.beach else _draw_beach(play, formation, waiting, forced)
    state, formation = play.state, play.state.formation(formation.id)
    beach = board_of(state).beaches[formation.beach]
    if not ashore and beach not in _beaches_open_to(state, formation):
        return None
    for place in (beach.head, beach.beach) if formation.kind is Kind.BATTALION else (beach.beach, beach.head):
        free = min(MOST_LANDED_PER_HEX, _space_for_landing(state, place, formation), room)
        if free and all(unit.at != place for unit in ashore):
            group, title = _landing_group(waiting, free), board_of(state).title(place)
            clause = f"{names_with_verb(state, group, 'land')} at beach {formation.beach}, {title}"
            change_progress(play, waved=tuple(dict.fromkeys((*state.british.waved, formation.beach))))
            play.note(clause, PLACES, in_headline=True)
            move_into_hex(play, group, place)
            marching.begin_march(play, group, place)
            return StepResult(decision, clause)
    return None


def units_aboard(state: TangaState, formation: Formation) -> list[TangaUnit]:
    """Return the formation's units still to land, in acting order. A battalion's MG lands under a marker (TA-1)."""
    hidden = Arm.MACHINE_GUN if formation.kind is Kind.BATTALION else None
    units = formation_units(state, formation.id) if formation.arrives <= state.turn else ()
    waiting = (unit for unit in units if not unit.on_map and unit.condition is Condition.GOOD)
    return sort_units(state, (unit for unit in waiting if unit.arm is not hidden))


def _must_wait_to_land(state: TangaState, formation: Formation) -> bool:
    """Whether a formation cannot land yet: a staff waits for battalions still aboard, others for a free beach."""
    others = (other for other in state.formations.values() if other.side == BRITISH and other.kind is Kind.BATTALION)
    if formation.kind is Kind.STAFF and any(units_aboard(state, other) for other in others if not other.collapsed):
        return True
    return not formation.beach and not _beaches_open_to(state, formation)


def _beaches_open_to(state: TangaState, formation: Formation) -> list[Beach]:
    """Return the beaches where a formation can land, by letter. Units of other staffs in a beach hex do not matter."""
    beaches: list[Beach] = []
    for letter, beach in sorted(board_of(state).beaches.items()):
        others = _units_of_other_formations(state, beach.beach, formation)
        has_only_staffs = all(state.formation(unit.formation).kind is Kind.STAFF for unit in others)
        if has_only_staffs and letter not in state.british.waved and _space_for_landing(state, beach.head, formation):
            beaches.append(beach)
    return beaches


def _units_of_other_formations(state: TangaState, place: Hex, formation: Formation) -> list[TangaUnit]:
    """Return the units of other formations that hold the hex `place`. Leaders do not hold a hex."""
    return [unit for unit in units_at(state, place) if unit.formation != formation.id and not unit.is_leader]


def _space_for_landing(state: TangaState, place: Hex, formation: Formation) -> int:
    """Return how many more combat units of a formation the hex can take; 0 if another formation holds the hex."""
    count = sum(unit.is_combat for unit in units_at(state, place))
    return 0 if _units_of_other_formations(state, place, formation) else max(0, state.options.stack_limit - count)


def _draw_beach(
    play: Play[TangaState], formation: Formation, waiting: Sequence[TangaUnit], forced: Hex | None
) -> Decision:
    """Draw beach markers until the drawn beach is free; give the formation that beach, and return the decision."""
    free = {beach.letter: beach.beach for beach in _beaches_open_to(play.state, formation)}
    cup, letter = sorted(board_of(play.state).beaches), ""
    while letter not in free:
        if len(cup) == 1:
            letter = cup.pop()
            play.note(f"{formation.name}: the last beach marker", LANDING, f"beach {letter}")
        else:
            throw = play.throw(1, len(cup), f"{formation.name}: beach marker, one of {', '.join(cup)}", side=BRITISH)
            letter = cup.pop(throw.total - 1)
            verdict = f"beach {letter}" if letter in free else f"beach {letter} is held: again"
            play.say(Step(text=throw.label, cite=LANDING, throws=(throw,), verdict=verdict))
    decision = Decision(
        question=Question.LANDING,
        units=unit_ids(waiting[: play.state.options.wave]),
        candidates=tuple(sorted(free.values())),
        chosen=free[letter],
        why=f"beach {letter}, by the draw",
        cite=LANDING,
    ).overruled_by(forced)
    letter = next(beach_letter for beach_letter, hex_ in free.items() if hex_ == decision.chosen)
    play.state = play.state.with_formation(formation.model_copy(update={"beach": letter}))
    return decision


def _landing_group(waiting: Sequence[TangaUnit], room: int) -> tuple[TangaUnit, ...]:
    """Return the units that land together: at most `room` combat units, one leader, and stevedores.

    All remaining leaders land with the last combat units.
    """
    combat, leaders = [unit for unit in waiting if unit.is_combat], [unit for unit in waiting if unit.is_leader]
    bearers = (unit for unit in waiting if unit.arm is Arm.STEVEDORES)
    return (*combat[:room], *(leaders if len(combat) <= room else leaders[:1]), *bearers)
