"""Machine guns under face-down markers: markers are dealt, revealed, and hidden from viewers (TA-1)."""

from rules.core.hexboard.stacks import hexes_of_side, is_seen_from_any
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.field import acting_order_key, board_of, formation_units
from rules.tanga.model import GERMAN, Arm, Condition, GunMarker, Kind, TangaState, TangaUnit

GUNS = Cite(rule="TA-1")
DRAWN = Cite(rule="TA-1", mark=Mark.RULING)
WITH_MARKERS = ("A", "C", "E", "G")
"""Letters of the companies that get markers before other companies."""


def find_gun(state: TangaState, formation: str) -> TangaUnit | None:
    """Return a formation's MG, hidden or not; None without an MG."""
    return next((unit for unit in formation_units(state, formation) if unit.arm is Arm.MACHINE_GUN), None)


def reveal_seen_markers(play: Play[TangaState]) -> bool:
    """Reveal every marker in a German unit's line of sight. Return whether any marker was revealed."""
    before, board, germans = play.step_count, board_of(play.state), hexes_of_side(play.state, GERMAN)
    for marker in tuple(play.state.markers.values()):
        company = play.state.unit(marker.company)
        if company.at is not None and is_seen_from_any(board, company.at, germans):
            reveal_marker(play, marker, f"Seen by Germans in {board.title(company.at)}")
    return play.step_count > before


def reveal_marker(play: Play[TangaState], marker: GunMarker, why: str) -> None:
    """Remove a marker. If it hides the MG, put the MG on the map, even in a full hex.

    A sketch does not guess the marker's contents.
    """
    real = not play.is_sketch and _decide_if_marker_hides_gun(play, marker)
    gun = find_gun(play.state, marker.formation) if real else None
    company = play.state.unit(marker.company)
    play.set(markers={key: other for key, other in play.state.markers.items() if key != marker.id})
    play.tell(showed_hidden=True)
    verdict = "turned up" if play.is_sketch else "a dummy"
    if gun is not None and company.at is None:
        play.change(gun.id, condition=Condition.ELIMINATED)
        verdict = f"{gun.name}, lost with it"
    elif gun is not None:
        shared = {name: getattr(company, name) for name in ("at", "moved", "acted", "inland")}
        play.change(gun.id, **shared, turned_up=True)
        verdict = gun.name
    play.note(f"{why}: the MG marker of {company.name}", GUNS, verdict)


def _decide_if_marker_hides_gun(play: Play[TangaState], marker: GunMarker) -> bool:
    """Return whether the marker hides the MG. If nobody knows, throw a die for this marker."""
    others = [other for other in play.state.markers.values() if other.formation == marker.formation]
    if not is_gun_hidden(find_gun(play.state, marker.formation)):
        return False
    if marker.real is not None or any(other.real for other in others):
        return bool(marker.real)
    unknown = sum(other.real is None for other in others)
    if unknown == 1:
        return True
    formation = play.state.formation(marker.formation)
    throw = play.throw(1, unknown, f"{formation.name}: which of {unknown} markers is the MG", side=formation.side)
    play.say(Step(text=throw.label, cite=DRAWN, throws=(throw,), verdict="the MG on a 1"))
    return throw.total == 1


def is_gun_marker_unknown(state: TangaState) -> bool:
    """Whether nobody knows which of a battalion's markers hides its MG, as in a file saved without secrets."""
    known = {marker.formation for marker in state.markers.values() if marker.real}
    unknown = {marker.formation for marker in state.markers.values() if marker.real is None} - known
    return any(is_gun_hidden(find_gun(state, formation)) for formation in unknown)


def is_gun_hidden(gun: TangaUnit | None) -> bool:
    """Whether a formation's MG exists, and is still hidden or due to land."""
    return gun is not None and not gun.on_map and gun.condition is not Condition.ELIMINATED


def reveal_marker_of_eliminated_company(play: Play[TangaState], company: TangaUnit) -> None:
    """Reveal the marker of an eliminated company; an MG under the marker is lost."""
    marker = next((marker for marker in play.state.markers.values() if marker.company == company.id), None)
    if marker is not None:
        reveal_marker(play, marker, "Eliminated with its company")


def deal_gun_markers(play: Play[TangaState], formation: str) -> None:
    """Deal face-down markers to a battalion's companies, and draw in secret which of them hides the MG.

    Earlier markers are removed, and a revealed MG is hidden again.
    """
    state, gun = play.state, find_gun(play.state, formation)
    companies, name = _companies_for_markers(state, formation), state.formation(formation).name
    if state.formation(formation).kind is not Kind.BATTALION or not companies:
        return
    if gun is None or gun.condition is Condition.ELIMINATED:
        return
    throw = play.throw(1, len(companies), f"{name}: MG markers", side=gun.side, hidden=True)
    other_markers = {key: marker for key, marker in state.markers.items() if marker.formation != formation}
    dealt = (
        GunMarker(id=f"{unit.id}-marker", formation=formation, company=unit.id, real=place == throw.total)
        for place, unit in enumerate(companies, start=1)
    )
    play.change(gun.id, at=None, ro=None, retreating=False, turned_up=False)
    play.set(markers={**other_markers, **{marker.id: marker for marker in dealt}})
    play.say(
        Step(text=f"{name}: MG markers face down under {', '.join(unit.name for unit in companies)}", cite=GUNS),
        Step(text=f"{name}: MG markers", cite=GUNS, throws=(throw,), only_for=frozenset({UMPIRE})),
    )


def _companies_for_markers(state: TangaState, formation: str) -> tuple[TangaUnit, ...]:
    """Return the companies that get markers, by letter: at most four, and one per hex on the map.

    Companies in good order come first, and among equals the companies A, C, E and G.
    """
    units = formation_units(state, formation)
    alive = [unit for unit in units if unit.arm is Arm.INFANTRY and unit.condition is not Condition.ELIMINATED]
    best = sorted(alive, key=lambda unit: (unit.condition is not Condition.GOOD, unit.letter not in WITH_MARKERS))
    chosen: dict[object, TangaUnit] = {}
    for unit in best:
        chosen.setdefault(unit.at or unit.id, unit)
    return tuple(sorted(list(chosen.values())[: len(WITH_MARKERS)], key=lambda unit: acting_order_key(state, unit)))


def view(state: TangaState, viewer: Viewer) -> TangaState:
    """Return what `viewer` may know of the state: only the umpire knows the contents of markers."""
    if viewer == UMPIRE:
        return state
    covered = {key: marker.model_copy(update={"real": None}) for key, marker in state.markers.items()}
    before = view(state.before_last, viewer) if state.before_last is not None else None
    return state.model_copy(update={"markers": covered, "before_last": before})
