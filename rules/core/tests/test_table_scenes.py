"""The scene of a game on a table: moves, positions in words, and attached units."""

from rules.core.scene import ALT_LIMIT, Arrow, Goal, StatusMarker, Symbol, UnitBase, write_alt_text
from rules.core.state import Side, Verdict
from rules.core.tabletop.battle import Objective, Place
from rules.core.tabletop.table_scenes import (
    SQUARES,
    Drawing,
    UnitLook,
    move_arrows,
    place_behind,
    scene_title,
    square_name,
)

from .companies import OURS, PLACEMENT, THEIRS, Company, Field, company, table_of, unplaced_company


def test_squares_are_lettered_from_the_west_and_numbered_from_the_north() -> None:
    points = ((0, 0), (11.9, 11.9), (12.1, 12.1), (30, 47), (72, 48))
    assert [square_name(point) for point in points] == ["A1", "A1", "B2", "C4", "F4"]


def test_attached_unit_is_drawn_behind_its_base() -> None:
    place = Place(x=36, y=24, facing=90)
    along = place_behind(place, 3, 1)
    assert (round(along.x, 6), round(along.y, 6), along.facing) == (34, 24, 90)
    beside = place_behind(place, 3, 1, 2)
    assert (round(beside.x, 6), round(beside.y, 6)) == (34, 26)


def arrows(now: Company, before: Company | None) -> list[Arrow]:
    old = table_of(before) if before else table_of()
    return list(move_arrows(table_of(now), old, lambda was, unit: f"{was.name} goes from {was.place} to {unit.place}"))


def test_arrow_shows_a_moved_unit() -> None:
    was, now = company("A", 36, 40), company("A", 36, 30, 90)
    goes = f"A goes from {was.place} to {now.place}"
    assert arrows(now, was) == [Arrow(start=(36, 40), end=(36, 30), kind=goes, side=OURS)]
    assert Sketch(PLACEMENT.size).scene(table_of(now), None, "").arrows == ()


def test_new_turned_gone_and_unplaced_units_have_no_arrow() -> None:
    unit = company("A", 36, 40)
    assert arrows(unit, None) == []
    assert arrows(company("A", 36, 40, 90), unit) == []
    assert arrows(company("A", 36, 30, gone=True), unit) == []
    assert arrows(unplaced_company("A"), unit) == []
    assert arrows(unit, unplaced_company("A")) == []


def test_new_unit_does_not_hide_other_arrows() -> None:
    new, was, now = company("N", 1, 1), company("A", 36, 40), company("A", 36, 30)
    assert len(list(move_arrows(table_of(new, now), table_of(was), lambda *_: ""))) == 1


def test_positions_are_listed_by_side() -> None:
    standing = [(THEIRS, "E in C2"), (OURS, "A in B4"), (OURS, "B in C4")]
    assert write_alt_text(table_of().sides, f"Suakin. {SQUARES}", standing) == (
        "Suakin. Grid of 12 inches, letters west to east, numbers north to south. "
        "Ours: A in B4; B in C4. Theirs: E in C2."
    )
    assert write_alt_text(table_of().sides, f"Suakin. {SQUARES}", standing[:1]).endswith("south. Theirs: E in C2.")


def test_too_many_words_end_with_a_whole_unit() -> None:
    empty = len(write_alt_text(table_of().sides, f"Suakin. {SQUARES}", [(OURS, "")]))
    fits = [(OURS, "a" * (ALT_LIMIT - empty))]
    assert len(write_alt_text(table_of().sides, f"Suakin. {SQUARES}", fits)) == ALT_LIMIT
    cut = write_alt_text(table_of().sides, f"Suakin. {SQUARES}", [(OURS, "first"), (OURS, "a" * (ALT_LIMIT - empty))])
    assert cut.endswith("Ours: first…")


def test_the_title_names_scenario_turn_and_side() -> None:
    assert scene_title(table_of(turn=3), "Suakin 1885") == "Suakin 1885 — turn 3, Ours"
    assert scene_title(table_of(turn=3, turn_limit=8), "Suakin 1885") == "Suakin 1885 — turn 3 of 8, Ours"
    assert scene_title(table_of(turn=9, turn_limit=8), "Suakin 1885") == "Suakin 1885 — turn 8 of 8, Ours", "run out"


def test_objectives_are_drawn_and_listed() -> None:
    wells = Objective(side=OURS, name="the wells", at=(30, 14), within=6)
    scene = Sketch(PLACEMENT.size).scene(table_of(objectives=(wells,)), None, "El Teb")
    assert scene.goals == (Goal(side=OURS, name="the wells", at=(30, 14), within=6),)
    assert "The Ours must hold the wells, C2 N." in scene.alt


class Sketch(Drawing[Company]):
    """A drawing in which guns have a number, and colonels no name."""

    def unit_look(self, state: Field, unit: Company, place: Place) -> UnitLook:
        return UnitLook(
            place,
            strength="2" if unit.guns else "",
            markers=[StatusMarker.SHAKEN] if unit.id in state.choices else [],
            words=None if unit.colonel else "ready",
        )


SKETCH = Sketch(PLACEMENT.size)


def test_the_scene_has_the_table_its_sides_and_how_it_ended() -> None:
    was, now = company("A", 1, 1, guns=True), company("A", 13, 1, 90, guns=True)
    companies = (company("C", 30, 1, colonel=True), company("G", 5, 5, gone=True), unplaced_company("N"))
    scene = SKETCH.scene(table_of(now, *companies, width=60.0, choices={"a": ""}), table_of(was), "Suakin")
    assert (scene.width, scene.height, scene.title, scene.subtitle) == (60, 48, "Suakin — turn 1, Ours", "")
    assert scene.sides == (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))
    gun = {"unit": "a", "name": "A", "short": "A", "side": OURS, "at": (13, 1), "facing": 90, "frontage": 4, "depth": 1}
    assert scene.bases[0] == UnitBase(**gun, symbol=Symbol.INFANTRY, strength="2", markers=(StatusMarker.SHAKEN,))
    assert [base.unit for base in scene.bases] == ["a", "c"]
    assert scene.arrows == (Arrow(start=(1, 1), end=(13, 1), kind="move", side=OURS),)
    assert scene.off_table == ("G",)
    assert scene.alt.endswith("south. Ours: A B1 ready.")
    over = table_of(over=Verdict(winner=None, why="Both armies are broken."))
    assert SKETCH.scene(over, None, "Suakin").subtitle == "Both armies are broken."
