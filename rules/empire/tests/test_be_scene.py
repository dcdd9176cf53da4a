"""The scene of the table: positions, kills on bases, and arrows of moves, recoils and landed fire."""

import pytest

from render import scenes
from rules.core.scene import ALT_LIMIT, StatusMarker, Symbol
from rules.core.tabletop.battle import Place
from rules.empire.model import EmpireState, Health, Reserve, Shot
from rules.empire.phases import Phase
from rules.empire.scenarios import BATTLES
from rules.empire.scene import DRAWING
from rules.empire.tests.field import contact_of, field, unit, with_memory

scene = DRAWING.scene
PLACED = {"at": (10, 10, 0)}


def base(state: EmpireState, unit_id: str = "a"):
    return next(base for base in scene(state, None, "Test").bases if base.unit == unit_id)


def change_unit(state: EmpireState, unit_id: str, **update) -> EmpireState:
    return state.with_unit(state.unit(unit_id).model_copy(update=update))


def move_unit(state: EmpireState, unit_id: str, x: float, y: float, **turn) -> EmpireState:
    return change_unit(state.with_unit(with_memory(state.unit(unit_id), **turn)), unit_id, place=Place(x=x, y=y))


@pytest.mark.parametrize(
    ("troops", "fields", "symbol"),
    [
        ("zulus", {}, Symbol.INFANTRY),
        ("dervish-horse", {}, Symbol.CAVALRY),
        ("boers", {}, Symbol.MOUNTED_INFANTRY),
        ("boers", {"arm": "foot"}, Symbol.INFANTRY),
        ("field-gun", {}, Symbol.ARTILLERY),
        ("maxim", {}, Symbol.MACHINE_GUN),
        ("army-commander", {}, Symbol.GENERAL),
        ("leader", {}, Symbol.LEADER),
        ("mules", {}, Symbol.PACK),
        ("wagon", {}, Symbol.WAGON),
    ],
)
def test_every_arm_has_its_symbol(troops: str, fields: dict, symbol: Symbol) -> None:
    assert base(field(unit(troops, **PLACED, **fields))).symbol is symbol


@pytest.mark.parametrize(
    ("fields", "marker"),
    [
        ({"shaken": True}, StatusMarker.SHAKEN),
        ({"disordered": True}, StatusMarker.DISORDERED),
        ({"low_ammo": True}, StatusMarker.LOW_AMMUNITION),
        ({"jammed": True}, StatusMarker.JAMMED),
        ({"gone_to_ground": True}, StatusMarker.GONE_TO_GROUND),
        ({"this_turn": {"shot": True}}, StatusMarker.FIRED),
        ({"limbered": True}, StatusMarker.LIMBERED),
        ({"formation": "square"}, StatusMarker.SQUARE),
        ({"formation": "company square"}, StatusMarker.SQUARE),
        ({"formation": "skirmish order"}, StatusMarker.SKIRMISH),
    ],
)
def test_markers_of_effects_stand_beside_the_unit(fields: dict, marker: StatusMarker) -> None:
    assert base(field(unit("british-regulars", **PLACED, **fields))).markers == (marker,)


def test_fanatic_and_fighting_units_have_markers_and_steady_ones_none() -> None:
    state = field(unit("ghazis", **PLACED), unit("british-regulars", "b", "blue", (10, 8)))
    assert base(state).markers == ()
    charging = state.with_unit(with_memory(state.unit("a"), fanatic=True)).model_copy(
        update={"contacts": (contact_of("a", "b"),)}
    )
    assert base(charging).markers == (StatusMarker.FANATIC, StatusMarker.MELEE)
    assert base(charging, "b").markers == (StatusMarker.MELEE,)


def test_a_commander_out_for_a_turn_is_marked_and_a_killed_one_is_off_the_table() -> None:
    assert base(field(unit("leader", health=Health.OUT, **PLACED))).markers == (StatusMarker.OUT,)
    assert scene(field(unit("leader", health=Health.KILLED, **PLACED)), None, "Test").off_table == ("A",)


def test_base_shows_kills() -> None:
    assert base(field(unit("zulus", kills=3, **PLACED))).kills == 3


def test_shape_of_the_base_shows_the_formation() -> None:
    line, column, square = (
        base(field(unit("british-regulars", formation=formation, **PLACED)))
        for formation in ("close order", "column", "square")
    )
    assert line.frontage > line.depth
    assert column.frontage < column.depth
    assert square.frontage == square.depth


def test_attached_pieces_are_drawn_behind_their_unit_side_by_side() -> None:
    host = unit("british-regulars", at=(10, 10, 90))
    pieces = (unit("leader", name, attached_to="a", at=(10, 10, 90)) for name in ("one", "two"))
    state = field(host, *pieces)
    (one_x, one_y), (two_x, two_y) = base(state, "one").at, base(state, "two").at
    assert one_x == two_x == pytest.approx(10 - 0.5 - 0.5)
    assert sorted((one_y, two_y)) == pytest.approx([9.5, 10.5])


def test_a_piece_whose_unit_is_destroyed_is_drawn_where_it_stands() -> None:
    state = field(unit("zulus", destroyed=True, **PLACED), unit("leader", "b", attached_to="a", **PLACED))
    assert base(state, "b").at == (10, 10)


def test_moved_unit_has_an_arrow_and_attached_pieces_none() -> None:
    before = field(unit("zulus", at=(10, 10)), unit("leader", "b", attached_to="a", at=(10, 10)))
    after = move_unit(move_unit(before, "a", 10, 16), "b", 10, 16)
    (arrow,) = scene(after, before, "Test").arrows
    assert (arrow.start, arrow.end, arrow.kind, arrow.side) == ((10, 10), (10, 16), "move", "red")
    alone = change_unit(after, "b", attached_to=None)
    assert len(scene(alone, before, "Test").arrows) == 2
    assert scene(after, None, "Test").arrows == ()


def test_be_6_a_recoil_is_a_retreat() -> None:
    before = field(unit("zulus", at=(10, 10)))
    after = move_unit(before, "a", 10, 7, recoiled=True)
    assert [arrow.kind for arrow in scene(after, before, "Test").arrows] == ["retreat"]
    later = move_unit(after, "a", 10, 9, recoiled=True)
    assert [arrow.kind for arrow in scene(later, after, "Test").arrows] == ["move"]


def volley(*shots: Shot) -> EmpireState:
    return field(
        unit("british-regulars", at=(10, 30)),
        unit("zulus", "b", "blue", (10, 10)),
        phase=Phase.RIFLES,
        shots=shots,
    )


def test_be_1_fire_is_drawn_only_when_it_lands() -> None:
    shot = Shot(unit="a", target="b", hits=2)
    fired = volley(shot)
    assert scene(fired, volley(), "Test").arrows == ()
    landed = volley().model_copy(update={"landed": (shot,), "phase": Phase.MELEE.value})
    (arrow,) = scene(landed, fired, "Test").arrows
    assert (arrow.start, arrow.end, arrow.kind, arrow.side) == ((10, 30), (10, 10), "fire", "red")
    assert scene(landed, landed, "Test").arrows == ()
    assert scene(landed, None, "Test").arrows == ()


def test_fire_without_hits_is_drawn_as_a_miss() -> None:
    shot = Shot(unit="a", target="b", hits=0)
    (arrow,) = scene(volley().model_copy(update={"landed": (shot,)}), volley(shot), "Test").arrows
    assert arrow.kind == "miss"


def test_fire_that_destroyed_its_target_is_drawn_to_where_it_stood() -> None:
    shot = Shot(unit="a", target="b", hits=9)
    landed = change_unit(volley().model_copy(update={"landed": (shot,)}), "b", destroyed=True)
    (arrow,) = scene(landed, volley(shot), "Test").arrows
    assert arrow.end == (10, 10)


def test_repeated_fire_with_equal_hits_is_drawn_again() -> None:
    shot = Shot(unit="a", target="b", hits=1)
    before = volley(shot).model_copy(update={"landed": (shot,)})
    assert len(scene(volley().model_copy(update={"landed": (shot,)}), before, "Test").arrows) == 1


def test_the_scene_has_its_title_sides_and_those_off_the_table() -> None:
    state = field(
        unit("zulus", **PLACED),
        unit("zulus", "b", destroyed=True, **PLACED),
        unit("zulus", "c", "blue", reserve=Reserve(turn=2, x=1, y=1)),
        unit("zulus", "d", "blue"),
    )
    picture = scene(state, None, "Kambula")
    assert picture.title.startswith("Kambula — turn 1, ")
    assert picture.title.endswith("movement of units, Red")
    assert [side.name for side in picture.sides] == ["Red", "Blue"]
    assert [base.unit for base in picture.bases] == ["a"]
    assert picture.off_table == ("B", "C (from turn 2, at A1 NW)")


def test_alt_text_describes_units_and_places() -> None:
    state = field(
        unit("zulus", kills=2, shaken=True, at=(30, 20)),
        unit("british-regulars", "b", "blue", (60, 40)),
        unit("leader", "c", at=(1, 1)),
        contacts=(contact_of("a", "b"),),
    )
    alt = scene(state, None, "Test").alt
    assert "Red: A C2 2 of 4 kills, shaken, in melee." in alt
    assert "Blue: B E4 in melee." in alt


@pytest.mark.parametrize("scenario", BATTLES.all)
def test_every_battle_is_drawn_with_all_bases_and_a_short_alt_text(scenario: str) -> None:
    state = BATTLES.all[scenario].setup({})
    picture = scene(state, None, BATTLES.all[scenario].title)
    assert {base.unit for base in picture.bases} == {unit.id for unit in state.units.values() if unit.on_table}
    assert 0 < len(picture.alt) <= ALT_LIMIT
    assert picture.alt.endswith(".")
    assert scenes.draw(picture).startswith(b"\x89PNG")
