"""Terrain added by hand: shapes in words, names of pieces, and their effect on moves."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon

from cogs.kit.lookup import completion
from rules.core.dice import NoDice
from rules.core.refusal import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.terrain import Shape, TerrainAdd, make_piece, mean_point, piece_index_by_name

from .test_own_battles import TABLES, begin, normalize, read_battle

PLACES = st.tuples(*[st.floats(16, 24).map(lambda inches: round(inches, 1))] * 2)
SIZES = st.tuples(*[st.floats(1, 20).map(lambda inches: round(inches, 1))] * 2)
ROUNDING = 0.03
"""Maximum rounding error of a point, in inches."""


def perform(state: Any, kind: str, **args: Any) -> Any:
    system = TABLES[state.ruleset]
    return system.act(state, system.parse(kind, args), NoDice())[0]


def get_refusal(state: Any, kind: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        perform(state, kind, **args)
    return str(refused.value)


def lay_bare_table(system: str = "magdala") -> Any:
    state: Any = begin(system, next(iter(TABLES[system].scenarios)))
    return state.model_copy(update={"terrain": ()})


def describe_piece(**words: Any) -> TerrainPiece:
    return make_piece(TerrainAdd.model_validate({"feature": "hill", "shape": "ellipse", "at": "30,20", **words}))


def test_only_a_line_has_a_width() -> None:
    for words in (
        {"size": "12 x 8"},
        {"size": "12 x 8", "shape": "rectangle"},
        {"shape": "polygon", "at": "1,1; 9,1; 9,9"},
    ):
        with pytest.raises(Refused, match="has no width"):
            describe_piece(**words, width=5)
    assert describe_piece(feature="road", shape="line", at="30,20; 30,10", width=5).width == 5


def test_an_ellipse_and_a_rectangle_lie_round_their_middle() -> None:
    kop = describe_piece(size="12 x 8", name="Kop")
    assert (kop.name, kop.closed, mean_point(kop.points)) == ("Kop", True, pytest.approx((30, 20)))
    assert Polygon(kop.points).area == pytest.approx(math.pi * 6 * 4, rel=0.02)
    wood = describe_piece(feature="wood", shape="rectangle", size="1 x 0.5 feet")
    assert sorted(wood.points) == [(24, 17), (24, 23), (36, 17), (36, 23)]
    assert sorted(describe_piece(shape="rectangle", size="12 x 6", turned=90).points) == [
        (27, 14),
        (27, 26),
        (33, 14),
        (33, 26),
    ]


def test_a_piece_is_turned_clockwise() -> None:
    line = describe_piece(feature="road", shape="line", at="30,20; 30,10", turned=90)
    assert line.points == ((25, 15), (35, 15))
    assert (line.closed, line.width) == (False, 1.0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"feature": "sea"}, "There is no terrain “sea”"),
        ({"shape": "star"}, "There is no shape “star”"),
        ({}, "Say how large the ellipse is"),
        ({"size": "big"}, "Size: “big” is none"),
        ({"size": "0.01 x 5"}, "a piece has"),
        ({"size": "12 x 8", "at": "somewhere"}, "somewhere"),
        ({"shape": "polygon", "size": "3 x 3"}, "A polygon has no size"),
        ({"shape": "line"}, "from 2 to 200 different points"),
        ({"shape": "line", "at": "3,3; 3,3"}, "from 2 to 200 different points"),
        ({"size": "12 x 8", "name": "x" * 41}, "40 characters"),
    ],
)
def test_an_invalid_piece_is_refused(words: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        describe_piece(**words)


def test_a_self_crossing_or_outlying_piece_is_refused() -> None:
    crossed = {"feature": "wood", "shape": "polygon", "at": "10,10; 20,20; 20,10; 10,20"}
    assert "crosses itself" in get_refusal(lay_bare_table(), "terrain_add", **crossed)
    assert "crosses itself" in get_refusal(lay_bare_table(), "terrain_add", **{**crossed, "at": "10,10; 20,20"})
    assert "crosses itself" in get_refusal(lay_bare_table(), "terrain_add", **{**crossed, "at": "10,10; 15,15; 20,20"})
    away = {"feature": "wood", "shape": "ellipse", "size": "4 x 4"}
    assert "reaches off the table" in get_refusal(lay_bare_table(), "terrain_add", at="100,100", **away)
    state = perform(lay_bare_table(), "terrain_add", at="30,20", **away)
    assert "reaches off the table" in get_refusal(state, "terrain_move", piece="Wood", to="200,20")
    assert "No piece of terrain here is called" in get_refusal(state, "terrain_turn", piece="Marsh", degrees=5)
    assert "There is no terrain on this table" in get_refusal(lay_bare_table(), "terrain_remove", piece="Wood")


@given(st.lists(st.tuples(st.sampled_from(Feature), st.sampled_from(["", "Kop", "Hill 2", "Kop 2"])), max_size=12))
def test_every_piece_has_a_name_of_its_own(pieces: list[tuple[Feature, str]]) -> None:
    terrain = [TerrainPiece(feature=feature, points=((1, 1), (2, 2)), name=name) for feature, name in pieces]
    assert sorted(piece_index_by_name(terrain).values()) == list(range(len(terrain)))


@given(
    st.sampled_from(sorted(TABLES)),
    st.sampled_from([Shape.ELLIPSE, Shape.RECTANGLE]),
    *(PLACES, SIZES, PLACES, st.integers(-360, 360)),
)
def test_moving_and_turning_a_piece_back_restores_it(
    system: str, shape: Shape, at: Any, size: Any, to: Any, degrees: int
) -> None:
    words = {"feature": "rough", "shape": shape.value, "size": f"{size[0]} x {size[1]}"}
    first = perform(lay_bare_table(system), "terrain_add", at=f"{at[0]},{at[1]}", **words)
    changed = perform(
        perform(first, "terrain_move", piece="Rough", to=f"{to[0]},{to[1]}"),
        "terrain_turn",
        piece="Rough",
        degrees=degrees,
    )
    assert mean_point(changed.terrain[0].points) == pytest.approx(to, abs=ROUNDING)
    assert Polygon(changed.terrain[0].points).area == pytest.approx(Polygon(first.terrain[0].points).area, rel=0.05)
    back = perform(
        perform(changed, "terrain_turn", piece="Rough", degrees=-degrees),
        "terrain_move",
        piece="Rough",
        to=f"{at[0]},{at[1]}",
    )
    for point, was in zip(back.terrain[0].points, first.terrain[0].points, strict=True):
        assert point == pytest.approx(was, abs=2 * ROUNDING)
    assert not perform(back, "terrain_remove", piece="Rough").terrain
    document = TABLES[system].own_battles.write(changed, "own", "My own")
    assert normalize(read_battle(system, document)).terrain == changed.terrain  # type: ignore[attr-defined]


TROOPS = {"magdala": "British regulars, breechloaders", "charge": "Company of infantry"}


@pytest.mark.parametrize("system", TROOPS)
def test_a_piece_that_is_put_before_a_unit_slows_it(system: str) -> None:
    ruleset, state = TABLES[system], lay_bare_table(system).model_copy(update={"units": {}})
    ours, theirs = (side.id for side in state.sides)
    first = ours if system == "charge" else state.active
    for side, name, y, facing in ((ours, "Guards", 30, 0), (theirs, "Foe", 8, 180)):
        unit = {"troop": TROOPS[system], "side": side, "name": name, "x": 20, "y": y, "facing": facing}
        state = perform(state, "add_unit", **unit)
    state = state.model_copy(update={"active": first, **({"mover": first} if system == "charge" else {})})
    mover = "guards" if first == ours else "foe"
    marsh = {"feature": "marsh", "shape": "rectangle", "at": "20,19", "size": "30 x 18"}
    tables = state, perform(state, "terrain_add", **marsh)
    foe = "Foe" if mover == "guards" else "Guards"
    ways = [
        ruleset.sketch(table, first, ruleset.parse("move", {"unit": mover, "to": f"towards {foe}"})) for table in tables
    ]
    free, slowed = (abs(way.state.units[mover].place.y - state.units[mover].place.y) for way in ways)
    assert slowed < free


@pytest.mark.parametrize("system", TABLES)
def test_every_kind_with_an_effect_has_a_menu_line_with_its_rule(system: str) -> None:
    meanings = TABLES[system].places.terrain_meanings(lay_bare_table(system))
    assert Feature.WOOD in meanings
    assert Feature.RAILWAY not in meanings
    for kind, sentences in meanings.items():
        assert len(f"{kind}: {'; '.join(map(str, sentences))}") <= completion.MOST_LETTERS, kind
        assert all(
            TABLES[system].book.get(sentence.cite.rule).number == sentence.cite.rule for sentence in sentences
        ), kind
