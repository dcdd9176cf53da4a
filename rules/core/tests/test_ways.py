"""Moves on a table in inches: their direction, obstacles and end."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rules.core.model import Cite
from rules.core.refusal import NoPlace, Refused
from rules.core.tabletop.battle import Place
from rules.core.tabletop.destinations import read_destination
from rules.core.tabletop.place import BackToHorses, MoveByDistance, Spot, TowardsUnit, TurnOnSpot
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Halt, Way, Ways, say_who_stands, way_to_spot

from .companies import PLACEMENT, THEIRS, Company, Field, company, table_of, unplaced_company

RULE = Cite(rule="T-2")
WAYS: Ways[Company] = Ways(
    PLACEMENT,
    takes_ground=lambda unit: not unit.colonel,
    attacks=lambda unit: not unit.guns,
    rule=RULE,
)
A = company("A", 36, 40)


@contextmanager
def expect_refusal(words: str) -> Iterator[None]:
    """Expect a refusal in these words, with the rule given to `WAYS`."""
    with pytest.raises(Refused, match=re.escape(words)) as refusal:
        yield
    assert refusal.value.cite == RULE


def way(state: Field, destination: object, unit: Company = A) -> Way:
    base = PLACEMENT.base(unit)
    assert base is not None
    return WAYS.find_way(state, unit, base, destination)  # type: ignore[arg-type]


def forward(inches: float) -> MoveByDistance:
    return MoveByDistance(turn=0.0, inches=inches)


def check_way(*others: Company, to: object, furthest: float = 30, unit: Company = A) -> None:
    state = table_of(unit, *others)
    WAYS.check_way(state, unit, way(state, to, unit), furthest)


def halt_of_move(*others: Company, to: object, allowed: float = 30, unit: Company = A) -> Halt[Company]:
    state = table_of(unit, *others)
    return WAYS.find_halt_on_way(state, unit, way(state, to, unit), allowed)


def test_place_words_may_name_other_units_on_the_table() -> None:
    state = table_of(A, company("Blues", 36, 20, side=THEIRS), company("Lost", 1, 1, gone=True))
    assert read_destination(state, A, None) is None
    assert read_destination(state, A, "towards blues") == TowardsUnit(unit="blues")
    assert read_destination(state, A, "forward 6") == forward(6)
    for nobody in ("towards lost", "towards a"):
        with pytest.raises(NoPlace):
            read_destination(state, A, nobody)


def test_words_of_an_unplaced_unit_are_kept_for_the_log() -> None:
    away = unplaced_company("A")
    assert read_destination(table_of(away), away, "behind the hill") is None
    with pytest.raises(NoPlace):
        read_destination(table_of(A), A, "behind the hill")


def test_verb_agrees_with_the_number_of_units() -> None:
    assert say_who_stands([A]) == "A stand"
    assert say_who_stands([A, company("B", 1, 1)]) == "A and B stand"


def test_march_to_a_point_faces_its_direction_by_default() -> None:
    base = PLACEMENT.base(A)
    assert base is not None
    east = way_to_spot(base, Spot(at=(46, 40)))
    assert (east.bearing, east.wanted, east.base.facing, east.base.at) == (90, 10, 90, (36, 40))
    assert way_to_spot(base, Spot(at=(46, 40), facing=180)).base.facing == 180
    assert way_to_spot(base.moved_to(base.at, 45), Spot(at=(36, 40.04))).base.facing == 45


def test_turning_goes_nowhere() -> None:
    turned = way(table_of(A), TurnOnSpot(facing=200))
    assert (turned.wanted, turned.base.facing, turned.base.at) == (0, 200, (36, 40))


def test_a_course_is_reckoned_from_the_facing_which_is_kept() -> None:
    west = company("A", 36, 40, 270)
    right = way(table_of(west), MoveByDistance(turn=90, inches=6), west)
    assert (right.bearing, right.wanted, right.base.facing) == (0, 6, 270)
    back = way(table_of(west), MoveByDistance(turn=180, inches=3, facing=10), west)
    assert (back.bearing, back.base.facing) == (90, 10)


def test_towards_an_enemy_leads_into_contact_and_is_meant_for_it() -> None:
    state = table_of(A, company("E", 36, 20, 180, THEIRS))
    charge = way(state, TowardsUnit(unit="e"))
    assert charge.bearing == 0
    assert charge.wanted == pytest.approx(19, abs=0.1)  # between the fronts of two bases an inch deep
    assert charge.meant_for == "e"
    assert way(state, TowardsUnit(unit="e", inches=6)).wanted == 6
    assert way(state, TowardsUnit(unit="e", inches=40)).wanted == pytest.approx(19, abs=0.1)


def test_towards_turns_to_the_target_and_refuses_a_friend() -> None:
    joined = way(table_of(A, company("B", 20, 40)), TowardsUnit(unit="b"))
    assert (joined.bearing, joined.base.facing, joined.meant_for) == (270, 270, None)
    assert joined.wanted == pytest.approx(13.5, abs=0.1)  # their left, two inches off their middle


def test_towards_refuses_itself_and_an_unplaced_unit() -> None:
    for goal in (unplaced_company("B"), A):
        with expect_refusal(f"Where {goal.name} stand is not known"):
            way(table_of(A, goal), TowardsUnit(unit=goal.id))


def test_unit_that_left_no_horses_cannot_return_to_them() -> None:
    with expect_refusal("A have left no horses anywhere"):
        way(table_of(A), BackToHorses())


def test_refusal_tells_the_distance_to_an_enemy_in_the_way() -> None:
    enemy = company("E", 36, 30, side=THEIRS)
    with expect_refusal('E bar the way after 9". Go round'):
        check_way(enemy, to=forward(20))
    check_way(enemy, to=forward(20), furthest=8)
    check_way(enemy, to=forward(8))
    check_way(company("E", 41, 30, side=THEIRS), to=forward(20))


def test_targeted_enemy_does_not_bar_the_way_but_a_nearer_one_does() -> None:
    far, near = company("Far", 36, 20, side=THEIRS), company("Near", 36, 30, side=THEIRS)
    check_way(far, to=TowardsUnit(unit="far"))
    with expect_refusal("Near bar the way"):
        check_way(far, near, to=TowardsUnit(unit="far"))


def test_way_into_contact_targets_the_touched_enemy() -> None:
    check_way(company("E", 36, 30, side=THEIRS), to=forward(9))


def test_unit_that_does_not_attack_cannot_move_into_contact() -> None:
    guns = company("Guns", 36, 40, guns=True)
    with expect_refusal("Guns do not move into contact: E are there"):
        check_way(company("E", 36, 30, side=THEIRS), to=TowardsUnit(unit="e"), unit=guns)
    check_way(company("E", 36, 30, side=THEIRS), to=forward(5), unit=guns)


def test_neither_friends_nor_colonels_nor_the_gone_bar_a_way() -> None:
    companies = (
        company("B", 36, 30),
        company("C", 36, 30, side=THEIRS, colonel=True),
        company("G", 36, 30, side=THEIRS, gone=True),
        unplaced_company("N", THEIRS),
    )
    check_way(*companies, to=forward(20))


def test_enemy_in_contact_bars_advance_but_not_withdrawal() -> None:
    enemy = company("E", 36, 39, side=THEIRS)
    check_way(enemy, to=MoveByDistance(turn=180, inches=4))
    with expect_refusal("E bar the way"):
        check_way(enemy, to=forward(4))


@pytest.mark.parametrize(("x", "y", "turn"), [(36, 46, 180), (36, 2, 0), (3, 24, 270), (69, 24, 90)])
def test_nothing_moves_off_the_table(x: float, y: float, turn: float) -> None:
    unit = company("A", x, y)
    with expect_refusal('off the table of 72" by 48", squares A1 to F4. Choose a nearer point'):
        check_way(to=MoveByDistance(turn=turn, inches=2), unit=unit)
    check_way(to=MoveByDistance(turn=turn, inches=0.5), unit=unit)
    check_way(to=MoveByDistance(turn=turn, inches=20), furthest=0.5, unit=unit)


def test_unit_over_the_edge_may_stay_while_its_middle_is_on_the_table() -> None:
    over = company("A", 1, 24)
    check_way(to=forward(4), unit=over)
    check_way(to=MoveByDistance(turn=270, inches=1), unit=over)
    with expect_refusal("off the table"):
        check_way(to=MoveByDistance(turn=270, inches=1.1), unit=over)


def test_a_move_goes_as_far_as_it_wants_or_is_allowed() -> None:
    assert (halt_of_move(to=forward(6)).run, halt_of_move(to=forward(6), allowed=4).run) == (6, 4)
    assert halt_of_move(to=forward(6)).base.at == pytest.approx((36, 34))
    assert halt_of_move(to=forward(6)) == halt_of_move(unplaced_company("B"), company("C", 20, 20), to=forward(6))


def test_a_move_ends_at_the_first_enemy_it_meets() -> None:
    halt = halt_of_move(company("Far", 36, 25, side=THEIRS), company("Near", 36, 30, side=THEIRS), to=forward(20))
    assert halt.met == "near"
    assert halt.run == pytest.approx(9, abs=0.1)
    assert halt.base.at[1] == pytest.approx(31, abs=0.1)
    assert halt_of_move(company("Far", 36, 25, side=THEIRS), to=forward(9)).met is None


def test_first_of_two_enemies_at_equal_distance_is_met() -> None:
    pair = company("E", 34, 30, side=THEIRS), company("F", 38, 30, side=THEIRS)
    assert halt_of_move(*pair, to=forward(9)).met == "e"


def test_move_passes_over_a_friend_and_stops_short_of_it() -> None:
    friend = company("B", 36, 34)
    assert halt_of_move(friend, to=forward(10)).run == 10
    halt = halt_of_move(friend, to=forward(6))
    assert [company.name for company in halt.crowded_by] == ["B"]
    assert halt.run == pytest.approx(5, abs=0.3)
    assert halt.met is None
    assert halt_of_move(company("C", 36, 34, colonel=True), to=forward(6)).run == 6


def test_unit_without_room_before_an_enemy_does_not_meet_it() -> None:
    enemy, friend = company("E", 36, 30, side=THEIRS), company("B", 38.5, 31)
    halt = halt_of_move(enemy, friend, to=TowardsUnit(unit="e"))
    assert (halt.met, [company.name for company in halt.crowded_by]) == (None, ["B"])


def test_unit_halted_by_a_friend_meets_the_enemy_it_touches() -> None:
    beside = company("E", 40.03, 35, side=THEIRS)
    halt = halt_of_move(company("B", 36, 34), beside, to=forward(6))
    assert (halt.met, [company.name for company in halt.crowded_by]) == ("e", ["B"])


def friends_in_the_way(state: Field, unit: Company) -> list[tuple[Company, Base]]:
    """Return the friends on a way of 6 inches to the north."""
    base = PLACEMENT.base(unit)
    assert base is not None
    return list(WAYS.friends_on_way(state, unit, Way(0.0, 6.0, base), 6.0))


def test_a_colonel_finds_room_among_his_friends() -> None:
    colonel = company("C", 36, 40, colonel=True)
    assert halt_of_move(company("B", 36, 34), to=forward(6), unit=colonel).run == 6
    assert friends_in_the_way(table_of(colonel, company("B", 36, 34)), colonel) == []


def test_friends_are_placed_units_of_the_side_that_take_ground() -> None:
    friend = company("B", 36, 34)
    companies = (friend, company("C", 1, 1, colonel=True), company("G", 1, 1, gone=True), unplaced_company("N"))
    enemy = company("E", 36, 20, side=THEIRS)
    assert friends_in_the_way(table_of(A, *companies, enemy), A) == [(friend, PLACEMENT.base(friend))]


def require_room_to_turn(*others: Company, now: Company, was: Company = A) -> None:
    before, after = PLACEMENT.base(was), PLACEMENT.base(now)
    assert before is not None
    assert after is not None
    WAYS.require_clearance_on_spot(table_of(was, *others), was, before, after)


def test_unit_does_not_turn_over_the_edge_unless_already_over_it() -> None:
    edge = company("A", 36, 47)
    with expect_refusal("A would stand over the edge of the table. Move them clear first"):
        require_room_to_turn(was=edge, now=company("A", 36, 47, 90))
    require_room_to_turn(was=company("A", 36, 47.8), now=company("A", 36, 47.8, 90))


def test_unit_does_not_turn_onto_a_friend_unless_already_overlapping() -> None:
    with expect_refusal("A have no room: B stand there. Move one of them clear"):
        require_room_to_turn(company("B", 36, 38.5), now=company("A", 36, 40, 90))
    require_room_to_turn(company("B", 36, 39.5), now=company("A", 36, 40, 90))
    require_room_to_turn(company("C", 36, 38.5, colonel=True), now=company("A", 36, 40, 90))


def test_unit_does_not_turn_into_an_enemy_unless_already_touching() -> None:
    with expect_refusal("A would touch E. To attack, say “towards E”"):
        require_room_to_turn(company("E", 36, 38, side=THEIRS), now=company("A", 36, 40, 90))
    require_room_to_turn(company("E", 36, 39, side=THEIRS), now=company("A", 36, 40, 90))
    require_room_to_turn(company("E", 36, 30, side=THEIRS), unplaced_company("N", THEIRS), now=company("A", 36, 40, 90))
    require_room_to_turn(company("C", 36, 38, side=THEIRS, colonel=True), now=company("A", 36, 40, 90))
    colonel = company("C", 36, 40, colonel=True)
    require_room_to_turn(company("E", 36, 38, side=THEIRS), was=colonel, now=company("C", 36, 40, 90, colonel=True))


def test_check_considers_every_enemy() -> None:
    with expect_refusal("touch E"):
        require_room_to_turn(
            unplaced_company("N", THEIRS), company("E", 36, 38, side=THEIRS), now=company("A", 36, 40, 90)
        )


@pytest.mark.parametrize(("x", "y", "flank"), [(36, 30, False), (46, 40, True), (45, 30.5, False), (36, 48, True)])
def test_the_flank_begins_so_many_degrees_off_the_bow(x: float, y: float, flank: bool) -> None:
    attacker = PLACEMENT.base(company("E", x, y, side=THEIRS))
    assert attacker is not None
    assert WAYS.is_flank_attack(A, attacker, 45) is flank
    assert WAYS.is_flank_attack(unplaced_company("A"), attacker, 0) is False


def test_an_attack_exactly_on_the_angle_is_in_the_flank() -> None:
    attacker = PLACEMENT.base(company("E", 46, 40, side=THEIRS))
    assert attacker is not None
    assert WAYS.is_flank_attack(A, attacker, 90.04) is True
    assert WAYS.is_flank_attack(A, attacker, 90.06) is False


def require_room(now: Company, *others: Company) -> None:
    WAYS.require_clearance(table_of(now, *others), now)


def test_unit_is_set_down_on_the_table_only() -> None:
    for off in (company("A", 1.9, 40), company("A", 70.1, 40), company("A", 36, 0.4), company("A", 36, 47.6)):
        why = r'^A would stand off the table, which is 72" by 48", squares A1 to F4\. Choose another place\.$'
        with pytest.raises(Refused, match=why):
            require_room(off)
    require_room(company("A", 2, 0.5))
    require_room(unplaced_company("A"))


def test_unit_is_not_set_down_on_an_enemy_or_solid_friend() -> None:
    for occupant in (company("B", 36, 39.5), company("E", 36, 39.5, side=THEIRS)):
        with pytest.raises(Refused, match=rf"^A would stand on {occupant.name}\. Choose another place\.$"):
            require_room(A, occupant)
    with pytest.raises(Refused, match="stand on E"):
        require_room(company("C", 36, 40, colonel=True), company("E", 36, 39.5, side=THEIRS))
    require_room(company("C", 36, 40, colonel=True), company("B", 36, 39.5))
    require_room(
        A,
        company("C", 36, 39.5, colonel=True),
        company("G", 36, 40, side=THEIRS, gone=True),
        unplaced_company("N", THEIRS),
    )
    require_room(A, company("B", 36, 39))


def test_back_to_the_horses_leads_to_their_place() -> None:
    ways = Ways(PLACEMENT, lambda _: True, lambda _: True, RULE, horses=lambda unit: Place(x=46, y=40))
    base = PLACEMENT.base(A)
    assert base is not None
    way_there = ways.find_way(table_of(A), A, base, BackToHorses())
    assert (way_there.bearing, way_there.wanted, way_there.base.facing) == (90, 10, 90)
    with expect_refusal("A have left no horses anywhere"):
        way(table_of(A), BackToHorses())
