"""Who wins a battle on a table: losses break an army; otherwise the objectives decide at the end."""

from fractions import Fraction

import pytest

from rules.core.state import Side, Verdict
from rules.core.tabletop.battle import Objective
from rules.core.tabletop.victory import VictoryRules

from .companies import OURS, PLACEMENT, SIDES, THEIRS, Company, Field, company, table_of, unplaced_company

VICTORY: VictoryRules[Company] = VictoryRules(
    counts=lambda unit: not unit.colonel,
    lost=lambda unit: unit.gone,
    holding=lambda unit: not unit.guns and not unit.gone,
    base=PLACEMENT.base,
    fate="gone",
)
HALF = Fraction(1, 2)
HILL = Objective(side=OURS, name="the hill", at=(36, 24), within=6)
WELLS = Objective(side=OURS, name="the wells", at=(10, 10), within=3)
THIRD = Side(id="third", name="Third", index=2)


def army(side: str, count: int, lost: int, **fields: bool) -> list[Company]:
    """Return a side's companies far from every objective, `lost` of them destroyed."""
    return [company(f"{side}{number}", 60, 40, side=side, gone=number < lost, **fields) for number in range(count)]


def verdict(*units: Company, part: Fraction = HALF, **fields: object) -> Verdict | None:
    return VICTORY.verdict_at_breaking_share(table_of(*units, **fields), part)


@pytest.mark.parametrize(
    ("count", "lost", "part", "broken"),
    [
        (4, 1, HALF, False),
        (4, 2, HALF, True),
        (5, 2, HALF, False),
        (5, 3, HALF, True),
        (3, 2, Fraction(1), False),
        (3, 3, Fraction(1), True),
        (3, 0, Fraction(0), False),
        (3, 1, Fraction(0), True),
        (0, 0, HALF, False),
    ],
)
def test_an_army_breaks_when_at_least_its_part_and_one_unit_are_lost(
    count: int, lost: int, part: Fraction, broken: bool
) -> None:
    state = table_of(*army(OURS, count, lost), *army(THEIRS, 4, 0))
    assert VICTORY.is_broken(state, OURS, part) is broken
    assert VICTORY.is_broken(state, THEIRS, part) is False


def test_units_that_do_not_count_break_no_army() -> None:
    lost_colonels = army(OURS, 3, 3, colonel=True)
    assert not VICTORY.is_broken(table_of(*lost_colonels, company("A", 1, 1), company("B", 1, 2)), OURS, HALF)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (HALF, "half their units"),
        (Fraction(1), "all their units"),
        (Fraction(1, 3), "⅓ of their units"),
        (Fraction(0), "a unit"),
    ],
)
def test_the_army_that_stands_has_won(part: Fraction, words: str) -> None:
    assert verdict(*army(OURS, 2, 2), *army(THEIRS, 3, 0), part=part) == Verdict(
        winner=THEIRS, why=f"With {words} gone, the Ours are broken."
    )


def test_both_broken_is_a_draw_and_neither_goes_on() -> None:
    both = Verdict(winner=None, why="Both armies are broken.")
    assert verdict(*army(OURS, 2, 1), *army(THEIRS, 2, 1)) == both
    assert verdict(*army(OURS, 2, 0), *army(THEIRS, 2, 0)) is None


def test_only_standing_army_of_three_wins() -> None:
    sides = (*SIDES, THIRD)
    two = verdict(*army(OURS, 1, 1), *army(THEIRS, 1, 1), *army("third", 1, 0), sides=sides)
    assert two is not None
    assert (two.winner, two.why.count("the Ours and the Theirs are broken")) == ("third", 1)


@pytest.mark.parametrize(("turn", "limit", "over"), [(6, 6, False), (7, 6, True), (99, None, False)])
def test_the_game_ends_after_its_last_turn(turn: int, limit: int | None, over: bool) -> None:
    ended = verdict(*army(OURS, 2, 0), *army(THEIRS, 2, 0), turn=turn, turn_limit=limit)
    draw = Verdict(winner=None, why="The last turn is over and neither army is broken.")
    assert ended == (draw if over else None)


def test_broken_army_loses_despite_objectives() -> None:
    ours = [company("A", 36, 24), *army(OURS, 1, 1)]
    ended = verdict(*ours, *army(THEIRS, 1, 0), turn=7, turn_limit=6, objectives=(HILL,))
    assert ended is not None
    assert ended.winner == THEIRS


def by_ground(*units: Company, objectives: tuple[Objective, ...] = (HILL,), **fields: object) -> Verdict:
    return VICTORY.verdict_by_ground(table_of(*units, objectives=objectives, **fields))


def test_attacker_wins_by_holding_all_objectives() -> None:
    hill, wells = company("A", 36, 24), company("B", 10, 10)
    assert by_ground(hill) == Verdict(winner=OURS, why="The Ours hold the hill at the end of the last turn.")
    both = by_ground(hill, wells, objectives=(HILL, WELLS))
    assert both == Verdict(winner=OURS, why="The Ours hold the hill and the wells at the end of the last turn.")


def test_defender_wins_if_the_attacker_lacks_an_objective() -> None:
    why = "The Theirs have kept the enemy from the hill and the wells to the last turn."
    only_one = by_ground(company("A", 36, 24), objectives=(HILL, WELLS))
    assert only_one == Verdict(winner=THEIRS, why=why)


def test_nobody_wins_if_both_attackers_fail_or_two_sides_defend() -> None:
    theirs = HILL.model_copy(update={"side": THEIRS, "name": "the ford"})
    nobody = by_ground(objectives=(HILL, theirs))
    assert nobody == Verdict(winner=None, why="Nobody holds the hill and the ford at the end of the last turn.")
    assert by_ground(sides=(*SIDES, THIRD)).winner is None
    theirs_alone = by_ground(company("E", 36, 24, side=THEIRS), objectives=(HILL, theirs))
    assert theirs_alone == Verdict(winner=THEIRS, why="The Theirs hold the ford at the end of the last turn.")


def holder_of_hill(*units: Company) -> bool:
    state: Field = table_of(*units)
    return VICTORY.is_held(state, HILL)


def test_objective_is_held_by_the_only_side_on_it() -> None:
    assert holder_of_hill(company("A", 36, 30))  # six inches off its middle
    assert not holder_of_hill(company("A", 36, 30.1))
    assert not holder_of_hill(company("A", 36, 24), company("E", 36, 25, side=THEIRS))
    assert holder_of_hill(company("A", 36, 24), company("E", 36, 31, side=THEIRS))
    assert not holder_of_hill()


def test_unit_that_cannot_hold_ground_has_no_effect_on_it() -> None:
    assert not holder_of_hill(company("Guns", 36, 24, guns=True))
    assert not holder_of_hill(unplaced_company("A"))
    assert holder_of_hill(company("A", 36, 24), company("E", 36, 24, side=THEIRS, gone=True))
