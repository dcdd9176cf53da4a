"""Actions that the bot considers as German player, and its guesses at the contents of markers."""

from collections.abc import Callable, Iterable, Mapping

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.model import Viewer
from rules.core.state import Action

from . import victory
from .combat.melee import fighting_units
from .combat.reveal import find_gun, is_gun_hidden
from .estimates import estimates_of, hexes_in_sight, hit_chance
from .field import board_of, firing_range, firing_unit, hex_protection
from .german.fight import FIRE, MELEE
from .german.move import Move, reachable_hexes
from .german.orders import current_phase
from .german.stand import IMPROVE, RALLY
from .model import GERMAN, Phase, TangaState, TangaUnit

MOVES, SHOTS = 7, 2
"""Maximum numbers of moves, and of targets, that the bot considers for a unit."""
ANSWERS = 2
"""Maximum number of British stacks whose fire and melee the bot considers as replies."""


def guess_hidden_guns(seen: TangaState, dice: Dice) -> TangaState:
    """Return the state with each hidden MG placed under one of its battalion's markers, at random."""
    markers = dict(seen.markers)
    for formation in dict.fromkeys(marker.formation for marker in markers.values()):
        keys = [key for key, marker in markers.items() if marker.formation == formation]
        gun = is_gun_hidden(find_gun(seen, formation))
        real = dice.throw(1, len(keys), f"{formation}: which marker is the MG", hidden=True).total - 1
        for place, key in enumerate(keys):
            markers[key] = markers[key].model_copy(update={"real": gun and place == real})
    return seen.model_copy(update={"markers": markers, "before_last": None})


def promising_actions(state: TangaState, side: Viewer, kind: str, unit: str) -> Iterable[Action]:
    """Return promising actions of a German unit, such as moves to the best hexes and the likeliest shots."""
    german = state.unit(unit)
    if side != GERMAN or german.at is None or state.british.asked is not None:
        return ()
    tries = ACTIONS_BY_PHASE_AND_KIND.get((current_phase(state), kind))
    return tries(state, german, german.at) if tries is not None else ()


def _best_moves(state: TangaState, unit: TangaUnit, _here: Hex) -> Iterable[Action]:
    """Return the best moves of a unit that has not moved this turn."""
    if not unit.is_in_good_order or unit.moved or state.formation(unit.formation).collapsed:
        return ()
    spots = sorted(reachable_hexes(state, (unit,)), key=lambda hex_: -hex_appeal(state, unit, hex_))
    return (Move(unit=unit.id, to=hex_.label) for hex_ in spots[:MOVES])


def _likeliest_shots(state: TangaState, unit: TangaUnit, own_hex: Hex) -> Iterable[Action]:
    """Return the unit's shots that are likeliest to hit; none unless the unit fires first in its stack."""
    if firing_unit(other for other in units_at(state, own_hex) if other.is_in_good_order and not other.fired) != unit:
        return ()
    actions = FIRE.possible_actions(state, GERMAN, unit.id)
    return sorted(actions, key=lambda action: -FIRE.preview(state, action).chance)[:SHOTS]


def _possible_attacks(state: TangaState, unit: TangaUnit, own_hex: Hex) -> Iterable[Action]:
    """Return the melees that a unit may begin as the first fighting unit of its stack."""
    if fighting_units(units_at(state, own_hex))[:1] != [unit]:
        return ()
    return MELEE.possible_actions(state, GERMAN, unit.id)


ACTIONS_BY_PHASE_AND_KIND: Mapping[tuple[Phase, str], Callable[[TangaState, TangaUnit, Hex], Iterable[Action]]] = {
    (Phase.MOVE, "move"): _best_moves,
    (Phase.FIRE, "fire"): _likeliest_shots,
    (Phase.MELEE, "melee"): _possible_attacks,
    (Phase.RALLY, "rally"): lambda state, unit, _: RALLY.possible_actions(state, GERMAN, unit.id),
    (Phase.RALLY, "improve"): lambda state, unit, _: IMPROVE.possible_actions(state, GERMAN, unit.id),
}
"""Functions that return promising actions of a unit, by phase and kind of action."""


def hex_appeal(state: TangaState, unit: TangaUnit, hex_: Hex) -> float:
    """Return a score of how attractive a hex is for a unit."""
    friends = [friend for friend in units_at(state, hex_) if friend.is_combat and friend.id != unit.id]
    worth = hex_protection(state, hex_) + 0.5 * len(friends) + 2 * (hex_ in victory.victory_hexes(state))
    if unit.is_leader:
        return worth + sum(2 if friend.is_disrupted else 1 for friend in friends)
    estimates, reach = estimates_of(state), firing_range(state.options, unit)
    shots = hexes_in_sight(board_of(state), hex_, reach) & estimates.british.keys()
    best = max((hit_chance(unit.cf + len(friends) - estimates.british[at].protection) for at in shots), default=0.0)
    return worth + 4 * best - 0.5 * (estimates.hexes_out_of_range(hex_, reach) + estimates.distance_to_victory(hex_))
