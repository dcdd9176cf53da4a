"""Estimates of a position for the German player: each stack's abilities, and expected hits on both sides."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.hexboard.ways import distance_to_nearest
from rules.core.memo import cache_by_identity

from . import victory
from .combat.strike import HITS, Factor
from .field import board_of, firing_range, firing_unit, hex_protection, leader_bonus
from .maps import Board
from .model import BRITISH, GERMAN, Condition, Formation, TangaState, TangaUnit
from .options import TangaOptions

EXPECTED_ADVANCE = 2
"""Number of hexes that the British are expected to advance before they fire."""
VICTORY_HEX_WEIGHT, STRONG_ENEMY_WEIGHT = 2.0, 0.3
"""Weights of an attack: on an enemy in a victory hex, and on an enemy who is strong enough to attack back."""
HIT_CHANCES = tuple(float(Factor("", score, HITS).chance) for score in range(13))
"""Probability of a hit, by factor."""


def hit_chance(factor: int) -> float:
    """Return the probability of a hit with `factor`."""
    return HIT_CHANCES[factor] if 0 <= factor < len(HIT_CHANCES) else float(factor > 0)


@lru_cache(maxsize=1 << 13)
def hexes_in_sight(board: Board, hex_: Hex, reach: int) -> frozenset[Hex]:
    """Return the land hexes within `reach` hexes and in sight of a hex."""
    return frozenset(other for other in hexes_around(board, hex_, reach) if board.sees(hex_, other))


@lru_cache(maxsize=1 << 13)
def hexes_around(board: Board, hex_: Hex, hexes: int) -> frozenset[Hex]:
    """Return the land hexes at most `hexes` away from a hex, without the hex itself."""
    return frozenset(other for other in board.land if 0 < hex_.distance(other) <= hexes)


@dataclass(frozen=True)
class Stack:
    """A side's stack in a hex. `fire` and `melee` are the stack's factors before any deduction for protection."""

    hex: Hex
    formation: str
    protection: int
    aim: int
    """CF of the unit that is hit first."""
    units: int = 0
    """Number of combat units in good order."""
    reach: int = 0
    fire: int = 0
    melee: int = 0


@dataclass
class Estimates:
    """Estimates of one state, each computed when first needed."""

    state: TangaState
    german: Mapping[Hex, Stack]
    british: Mapping[Hex, Stack]
    victory: frozenset[Hex]

    def distance_to_victory(self, hex_: Hex) -> int:
        """Return the distance to the nearest victory hex."""
        return distance_to_nearest(hex_, self.victory)

    def hexes_out_of_range(self, hex_: Hex, reach: int) -> int:
        """Return how many hexes a unit with range `reach` is short of the nearest British unit; 0 in range."""
        return max(0, distance_to_nearest(hex_, hexes_of_side(self.state, BRITISH)) - max(1, reach))

    @cached_property
    def losses_by_formation(self) -> Mapping[str, int]:
        """Return the FBL of each formation with losses, by formation id."""
        casualties = (unit for unit in self.state.units.values() if unit.condition is not Condition.GOOD)
        return Counter(unit.formation for unit in casualties if unit.is_combat and not unit.headquarters)

    @cached_property
    def expected_german_hits(self) -> float:
        """Return the expected hits, in CF, of the Germans' best shots next turn."""
        return sum(map(self._expected_german_hits_of, self.german.values()))

    def _expected_german_hits_of(self, stack: Stack) -> float:
        targets = hexes_in_sight(board_of(self.state), stack.hex, stack.reach) & self.british.keys()
        foes = (self.british[hex_] for hex_ in targets)
        return max((hit_chance(stack.fire - foe.protection) * foe.aim for foe in foes), default=0.0)

    @cached_property
    def expected_british_hits(self) -> float:
        """Return the expected hits, in CF, of British fire and melee after the British have advanced."""
        return sum(self._expected_british_hits_of(stack) for stack in self.british.values() if stack.units)

    def _expected_british_hits_of(self, stack: Stack) -> float:
        board, least = board_of(self.state), self.state.options.begins_melee
        near = hexes_around(board, stack.hex, stack.reach + EXPECTED_ADVANCE)
        targets = [self.german[hex_] for hex_ in near & self.german.keys()]
        fire = sum(hit_chance(stack.fire - foe.protection) * foe.aim for foe in targets) / max(1, len(targets))
        beside = [foe for foe in targets if stack.hex.distance(foe.hex) <= EXPECTED_ADVANCE + 1]
        factors = ((stack.melee - foe.protection, foe.aim) for foe in beside)
        melee = sum(hit_chance(factor) * aim for factor, aim in factors if factor >= least)
        return fire + melee / max(1, len(beside))

    @cached_property
    def assault_progress(self) -> float:
        """Return how near German stacks are to driving adjacent British away. British in victory hexes weigh most."""
        return sum(map(self._assault_progress_of, self.german.values()))

    def _assault_progress_of(self, stack: Stack) -> float:
        least, best = self.state.options.begins_melee, 0.0
        for foe in (self.british[at] for at in stack.hex.neighbours() if at in self.british):
            ready = min(1.0, max(0.0, (stack.melee - foe.protection) / least))
            even = STRONG_ENEMY_WEIGHT if foe.melee - stack.protection >= least else 1.0
            best = max(best, ready**2 * even * (VICTORY_HEX_WEIGHT if foe.hex in self.victory else 1.0))
        return best


def estimates_of(state: TangaState) -> Estimates:
    """Return the state's estimates. They are cached until units, formations or improved positions change."""
    cache: dict[str, Estimates] = state.stacks.found
    last = cache.get("outlook")
    if last is None or last.state.formations is not state.formations or last.state.improved is not state.improved:
        german, british = _stacks_by_hex(state, GERMAN), _stacks_by_hex(state, BRITISH)
        last = cache["outlook"] = Estimates(state, german, british, victory.victory_hexes(state))
    return last


def _stacks_by_hex(state: TangaState, side: str) -> Mapping[Hex, Stack]:
    """Return a side's stacks with combat units, by hex."""
    stacks: dict[Hex, Stack] = {}
    for hex_ in hexes_of_side(state, side):
        units = units_at(state, hex_)
        if (target := _unit_hit_first(*units)) is not None:
            protection, formation = hex_protection(state, hex_), state.formation(target.formation)
            stacks[hex_] = _make_stack(state.options, protection, formation, target, *units)
    return stacks


@cache_by_identity
def _make_stack(options: TangaOptions, cover: int, formation: Formation, target: TangaUnit, *units: TangaUnit) -> Stack:
    """Return a stack with its factors. `target` is the unit that is hit first.

    The factors are 0 if `target` is not in good order, or if the formation has collapsed.
    """
    fields = unit_hex(target), target.formation, cover, target.cf
    if not target.is_in_good_order or formation.collapsed:
        return Stack(*fields)
    good = [unit.cf for unit in units if unit.is_combat and unit.is_in_good_order]
    support = options.support * min(options.most_support, len(good) - 1)
    melee = sum(good) + leader_bonus(units)
    return Stack(*fields, len(good), firing_range(options, target), target.cf + support, melee)


@cache_by_identity
def _unit_hit_first(*units: TangaUnit) -> TangaUnit | None:
    """Return the unit of a stack that is hit first; None without combat units."""
    return firing_unit(units)
