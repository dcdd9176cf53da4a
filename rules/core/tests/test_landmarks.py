"""Named terrain as a destination: every name can be typed, and equal names lead to a question."""

import pytest

from rules.core.refusal import NoPlace, Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Objective
from rules.core.tabletop.destinations import read_destination
from rules.core.tabletop.landmarks import landmark_names
from rules.core.tabletop.place import TowardsLandmark, TowardsUnit, TurnOnSpot

from .companies import THEIRS, Field, company, table_of

A = company("A", 36, 40)
WOOD = TerrainPiece(feature=Feature.WOOD, points=((10, 10), (14, 10), (14, 14), (10, 14)), name="Copse")
ROAD = TerrainPiece(feature=Feature.ROAD, points=((0, 20), (60, 20)), closed=False, name="High road")
SCRUB = TerrainPiece(feature=Feature.ROUGH, points=((1, 1), (3, 1), (3, 3), (1, 3)), name="Scrub")
MORE = SCRUB.model_copy(update={"points": ((50, 1), (52, 1), (52, 3), (50, 3))})
WELLS = Objective(side=THEIRS, name="the wells of Teb", at=(30.0, 30.0), within=6.0)


def ground() -> Field:
    terrain = (WOOD, ROAD, SCRUB, MORE)
    return table_of(A, company("Wellsmen", 36, 20, side=THEIRS)).model_copy(
        update={"terrain": terrain, "objectives": (WELLS,)}
    )


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("towards Copse", TowardsLandmark(name="Copse", at=(12, 12))),
        ("to the copse", TowardsLandmark(name="Copse", at=(12, 12))),
        ("copse 6", TowardsLandmark(name="Copse", at=(12, 12), inches=6)),
        ('towards the wells of Teb 4.5"', TowardsLandmark(name="the wells of Teb", at=(30, 30), inches=4.5)),
        ("high road", TowardsLandmark(name="High road", at=(36, 20))),
        ("towards Scrub (A1)", TowardsLandmark(name="Scrub (A1)", at=(2, 2))),
        ("towards wells", TowardsUnit(unit="wellsmen")),
    ],
)
def test_named_ground_is_a_destination_after_units_of_the_same_name(words: str, goal: object) -> None:
    assert read_destination(ground(), A, words) == goal


def test_a_line_is_reached_at_its_nearest_point_and_an_area_in_its_middle() -> None:
    near = company("B", 12, 30)
    assert read_destination(ground(), near, "towards high road") == TowardsLandmark(name="High road", at=(12, 20))


def test_two_pieces_of_one_name_are_asked_about() -> None:
    with pytest.raises(Refused, match=r"Scrub \(A1\), Scrub \(E1\)"):
        read_destination(ground(), A, "towards scrub")
    with pytest.raises(NoPlace):
        read_destination(ground(), A, "towards nowhere")


def test_a_unit_turns_to_face_another_or_named_ground() -> None:
    assert read_destination(ground(), A, "face Wellsmen") == TurnOnSpot(facing=0)
    assert read_destination(ground(), A, "face the high road") == TurnOnSpot(facing=0)
    assert read_destination(ground(), A, "turn towards the wellsmen") == TurnOnSpot(facing=0)


def test_objective_with_the_name_of_its_ground_is_offered_once() -> None:
    state = ground().model_copy(update={"objectives": (WELLS.model_copy(update={"name": "the copse"}),)})
    assert landmark_names(state) == ("Copse", "High road", "Scrub (A1)", "Scrub (E1)")
