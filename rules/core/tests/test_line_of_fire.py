"""Friends in the line of fire: A fires at T, on bases 4 inches broad and 1 deep."""

import pytest

from rules.core.model import Cite
from rules.core.refusal import MissingField
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import FriendsInLine, LineOfFire, determine_range

from . import companies
from .companies import PLACEMENT, THEIRS, Company, Field, company

LINES: LineOfFire[Company] = LineOfFire(PLACEMENT, takes_ground=lambda unit: not unit.colonel, rule=Cite(rule="T-1"))

A, T = company("A", 36, 40), company("T", 36, 20, 180, THEIRS)


def table_of(*others: Company, firer: Company = A, target: Company = T) -> Field:
    return companies.table_of(firer, target, *others)


def find_friends_in_the_way(*others: Company, firer: Company = A, target: Company = T) -> list[str]:
    state = table_of(*others, firer=firer, target=target)
    return [friend.name for friend in LINES.friends_in_line(state, firer, target)]


@pytest.mark.parametrize(
    ("x", "y", "facing", "across"),
    [
        (36, 30, 0, True),
        (34.2, 30, 0, True),
        (33.9, 30, 0, False),
        (38, 30, 0, False),
        (38, 30, 90, False),
        (36, 21.1, 180, True),
        (36, 18, 0, False),
        (36, 42, 0, False),
        (40.1, 40, 0, False),
        (35, 30, 45, True),
    ],
)
def test_friend_on_the_line_between_the_middles_is_in_the_way(x: float, y: float, facing: float, across: bool) -> None:
    assert find_friends_in_the_way(company("B", x, y, facing)) == (["B"] if across else [])


def test_the_line_goes_aslant_too() -> None:
    target = company("T", 56, 20, 180, THEIRS)
    assert find_friends_in_the_way(company("B", 46, 30), target=target) == ["B"]
    assert find_friends_in_the_way(company("B", 40.5, 31), target=target) == []


@pytest.mark.parametrize("friend", [company("B", 36, 30), company("B", 33.9, 30), company("C", 36, 30, colonel=True)])
def test_search_for_one_friend_agrees_with_search_for_all(friend: Company) -> None:
    assert LINES.is_friend_across(friend, A, T) == bool(find_friends_in_the_way(friend))
    assert not LINES.is_friend_across(A, A, T)


def test_enemies_colonels_and_gone_units_never_block_fire() -> None:
    friends = (
        company("E", 36, 30, side=THEIRS),
        company("C", 36, 32, colonel=True),
        company("G", 36, 34, gone=True),
    )
    assert find_friends_in_the_way(*friends) == []
    assert find_friends_in_the_way(*friends, company("B", 36, 25)) == ["B"]


def test_line_of_no_length_meets_only_units_at_its_point() -> None:
    base = PLACEMENT.base(A)
    assert base is not None
    assert table.is_across_line(base, (36, 40), (36, 40))
    assert not table.is_across_line(base, (36, 45), (36, 45))


def test_nothing_blocks_between_touching_or_unplaced_units() -> None:
    near = company("T", 39.9, 39, 180, THEIRS)
    assert find_friends_in_the_way(company("B", 38, 39.5), target=near) == []
    nowhere = A.model_copy(update={"place": None})
    assert find_friends_in_the_way(company("B", 36, 30), firer=nowhere) == []
    assert find_friends_in_the_way(company("B", 36, 30).model_copy(update={"place": None})) == []


def test_option_warns_refuses_or_ignores() -> None:
    state = table_of(company("B", 36, 30), company("C", 36, 25))
    assert (
        LINES.friends_in_line_warning(state, A, T, FriendsInLine.WARN)
        == "B and C stand in the line of fire from A to T (T-1)."
    )
    assert LINES.friends_in_line_warning(state, A, T, FriendsInLine.IGNORE) == ""
    with pytest.raises(Refused, match=r"B and C stand in the line of fire from A to T\. Choose another target"):
        LINES.friends_in_line_warning(state, A, T, FriendsInLine.REFUSE)
    for ruled in FriendsInLine:
        assert LINES.friends_in_line_warning(table_of(), A, T, ruled) == ""


def test_unit_that_takes_no_ground_blocks_no_fire() -> None:
    colonel = company("C", 1, 1, colonel=True)
    assert [LINES.can_block_fire(A, ruled) for ruled in FriendsInLine] == [
        ruled is not FriendsInLine.IGNORE for ruled in FriendsInLine
    ]
    assert not LINES.can_block_fire(colonel, FriendsInLine.WARN)


@pytest.mark.parametrize(
    ("measured", "given", "known"),
    [
        (6.0, None, 6.0),
        (6.0, 6.0, 6.0),
        (6.04, 6.0, 6.04),
        (None, 7.0, 7.0),
        (None, 0.0, 0.0),
    ],
)
def test_the_range_is_measured_or_given(measured: float | None, given: float | None, known: float) -> None:
    assert determine_range(A, T, measured, given, "T-3") == known


@pytest.mark.parametrize(("measured", "given"), [(6.0, 6.2), (6.0, 5.5), (14.0, 9.0), (0.0, 0.5)])
def test_refusal_names_given_and_measured_range(measured: float, given: float) -> None:
    both = rf'^T are {measured:g}" from A by the places kept here, and the range given is {given:g}"\. .*\(T-3\)$'
    with pytest.raises(Refused, match=both):
        determine_range(A, T, measured, given, "T-3")


def test_unknown_range_is_asked_for() -> None:
    with pytest.raises(MissingField, match=r"^How far is T from A\? Give the range in inches: .*\(T-3\)$") as refused:
        determine_range(A, T, None, None, "T-3")
    assert refused.value.field == "range"
