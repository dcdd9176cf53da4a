"""Define a simple rule-based German player, for trying out the game and balancing scenarios.

The player knows only the German side's view. It denies the British enough victory hexes near the station, and keeps
units together. It shoots at the most vulnerable target, attacks with clear superiority, and retakes lost hexes in
sufficient strength. Leaders go to disrupted units; other units dig in and rally.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.hexboard.ways import distance_to_nearest
from rules.core.state import Action
from rules.tanga.combat.melee import melee_factor
from rules.tanga.field import board_of, firing_range, hex_protection, is_held_by
from rules.tanga.german.fight import FIRE, MELEE, Fire, Melee
from rules.tanga.german.move import Move, reachable_hexes
from rules.tanga.german.orders import current_phase
from rules.tanga.german.stand import IMPROVE, RALLY
from rules.tanga.maps import Board
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.turn import TurnNext

MARGIN, LAST_MARGIN = 3, 0
"""Minimum superiority in factors for an attack; on the last turn, for an attack on a victory hex."""
KEEP_OFF = 2
"""Distance in hexes at which units stay away from the British, if possible."""
NEAR = 3
"""Distance in hexes from a lost hex within which units count as able to fight for it."""
COVER, GOAL, TARGETS, COMPANY, SUPPORT, CARE, TOO_NEAR, DISTANCE = 3.0, 4.0, 5.0, 6.0, 1.5, 3.0, 3.0, 0.6
"""Weights of a hex's merits."""


def choose(state: TangaState) -> Action:
    """Choose the next action of a German turn; pass if no order is useful."""
    phase, goals = current_phase(state), hexes_to_keep(state)
    choice: Action | None = None
    if phase is Phase.MOVE:
        choice = _march(state, goals)
    elif phase is Phase.FIRE:
        choice = max(FIRE.possible_actions(state, GERMAN), key=partial(_shot, state, goals), default=None)
    elif phase is Phase.MELEE:
        strong = (attack for attack in MELEE.possible_actions(state, GERMAN) if _superiority(state, goals, attack) >= 0)
        choice = max(strong, key=partial(_superiority, state, goals), default=None)
    elif phase is Phase.RALLY:
        choice = next(iter((*RALLY.possible_actions(state, GERMAN), *IMPROVE.possible_actions(state, GERMAN))), None)
    return choice or TurnNext()


def hexes_to_keep(state: TangaState) -> frozenset[Hex]:
    """Return the hexes to keep: of each kind, enough hexes nearest the station to deny the British their number."""
    board = board_of(state)
    station = board.spec.station
    kept_hexes: list[Hex] = []
    for kind, needed in state.objectives.items():
        hexes = board.victory_hexes.get(kind, frozenset())
        ordered = sorted(hexes, key=lambda hex_: (hex_.distance(station) if station else 0, hex_.label))
        kept_hexes += ordered[: max(0, len(hexes) - needed + 1)]
    return frozenset(kept_hexes)


def _march(state: TangaState, goals: frozenset[Hex]) -> Move | None:
    """Move the first unit that finds a better hex; each unit moves once a turn, leaders last."""
    british = hexes_of_side(state, BRITISH)
    lost_hexes = frozenset(hex_ for hex_ in goals & british if _enough(state, hex_))
    ground = Ground(state, goals, lost_hexes if british else goals, british)
    for unit in sorted(state.units_of(GERMAN), key=lambda unit: unit.is_leader):
        if unit.is_in_good_order and not unit.moved and not state.formation(unit.formation).collapsed:
            spot = max((unit_hex(unit), *reachable_hexes(state, (unit,))), key=partial(ground.worth, unit))
            if spot != unit.at:
                return Move(unit=unit.id, to=spot.label)
    return None


@dataclass(frozen=True)
class Ground:
    """Evaluated map: hexes to keep, hexes to march to, British hexes.

    Units march to hexes taken by the British, if strong enough to retake them.
    """

    state: TangaState
    goals: frozenset[Hex]
    towards: frozenset[Hex]
    british: frozenset[Hex]

    def worth(self, unit: TangaUnit, hex_: Hex) -> float:
        """Rate a hex for a unit: victory hex, field of fire, cover, company of other units."""
        worth = COVER * hex_protection(self.state, hex_)
        friends = [
            friend
            for friend in units_at(self.state, hex_)
            if friend.formation == unit.formation and friend.id != unit.id
        ]
        if unit.is_leader:
            return worth + COMPANY * bool(friends) + CARE * sum(friend.is_disrupted for friend in friends)
        worth += SUPPORT * sum(friend.is_in_good_order and friend.is_combat for friend in friends)
        worth += GOAL * (hex_ in self.goals)
        worth -= distance_to_nearest(hex_, self.towards)
        return worth + self._facing(unit, hex_) if self.british else worth

    def _facing(self, unit: TangaUnit, hex_: Hex) -> float:
        """Rate the British around a hex: targets in range count for it, excessive or short distance against it."""
        reach, near = firing_range(self.state.options, unit), distance_to_nearest(hex_, self.british)
        shoots = near <= reach and _can_shoot(board_of(self.state), hex_, reach, self.british)
        too_near = near < KEEP_OFF and hex_ not in self.goals
        return TARGETS * shoots - DISTANCE * max(near - reach, 0) - TOO_NEAR * too_near


@lru_cache(maxsize=1 << 14)
def _can_shoot(board: Board, hex_: Hex, reach: int, targets: frozenset[Hex]) -> bool:
    """Whether a target hex is in range and sight."""
    return any(hex_.distance(target) <= reach and board.sees(hex_, target) for target in targets)


def _enough(state: TangaState, hex_: Hex) -> bool:
    """Whether nearby Germans are as strong as nearby British; always true on the last turn."""
    strength = {BRITISH: 0, GERMAN: 0}
    for unit in state.units.values():
        near = unit.at is not None and unit.at.distance(hex_) <= NEAR * (2 if unit.side == GERMAN else 1)
        strength[unit.side] += unit.cf if near and unit.is_in_good_order else 0
    return strength[GERMAN] >= strength[BRITISH] or state.turn == state.turns


def _shot(state: TangaState, goals: frozenset[Hex], action: Fire) -> float:
    """Rate a shot by its chance, slightly more against holders of victory hexes; on the last turn these come first."""
    volley = FIRE.volley(state, action)
    chance, target = float(volley.factor.chance), volley.target
    decides = target in goals and is_held_by(state, target, BRITISH)
    return chance + decides * (1 if state.turn == state.turns else 0.1)


def _superiority(state: TangaState, goals: frozenset[Hex], action: Melee) -> float:
    """Return the superiority of an attack over the required minimum, in factors."""
    german_hex, british_hex = MELEE.attack_hexes(state, action)
    margin = LAST_MARGIN if british_hex in goals and state.turn == state.turns else MARGIN
    return (
        melee_factor(state, german_hex, GERMAN, british_hex).total
        - melee_factor(state, british_hex, BRITISH, german_hex).total
        - margin
    )
