"""Sangars, and the tables of field defences (MM-7); the Boers' bug out (MM-A)."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Place
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Works
from rules.magdala.moving.bug_out import BUG_OUT, BugOut
from rules.magdala.moving.formation import BUILD, Build
from rules.magdala.placement import base_size
from rules.magdala.tables import row, value

from .field import BLUE, RED, dice, field, text_of, unit, with_memory

ROCKS = ("rocky ground",)
SCOUTS = unit("indian-scouts")


def build(builder: MagdalaUnit, *faces: int, words: tuple[str, ...] = ROCKS, **fields) -> MagdalaState:
    return BUILD.execute(field(builder, **fields), Build(unit="a", circumstances=words), dice(*faces))[0]


def refusal(builder: MagdalaUnit, words: tuple[str, ...] = ROCKS, **fields) -> str:
    with pytest.raises(Refused) as refused:
        BUILD.execute(field(builder, **fields), Build(unit="a", circumstances=words), NoDice())
    return str(refused.value)


@pytest.mark.parametrize(
    ("works_", "small_arms", "artillery", "attacker"),
    [
        (Works.ZAREBA, 0, 0, -1),
        (Works.SANDBAGS, 1, 0, -1),
        (Works.EARTHWORKS, 1, 1, -1),
        (Works.SANGAR, 1, 0, 0),
    ],
)
def test_mm_7_the_table_of_field_defences(works_: Works, small_arms: int, artillery: int, attacker: int) -> None:
    assert [cell.value for cell in row("defences", works_).cells] == [small_arms, artillery, attacker]


def test_mm_7_the_attackers_penalty_is_that_of_the_melee_chart() -> None:
    assert value("defences", Works.ZAREBA, "attacker in melee") == value(
        "melee-adjustments", "attacking field defences"
    )


def test_mm_7_the_first_two_moves_are_only_spent() -> None:
    for spent in (0, 1):
        builder = SCOUTS.model_copy(update={"building_sangar": spent})
        _, report = BUILD.execute(field(builder), Build(unit="a", circumstances=ROCKS), NoDice())
        assert [step.text for step in report.steps] == [f"Move {spent + 1} spent on the sangar"]
        after = build(builder)
        assert after.unit("a").building_sangar == spent + 1
        assert after.unit("a").works is Works.NONE


@pytest.mark.parametrize(("face", "is_complete"), [(4, False), (5, True), (6, True)])
@pytest.mark.parametrize("spent", [2, 5])
def test_mm_7_complete_on_5_or_6_at_any_move_after_the_second(spent: int, face: int, is_complete: bool) -> None:
    builder = SCOUTS.model_copy(update={"building_sangar": spent})
    _, report = BUILD.execute(field(builder), Build(unit="a", circumstances=ROCKS), dice(face))
    assert [step.text for step in report.steps] == [f"A, move {spent + 1} on their sangar"]
    after = build(builder, face).unit("a")
    assert (after.works is Works.SANGAR) is is_complete
    assert after.building_sangar == (0 if is_complete else spent + 1)


def test_mm_7_detachments_and_skirmishers_build() -> None:
    build(unit("british-breechloaders", figures=6, parent="p"))
    build(unit("british-breechloaders", order=Order.SKIRMISH))
    build(unit("kommando", mounted=False))
    assert "build no sangar" in refusal(unit("british-breechloaders"))
    assert "build no sangar" in refusal(unit("kommando"))


def test_mm_7_sangars_need_rocky_ground() -> None:
    assert "say “rocky ground”" in refusal(SCOUTS, ())
    rough = TerrainPiece(feature=Feature.ROUGH, points=((30, 30), (40, 30), (40, 40), (30, 40)))
    on_it = unit("indian-scouts", at=(35, 35))
    assert build(on_it, words=(), terrain=(rough,)).unit("a").building_sangar == 1
    assert list(BUILD.possible_actions(field(on_it, terrain=(rough,)), RED)) == [Build(unit="a")]
    assert not list(BUILD.possible_actions(field(on_it), RED))


def test_mm_7_unit_under_fire_cannot_build() -> None:
    assert "are under fire" in refusal(with_memory(SCOUTS, under_fire=True))
    assert "are under fire" in refusal(SCOUTS.model_copy(update={"morale": Morale.PINNED}))


def test_mm_7_building_takes_the_turn() -> None:
    assert "takes their whole turn" in refusal(with_memory(SCOUTS, moved=1.0))
    assert "takes their whole turn" in refusal(with_memory(SCOUTS, fired_half=True))
    after = build(SCOUTS)
    with pytest.raises(Refused, match="spent their whole turn"):
        BUILD.execute(after, Build(unit="a", circumstances=ROCKS), NoDice())


def test_mm_7_a_finished_sangar_stands_on_the_table() -> None:
    builder = unit("indian-scouts", at=(35, 35), building_sangar=2)
    after = build(builder, 6)
    (sangar,) = after.terrain
    assert (sangar.feature, sangar.closed, sangar.width) == (Feature.SANGAR, False, 0.5)
    width, depth = base_size(builder)
    front = 35 - depth / 2
    assert sangar.points == ((round(35 - width / 2, 2), round(front, 2)), (round(35 + width / 2, 2), round(front, 2)))
    (aslant,) = build(unit("indian-scouts", at=(35, 35, 30), building_sangar=2), 6).terrain
    assert all(part == round(part, 2) for point in aslant.points for part in point)
    assert "behind their sangar already" in refusal(after.unit("a").model_copy(update={"this_turn": builder.this_turn}))


def test_mm_7_odds_of_completing() -> None:
    early = BUILD.odds_of(field(SCOUTS), Build(unit="a", circumstances=ROCKS))
    ready = BUILD.odds_of(field(SCOUTS.model_copy(update={"building_sangar": 2})), Build(unit="a", circumstances=ROCKS))
    assert [o.outcomes[0].chance for o in (early, ready)] == [0, Fraction(1, 3)]


# Bug out

BOERS = unit("kommando", at=(36, 30, 0), mounted=False, horses_at=Place(x=36, y=37), works=Works.SANGAR, prone=True)


def test_mm_a_bug_out_to_horses_within_8_inches_and_a_full_mounted_move() -> None:
    after, report = BUG_OUT.execute(field(BOERS), BugOut(unit="a", to="36,47"), NoDice())
    boers = after.unit("a")
    assert (boers.mounted, boers.works, boers.prone, boers.horses_at) == (True, Works.NONE, False, None)
    assert (boers.place.x, boers.place.y) == (36, 47)
    assert "bug out" in report.headline


@pytest.mark.parametrize(
    ("boers", "to", "why"),
    [
        (BOERS.model_copy(update={"horses_at": Place(x=36, y=39)}), "back 6", 'must be within 8"'),
        (BOERS, "back 13", 'may move 12"'),
        (BOERS, None, "Say where"),
        (
            BOERS.model_copy(update={"horses_at": Place(x=36, y=37), "place": Place(x=36, y=30)}),
            "36,49",
            "off the table",
        ),
        (BOERS.model_copy(update={"mounted": True}), "back 6", "on foot"),
        (BOERS.model_copy(update={"morale": Morale.PINNED}), "back 6", "are pinned"),
        (with_memory(BOERS, fired_full=True), "back 6", "needs them to stand"),
        (with_memory(BOERS, moved=2.0), "back 6", "have made their move"),
        (unit("british-mounted-infantry", mounted=False), None, "for a Boer kommando"),
    ],
)
def test_mm_a_bug_out_refused(boers: MagdalaUnit, to: str | None, why: str) -> None:
    with pytest.raises(Refused, match=why):
        BUG_OUT.execute(field(boers), BugOut(unit="a", to=to), NoDice())


def test_mm_a_bug_out_is_a_withdrawal() -> None:
    enemy = unit("mahdist-spears", "b", BLUE, at=(36, 44, 0))
    with pytest.raises(Refused, match="To bug out is to withdraw"):
        BUG_OUT.execute(field(BOERS, enemy), BugOut(unit="a", to="towards b"), NoDice())


def test_mm_a_bug_out_without_positions_asks_how_far_the_horses_are() -> None:
    boers = unit("kommando", mounted=False)
    after, report = BUG_OUT.execute(field(boers), BugOut(unit="a", range=5), NoDice())
    assert after.unit("a").mounted
    assert 'Back 5" to their horses' in text_of(report)
    with pytest.raises(Refused, match="must be within"):
        BUG_OUT.execute(field(boers), BugOut(unit="a", range=9), NoDice())
    with pytest.raises(Refused, match="Give the range"):
        BUG_OUT.execute(field(boers), BugOut(unit="a"), NoDice())
    assert not list(BUG_OUT.possible_actions(field(boers), RED))
