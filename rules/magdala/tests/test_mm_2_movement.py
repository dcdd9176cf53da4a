"""Movement: rates, dice, going, mounting, limbering, detachments (MM-2)."""

from fractions import Fraction
from itertools import product

import icepool
import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Place
from rules.magdala.model import GunTeam, MagdalaUnit, Order, Troop
from rules.magdala.moving.allowance import max_distance_from_parent, move_rate, movement_row, must_limber_to_move
from rules.magdala.moving.formation import inches_to_horses
from rules.magdala.moving.marching import Move
from rules.magdala.options import MagdalaOptions
from rules.magdala.orders.movement import MOVE
from rules.magdala.scenarios import TROOPS
from rules.magdala.tables import TABLES

from .field import RED, field, text_of, unit, with_memory
from .marches import BRITISH, FOE, inches_marched, march, refusal

OPTIONS = MagdalaOptions()
ROUGH = TerrainPiece(feature=Feature.ROUGH, points=((20, 20), (50, 20), (50, 26), (20, 26)))


# Rates


@pytest.mark.parametrize(
    ("rule", "mover", "text"),
    [
        ("MM-2.1", unit(BRITISH), "6 inches"),
        ("MM-2.1", unit(BRITISH, order=Order.SKIRMISH), "8 inches"),
        ("MM-2.2", unit("british-cavalry"), "12 inches"),
        ("MM-2.3", unit("british-mounted-infantry"), "12 inches"),
        ("MM-2.3", unit("kommando"), "12 inches"),
        ("MM-2.4", unit("field-gun", gun_team=GunTeam.FOOT), "6 inches"),
        ("MM-2.4", unit("field-gun"), "8 inches"),
        ("MM-2.4", unit("horse-gun"), "12 inches"),
        ("MM-2.5", unit("mahdist-spears"), "2D6 + 2 inches"),
        ("MM-2.5", unit("egyptian-irregulars"), "2D6 + 2 inches"),
        ("MM-2.6", unit("pathan-cavalry"), "4D6 + 2 inches"),
        ("MM-2.7", unit("wagon"), "6 inches"),
        ("MM-2.7", unit("mules"), "8 inches"),
        ("MM-2.7a", unit("kommando", mounted=False), "8 inches"),
        ("MM-2.7a", unit("british-mounted-infantry", mounted=False), "6 inches"),
        ("MM-2.7a", unit("maxim"), "6 inches"),
        ("MM-2.7a", unit("rockets"), "6 inches"),
        ("MM-2.7a", unit("naval-gun"), "6 inches"),
        ("MM-2.7a", unit("mountain-gun"), "8 inches"),
        ("MM-2.7a", unit("pom-pom"), "8 inches"),
        ("MM-2.7a", unit("mahdist-camelry"), "4D6 + 2 inches"),
        ("MM-2.7a", unit("general"), "12 inches"),
        ("MM-2.7a", unit("native-commander"), "4D6 + 2 inches"),
        ("MM-2.7a", unit("imam"), "2D6 + 2 inches"),
        ("MM-2.7a", unit("field-gun", afloat=True), "12 inches"),
        ("MM-2.5", unit("mahdist-camelry", mounted=False), "2D6 + 2 inches"),
    ],
)
def test_mm_2_1_to_2_7a_rates(rule: str, mover: MagdalaUnit, text: str) -> None:
    own = move_rate(mover, OPTIONS)
    assert (own.cite.rule, own.text) == (rule, text)


def test_mm_2_every_row_of_the_chart_is_read_and_rulings_print_their_options() -> None:
    rows = {movement_row(unit("field-gun", afloat=True))}
    for troop, mounted, order, team in product(TROOPS.all.values(), (True, False), Order, GunTeam):
        rows.add(movement_row(troop.make_unit("a", "a", "a", mounted=mounted, order=order, gun_team=team)))
    assert {row.label for row in TABLES.charts["movement"].rows} == rows
    inches = [TABLES.charts["movement"].cell(row, "inches") for row in TABLES.charts["movement"].rows]
    ruled = [cell for cell in inches if cell.option]
    assert len(ruled) == 10
    assert [cell.text for cell in ruled] == [str(getattr(OPTIONS, cell.option)) for cell in ruled]


def test_mm_2_4_an_option_changes_the_rate() -> None:
    assert move_rate(unit("field-gun"), MagdalaOptions(light_gun_move=9)).inches == 9


# Fixed and thrown moves


def test_mm_2_1_infantry_goes_no_further_than_6_inches() -> None:
    battalion = unit(BRITISH, at=(36, 40))
    assert inches_marched(battalion, "forward 6") == 6
    assert 'may move 6"; that is 6.5"' in refusal(battalion, "forward 6.5")
    assert inches_marched(battalion, "forward 8", "skirmish order") == 8


def test_mm_2_1_move_towards_a_unit_uses_the_full_rate_and_faces_it() -> None:
    after, _ = march(unit(BRITISH, at=(20, 40, 90)), "towards B")
    assert after.unit("a").this_turn.moved == 6
    assert after.unit("a").place.facing == pytest.approx(24.6, abs=0.1)


def test_mm_2_2_cavalry_charges_18_inches_but_never_from_the_halt() -> None:
    lancers = unit("british-lancers", at=(36, 40))
    assert "never charges from the halt" in refusal(lancers, "forward 18", "charge", turn=3)
    trotted = lancers.model_copy(update={"last_moved_turn": 2})
    for rider, charges in ((trotted, True), (lancers, False)):
        words = [order.circumstances for order in MOVE.possible_actions(field(rider, FOE, turn=3), RED)]
        assert (("charge",) in words) is charges
    after, report = march(trotted, "forward 18", "charge", turn=3)
    assert after.unit("a").this_turn.charged
    assert report.headline == 'A charge 18".'
    assert "may move 18" in refusal(trotted, "forward 19", "charge", turn=3)
    assert "never charges" in refusal(trotted, "forward 18", "charge", turn=4)


def test_mm_2_2_the_umpire_may_allow_a_charge_from_the_halt() -> None:
    assert (
        inches_marched(
            unit("british-lancers", at=(36, 40)),
            "forward 18",
            "charge",
            options=MagdalaOptions(charge_after_move=False),
        )
        == 18
    )


def test_mm_2_2_a_move_is_remembered_for_the_charge_of_the_next_turn() -> None:
    after, _ = march(unit("british-lancers", at=(36, 40)), "forward 12", turn=3)
    assert after.unit("a").last_moved_turn == 3


@pytest.mark.parametrize("troops_id", ["british-mounted-infantry", "kommando", "pathan-cavalry", BRITISH, "horse-gun"])
def test_mm_2_3_only_regular_cavalry_charges(troops_id: str) -> None:
    mover = unit(troops_id, at=(36, 40), last_moved_turn=1, limbered=True)
    assert "cannot charge" in refusal(mover, "forward 4", "charge")


def test_mm_2_3_mounting_or_dismounting_costs_half_a_turn() -> None:
    rifles = unit("british-mounted-infantry", at=(36, 40))
    after, _ = march(rifles, "forward 6", "dismount")
    assert not after.unit("a").mounted
    assert after.unit("a").horses_at == after.unit("a").place
    assert "may move 6" in refusal(rifles, "forward 7", "dismount")
    assert inches_marched(rifles.model_copy(update={"mounted": False}), "forward 6", "mount") == 6
    trotted = with_memory(unit("british-cavalry", at=(36, 40), last_moved_turn=1), half_turn_spent=True)
    assert "cannot charge in a turn of mounting" in refusal(trotted, "forward 6", "charge", turn=2)


def test_mm_2_3_half_a_turn_spent_before_leaves_half_a_move() -> None:
    after, _ = march(unit("british-mounted-infantry", at=(36, 40), mounted=False), None, "mount")
    second_move = Move(unit="a", to="forward 7")
    with pytest.raises(Refused, match='may move 6"'):
        MOVE.execute(after, second_move, NoDice())
    with pytest.raises(Refused, match="once a turn"):
        MOVE.execute(after, Move(unit="a", circumstances=("dismount",)), NoDice())


def test_mm_2_3_unit_walks_back_to_its_horses() -> None:
    away = unit("kommando", at=(36, 40), mounted=False, horses_at=Place(x=36, y=46))
    assert "Move to “horses” first" in refusal(away, None, "mount")
    just_there = MagdalaOptions(at_hand=inches_to_horses(away))
    assert march(away, None, "mount", options=just_there)[0].unit("a").mounted
    after, _ = march(away, "horses")
    assert after.unit("a").place.y == 46
    assert "have no horses" in refusal(unit(BRITISH), None, "mount")
    assert "have left no horses" in refusal(unit("kommando", at=(36, 40)), "horses")
    assert "are mounted" in refusal(unit("kommando", at=(36, 40)), None, "mount")
    assert "do not fight on foot" in refusal(unit("british-cavalry", at=(36, 40)), None, "dismount")


def test_mm_2_4_limbering_takes_a_full_turn_and_moving_needs_it() -> None:
    gun = unit("field-gun", at=(36, 40))
    assert "is unlimbered" in refusal(gun, "forward 4")
    after, _ = march(gun, None, "limber")
    assert after.unit("a").limbered
    with pytest.raises(Refused, match="spent its whole turn"):
        MOVE.execute(after, Move(unit="a", to="forward 4"), NoDice())
    limbered = gun.model_copy(update={"limbered": True})
    assert inches_marched(limbered, "forward 8") == 8
    assert "takes a full turn" in refusal(limbered, "forward 4", "unlimber")
    assert "takes a full turn" in refusal(with_memory(limbered, moved=2.0), None, "unlimber")
    assert "limbered already" in refusal(limbered, None, "limber")
    unlimbered, _ = march(limbered, None, "unlimber")
    assert not unlimbered.unit("a").limbered
    assert unlimbered.unit("a").this_turn.whole_turn_spent


@pytest.mark.parametrize("troops_id", ["maxim", "gatling", "rockets", "mountain-gun"])
def test_mm_2_4_light_pieces_have_no_limber(troops_id: str) -> None:
    assert inches_marched(unit(troops_id, at=(36, 40)), "forward 6") == 6
    assert "has no limber" in refusal(unit(troops_id), None, "limber")


def test_mm_2_5_native_foot_throws_2d6_plus_2_and_may_fall_short() -> None:
    after, report = march(unit("mahdist-spears", at=(36, 40)), "36,10", faces=[3, 4])
    assert after.unit("a").this_turn.moved == 9
    assert after.unit("a").place.y == 31
    assert "native and irregular foot|up to 9 inches|MM-2.5" in text_of(report)
    (step,) = (step for step in report.steps if step.throws)
    assert (step.start, step.score, [modifier.value for modifier in step.modifiers]) == (7, 9, [2])


def test_mm_2_5_dice_move_stops_at_its_destination() -> None:
    assert inches_marched(unit("mahdist-spears", at=(36, 40)), "forward 5", faces=[6, 6]) == 5


def test_mm_2_6_native_mounted_throws_4d6_and_2() -> None:
    assert inches_marched(unit("pathan-cavalry", at=(36, 40)), "36,10", faces=[1, 2, 3, 4]) == 12


def test_mm_2_6_odds_of_the_dice_equal_icepool() -> None:
    for troops_id, count in (("mahdist-spears", 2), ("pathan-cavalry", 4)):
        expected = count @ icepool.d6 + 2
        distribution = dict(move_rate(unit(troops_id), OPTIONS).distribution)
        assert distribution == {inches: expected.probability(inches) for inches in expected.outcomes()}


def test_mm_2_5_odds_of_getting_there() -> None:
    state = field(unit("mahdist-spears", at=(36, 40)), FOE)
    odds = MOVE.odds_of(state, Move(unit="a", to="forward 9"))
    assert odds.outcomes[0].chance == Fraction(21, 36)
    assert odds.pass_from == 9
    sure = MOVE.odds_of(field(unit(BRITISH, at=(36, 40)), FOE), Move(unit="a", to="forward 3"))
    assert [outcome.chance for outcome in sure.outcomes] == [1]
    unplaced = MOVE.odds_of(field(unit("mahdist-spears")), Move(unit="a"))
    assert sum(outcome.chance for outcome in unplaced.outcomes) == 1


# MM-2.8


@pytest.mark.parametrize(
    ("troops_id", "inches"), [(BRITISH, 12), ("british-cavalry", 24), ("mahdist-spears", 18), ("pathan-cavalry", 32)]
)
def test_mm_2_8_a_detachment_works_within_two_moves(troops_id: str, inches: int) -> None:
    assert max_distance_from_parent(unit(troops_id, parent="p"), OPTIONS) == inches


def test_mm_2_8_beyond_two_moves_the_umpire_is_warned() -> None:
    parent = unit(BRITISH, "p", at=(36, 44))
    near, far = unit(BRITISH, figures=6, parent="p", at=(36, 36)), unit(BRITISH, figures=6, parent="p", at=(36, 30))
    assert not march(near, "forward 3", others=(FOE, parent))[1].warnings
    assert "a detachment works within 12" in march(far, "forward 6", others=(FOE, parent))[1].warnings[0]


def test_mm_2_8_without_positions_the_umpire_is_reminded() -> None:
    _, report = march(unit(BRITISH, figures=6, parent="p"), None, others=(unit(BRITISH, "p"),))
    assert 'within 12" of P' in report.warnings[0]


# MM-2.9


def test_mm_2_9_bad_going_halves_formed_regulars_only() -> None:
    assert inches_marched(unit(BRITISH, at=(36, 40)), "forward 3", "bad going") == 3
    assert 'may move 3"' in refusal(unit(BRITISH, at=(36, 40)), "forward 4", "bad going")
    assert inches_marched(unit(BRITISH, at=(36, 40), order=Order.SKIRMISH), "forward 8", "bad going") == 8
    assert inches_marched(unit("mahdist-spears", at=(36, 40)), "forward 9", "bad going", faces=[3, 4]) == 9
    assert inches_marched(unit("indian-scouts", at=(36, 40)), "forward 9", "bad going", faces=[3, 4]) == 9


def test_mm_2_9_guns_have_their_rate_in_good_going_only() -> None:
    assert 'may move 4"' in refusal(
        unit("mahdist-gun", at=(36, 40), limbered=True, gun_team=GunTeam.LIGHT), "forward 5", "bad going"
    )


def test_mm_2_9_the_option_says_how_much() -> None:
    assert (
        inches_marched(
            unit(BRITISH, at=(36, 40)), "forward 4", "bad going", options=MagdalaOptions(going=Fraction(2, 3))
        )
        == 4
    )


@pytest.mark.parametrize("feature", [Feature.ROUGH, Feature.WOOD, Feature.MARSH, Feature.RIVER, Feature.HILL])
def test_mm_2_9_terrain_on_the_way_is_bad_going(feature: Feature) -> None:
    piece = ROUGH.model_copy(update={"feature": feature})
    battalion = unit(BRITISH, at=(36, 30))
    assert 'may move 3"' in refusal(battalion, "forward 6", terrain=(piece,))
    assert inches_marched(battalion, "forward 6", "good going", terrain=(piece,)) == 6
    assert inches_marched(battalion, "back 6", terrain=(piece,)) == 6


@pytest.mark.parametrize("troops", [Troop.FIELD_ARTILLERY, Troop.HEAVY_ARTILLERY, Troop.POM_POM])
def test_mm_2_4_these_guns_limber_up_to_move(troops: Troop) -> None:
    teams = [unit("field-gun").model_copy(update={"troop": troops, "gun_team": team}) for team in GunTeam]
    assert all(map(must_limber_to_move, teams))


def test_mm_2_4_machine_guns_and_rockets_do_not_limber() -> None:
    for troops in (Troop.MACHINE_GUN, Troop.ROCKET):
        assert not must_limber_to_move(unit("field-gun").model_copy(update={"troop": troops}))
