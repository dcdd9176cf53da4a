"""Machine guns under face-down markers: dealing them, and turning them up (TA-1)."""

from collections.abc import Iterable

from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark
from rules.core.report import Step
from rules.tanga.field import acting_order, board_of, in_sight_of, of_formation
from rules.tanga.model import GERMAN, Arm, Condition, GunMarker, Kind, TangaState, TangaUnit

GUNS = Cite(rule="TA-1")
DRAWN = Cite(rule="TA-1", mark=Mark.RULING)
WITH_MARKERS = ("A", "C", "E", "G")
"""Letters of the companies that have the markers, wherever they can."""

Told = tuple[TangaState, tuple[Step, ...]]


def gun_of(state: TangaState, formation: str) -> TangaUnit | None:
    """The MG of a formation, off the map while it is hidden; None if it has none."""
    return next((unit for unit in of_formation(state, formation) if unit.arm is Arm.MACHINE_GUN), None)


def reveal(state: TangaState, dice: Dice) -> tuple[TangaState, tuple[Step, ...], bool]:
    """Turns up every marker in the line of sight of a German; says besides whether any was."""
    steps: tuple[Step, ...] = ()
    for marker in tuple(state.markers.values()):
        company = state.unit(marker.company)
        if company.at is not None and in_sight_of(state, company.at, GERMAN):
            where = f"Seen by Germans in {board_of(state).title(company.at)}"
            state, turned = turn_up(state, marker, where, dice)
            steps += turned
    return state, steps, bool(steps)


def turn_up(state: TangaState, marker: GunMarker, why: str, dice: Dice) -> Told:
    """A marker is removed; an MG that lay under it is a unit now, though its hex be full, or lost with its company."""
    state, real, drawn = _contents(state, marker, dice)
    company = state.unit(marker.company)
    left = {key: other for key, other in state.markers.items() if key != marker.id}
    state = state.model_copy(update={"markers": left})
    text, gun = f"{why}: the MG marker of {company.name}", gun_of(state, marker.formation)
    if not real or gun is None:
        return state, (*drawn, Step(text=text, cite=GUNS, verdict="a dummy"))
    if company.at is None:
        state = state.with_unit(gun.model_copy(update={"condition": Condition.ELIMINATED}))
        return state, (*drawn, Step(text=text, cite=GUNS, verdict=f"{gun.name}, lost with it"))
    shared = {name: getattr(company, name) for name in ("at", "moved", "stirred", "inland")}
    state = state.with_unit(gun.model_copy(update={**shared, "turned_up": True}))
    return state, (*drawn, Step(text=text, cite=GUNS, verdict=gun.name))


def _contents(state: TangaState, marker: GunMarker, dice: Dice) -> tuple[TangaState, bool, tuple[Step, ...]]:
    """What lies under a marker: as dealt, or where that is not known drawn from those of the formation not known."""
    gun = gun_of(state, marker.formation)
    others = [other for other in state.markers.values() if other.formation == marker.formation]
    if gun is None or gun.on_map or gun.condition is Condition.ELIMINATED:
        return state, False, ()
    if marker.real is not None or any(other.real for other in others):
        return state, bool(marker.real), ()
    unknown = sum(other.real is None for other in others)
    if unknown == 1:
        return state, True, ()
    whose = state.formation(marker.formation)
    throw = dice.throw(1, unknown, f"{whose.name}: which of {unknown} markers is the MG", side=whose.side)
    return state, throw.total == 1, (Step(text=throw.label, cite=DRAWN, throws=(throw,), verdict="the MG on a 1"),)


def undrawn(state: TangaState) -> bool:
    """Whether some battalion's MG lies nobody knows where, as after a player's file was taken in, which hides it."""
    unknown = {marker.formation for marker in state.markers.values() if marker.real is None}
    known = {marker.formation for marker in state.markers.values() if marker.real}
    guns = {name: gun_of(state, name) for name in unknown - known}
    return any(
        gun is not None and not gun.on_map and gun.condition is not Condition.ELIMINATED for gun in guns.values()
    )


def lost_with(state: TangaState, company: TangaUnit, dice: Dice) -> Told:
    """The marker of an eliminated company is turned up, and what lay there is gone with it."""
    marker = next((one for one in state.markers.values() if one.company == company.id), None)
    return turn_up(state, marker, "Eliminated with its company", dice) if marker else (state, ())


def deal(state: TangaState, formation: str, dice: Dice) -> Told:
    """Lays a battalion's four markers, one a hex, and draws unseen which is the MG; none once the MG is lost.

    A revealed MG goes back under its marker. Companies A, C, E, G come first, and good order before disrupted.
    """
    gun = gun_of(state, formation)
    under = _hosts(state, formation)
    if state.formation(formation).kind is not Kind.BATTALION or gun is None or not under:
        return state, ()
    if gun.condition is Condition.ELIMINATED:
        return state, ()
    name = state.formation(formation).name
    throw = dice.throw(1, len(under), f"{name}: MG markers", side=gun.side, hidden=True)
    kept = {key: marker for key, marker in state.markers.items() if marker.formation != formation}
    dealt = (
        GunMarker(id=f"{unit.id}-marker", formation=formation, company=unit.id, real=place == throw.total)
        for place, unit in enumerate(under, start=1)
    )
    markers = {**kept, **{marker.id: marker for marker in dealt}}
    hidden = gun.model_copy(update={"at": None, "ro": None, "retreating": False, "turned_up": False})
    state = state.with_unit(hidden).model_copy(update={"markers": markers})
    where = Step(text=f"{name}: MG markers face down under {', '.join(unit.name for unit in under)}", cite=GUNS)
    drawn = Step(text=f"{name}: MG markers", cite=GUNS, throws=(throw,), only_for=frozenset({UMPIRE}))
    return state, (where, drawn)


def _hosts(state: TangaState, formation: str) -> tuple[TangaUnit, ...]:
    """Companies that get a marker, by letter: at most four, no two of one hex; aboard ship each counts by itself."""
    units = of_formation(state, formation)
    alive = [unit for unit in units if unit.arm is Arm.INFANTRY and unit.condition is not Condition.ELIMINATED]
    best = sorted(alive, key=lambda unit: (unit.condition is not Condition.GOOD, unit.letter not in WITH_MARKERS))
    chosen: dict[object, TangaUnit] = {}
    for unit in best:
        chosen.setdefault(unit.at or unit.id, unit)
    return _by_letter(state, list(chosen.values())[: len(WITH_MARKERS)])


def _by_letter(state: TangaState, units: Iterable[TangaUnit]) -> tuple[TangaUnit, ...]:
    return tuple(sorted(units, key=lambda unit: acting_order(state, unit)))
