"""Firing (CH-2), measured: arc, lane, sight, range, groups, guns, answers."""

import math
from fractions import Fraction

import icepool
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.charge.aim import aims_at_target
from rules.charge.figures import figure_bases, front_middle
from rules.charge.fire import Fire
from rules.charge.model import ChargeState, Formation, Hits
from rules.charge.volley import Volley, count_infantry_dice, measure_range, round_to_men, score_to_hit
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.tabletop.battle import Place
from rules.core.tabletop.table import shift_point
from rules.core.tests.scripted import ScriptedDice

from .field import (
    NORTH,
    SYSTEM,
    act,
    blue,
    field,
    fire_over,
    ground,
    gun,
    horse,
    in_rear_of,
    red,
    refusal,
    text_of,
    wall,
)


def firing_figures(state: ChargeState, unit: str, target: str) -> int:
    """Return the number of figures that can fire, as the bot calculates it."""
    return sum(not aim.describe_fault(6) for aim in aims_at_target(state, state.unit(unit), state.unit(target)))


def test_ch_2_1_a_figure_measures_45_degrees_from_the_middle_of_its_base() -> None:
    """A single man stands before the left of a long line: figures on the right have him out of their arc."""
    state = field(red("Line", (30, 20), formation=Formation.LINE), blue("Man", (24.8, 16), figures=1))
    line_aims = aims_at_target(state, state.unit("line"), state.unit("man"))
    assert [aim.number for aim in line_aims] == list(range(1, 17))
    assert line_aims[-1].degrees > 0 > line_aims[0].degrees
    in_arc = [aim.number for aim in line_aims if abs(aim.degrees) <= 45]
    assert in_arc == list(range(min(in_arc), 17))
    assert firing_figures(state, "line", "man") == len(in_arc)


def test_ch_2_1_a_refusal_says_which_figure_which_angle_and_how_far() -> None:
    state = field(red("Line", (30, 20), figures=6), blue("Man", (34.5, 18.5), figures=1))
    why = refusal(state, "fire", unit="line", target="man")
    assert "No 1 has it" in why
    assert "° to the right" in why
    assert "No figure of Line can fire at Man" in why


def test_ch_2_1_friends_bar_only_figures_with_a_line_near_them() -> None:
    """Friends stand before the left of the line."""
    state = field(
        red("Line", (30, 20), formation=Formation.LINE),
        red("Friends", (25, 17), figures=4),
        blue("Wall", (30, 14.5), formation=Formation.LINE),
    )
    line_aims = aims_at_target(state, state.unit("line"), state.unit("wall"))
    barred = [aim.number for aim in line_aims if aim.near_friend]
    assert barred
    assert min(barred) > 8, "the right-hand men are clear of them"
    assert firing_figures(state, "line", "wall") == 16 - len(barred)


def test_ch_2_1_own_unit_does_not_bar_its_figures() -> None:
    state = field(red("Column", (30, 20), formation=Formation.COLUMN, figures=8), blue("Man", (30, 16), figures=1))
    assert firing_figures(state, "column", "man") == 8


@pytest.mark.parametrize(
    ("piece", "hides"),
    [
        (ground(Feature.HILL, 25, 15, 35, 16, "Ridge"), True),
        (ground(Feature.BUILDING, 25, 15, 35, 16, "Farm"), True),
        (ground(Feature.WOOD, 20, 14.5, 40, 16.5, "Thin wood"), False),
        (ground(Feature.WOOD, 20, 14.3, 40, 16.6, "Wood"), True),
        (ground(Feature.MARSH, 20, 12, 40, 18, "Marsh"), False),
    ],
)
def test_ch_2_1_hills_buildings_and_wood_hide(piece: TerrainPiece, hides: bool) -> None:
    state = field(red("Gun", (30, 20), **gun()), blue("Man", (30, 12), figures=1), terrain=(piece,))
    if hides:
        assert f"cannot see it for {piece.name}" in refusal(state, "fire", unit="gun", target="man")
    else:
        assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "gun", "target": "man"}))


def test_ch_2_1_unit_on_a_hill_is_seen() -> None:
    hill = ground(Feature.HILL, 25, 10, 35, 16, "Hill")
    state = field(red("Gun", (30, 20), **gun()), blue("Man", (30, 12), figures=1), terrain=(hill,))
    assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "gun", "target": "man"}))


def test_ch_2_1_cavalry_do_not_fire() -> None:
    state = field(red("Horse", (30, 20), **horse()), blue("Foot", (30, 16)))
    assert "Cavalry do not fire" in refusal(state, "fire", unit="horse", target="foot")


def test_ch_2_1_one_range_a_volley_from_the_middle_of_the_front() -> None:
    state = field(red("Line", (30, 20)), blue("Foot", (30, 16)))
    assert measure_range(state.unit("line"), state.unit("foot")) == pytest.approx(4 - 0.75 - 0.75)
    assert front_middle(state.unit("line")) == pytest.approx((30, 19.25))


@pytest.mark.parametrize("formation", [Formation.LINE, Formation.TWO_RANKS, Formation.COLUMN])
@pytest.mark.parametrize(("away", "fire"), [(5, True), (5.7, True), (6, True), (6.1, False)])
def test_ch_2_1_depth_costs_no_reach(formation: Formation, away: float, fire: bool) -> None:
    """Sixteen men fire at a long line up to 6 inches before their front, the last rank as well as the first."""
    state = in_rear_of(away, 16, formation)
    if fire:
        _, report = act(state, "fire", [5, 3], unit="line", target="foot")
        assert "16 of 16 figures can fire" in text_of(report)
    else:
        assert 'Foot are 6.1" away, and infantry fire 6"' in refusal(state, "fire", unit="line", target="foot")


def test_ch_2_1_each_file_has_a_reach_of_its_own() -> None:
    """A man stands 5" before the right of a long line: figures on the left have him out of range."""
    state = field(red("Line", (30, 20), formation=Formation.LINE), blue("Man", (36, 14.25), figures=1))
    assert measure_range(state.unit("line"), state.unit("man")) > 6
    reach_him = [aim.number for aim in aims_at_target(state, state.unit("line"), state.unit("man")) if aim.inches <= 6]
    # The man is 5" ahead; he stands 2.625" aside of the file of No 5 (5.65" away), 3.375" of that of No 6 (6.03").
    assert reach_him == [1, 2, 3, 4, 5]
    _, report = act(state, "fire", [6], unit="line", target="man")
    assert "5 of 16 figures can fire" in text_of(report)


def test_ch_3_3_men_in_range_are_within_6_inches_of_a_firing_file() -> None:
    """A long line stands 5 inches off: its figures more than 6" from the last file are out of range."""
    state = field(red("Line", (30, 20), figures=8), blue("Wall", (30, 13.5), figures=40, formation=Formation.LINE))
    after, _ = act(state, "fire", [6], unit="line", target="wall")
    # The front of four files ends 1.5" off its middle; 6" from there are 3.06" aside at 5.25" (5.25² + 2.905² = 6²).
    reached = after.unit("wall").hits[0].reached
    bases = figure_bases(state.unit("wall"))
    assert [number for number, base in enumerate(bases, 1) if abs(base.at[0] - 30) - 0.375 <= 1.5 + 2.905] == [*reached]
    assert 8 < len(reached) < 40


@pytest.mark.parametrize(("crew", "fires"), [(4, True), (3, False)])
def test_ch_2_2_a_gun_needs_a_crew_of_four(crew: int, fires: bool) -> None:
    state = field(red("Gun", (30, 20), **gun(crew)), blue("Foot", (30, 10)))
    if fires:
        assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "gun", "target": "foot"}))
    else:
        assert "needs a crew of 4 to fire; Gun has 3" in refusal(state, "fire", unit="gun", target="foot")


@pytest.mark.parametrize(
    ("inches", "score"),
    [
        (0, 1),
        (6, 1),
        (6.1, 2),
        (12, 2),
        (12.1, 3),
        (18, 3),
        (18.5, 4),
        (24, 4),
        (30, 5),
        (30.1, 6),
        (36, 6),
        (36.1, None),
    ],
)
def test_ch_2_3_a_gun_hits_on_the_score_of_its_band(inches: float, score: int | None) -> None:
    assert score_to_hit(inches) == score


def test_ch_2_3_gun_hits_without_a_throw_at_6_inches_and_cannot_fire_beyond_36() -> None:
    state = field(red("Gun", **gun()), blue("Foot"))
    after, report = act(state, "fire", [4], unit="gun", target="foot", range=6)
    assert after.unit("foot").hits[0].casualties == 4
    assert "always hits" in text_of(report)
    assert 'a gun reaches 36"' in refusal(state, "fire", unit="gun", target="foot", range=36.5)


@pytest.mark.parametrize(
    ("figures", "dice"),
    [
        (3, (0, False)),
        (4, (0, True)),
        (7, (0, True)),
        (8, (1, False)),
        (11, (1, False)),
        (12, (1, True)),
        (24, (3, False)),
    ],
)
def test_ch_2_5_and_2_6_groups_of_eight_and_the_odd_four_to_seven(figures: int, dice: tuple[int, bool]) -> None:
    assert count_infantry_dice(figures) == dice


def test_ch_2_6_fewer_than_four_throw_no_die() -> None:
    assert "fewer than 4 throw no die" in refusal(
        field(red("Few", figures=3), blue("Foot")), "fire", unit="few", target="foot", range=2
    )


@pytest.mark.parametrize("each", [Fraction(1), Fraction(1, 2), Fraction(1, 8)])
@pytest.mark.parametrize(("whole", "odd"), [(0, True), (1, False), (2, True), (3, True)])
def test_ch_2_6_the_chances_of_a_volley_are_those_of_icepool(whole: int, odd: bool, each: Fraction) -> None:
    pool = whole @ icepool.d6 if whole else icepool.Die([0])
    total = pool * 2 + (icepool.d6 if odd else 0)
    ours = dict(Volley(whole, odd, each).distribution)
    theirs = {Fraction(score, 2) * each: Fraction(number, total.denominator()) for score, number in total.items()}
    assert ours == theirs


def test_ch_2_4_the_chances_of_a_gun_count_its_misses() -> None:
    distribution = dict(Volley(1, has_odd_group=False, per_pip=Fraction(1, 2), to_hit=4).distribution)
    assert distribution == {Fraction(0): Fraction(1, 2), **{Fraction(n, 2): Fraction(1, 12) for n in range(1, 7)}}


def test_ch_2_7_infantry_answers_before_casualties_fall() -> None:
    state = field(red("Line", (30, 20)), blue("Foot", (30, 16)), red("More", (5, 44)), blue("Others", (5, 4)))
    fired, report = act(state, "fire", [6, 6], unit="line", target="foot")
    assert fired.unit("foot").figures == 16
    assert "men fall when the turn's fire is over" in text_of(report)
    # The unit answers with all 16 figures, although 12 casualties wait; then a die each says who falls.
    after, report = act(fired, "turn_next", [5, 5, 1, 1])
    assert (after.unit("line").figures_lost, after.unit("foot").figures_lost) == (10, 12)
    assert "Foot fire at Line" in text_of(report)
    assert after.mover == "blues"


def test_ch_2_7_unit_fired_at_by_several_chooses_its_answer() -> None:
    state = field(
        red("Left", (26, 20), figures=8),
        red("Right", (34, 20), figures=8),
        blue("Foot", (30, 16), formation=Formation.LINE),
    )
    for unit_id in ("left", "right"):
        state, _ = act(state, "fire", [1], unit=unit_id, target="foot")
    waiting, report = act(state, "turn_next")
    assert waiting.phase == "answering fire"
    assert [offer.label.split(":")[0] for prompt in report.prompts for offer in prompt.offers] == [
        "Foot fire at Left",
        "Foot fire at Right",
    ]
    assert SYSTEM.awaited_viewers(waiting) == {"blues"}
    after, _ = SYSTEM.act(waiting, Fire(unit="foot", target="right"), ScriptedDice([6] * 9))
    assert after.unit("right").figures_lost
    assert not after.unit("left").figures_lost


def test_ch_2_7_guns_and_units_not_fired_at_do_not_answer() -> None:
    hits = (Hits(by="line", casualties=Fraction(1)),)
    state = field(
        red("Line", (30, 20)),
        blue("Gun", (30, 12), **gun(), hits=hits),
        blue("Foot", (36, 15)),
        phase="answering fire",
    ).model_copy(update={"active": "blues"})
    assert "nobody" in refusal(state, "fire", unit="gun", target="line")
    assert "Foot answer the fire of those who fired at them: nobody" in refusal(
        state, "fire", unit="foot", target="line"
    )
    assert "fire of this turn is over" in refusal(state, "fire", unit="line", target="foot")


def test_ch_2_a_unit_fires_once_in_its_own_turn() -> None:
    state = field(red("Line", (30, 20)), blue("Foot", (30, 16)))
    fired, _ = act(state, "fire", [1, 1], unit="line", target="foot")
    assert "fired this turn" in refusal(fired, "fire", unit="line", target="foot")


# Geometry by property: turning, mirroring and moving the whole table changes nothing.

POINTS = st.tuples(st.floats(20, 52), st.floats(12, 36))
FACINGS = st.floats(0, 359)


def turn_point(point: Point, by: float, about: Point = (36, 24)) -> Point:
    angle = math.radians(by)
    x, y = point[0] - about[0], point[1] - about[1]
    return about[0] + x * math.cos(angle) - y * math.sin(angle), about[1] + x * math.sin(angle) + y * math.cos(angle)


TOGETHER = 6.0
"""Distance in inches between two units below which they could overlap, which no table allows."""


def measure_aims(line: Place, target: Place, friend: Place) -> list[tuple[float, float, float]]:
    """Return for each figure its range, its degrees off the facing, and the clearance of its line from friends."""
    state = field(
        red("Line", line.point, line.facing, figures=12),
        red("Friend", friend.point, friend.facing, figures=5),
        blue("Foot", target.point, target.facing, figures=9),
    )
    aims = aims_at_target(state, state.unit("line"), state.unit("foot"))
    return [(aim.inches, aim.degrees, aim.clearance) for aim in aims]


@given(POINTS, FACINGS, POINTS, FACINGS, POINTS, FACINGS, FACINGS, st.floats(-9, 9), st.floats(-9, 9))
def test_ch_2_1_turning_and_moving_the_whole_table_changes_no_aim(a, fa, b, fb, c, fc, turn, east, south) -> None:
    assume(math.dist(a, b) > TOGETHER)

    def there(point: Point, facing: float) -> Place:
        x, y = turn_point(point, turn)
        return Place(x=x + east, y=y + south, facing=(facing + turn) % 360)

    here = measure_aims(
        Place(x=a[0], y=a[1], facing=fa), Place(x=b[0], y=b[1], facing=fb), Place(x=c[0], y=c[1], facing=fc)
    )
    away = measure_aims(there(a, fa), there(b, fb), there(c, fc))
    for aim, moved_aim in zip(here, away, strict=True):
        assert aim[0] == pytest.approx(moved_aim[0], abs=1e-6)
        assert aim[2] == pytest.approx(moved_aim[2], abs=1e-5)
        if aim[0] > 1e-3:
            assert math.remainder(aim[1] - moved_aim[1], 360) == pytest.approx(0, abs=1e-3 / min(aim[0], 1))


@given(POINTS, FACINGS, POINTS, FACINGS)
def test_ch_2_1_aims_are_those_of_shapely(a, fa, b, fb) -> None:
    state = field(red("Line", a, fa, figures=12), blue("Foot", b, fb, figures=9))
    outline = shapely.union_all([base.outline for base in figure_bases(state.unit("foot"))])
    for aim, base in zip(
        aims_at_target(state, state.unit("line"), state.unit("foot")), figure_bases(state.unit("line")), strict=True
    ):
        behind = 0 if aim.number <= 6 else 0.75
        front = [shift_point(shift_point(base.at, fa, 0.375 + behind), fa + 90, side) for side in (-0.375, 0.375)]
        assert aim.inches == pytest.approx(outline.distance(shapely.LineString(front)), abs=1e-9)
        assert math.dist(aim.start, aim.end) == pytest.approx(outline.distance(shapely.Point(base.at)), abs=1e-9)
        if math.dist(aim.start, aim.end) > 1e-3:
            x, y = aim.end[0] - base.at[0], aim.end[1] - base.at[1]
            ahead = x * math.sin(math.radians(fa)) - y * math.cos(math.radians(fa))
            assert (abs(aim.degrees) <= 45) == (ahead >= math.cos(math.radians(45)) * math.hypot(x, y)) or abs(
                abs(aim.degrees) - 45
            ) < 1e-6


def test_figures_stand_in_ranks_numbered_from_the_right_hand_man() -> None:
    stood = figure_bases(red("Line", (30, 20), figures=5))
    assert [tuple(round(coordinate, 3) for coordinate in base.at) for base in stood] == [
        (30.75, 19.625),
        (30.0, 19.625),
        (29.25, 19.625),
        (30.375, 20.375),
        (29.625, 20.375),
    ]
    assert figure_bases(red("Line", (30, 20), facing=180, figures=3, formation=Formation.LINE))[0].at == pytest.approx(
        (29.25, 20)
    )


def test_a_crew_stands_clockwise_from_the_man_behind_the_gun() -> None:
    behind, left, before, right = (base.at for base in figure_bases(red("Gun", (30, 20), NORTH, **gun(4))))
    off = (3 - 0.75) / 2
    assert behind == pytest.approx((30, 20 + off))
    assert left == pytest.approx((30 - off, 20))
    assert before == pytest.approx((30, 20 - off))
    assert right == pytest.approx((30 + off, 20))


def test_ch_3_2_a_wall_close_before_a_unit_covers_it_from_fire_across_it() -> None:
    state = field(red("Line", (30, 20)), blue("Foot", (30, 15)), terrain=(wall((20, 16.2), (40, 16.2)),))
    _, report = act(state, "fire", [4, 4], unit="line", target="foot")
    assert "Each pip ¼ a casualty" in text_of(report)
    assert any("behind a wall" in modifier.reason for step in report.steps for modifier in step.modifiers)
    behind = field(red("Line", (30, 20)), blue("Foot", (30, 15)), terrain=(wall((20, 13.5), (40, 13.5)),))
    _, report = act(behind, "fire", [4, 4], unit="line", target="foot")
    assert not any("wall" in modifier.reason for step in report.steps for modifier in step.modifiers)


def test_ch_3_2_only_the_umpire_contradicts_the_terrain() -> None:
    state = field(red("Line", (30, 20)), blue("Foot", (30, 16)))
    action = Fire(unit="line", target="foot", circumstances=("target behind cover",))
    assert SYSTEM.side_of(state, action) == "umpire"
    after, _ = SYSTEM.act(state, action, ScriptedDice([4, 4]))
    assert after.unit("foot").hits[0].casualties == 4


def test_ch_3_1_fractions_of_all_fire_are_added_before_rounding() -> None:
    """Two volleys of a quarter and one of a half add up to one man, though each alone costs less."""
    hits = tuple(Hits(by="line", casualties=Fraction(n, 4), reached=tuple(range(1, 17))) for n in (1, 1, 2))
    state = field(red("Line", (30, 20)), blue("Foot", (30, 8), hits=hits))
    after, report = fire_over(state, [1])
    assert after.unit("foot").figures_lost == 1, text_of(report)
    assert round_to_men(Fraction(1, 4)) == 0
    assert round_to_men(Fraction(1, 2)) == 1


def test_ch_2_5_range_slightly_too_far_is_shown_as_too_far() -> None:
    assert 'Target are 6.1" away' in refusal(
        field(red("Line"), blue("Target")), "fire", unit="line", target="target", range=6.04
    )
