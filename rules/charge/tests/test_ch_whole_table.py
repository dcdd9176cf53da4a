"""Turning, mirroring or moving the whole table does not change the results of fire and moves."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.charge.aim import aims_at_target
from rules.charge.figures import PLACEMENT
from rules.charge.fire import FIRING, Fire
from rules.charge.model import ChargeState, ChargeUnit, Formation
from rules.charge.moving import MOVE, WAYS, Move
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.tabletop.battle import Place

from .field import blue, field, gun, horse, red

WIDE = 240.0
APART = 0.3
"""Minimum distance of units in inches, so that units neither overlap nor touch."""

# Steps that bring nothing exactly into line with anything: a touch is a matter of the last digit of a number.
POINTS = st.tuples(st.integers(0, 24), st.integers(0, 20)).map(lambda at: (111.137 + 0.731 * at[0], 110.291 + at[1]))
FACINGS = st.integers(0, 99).map(lambda step: 1.7 + 3.61 * step)
FEATURES = st.sampled_from([Feature.WOOD, Feature.HILL, Feature.SANGAR, Feature.RIVER, Feature.MARSH, Feature.BUILDING])
ARMS = st.sampled_from([{"figures": 16}, {"figures": 13, "formation": Formation.COLUMN}, horse(7), gun(5)])
MIDDLE = (120.0, 120.0)


@dataclass(frozen=True)
class Shift:
    """Return the state with the whole table turned, perhaps mirrored first, and moved."""

    turn: float
    mirrored: bool
    moved: Point = (0.0, 0.0)

    def point(self, at: Point) -> Point:
        x, y = at[0] - MIDDLE[0], at[1] - MIDDLE[1]
        x, angle = -x if self.mirrored else x, math.radians(self.turn)
        east, south = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        return MIDDLE[0] + east + self.moved[0], MIDDLE[1] + south + self.moved[1]

    def state(self, state: ChargeState) -> ChargeState:
        units = {unit.id: unit.model_copy(update={"place": self.place(unit.place)}) for unit in state.units.values()}
        ground = (piece.model_copy(update={"points": tuple(map(self.point, piece.points))}) for piece in state.terrain)
        return state.model_copy(update={"units": units, "terrain": tuple(ground)})

    def place(self, place: Place) -> Place:
        x, y = self.point(place.point)
        return Place(x=x, y=y, facing=((-place.facing if self.mirrored else place.facing) + self.turn) % 360)

    def words(self, to: str) -> str:
        swapped = {"left": "right", "right": "left"}
        way, *rest = to.split()
        return " ".join((swapped.get(way, way) if self.mirrored else way, *rest))


def fire_results(state: ChargeState, _shift: Shift) -> object:
    """Return everything that is decided about a fire before its dice."""
    line, foot = state.unit("line"), state.unit("foot")
    rows = (
        (aim.inches, abs(aim.degrees), aim.clearance, not aim.describe_fault(36))
        for aim in aims_at_target(state, line, foot)
    )
    plan = FIRING.plan_if_allowed(state, Fire(unit="line", target="foot"))
    measured = [sorted(column) for column in zip(*rows, strict=True)]
    return measured, plan and (plan.volley, len(plan.reached)), plan and plan.range


def move_results(state: ChargeState, shift: Shift) -> object:
    """Return for each move its distance and the enemies met."""
    moves = state.model_copy(update={"phase": "moves"})
    halts = []
    for to in ("forward 5", "left 3", "right 3", "back 6", "towards foot"):
        plan = MOVE.plan_if_allowed(moves, Move(unit="line", to=shift.words(to)))
        halt = plan and WAYS.find_halt_on_route(moves, plan.unit_ready, plan.route, plan.reach.furthest)
        halts.append(halt and (halt.met, plan.reach.furthest, halt.run))
    return halts


def is_same(first: object, second: object) -> bool:
    """Whether both results are equal within the accuracy of measured distances."""
    if isinstance(first, float) and isinstance(second, float):
        return first == pytest.approx(second, abs=0.02)
    if isinstance(first, tuple | list) and isinstance(second, tuple | list):
        return len(first) == len(second) and all(map(is_same, first, second))
    return first == second


def are_apart(units: list[ChargeUnit]) -> bool:
    return all((PLACEMENT.gap(first, second) or 0.0) > APART for first, second in combinations(units, 2))


@pytest.mark.parametrize("result", [fire_results, move_results])
@given(
    places=st.tuples(*[st.tuples(POINTS, FACINGS)] * 4),
    arm=ARMS,
    features=st.tuples(FEATURES, FEATURES),
    grounds=st.tuples(POINTS, POINTS),
    shift=st.builds(Shift, st.floats(0, 359), st.booleans(), st.tuples(st.floats(-20, 20), st.floats(-20, 20))),
)
def test_ch_1_and_2_the_whole_table_turned_mirrored_or_moved(
    result: Callable[[ChargeState, Shift], object], places, arm, features, grounds, shift
) -> None:
    (line, friend, foot, cavalry) = places
    units = [
        red("Line", line[0], line[1], **arm),
        red("Friend", friend[0], friend[1], figures=5),
        blue("Foot", foot[0], foot[1], figures=9),
        blue("More", cavalry[0], cavalry[1], **horse(4)),
    ]
    assume(are_apart(units))
    pieces = (_piece(feature, at) for feature, at in zip(features, grounds, strict=True))
    state = field(*units, terrain=tuple(pieces), width=WIDE, height=WIDE)
    original, shifted_result = result(state, Shift(0, mirrored=False)), result(shift.state(state), shift)
    assert is_same(original, shifted_result), (original, shifted_result)


def _piece(feature: Feature, at: Point) -> TerrainPiece:
    """Return an asymmetric piece of terrain."""
    corners = ((-3.03, -1.57), (2.41, -2.17), (3.67, 1.13), (-1.39, 2.71))
    return TerrainPiece(feature=feature, points=tuple((at[0] + x, at[1] + y) for x, y in corners))
