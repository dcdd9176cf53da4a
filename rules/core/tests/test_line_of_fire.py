"""Friends in the line of fire, on a table of bases 4 inches broad and 1 deep: A fires at T."""

import pytest

from rules.core.model import Cite
from rules.core.refusal import NotSaid
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import FriendsInLine, LineOfFire, determine_range

from . import companies
from .companies import PLACEMENT, THEIRS, Company, Field, company

LINES: LineOfFire[Company] = LineOfFire(PLACEMENT, takes_ground=lambda unit: not unit.colonel, rule=Cite(rule="T-1"))

A, T = company("A", 36, 40), company("T", 36, 20, 180, THEIRS)


def table_of(*others: Company, firer: Company = A, target: Company = T) -> Field:
    return companies.table_of(firer, target, *others)


def in_the_way(*others: Company, firer: Company = A, target: Company = T) -> list[str]:
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
def test_a_friend_is_in_the_way_whose_base_lies_across_the_line_between_the_middles(
    x: float, y: float, facing: float, across: bool
) -> None:
    assert in_the_way(company("B", x, y, facing)) == (["B"] if across else [])


def test_the_line_goes_aslant_too() -> None:
    aside = company("T", 56, 20, 180, THEIRS)
    assert in_the_way(company("B", 46, 30), target=aside) == ["B"]
    assert in_the_way(company("B", 40.5, 31), target=aside) == []


@pytest.mark.parametrize("friend", [company("B", 36, 30), company("B", 33.9, 30), company("C", 36, 30, colonel=True)])
def test_one_friend_stands_across_as_all_are_found(friend: Company) -> None:
    assert LINES.stands_across(friend, A, T) == bool(in_the_way(friend))
    assert not LINES.stands_across(A, A, T)


def test_enemies_colonels_and_those_gone_are_never_in_the_way() -> None:
    others = (
        company("E", 36, 30, side=THEIRS),
        company("C", 36, 32, colonel=True),
        company("G", 36, 34, gone=True),
    )
    assert in_the_way(*others) == []
    assert in_the_way(*others, company("B", 36, 25)) == ["B"]


def test_a_line_of_no_length_is_only_what_lies_on_it() -> None:
    here = PLACEMENT.base(A)
    assert here is not None
    assert table.is_across(here, (36, 40), (36, 40))
    assert not table.is_across(here, (36, 45), (36, 45))


def test_nobody_is_between_units_that_touch_nor_where_places_are_unknown() -> None:
    near = company("T", 39.9, 39, 180, THEIRS)
    assert in_the_way(company("B", 38, 39.5), target=near) == []
    nowhere = A.model_copy(update={"place": None})
    assert in_the_way(company("B", 36, 30), firer=nowhere) == []
    assert in_the_way(company("B", 36, 30).model_copy(update={"place": None})) == []


def test_one_warns_one_refuses_and_one_says_nothing() -> None:
    state = table_of(company("B", 36, 30), company("C", 36, 25))
    assert (
        LINES.warn_of_friends(state, A, T, FriendsInLine.WARN) == "B and C stand in the line of fire from A to T (T-1)."
    )
    assert LINES.warn_of_friends(state, A, T, FriendsInLine.IGNORE) == ""
    with pytest.raises(Refused, match=r"B and C stand in the line of fire from A to T\. Choose another target"):
        LINES.warn_of_friends(state, A, T, FriendsInLine.REFUSE)
    for ruled in FriendsInLine:
        assert LINES.warn_of_friends(table_of(), A, T, ruled) == ""


def test_who_takes_no_ground_or_whose_table_ignores_it_is_in_nobodys_way() -> None:
    colonel = company("C", 1, 1, colonel=True)
    assert [LINES.is_in_the_way(A, ruled) for ruled in FriendsInLine] == [
        ruled is not FriendsInLine.IGNORE for ruled in FriendsInLine
    ]
    assert not LINES.is_in_the_way(colonel, FriendsInLine.WARN)


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
def test_a_range_given_that_is_not_the_measured_one_is_refused_with_both(measured: float, given: float) -> None:
    both = rf'^T are {measured:g}" from A by the places kept here, and the range given is {given:g}"\. .*\(T-3\)$'
    with pytest.raises(Refused, match=both):
        determine_range(A, T, measured, given, "T-3")


def test_a_range_that_nobody_knows_is_asked_for() -> None:
    with pytest.raises(NotSaid, match=r"^How far is T from A\? Give the range in inches: .*\(T-3\)$") as asked:
        determine_range(A, T, None, None, "T-3")
    assert asked.value.field == "range"
