"""The worked examples of the rules, played with the whole system."""

from fractions import Fraction

import pytest

from rules.core.odds import Odds
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Side
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice, without_automatic_tests
from rules.core.wording import sum_line
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, UnitTurn, Works
from rules.magdala.model import Test as Owing
from rules.magdala.ruleset import Magdala
from rules.magdala.scenarios import TROOPS

SYSTEM = Magdala()
OURS, THEIRS = "ours", "theirs"


def unit(name: str, troop: str, side: str, y: float | None = None, **fields) -> MagdalaUnit:
    place = None if y is None else Place(x=30.0, y=y, facing=0.0 if side == OURS else 180.0)
    return TROOPS.find(troop).make_unit(name, name.title(), side, place=place, **fields)


def with_new_turn(unit_: MagdalaUnit) -> MagdalaUnit:
    """Return the unit as at the beginning of a turn."""
    return unit_.model_copy(update={"this_turn": UnitTurn(figures_at_start=unit_.strength)})


def table(*units: MagdalaUnit, active: str = OURS) -> MagdalaState:
    state = MagdalaState(
        scenario="field",
        sides=(Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1)),
        active=active,
        units={
            unit.id: unit.model_copy(update={"this_turn": UnitTurn(figures_at_start=unit.strength)}) for unit in units
        },
    )
    return without_automatic_tests(state)


def play(state: MagdalaState, faces: list[int], kind: str, **args) -> tuple[MagdalaState, Report]:
    dice = ScriptedDice(faces)
    after, report = SYSTEM.act(state, SYSTEM.parse(kind, args), dice)
    assert not dice.left, "the script has dice over"
    return after, report


def odds(state: MagdalaState, kind: str, **args) -> Odds:
    return SYSTEM.odds(state, SYSTEM.parse(kind, args))


def chance_to_pass(odds_: Odds) -> Fraction:
    return sum((outcome.chance for outcome in odds_.outcomes if outcome.good), Fraction(0))


def hit_chance(state: MagdalaState, range_: float, words: str = "") -> tuple[int, Fraction]:
    """Return the number of dice, and the chance that each hits."""
    distribution = dict(odds(state, "fire", unit="a", target="b", range=range_, **{"with": words}).distribution)
    dice = max(distribution)
    missed = distribution[0]
    for chance in (Fraction(1, 3), Fraction(1, 6)):
        if missed == (1 - chance) ** dice:
            return dice, chance
    raise AssertionError(distribution)


def test_example_1_a_full_volley_at_close_range() -> None:
    state = table(unit("a", "british-breechloaders", OURS), unit("b", "mahdist-spears", THEIRS))
    assert hit_chance(state, 10) == (8, Fraction(1, 3))
    after, report = play(state, [5, 6, 4, 1, 2, 3, 5, 1], "fire", unit="a", target="b", range=10)
    assert after.unit("b").casualties == 3
    assert after.unit("a").ammunition == 5
    assert "= 8" in sum_line(report.steps[1])


def test_example_2_half_effect_at_skirmishers_in_cover() -> None:
    state = table(
        unit("a", "british-magazine", OURS, figures=20),
        unit("b", "pathan-musketeers", THEIRS, order=Order.SKIRMISH, works=Works.COVER),
    )
    assert hit_chance(state, 15, "half effect") == (1, Fraction(1, 6))


def test_example_3_boers_at_a_pinned_target() -> None:
    state = table(
        unit("a", "kommando", OURS, mounted=False), unit("b", "british-magazine", THEIRS, morale=Morale.PINNED)
    )
    assert hit_chance(state, 20) == (6, Fraction(1, 6))
    assert hit_chance(state, 28) == (6, Fraction(1, 6))


def test_example_4_natives_with_old_rifles() -> None:
    firers = unit("a", "native-warband", OURS, figures=30)
    assert hit_chance(table(firers, unit("b", "british-breechloaders", THEIRS)), 8) == (5, Fraction(1, 3))
    covered = unit("b", "british-breechloaders", THEIRS, works=Works.COVER)
    assert hit_chance(table(firers, covered), 8) == (2, Fraction(1, 3))


def table_with_casualties(troop: str, casualties: int, **fields) -> MagdalaState:
    tested = unit("a", troop, OURS, casualties=casualties, **fields)
    return table(tested, unit("p", troop, OURS), unit("b", "mahdist-spears", THEIRS))


def test_example_5_british_infantry_with_five_casualties() -> None:
    state = table_with_casualties("british-breechloaders", 5)
    assert chance_to_pass(odds(state, "morale", unit="a", **{"with": "umpire's call"})) == Fraction(33, 36)
    _, report = play(state, [4, 3], "morale", unit="a", **{"with": "umpire's call"})
    assert sum_line(report.steps[0]) == (
        "2D6 [4][3] = 7, +1 British (MM-5.4) = 8 against 5 casualties: they hold (91.7% to hold)"
    )
    _, held = play(state, [3, 1], "morale", unit="a", **{"with": "umpire's call"})
    _, failed = play(state, [2, 1], "morale", unit="a", **{"with": "umpire's call"})
    assert (held.steps[0].verdict, failed.steps[0].verdict) == ("they hold", "they fail")


def test_example_6_british_infantry_with_thirteen_casualties() -> None:
    state = table_with_casualties("british-breechloaders", 13)
    assert chance_to_pass(odds(state, "morale", unit="a", **{"with": "umpire's call"})) == Fraction(3, 36)
    _, report = play(state, [6, 5], "morale", unit="a", **{"with": "umpire's call"})
    assert report.steps[0].verdict.startswith("they hold"), "11 always passes"


def test_example_7_a_detachment_of_egyptian_conscripts() -> None:
    state = table_with_casualties("egyptian-conscripts", 3, figures=6, parent="p")
    assert chance_to_pass(odds(state, "morale", unit="a", **{"with": "umpire's call"})) == Fraction(2, 6)


def fire_at_advancing(hits: int) -> MagdalaState:
    """Return the state after `hits` fire hits on 24 infantry that advanced in their turn."""
    walking = UnitTurn(advanced=True, moved=6, figures_at_start=24)
    state = table(unit("a", "british-breechloaders", OURS), unit("b", "british-magazine", THEIRS), active=THEIRS)
    state = state.with_unit(state.unit("a").model_copy(update={"this_turn": walking}))
    faces = [6] * hits + [1] * (12 - hits)
    return play(state, faces, "fire", unit="b", target="a", range=20)[0]


def owed_by_a(state: MagdalaState) -> list[Owing]:
    return [prompt.test for prompt in state.prompts if prompt.unit == "a"]


def test_example_8_three_of_twenty_four_halt_and_pin_without_a_test() -> None:
    after = fire_at_advancing(3)
    assert after.unit("a").morale is Morale.PINNED
    assert owed_by_a(after) == []


def test_example_8_two_of_twenty_four_test() -> None:
    after = fire_at_advancing(2)
    assert after.unit("a").morale is Morale.STEADY
    assert owed_by_a(after) == [Owing.UNDER_FIRE]


def test_example_8_one_of_twenty_four_does_nothing() -> None:
    after = fire_at_advancing(1)
    assert after.unit("a").morale is Morale.STEADY
    assert owed_by_a(after) == []


def test_report_of_fire_has_a_button_for_the_owed_test() -> None:
    state = table(unit("a", "british-breechloaders", OURS), unit("b", "mahdist-spears", THEIRS))
    after, report = play(state, [5, 6, 4, 1, 2, 3, 5, 1], "fire", unit="a", target="b", range=10)
    (prompt,) = report.prompts
    (offer,) = prompt.offers
    assert (prompt.unit, prompt.side, offer.kind) == ("b", THEIRS, "morale")
    later, _ = SYSTEM.act(after, SYSTEM.parse(offer.kind, offer.args), ScriptedDice([6, 6]))
    assert not later.prompts


def test_owed_test_blocks_the_end_of_the_turn() -> None:
    state = table(unit("a", "british-breechloaders", OURS), unit("b", "mahdist-spears", THEIRS))
    after, _ = play(state, [5, 6, 4, 1, 2, 3, 5, 1], "fire", unit="a", target="b", range=10)
    with pytest.raises(Refused, match="cannot pass yet") as refused:
        play(after, [], "turn_next")
    assert [prompt.text for prompt in refused.value.prompts] == ["B: morale under fire"]


def test_a_charge_from_beginning_to_rout() -> None:
    """Mahdists come 10 inches into contact: volley, round, and lost test. Infantry does not pursue."""
    state = table(
        unit("a", "british-breechloaders", OURS, 30.0),
        unit("b", "mahdist-spears", THEIRS, 18.0, figures=24),
        active=THEIRS,
    )
    state, met = play(state, [6, 6], "move", unit="b", to="towards a")
    assert [prompt.unit for prompt in met.prompts if prompt.offers] == ["a"]
    state, _ = play(state, [5, 6, 4, 1, 2, 3, 4, 1], "fire", unit="a", target="b")
    assert state.unit("b").casualties == 2
    while state.prompts:
        state, _ = play(state, [6, 6], "morale", unit="b")
    combats = 7  # a third of the 22 in contact
    state, _ = play(state, [1] * combats + [6] * combats, "melee", unit="a", target="b")
    assert state.unit("b").casualties == 2 + combats
    state, _ = play(state, [1, 1], "morale", unit="b")
    assert state.unit("b").morale in (Morale.ROUTED, Morale.OFF_TABLE)
    assert state.unit("a").melee_with is None


def test_mm_4_1_defender_without_dice_owes_no_fire() -> None:
    conscripts = unit("a", "egyptian-conscripts", OURS, 30.0, figures=3)
    state = table(conscripts, unit("b", "mahdist-spears", THEIRS, 18.0, figures=24), active=THEIRS)
    state, met = play(state, [6, 6], "move", unit="b", to="towards a")
    assert state.prompts == ()
    assert [offer.kind for prompt in met.prompts for offer in prompt.offers] == ["melee"]
