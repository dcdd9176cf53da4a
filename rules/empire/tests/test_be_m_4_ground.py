"""Going to ground, works, obstacles and other terrain (BE-M.4)."""

import pytest

from rules.core.scene import Feature, TerrainPiece
from rules.empire.model import Cover, Defence
from rules.empire.options import EmpireOptions
from rules.empire.tables import TABLES

from .field import unit
from .marches import after_march, movable, refusal

WORDS = {Defence.WORKS: "line the works", Defence.OBSTACLE: "line the obstacle", Defence.TERRAIN: "hold the ground"}
GROUND = {
    Feature.EARTHWORKS: (Defence.WORKS, Cover.HARD),
    Feature.SANDBAGS: (Defence.WORKS, Cover.HARD),
    Feature.SANGAR: (Defence.WORKS, Cover.SANGAR),
    Feature.ZAREBA: (Defence.OBSTACLE, Cover.NONE),
    Feature.RIVER: (Defence.OBSTACLE, Cover.NONE),
    Feature.BUILDING: (Defence.TERRAIN, Cover.HARD),
    Feature.WOOD: (Defence.TERRAIN, Cover.SOFT),
    Feature.ROUGH: (Defence.TERRAIN, Cover.SOFT),
    Feature.HILL: (Defence.TERRAIN, Cover.NONE),
    Feature.MARSH: (Defence.NOTHING, Cover.NONE),
    Feature.RAILWAY: (Defence.NOTHING, Cover.NONE),
    Feature.ROAD: (Defence.NOTHING, Cover.NONE),
}


def line(feature: Feature, y: float = 35) -> TerrainPiece:
    return TerrainPiece(feature=feature, points=((20, y), (50, y)), closed=False, width=0.8)


def defends(mover) -> tuple[Defence, Cover]:
    return mover.defending, mover.cover


@pytest.mark.parametrize("feature", list(Feature))
def test_be_m_4_every_kind_of_terrain(feature: Feature) -> None:
    defence, cover = GROUND[feature]
    row = TABLES.row("ground", feature.value)
    assert tuple(cell.text for cell in row.cells) == (defence.value, cover.value)
    mover, terrain = movable("british-regulars", 6), (line(feature),)
    for gives, word in WORDS.items():
        if gives is defence:
            assert defends(after_march(mover, "forward 4", word, terrain=terrain)) == (defence, cover)
        else:
            assert "are not within" in str(refusal(mover, "forward 4", word, terrain=terrain))


def test_be_m_4_terrain_must_be_near() -> None:
    """After 3 inches the base's front is at 36.5, and the edge of the works at 35.4."""
    terrain = (line(Feature.EARTHWORKS),)
    assert 'not within 1" of any earthworks or sandbags or sangar' in str(
        refusal(movable("british-regulars", 6), "forward 3", "line the works", terrain=terrain)
    )
    assert (
        after_march(movable("british-regulars", 6), "forward 3.1", "line the works", terrain=terrain).defending
        is Defence.WORKS
    )
    further = EmpireOptions(ground_within=2)
    assert after_march(
        movable("british-regulars", 6), "forward 3", "line the works", terrain=terrain, options=further
    ).cover


def test_be_m_4_nearest_of_two_terrains_is_used() -> None:
    terrain = (line(Feature.EARTHWORKS, 35), line(Feature.SANGAR, 35.2))
    mover = movable("british-regulars", 6)
    assert after_march(mover, "forward 3.5", "line the works", terrain=terrain).cover is Cover.SANGAR
    terrain = (line(Feature.EARTHWORKS, 35.2), line(Feature.SANGAR, 35))
    assert after_march(mover, "forward 3.5", "line the works", terrain=terrain).cover is Cover.HARD
    assert after_march(mover, "forward 3.5", "line the sangar", terrain=terrain).cover is Cover.SANGAR


def test_be_m_4_unplaced_unit_names_the_kind_of_terrain() -> None:
    mover = movable("british-regulars", 6, at=None)
    effects = {
        word: defends(after_march(mover, None, word, others=())) for word in (*WORDS.values(), "line the sangar")
    }
    assert effects == {
        "line the works": (Defence.WORKS, Cover.HARD),
        "line the sangar": (Defence.WORKS, Cover.SANGAR),
        "line the obstacle": (Defence.OBSTACLE, Cover.NONE),
        "hold the ground": (Defence.TERRAIN, Cover.SOFT),
    }


def test_be_m_4_using_terrain_costs_nothing() -> None:
    mover = after_march(
        movable("british-regulars", 4), "forward 4", "line the works", terrain=(line(Feature.SANDBAGS),)
    )
    assert mover.this_turn.spent == 4


def test_be_m_4_moving_unit_gives_up_its_terrain() -> None:
    defender = movable("british-regulars", 6, defending=Defence.WORKS, cover=Cover.HARD, gone_to_ground=True)
    gone = after_march(defender, "back 1")
    assert (*defends(gone), gone.gone_to_ground) == (Defence.NOTHING, Cover.NONE, False)
    turned = after_march(defender, "face 30")
    assert (*defends(turned), turned.gone_to_ground) == (Defence.WORKS, Cover.HARD, True)
    undefended = after_march(defender, None, "leave the defences")
    assert (*defends(undefended), undefended.gone_to_ground) == (Defence.NOTHING, Cover.NONE, True)
    assert "defend nothing" in str(refusal(movable("british-regulars"), None, "leave the defences"))


def test_be_m_4_going_to_ground_and_standing_up() -> None:
    lying = after_march(movable("british-regulars", 6), "forward 6", "go to ground")
    assert lying.gone_to_ground
    assert not after_march(lying, None, "stand up").gone_to_ground
    assert "have gone to ground already" in str(refusal(lying, None, "go to ground"))
    assert "have not gone to ground" in str(refusal(movable("british-regulars"), None, "stand up"))
    assert after_march(unit("maxim", at=(36, 40)), None, "go to ground").gone_to_ground
    for upright in ("square", "company square", "column", "deep massed"):
        mover = movable("british-regulars", 9, formation=upright)
        assert "cannot go to ground" in str(refusal(mover, None, "go to ground"))
    assert (
        not after_march(lying.model_copy(update={"formation": "close order"}), None, "column", others=()).gone_to_ground
        if (lying.this_turn.spent <= 3)
        else True
    )


def test_be_m_4_a_square_stands_up() -> None:
    lying = movable("british-regulars", 9, gone_to_ground=True)
    assert not after_march(lying, None, "square").gone_to_ground
    assert after_march(lying, None, "skirmish order").gone_to_ground


def test_be_m_4_horse_and_limbered_guns_use_no_terrain() -> None:
    terrain = (line(Feature.EARTHWORKS, 39),)
    for mover in (movable("british-cavalry", 12), unit("field-gun", at=(36, 40), limbered=True)):
        assert "cannot go to ground" in str(refusal(mover, None, "go to ground"))
        assert f"{mover:defend} no ground" in str(refusal(mover, None, "line the works", terrain=terrain))
    boers = movable("boers", 9, arm="foot", defending=Defence.WORKS, cover=Cover.SANGAR, gone_to_ground=True)
    mounted = after_march(boers, None, "mount")
    assert (*defends(mounted), mounted.gone_to_ground) == (Defence.NOTHING, Cover.NONE, False)
    gun = unit("field-gun", at=(36, 40), defending=Defence.WORKS, cover=Cover.HARD)
    assert defends(after_march(gun, None, "limber")) == (Defence.NOTHING, Cover.NONE)
