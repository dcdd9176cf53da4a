"""What columns see, and sightings of enemies (CA-3.1 to CA-3.4)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rules.core.hexboard.hexes import Hex, hexes_in_radius
from rules.core.hexboard.stacks import unit_hex

from .columns import Column, Pace, Task
from .ground import Board, board_of
from .intelligence import EnemySize, Sighting, Sightings
from .model import CampaignPlay, CampaignState
from .options import Knowledge

PARTY, FORCE = 30, 120
"""Maximum numbers of figures of enemies that look like a party, and like a force, from afar (CA-3.2)."""


def sight_range(state: CampaignState, column: Column) -> int:
    """Return the distance in hexes that a column sees (CA-3.1)."""
    is_high = board_of(state).terrain[unit_hex(column)].is_high
    extra = (Pace.MOUNTED in column.paces) + (column.orders.task is Task.SCOUT) + is_high
    return min(1 + extra, state.option_value(state.power_of(column.side).id, "farthest_sight"))


def hexes_in_sight(state: CampaignState, column: Column) -> frozenset[Hex]:
    """Return the hexes that a column sees."""
    return _hexes_seen_from(board_of(state), column.at, sight_range(state, column)) if column.at else frozenset()


@lru_cache(maxsize=1 << 12)
def _hexes_seen_from(board: Board, position: Hex, reach: int) -> frozenset[Hex]:
    kinds = board.terrain
    into = kinds[position].is_high
    return frozenset(
        hex_
        for hex_ in hexes_in_radius(position, reach)
        if hex_ in kinds and (into or not kinds[hex_].hides or position.distance(hex_) <= 1)
    )


def enemies_in_sight(state: CampaignState, column: Column) -> Iterator[Column]:
    """Yield the enemies in sight of a column."""
    in_sight, power = hexes_in_sight(state, column), state.power_of(column.side).id
    for hex_ in sorted(in_sight & state.stacks.by_hex.keys()):
        yield from state.enemies_in(hex_, power)


def distance_to_nearest_enemy(state: CampaignState, column: Column) -> int | None:
    """Return the distance in hexes to the nearest enemy in sight of a column; None without one."""
    distances = (unit_hex(column).distance(unit_hex(enemy)) for enemy in enemies_in_sight(state, column))
    return min(distances, default=None)


def update_sightings(play: CampaignPlay) -> None:
    """Update every command's sightings. An old sighting stays until the command sees its hex again (CA-3.4)."""
    state = play.state
    is_shared = state.options.knowledge is Knowledge.SHARED
    groups = [power.commands for power in state.powers] if is_shared else [(side.id,) for side in state.sides]
    sightings: dict[str, Sightings] = {}
    looked = dict(state.looked)
    for commands in groups:
        command, power = commands[0], state.power_of(commands[0]).id
        distances = viewing_distances(state, [column for member in commands for column in state.units_of(member)])
        unseen = {hex_: old for hex_, old in state.sightings.get(command, {}).items() if hex_ not in distances}
        seen = {
            hex_: make_sighting(state, enemies, distances[hex_])
            for hex_ in distances.keys() & state.stacks.by_hex.keys()
            if (enemies := state.enemies_in(hex_, power))
        }
        merged = dict(sorted({**unseen, **seen}.items()))
        sightings |= dict.fromkeys(commands, merged)
        if not is_shared:
            looked[command] = {**looked.get(command, {}), **dict.fromkeys(sorted(distances), state.turn)}
    order = [side.id for side in state.sides]
    play.set(sightings={side: sightings[side] for side in order})
    play.set(looked={side: looked[side] for side in order if side in looked})


def viewing_distances(state: CampaignState, viewers: Iterable[Column]) -> Mapping[Hex, int]:
    """Return every hex that any of the columns `viewers` sees, with the distance to the nearest of them."""
    distances: dict[Hex, int] = {}
    for column in viewers:
        for hex_ in hexes_in_sight(state, column):
            far = unit_hex(column).distance(hex_)
            distances[hex_] = min(far, distances.get(hex_, far))
    return distances


def make_sighting(state: CampaignState, enemies: Iterable[Column], distance: int) -> Sighting:
    """Return the sighting of the enemies in a hex, from `distance` hexes away (CA-3.2)."""
    enemies = tuple(enemies)
    figures = sum(column.figures for column in enemies)
    size = EnemySize.PARTY if figures <= PARTY else EnemySize.FORCE if figures <= FORCE else EnemySize.ARMY
    result = Sighting(day=state.turn, distance=distance, size=size)
    if distance > 1:
        return result
    paces = frozenset(pace for column in enemies for pace in column.paces)
    if distance == 1:
        tens = max(10, (figures + 5) // 10 * 10)
        return result.model_copy(update={"figures": tens, "paces": paces})
    names = tuple(column.name for column in enemies)
    return result.model_copy(update={"figures": figures, "paces": paces, "columns": names})
