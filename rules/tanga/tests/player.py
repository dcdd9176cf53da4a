"""A plain player of the Germans, made of rules: for trying the game out and weighing its scenarios.

It knows what the German side's view shows and no more. Keep the British from as many of the hexes that decide as they
would need, those round the station; stand together; shoot whom one hits best; attack where one is clearly the stronger,
and retake what is lost where there are enough for it; leaders go to the disrupted; dig in and rally otherwise.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hex_of, hexes_of, units_at
from rules.core.hexboard.ways import nearest
from rules.core.state import Action
from rules.tanga.combat.melee import factor
from rules.tanga.field import board_of, is_held_by, protection, reach_of
from rules.tanga.german.fight import FIRE, MELEE, Fire, Melee
from rules.tanga.german.move import Move, reachable
from rules.tanga.german.orders import phase_of
from rules.tanga.german.stand import IMPROVE, RALLY
from rules.tanga.maps import Board
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.turn import TurnNext

MARGIN, LAST_MARGIN = 3, 0
"""Factors by which it must be stronger to attack; on the last turn, one of the hexes that decide."""
KEEP_OFF = 2
"""Hexes it keeps from the British, if it can."""
NEAR = 3
"""Hexes round a lost one within which those count who could fight for it."""
COVER, GOAL, TARGETS, COMPANY, SUPPORT, CARE, TOO_NEAR, DISTANCE = 3.0, 4.0, 5.0, 6.0, 1.5, 3.0, 3.0, 0.6
"""What it weighs the points of a hex with."""


def choose(state: TangaState) -> Action:
    """The next order of a German turn; passing on when there is nothing better to do."""
    phase, goals = phase_of(state), kept(state)
    found: Action | None = None
    if phase is Phase.MOVE:
        found = _march(state, goals)
    elif phase is Phase.FIRE:
        found = max(FIRE.possible(state, GERMAN), key=partial(_shot, state, goals), default=None)
    elif phase is Phase.MELEE:
        strong = (attack for attack in MELEE.possible(state, GERMAN) if _ahead(state, goals, attack) >= 0)
        found = max(strong, key=partial(_ahead, state, goals), default=None)
    elif phase is Phase.RALLY:
        found = next(iter((*RALLY.possible(state, GERMAN), *IMPROVE.possible(state, GERMAN))), None)
    return found or TurnNext()


def kept(state: TangaState) -> frozenset[Hex]:
    """The hexes it keeps: of each kind so many that too few are left to the British, the nearest to the station."""
    board = board_of(state)
    station = board.spec.station
    found: list[Hex] = []
    for kind, needed in state.objectives.items():
        hexes = board.victory.get(kind, frozenset())
        ordered = sorted(hexes, key=lambda hex_: (hex_.distance(station) if station else 0, hex_.label))
        found += ordered[: max(0, len(hexes) - needed + 1)]
    return frozenset(found)


def _march(state: TangaState, goals: frozenset[Hex]) -> Move | None:
    """The first unit that stands better elsewhere goes there; each goes once a turn, the leaders last."""
    british = hexes_of(state, BRITISH)
    lost = frozenset(hex_ for hex_ in goals & british if _enough(state, hex_))
    ground = Ground(state, goals, lost if british else goals, british)
    for unit in sorted(state.of_side(GERMAN), key=lambda one: one.is_leader):
        if unit.is_good and not unit.moved and not state.formation(unit.formation).collapsed:
            spot = max((hex_of(unit), *reachable(state, (unit,))), key=partial(ground.worth, unit))
            if spot != unit.at:
                return Move(unit=unit.id, to=spot.label)
    return None


@dataclass(frozen=True)
class Ground:
    """What is weighed of the map: the hexes to keep, those to make for, and where the British are.

    Made for are those the British have taken, where there are enough to retake them.
    """

    state: TangaState
    goals: frozenset[Hex]
    towards: frozenset[Hex]
    british: frozenset[Hex]

    def worth(self, unit: TangaUnit, hex_: Hex) -> float:
        """What a hex is worth to a unit: the ground that decides, a field of fire, cover, and not being alone."""
        worth = COVER * protection(self.state, hex_)
        friends = [one for one in units_at(self.state, hex_) if one.formation == unit.formation and one.id != unit.id]
        if unit.is_leader:
            return worth + COMPANY * bool(friends) + CARE * sum(one.is_disrupted for one in friends)
        worth += SUPPORT * sum(one.is_good and one.is_combat for one in friends)
        worth += GOAL * (hex_ in self.goals)
        worth -= nearest(hex_, self.towards)
        return worth + self._facing(unit, hex_) if self.british else worth

    def _facing(self, unit: TangaUnit, hex_: Hex) -> float:
        """What the British are to it there: targets, too far to be any, or too near."""
        reach, near = reach_of(self.state, unit), nearest(hex_, self.british)
        shoots = near <= reach and _shoots(board_of(self.state), hex_, reach, self.british)
        too_near = near < KEEP_OFF and hex_ not in self.goals
        return TARGETS * shoots - DISTANCE * max(near - reach, 0) - TOO_NEAR * too_near


@lru_cache(maxsize=1 << 14)
def _shoots(board: Board, hex_: Hex, reach: int, targets: frozenset[Hex]) -> bool:
    """Whether any of some hexes is in range and sight."""
    return any(hex_.distance(other) <= reach and board.sees(hex_, other) for other in targets)


def _enough(state: TangaState, hex_: Hex) -> bool:
    """Whether the Germans near a hex are as strong as the British near it; on the last turn they always are enough."""
    strength = {BRITISH: 0, GERMAN: 0}
    for unit in state.units.values():
        near = unit.at is not None and unit.at.distance(hex_) <= NEAR * (2 if unit.side == GERMAN else 1)
        strength[unit.side] += unit.cf if near and unit.is_good else 0
    return strength[GERMAN] >= strength[BRITISH] or state.turn == state.turns


def _shot(state: TangaState, goals: frozenset[Hex], action: Fire) -> float:
    """The chance of a hit, a little more at who holds a hex that decides; on the last turn that comes first."""
    volley = FIRE.volley(state, action)
    chance, target = float(volley.factor.chance), volley.target
    decides = target in goals and is_held_by(state, target, BRITISH)
    return chance + decides * (1 if state.turn == state.turns else 0.1)


def _ahead(state: TangaState, goals: frozenset[Hex], action: Melee) -> float:
    """By how much the attack is the stronger than it must be, in factors."""
    here, there = MELEE.hexes(state, action)
    margin = LAST_MARGIN if there in goals and state.turn == state.turns else MARGIN
    return factor(state, here, GERMAN, there).total - factor(state, there, BRITISH, here).total - margin
