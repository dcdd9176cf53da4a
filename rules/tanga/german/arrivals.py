"""German reinforcements: by train to the station, or marching on at the west edge, as when it is lost (TA-H.11)."""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex, distances
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat.entering import entered
from rules.tanga.field import board_of, has_room, hexes_of, of_formation
from rules.tanga.model import BRITISH, GERMAN, Condition, Formation, TangaState, TangaUnit

COMING = Cite(rule="TA-H.11", mark=Mark.HOUSE)


def arrive(play: Play[TangaState]) -> None:
    """Formations that are due come on, as near to their place as there is room; who finds none waits."""
    due = sorted((one for one in play.state.formations.values() if _is_due(play.state, one)), key=lambda one: one.order)
    for formation in due:
        play.state, placed = _placed(play.state, formation, of_formation(play.state, formation.id))
        how = "by train" if _station(play.state, formation) else "from the west"
        text = f"{formation.name} arrives {how} at {placed}" if placed else f"{formation.name} finds its place taken"
        play.say(Step(text=text, cite=COMING, verdict="" if placed else "it waits"))
        own = of_formation(play.state, formation.id)
        for hex_ in dict.fromkeys(unit.at for unit in own if unit.at is not None):
            entered(play, hex_, GERMAN)


def _is_due(state: TangaState, formation: Formation) -> bool:
    """Whether it comes now: German, its turn reached, and nobody of it on the map or lost yet."""
    if formation.side != GERMAN or formation.arrives > state.turn:
        return False
    return all(not unit.on_map and unit.condition is Condition.GOOD for unit in of_formation(state, formation.id))


def _placed(state: TangaState, formation: Formation, coming: Sequence[TangaUnit]) -> tuple[TangaState, str]:
    """The state with all of them on the map, and where; as it was, and nothing, if one finds no room."""
    after, where = state, dict[Hex, None]()
    spots = tuple(_spots(state, formation))
    for unit in coming:
        spot = next((hex_ for hex_ in spots if has_room(after, hex_, formation.id, (unit,))), None)
        if spot is None:
            return state, ""
        after = after.with_unit(unit.model_copy(update={"at": spot}))
        where[spot] = None
    return after, ", ".join(board_of(state).title(hex_) for hex_ in where)


def _spots(state: TangaState, formation: Formation) -> Iterable[Hex]:
    """Free hexes, the nearest to the station, or to the west edge, first."""
    board, british = board_of(state), hexes_of(state, BRITISH)
    station = _station(state, formation)
    starts = [station] if station else list(board.spec.west_edge)
    free = [hex_ for hex_ in starts if hex_ in board.land and hex_ not in british]
    far = distances(free, lambda hex_: hex_ in board.land and hex_ not in british)
    return sorted(far, key=lambda hex_: (far[hex_], hex_.label))


def _station(state: TangaState, formation: Formation) -> Hex | None:
    """Where its train stops: at the station, while the British are not in it; None for who marches."""
    station = board_of(state).spec.station
    return station if formation.by_train and station not in hexes_of(state, BRITISH) else None
