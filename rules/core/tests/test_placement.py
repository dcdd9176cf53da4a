"""Units as bases on the table: distances, terrain, contact, and setting down by words."""

import pytest

from rules.core.model import Cite
from rules.core.refusal import NoPlace, Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Place, TableUnit
from rules.core.tabletop.placement import place_of_base, terrain_under
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Ways
from rules.core.unit_lookup import find_unit

from .companies import PLACEMENT, THEIRS, Company, company, table_of, unplaced_company

A = company("A", 36, 40)
WAYS: Ways[Company] = Ways(PLACEMENT, lambda _: True, lambda _: True, Cite(rule="T-2"))


def test_a_base_stands_where_its_unit_does() -> None:
    assert PLACEMENT.base(company("A", 3, 4, 90)) == Base(at=(3, 4), facing=90, frontage=4, depth=1)
    assert PLACEMENT.base(unplaced_company("A")) is None
    assert PLACEMENT.bases((A, unplaced_company("B"), company("C", 1, 1))) == (
        PLACEMENT.base(A),
        PLACEMENT.base(company("C", 1, 1)),
    )
    assert TableUnit(id="t", name="T", side="ours").on_table


def test_between_two_units_lie_the_inches_of_their_nearest_points() -> None:
    assert PLACEMENT.gap(A, company("B", 36, 30)) == pytest.approx(9)
    assert PLACEMENT.gap(A, unplaced_company("B")) is None
    assert PLACEMENT.gap(unplaced_company("B"), A) is None


def test_units_touch_within_a_twentieth_of_an_inch() -> None:
    assert PLACEMENT.are_touching(A, company("B", 36, 38.96)) is True
    assert PLACEMENT.are_touching(A, company("B", 36, 38.94)) is False
    assert PLACEMENT.are_touching(A, unplaced_company("B")) is None


def test_the_nearest_of_equals_is_the_first() -> None:
    near, far, as_near = company("N", 36, 30), company("F", 36, 20), company("M", 36, 50)
    assert PLACEMENT.nearest_unit(A, (far, unplaced_company("X"), near, as_near)) == near
    assert PLACEMENT.nearest_unit(A, (as_near, near)) == as_near
    assert PLACEMENT.nearest_unit(A, (unplaced_company("X"),)) is None


def test_within_counts_from_base_to_base() -> None:
    companies = company("N", 36, 30), company("F", 36, 29.9), unplaced_company("X")
    assert PLACEMENT.units_within(A, companies, 9) == companies[:1]
    assert PLACEMENT.units_within(unplaced_company("A"), companies, 99) == ()


def test_a_place_is_kept_to_thousandths_and_tenths_of_a_degree() -> None:
    base = Base(at=(1.23456, 2.34567), facing=370.26, frontage=1, depth=1)
    assert place_of_base(base) == Place(x=1.235, y=2.346, facing=10.3)
    assert place_of_base(base.moved_to(base.at, 359.97)).facing == 0


def test_ground_under_a_unit_is_the_first_of_the_given_kinds() -> None:
    square = ((30.0, 30.0), (40.0, 30.0), (40.0, 44.0), (30.0, 44.0))
    wood, marsh, third = (
        TerrainPiece(feature=feature, name=name, points=square)
        for feature, name in ((Feature.WOOD, "wood"), (Feature.MARSH, "marsh"), (Feature.WOOD, "other"))
    )
    state = table_of(A, terrain=(marsh, wood, third))
    assert terrain_under(state, A, (Feature.WOOD,)) == wood
    assert terrain_under(state, A, (Feature.WOOD, Feature.MARSH)) == marsh
    assert terrain_under(state, company("A", 50, 40), (Feature.WOOD,)) is None
    assert terrain_under(state, unplaced_company("A"), (Feature.WOOD,)) is None


def test_order_must_name_an_existing_unit() -> None:
    state = table_of(company("Berkshires", 1, 1, gone=True))
    assert find_unit(state, "berkshires").name == "Berkshires"
    with pytest.raises(Refused, match=r"^Name a target\.$"):
        find_unit(state, None, "target")
    with pytest.raises(Refused, match=r"^There is no unit “berkshire”\. The nearest: Berkshires\.$"):
        find_unit(state, "berkshire")
    with pytest.raises(Refused, match=rf"^There is no target “{'z' * 40}”\.$"):
        find_unit(table_of(), "z" * 41, "target")


def set_down(words: str, unit: Company = A, *others: Company) -> Place:
    return WAYS.set_down(table_of(unit, *others), unit.id, words)


def test_unit_set_down_at_a_point_keeps_its_facing_by_default() -> None:
    west = company("A", 36, 40, 270)
    assert set_down("10,12", west) == Place(x=10, y=12, facing=270)
    assert set_down("10,12 facing 45", west) == Place(x=10, y=12, facing=45)
    assert set_down("10,12", unplaced_company("A")) == Place(x=10, y=12, facing=0)


def test_set_down_at_a_distance_or_in_contact_ignores_obstacles() -> None:
    between, enemy = company("B", 36, 35), company("E", 36, 20, side=THEIRS)
    assert set_down("forward 10", A, between) == Place(x=36, y=30, facing=0)
    assert set_down("towards E", A, between, enemy).y == pytest.approx(21, abs=0.1)
    assert set_down("face east", A) == Place(x=36, y=40, facing=90)


def test_set_down_needs_an_origin_and_a_destination() -> None:
    with pytest.raises(Refused, match=r"^A are not on the table\. Give a place, such as “C2”\.$"):
        set_down("forward 6", unplaced_company("A"))
    for nobody in ("towards Gone", "towards A"):
        with pytest.raises(NoPlace):
            set_down(nobody, A, company("Gone", 1, 1, gone=True))
