"""Results of battles as the umpire enters them (CA-6.5)."""

from typing import Any

import pytest

from rules.campaign.battles import BattleOutcome
from rules.campaign.model import CampaignState
from rules.campaign.results import BATTLE_RESULT, BattleResult, losses_in_words
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, country, day, make_map
from .worlds import SYSTEM

LINES = ("blue mixed 0203 attack via:0204 came:0202,0201", "red guns 0204 came:0205,0206")
SECOND = ("blue foot 0603 attack via:0604", "red foot 0604")


def fought(*lines: str) -> CampaignState:
    return day(country(make_map(OPEN, "name 0204: El Teb"), *LINES, *lines))[0]


def enter(state: CampaignState, **arguments: Any) -> CampaignState:
    return SYSTEM.act(state, SYSTEM.parse("battle_result", arguments), ScriptedDice(()))[0]


def losses(text: str) -> dict[str, tuple[int, ...]]:
    """Return the losses that a text gives the columns of the battle."""
    return dict(BATTLE_RESULT.plan(fought(), BattleResult(battle="", field="nobody", lost=text)).result.lost)


def test_each_outcome_of_each_battle_is_offered() -> None:
    results = [(result.battle, result.field) for result in BATTLE_RESULT.suggest_actions(fought(*SECOND))]
    assert results == [(at, field) for at in ("0204", "0604") for field in ("Blue", "Red", "nobody")]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("", {"blue-mixed": (0, 0), "red-guns": (0,)}),
        ("foot 7; mounted: 3, wheeled all", {"blue-mixed": (7, 3), "red-guns": (24,)}),
        ("mounted 3\nwheeled ALL", {"blue-mixed": (0, 3), "red-guns": (24,)}),
        ("foot all, mounted 24", {"blue-mixed": (24, 24), "red-guns": (0,)}),
        (" ;foot 1 ; ", {"blue-mixed": (1, 0), "red-guns": (0,)}),
    ],
)
def test_losses_as_they_are_typed(text: str, lost: dict[str, tuple[int, ...]]) -> None:
    assert losses(text) == lost


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("foot 25", "foot had 24 figures, and cannot lose 25."),
        ("foot 2, foot 3", "foot appears twice."),
        ("foot", "“foot” is no loss. Write the unit and its figures: Gordons 7."),
        ("x" * 60, f"“{'x' * 40}” is no loss. Write the unit and its figures: Gordons 7."),
        (
            "foot 25; foot; wheeled 99; foot 1",
            (
                "foot had 24 figures, and cannot lose 25. “foot” is no loss. Write the unit and its figures: Gordons 7."
                " wheeled had 24 figures, and cannot lose 99."
            ),
        ),
        ("foot 1;" + " " * 39_994, "Losses have at most 40000 characters."),
    ],
)
def test_losses_that_cannot_be_are_refused(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        losses(text)
    assert refused.value.why == why


def test_losses_are_written_as_they_are_read() -> None:
    state = fought()
    lost = {"blue-mixed": (7, 0), "red-guns": (12,)}
    assert losses_in_words(state, BattleOutcome(lost=lost)) == "foot 7; wheeled 12"
    assert losses(losses_in_words(state, BattleOutcome(lost=lost))) == lost


def with_units(*names: str) -> CampaignState:
    """Return a battle in which Blue's column has foot of these names."""
    state = fought()
    unit = state.unit("blue-mixed").troops[0]
    return state.changed("blue-mixed", troops=tuple(unit.model_copy(update={"name": name}) for name in names))


def test_losses_of_a_battle_of_many_units_are_read() -> None:
    state = with_units(*(f"Regiment {number} of a province with a long name" for number in range(300)))
    lost = {"blue-mixed": tuple(number % 25 for number in range(300)), "red-guns": (3,)}
    text = losses_in_words(state, BattleOutcome(lost=lost))
    assert len(text) > 10_000
    assert BATTLE_RESULT.plan(state, BattleResult(battle="", field="nobody", lost=text)).result.lost == lost


def test_losses_of_units_whose_names_could_be_misread_are_written_by_their_place() -> None:
    state = with_units("Guards", "wheeled", "Company 2, left: half")
    lost = {"blue-mixed": (1, 2, 3), "red-guns": (4,)}
    text = losses_in_words(state, BattleOutcome(lost=lost))
    assert text == "Guards 1; blue-mixed/1 2; blue-mixed/2 3; red-guns/0 4"
    assert BATTLE_RESULT.plan(state, BattleResult(battle="", field="nobody", lost=text)).result.lost == lost


def test_a_battle_is_found_by_its_place_or_alone() -> None:
    one, two = fought(), fought(*SECOND)
    assert not enter(one, battle="", field="nobody").battles
    assert [battle.at.label for battle in enter(two, battle="El Teb", field="red").battles.values()] == ["0604"]
    for state, place, why in (
        (two, "", "Name the battle. These are open: 0204 (El Teb), 0604."),
        (two, "0303", "No battle is open in 0303. Open are: 0204 (El Teb), 0604."),
        (enter(one, battle="", field="nobody"), "", "No battle is open."),
    ):
        with pytest.raises(Refused) as refused:
            enter(state, battle=place, field="nobody")
        assert refused.value.why == why


def test_nobody_may_hold_the_field() -> None:
    state = fought()
    plan = BATTLE_RESULT.plan(state, BattleResult(battle="", field="Nobody"))
    assert str(BATTLE_RESULT.caption(state, plan)) == "Battle in 0204 (El Teb): nobody held the field"


def test_the_days_readiness_stays_while_a_command_still_writes_orders() -> None:
    lines = ("blue foot 0703", "red foot 0907")
    state = fought(*lines).model_copy(update={"done": ("blue",)})
    assert enter(state, battle="", field="nobody").done == ("blue",)
    both = state.model_copy(update={"done": ("blue", "red")})
    assert enter(both, battle="", field="nobody").done == ()
