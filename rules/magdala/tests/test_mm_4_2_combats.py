"""Number of combats in front, flank and rear, by bases on the table and in words (MM-4.2)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.fighting import bouts
from rules.magdala.fighting.contact import MeleePair
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Order
from rules.magdala.moving.marching import Move
from rules.magdala.options import MagdalaOptions
from rules.magdala.orders.movement import MOVE
from rules.magdala.turn import TURN, TurnNext

from .field import BLUE, dice, field, text_of, unit
from .marches import march

CALL = "umpire's call"
FRONT, FLANK, REAR = Attack.FRONT, Attack.FLANK, Attack.REAR
ONLY_ATTACKERS = MagdalaOptions(flank_counts_defenders=False)


def regulars(**fields: object) -> MagdalaUnit:
    """Return 24 figures on a base 4.01 inches wide and 1.2 deep, facing north in the middle of the table."""
    return unit("sudanese-regulars", "b", BLUE, figures=24, at=(36, 24, 0), **fields)


def charge(at: tuple[float, float], enemy: MagdalaUnit, figures: int = 30, **fields: object) -> MagdalaState:
    """Return the state after tribesmen, 5.01 inches wide, move straight from `at` into contact."""
    mover = unit("mahdist-spears", figures=figures, at=at)
    state, _ = MOVE.execute(field(mover, enemy, **fields), Move(unit="a", to="towards b"), dice(6, 6))
    assert state.unit("a").melee_with == "b"
    return state.model_copy(update={"prompts": ()})


def combats(state: MagdalaState, *words: str, contact: int | None = None) -> int:
    return bouts.count_combats(
        MeleePair(state, state.unit("a"), state.unit("b"), words, contact).make_bout("a").touching
    )


def explain_combats(
    attacker: MagdalaUnit, defender: MagdalaUnit, *words: str, contact: int | None = None, **fields: object
) -> str:
    """Return the calculation of a melee without places."""
    action = Melee(unit="a", target="b", contact=contact, circumstances=(*words, CALL))
    odds = MELEE.odds_of(field(attacker, defender, **fields), action)
    return "\n".join((*(f"{step.text}|{step.verdict or step.needed}" for step in odds.steps), *odds.warnings))


def tribe(figures: int = 30) -> MagdalaUnit:
    return unit("mahdist-spears", figures=figures)


def line(**fields: object) -> MagdalaUnit:
    return unit("sudanese-regulars", "b", BLUE, figures=24, **fields)


# By bases


@pytest.mark.parametrize(
    ("came_from", "attack", "fought"),
    [
        ((36, 18), FRONT, 8),
        ((36, 30), REAR, 8),
        ((42, 24), FLANK, 2),
        ((30, 24), FLANK, 2),
        ((42, 24.3), FLANK, 2),
    ],
)
def test_mm_4_2_front_and_rear_of_24_figures_are_eight_combats_and_the_side_two(
    came_from: tuple[float, float], attack: Attack, fought: int
) -> None:
    state = charge(came_from, regulars())
    assert state.unit("a").melee_attack is attack
    assert combats(state) == fought


def test_mm_4_2_attack_at_90_degrees_is_in_flank() -> None:
    assert charge((42, 24), regulars()).unit("a").melee_attack is FLANK
    assert charge((42, 23.9), regulars()).unit("a").melee_attack is FRONT


def test_mm_4_2_where_the_flank_begins_is_an_option() -> None:
    state = charge((42, 23.9), regulars(), options=MagdalaOptions(flank_beyond=60))
    assert state.unit("a").melee_attack is FLANK


def test_mm_4_2_rear_combats_count_the_touched_width() -> None:
    twelve = charge((36, 30), regulars(), figures=12)
    assert twelve.unit("a").melee_attack is REAR
    assert combats(twelve) == round(24 * 2 / 4.01 / 3)


def test_mm_4_2_front_combats_count_the_smaller_side() -> None:
    attacker = unit("native-warband", figures=24, at=(20, 20))
    defender = unit("sudanese-regulars", "b", BLUE, figures=24, at=(22, 18.5, 180))
    assert MeleePair(field(attacker, defender), attacker, defender).figures_touching(FRONT) == 12


def test_mm_4_2_on_the_side_the_attackers_do_not_limit_the_defenders() -> None:
    crew = unit("gatling", figures=2, at=(38.75, 24, 270))
    skirmishers = regulars(order=Order.SKIRMISH)
    for attacker, defender in ((crew, regulars()), (crew, skirmishers)):
        pair = MeleePair(field(attacker, defender), attacker, defender)
        assert pair.figures_touching(FLANK) > pair.figures_touching(FRONT)


def test_mm_4_2_frontal_attack_on_a_touched_side_fights_there() -> None:
    state = charge((42, 23.9), regulars())
    assert combats(state) == 2


def test_mm_4_2_option_limits_flank_and_rear_by_the_attackers() -> None:
    state = charge((36, 30), regulars(), figures=30, options=ONLY_ATTACKERS)
    state = state.with_unit(state.unit("a").model_copy(update={"casualties": 24}))
    assert combats(state) == 2
    assert combats(state.model_copy(update={"options": MagdalaOptions()})) == 8


@pytest.mark.parametrize("came_from", [(36, 30), (42, 24)])
def test_mm_4_2_a_square_has_neither_flank_nor_rear(came_from: tuple[float, float]) -> None:
    assert charge(came_from, regulars(in_square=True)).unit("a").melee_attack is FRONT


def test_mm_4_2_a_melee_found_by_touching_meets_the_enemy_where_it_stands() -> None:
    behind = unit("mahdist-spears", at=(36, 25.5))
    state, _ = MELEE.execute(
        field(behind, regulars()), Melee(unit="a", target="b", circumstances=(CALL,)), dice(*[3] * 16)
    )
    assert state.unit("a").melee_attack is REAR


def test_mm_4_2_the_next_round_is_fought_in_the_rear_too() -> None:
    state, _ = MELEE.execute(charge((36, 30), regulars()), Melee(unit="a"), dice(*[3] * 16))
    state, _ = TURN.execute(state, TurnNext(), NoDice())
    _, report = MELEE.execute(state, Melee(unit="a"), dice(*[3] * 16))
    assert "Round 2, in the rear||24 figures in contact, 8 combats" in text_of(report)


# In words


def test_mm_4_2_without_places_the_smaller_strength_is_in_contact() -> None:
    attacker, defender = unit("native-warband", figures=36), unit("sudanese-regulars", "b", BLUE, figures=20)
    assert MeleePair(field(), attacker, defender).figures_touching(FRONT) == 20
    placed_regulars = regulars().model_copy(update={"figures": 20})
    assert MeleePair(field(), attacker, placed_regulars).figures_touching(FRONT) == 20, (
        "the place of one alone tells nothing"
    )


@pytest.mark.parametrize(("words", "fought"), [((), 8), (("flank",), 2), (("rear",), 8)])
def test_mm_4_2_combats_in_words_equal_those_on_the_table(words: tuple[str, ...], fought: int) -> None:
    assert f"{fought} combats" in explain_combats(tribe(), line(), *words)
    assert combats(field(tribe(), line()), *words) == fought


def test_mm_4_2_few_attackers_in_the_rear_meet_more_than_themselves() -> None:
    assert "6 figures in contact, 2 combats" in explain_combats(tribe(6), line())
    assert "9 figures in contact, 3 combats" in explain_combats(tribe(6), line(), "rear")


@pytest.mark.parametrize(("tribesmen", "word", "figures"), [(30, "flank", 7), (30, "rear", 24), (6, "rear", 9)])
def test_mm_4_2_melee_without_places_tells_its_assumptions(tribesmen: int, word: str, figures: int) -> None:
    explanation = explain_combats(tribe(tribesmen), line(), word)
    assert f"in the {word}|{figures} figures in contact" in explanation
    assert f"Places are unknown, so the {word} of B is taken to touch as far as the front of A reaches" in explanation
    assert "Places are unknown" not in explain_combats(tribe(), line(), word, contact=9)
    assert "Places are unknown" not in explain_combats(tribe(), line())


@pytest.mark.parametrize(
    ("word", "contact", "fields", "why"),
    [
        ("rear", None, {}, "as many combats as in front"),
        ("flank", 9, {}, "the figures in contact are given"),
        ("flank", None, {"in_square": True}, "a square has neither flank nor rear"),
    ],
)
def test_mm_4_2_a_word_that_changes_nothing_says_so(
    word: str, contact: int | None, fields: dict[str, object], why: str
) -> None:
    assert f"“{word}” changes nothing here: {why} (MM-4.2, ruling)." in explain_combats(
        tribe(), line(**fields), word, contact=contact
    )


def test_mm_4_2_report_mentions_a_word_without_effect() -> None:
    action = Melee(unit="a", target="b", circumstances=("rear", CALL))
    _, report = MELEE.execute(field(tribe(), line()), action, dice(*[3] * 16))
    assert ["taken to touch" in report.warnings[0], "changes nothing" in report.warnings[1]] == [True, True]


@pytest.mark.parametrize(("figures", "word", "contact"), [(30, "flank", None), (6, "rear", None), (6, "flank", 9)])
def test_mm_4_2_word_with_effect_gets_no_warning(figures: int, word: str, contact: int | None) -> None:
    assert "changes nothing" not in explain_combats(tribe(figures), line(), word, contact=contact)


def test_mm_4_4_flank_with_an_overlap_word_has_an_effect() -> None:
    assert "changes nothing" not in explain_combats(tribe(), line(), "flank", "overlapped one flank")


def test_mm_4_2_contact_beyond_the_attackers_needs_flank_or_rear() -> None:
    with pytest.raises(Refused, match="At most 6 figures"):
        explain_combats(tribe(6), line(), contact=9)
    assert "9 figures in contact, 3 combats" in explain_combats(tribe(6), line(), "flank", contact=9)


@pytest.mark.parametrize(("words", "attack"), [("in the flank", FLANK), ("in the rear", REAR)])
def test_mm_4_2_move_without_places_names_the_side_it_attacks(words: str, attack: Attack) -> None:
    enemy = line()
    after, report = march(tribe(), "towards b 6", "into contact", words, faces=[4, 4], others=(enemy,))
    assert after.unit("a").melee_attack is attack
    assert f"A meet B {words}|" in text_of(report)
    square = line(in_square=True)
    after, report = march(tribe(), "towards b 6", "into contact", words, faces=[4, 4], others=(square,))
    assert after.unit("a").melee_attack is FRONT
    assert "A meet B|" in text_of(report)
    assert f"“{words}” changes nothing here: B are in square, which has none" in report.warnings[0]


def test_mm_4_2_word_without_contact_is_reported() -> None:
    _, report = march(tribe(), "towards b 6", "in the flank", faces=[4, 4], others=(line(),))
    assert "“in the flank” changes nothing here: A have come into no melee" in report.warnings[0]
