"""Draw the maps of a report for one viewer: the table at the beginning of each turn, and the present table."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.jobs.photograph import MapPhotograph, find_photograph_under_map
from bot.jobs.replay import select_evenly
from bot.journal.codec import read_state
from bot.journal.game import Game
from render import scenes
from render.fixed_palette import recolour
from render.foreign_names import explain_word_numbers, number_foreign_words_in_scenes, replace_foreign_words_in_scene
from render.framing import frame_units
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

MOST_MAPS = 24
"""Maximum number of turns with a map. In a longer game, the turns with a map are evenly spaced."""
GONE = "No map here: the table as this turn began is no longer stored."
TOO_MANY = "No map here: with one for every turn this page would be too large to send."
NOW = 0
"""Key of the map of the present table, in place of an entry's number."""


class TurnStart(NamedTuple):
    """The first entry of a turn, and its compressed state. `state` is None if the snapshot was dropped."""

    turn: int
    seq: int
    state: bytes | None


class TurnMap(NamedTuple):
    """A map's caption `title`, alternative text `words`, and image `data`. A missing image is explained in `title`."""

    title: str
    words: str = ""
    data: bytes = b""

    @property
    def max_bytes(self) -> int:
        """Maximum number of bytes that the map takes in the page, if every character of its texts must be escaped."""
        return len(self.data) * 4 // 3 + 6 * len(self.words.encode())


Maps = Mapping[int, TurnMap]
"""Each turn's map, by the number of the turn's first entry. The key `NOW` has the map of the present table."""


def draw_turn_maps(
    game: Game, starts: Sequence[TurnStart], viewer: Viewer, room: int, photographs: Sequence[MapPhotograph] = ()
) -> Maps:
    """Draw the maps, in at most `room` bytes together. Arrows show the movement since the previous map."""
    maps = {start.seq: TurnMap(TOO_MANY) for start in starts}
    before: State | None = None
    since = ""
    for start in select_evenly(starts, MOST_MAPS):
        try:
            view = _view_at_turn_start(game.ruleset, start, viewer)
        except ValueError:
            maps[start.seq] = TurnMap(GONE)
            continue
        photograph = find_photograph_under_map(photographs, start.turn, start.seq)
        if photograph is None and not view.keeps_positions:
            del maps[start.seq]
            continue
        maps[start.seq] = _draw_map(
            game.ruleset, view, viewer, f"{view.turn_word} {start.turn} begins", before, since, photograph
        )
        before, since = view, f"{view.turn_word.lower()} {start.turn} began"
    now: State = game.ruleset.view(game.state, viewer)
    has_map = game.photograph is not None or now.keeps_positions
    if now != before and has_map:
        title = "How it stands" if game.ended is None and game.state.over is None else "How it ended"
        maps[NOW] = _draw_map(game.ruleset, now, viewer, title, before, since, game.photograph)
    coloured = {seq: turn_map._replace(data=recolour(turn_map.data, game.palette)) for seq, turn_map in maps.items()}
    return _keep_maps_that_fit(coloured, max(room, 0))


def _view_at_turn_start(system: Ruleset[Any], start: TurnStart, viewer: Viewer) -> State:
    """Return the viewer's view of the state in which the turn began. Raises ValueError without a stored state."""
    if start.state is None:
        raise ValueError(GONE)
    view: State = system.view(read_state(system, start.state), viewer)
    return view


def _draw_map(
    system: Ruleset[Any],
    view: State,
    viewer: Viewer,
    title: str,
    before: State | None,
    since: str,
    photograph: bytes | None,
) -> TurnMap:
    scene = system.scene(view, viewer, before)
    has_arrows = bool(scene.tracks if isinstance(scene, HexScene) else scene.arrows)
    moved = f". Arrows: what moved since {since}" if before is not None and has_arrows else ""
    area, numbers = frame_units([scene]), number_foreign_words_in_scenes([scene])
    picture = scenes.draw(replace_foreign_words_in_scene(scene, numbers), area=area, photograph=photograph)
    explanations = "".join(f" {number} = {words}." for number, words in explain_word_numbers(scene, area, numbers))
    return TurnMap(f"{title}{moved}.{explanations}", scenes.describe(scene, photograph=photograph), picture)


def _keep_maps_that_fit(maps: Maps, room: int) -> Maps:
    """Keep as many evenly spaced maps as fit into `room` bytes. Replace every omitted map by a note."""
    kept_seqs: Sequence[int] = [seq for seq, turn_map in maps.items() if turn_map.data]
    while (weight := sum(maps[seq].max_bytes for seq in kept_seqs)) > room:
        fewer = min(len(kept_seqs) * room // weight, len(kept_seqs) - 1)
        kept_seqs = select_evenly(kept_seqs, fewer) if fewer > 1 else []
    return {
        seq: turn_map if seq in kept_seqs or not turn_map.data else TurnMap(TOO_MANY) for seq, turn_map in maps.items()
    }
