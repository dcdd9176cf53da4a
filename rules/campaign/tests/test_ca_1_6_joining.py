"""Joining and splitting columns: what is offered, refused and told (CA-1.6)."""

from typing import Any

import pytest

from rules.campaign.columns import Arrival
from rules.campaign.model import CampaignState
from rules.campaign.organisation import JOIN
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.tests.scripted import ScriptedDice

from .country import BLUE, OPEN, country, day, hex_at, make_map
from .worlds import SYSTEM


def act(state: CampaignState, kind: str, **arguments: Any) -> tuple[CampaignState, Report]:
    return SYSTEM.act(state, SYSTEM.parse(kind, arguments), ScriptedDice(()))


def refusal(state: CampaignState, kind: str, **arguments: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(state, kind, **arguments)
    return refused.value.why


def test_columns_of_one_command_in_one_hex_may_join() -> None:
    lines = ("blue foot 0203", "blue horse 0203", "blue foot 0303", "green foot 0203", "red foot 0907")
    state = country(make_map(OPEN), *lines, blues=(BLUE, "green"))
    pairs = [(join.unit, join.target) for join in JOIN.suggest_actions(state)]
    assert pairs == [("blue-foot", "blue-horse"), ("blue-horse", "blue-foot")]


def test_joined_columns_share_wagon_works_and_supply() -> None:
    lines = ("blue foot 0203:10 supply:12 wagon", "blue horse 0203:20 supply:6", "red foot 0907")
    state = country(make_map(OPEN), *lines).changed("blue-foot", days_dug=2).changed("blue-horse", days_dug=3)
    after, report = act(state, "join", unit="blue-horse", target="blue-foot")
    joined = after.unit("blue-foot")
    assert (joined.supply, joined.has_wagon, joined.days_dug) == (8, True, 2)
    assert [unit.name for unit in joined.troops] == ["foot", "mounted"]
    assert (report.headline, report.units, report.audience) == (
        "blue horse joins blue foot.",
        ("blue-foot",),
        {BLUE},
    )
    assert report.view_for(UMPIRE) is not None
    assert act(state, "join", unit="blue-foot", target="blue-horse")[0].unit("blue-horse").has_wagon
    plain, _ = act(country(make_map(OPEN), *(line.replace(" wagon", "") for line in lines)), "join", **JOINS)
    assert (plain.unit("blue-horse").supply, plain.unit("blue-horse").has_wagon) == (6, False), "it carries six at most"


JOINS = {"unit": "blue-foot", "target": "blue-horse"}


def test_what_cannot_join_is_refused() -> None:
    lines = ("blue foot 0203", "blue horse 0203", "green foot 0203", "red foot 0907")
    state = country(make_map(OPEN), *lines, blues=(BLUE, "green"))
    assert refusal(state, "join", unit="blue-foot", target="blue-foot") == (
        "blue foot cannot join itself. Name another column."
    )
    assert refusal(state, "join", unit="blue-foot", target="green-foot") == "green foot is of another command."
    late = state.changed("blue-horse", at=None, arrives=Arrival(day=2, at=hex_at("0203")))
    assert refusal(late, "join", **JOINS) == "blue horse is not on the map yet."
    ready = state.model_copy(update={"done": (BLUE,)})
    assert refusal(ready, "join", **JOINS) == "The Blue are ready for the day's end. Take that back first."
    fight, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204", "blue horse 0207"))
    assert refusal(fight, "join", **JOINS).endswith("is in a battle.")


def mixed(**fields: Any) -> CampaignState:
    return country(make_map(OPEN), "blue mixed 0203 supply:5 via:0204", "red foot 0907", **fields)


def test_a_split_is_told_in_words_to_its_command() -> None:
    state = mixed().changed("blue-mixed", days_dug=3)
    after, report = act(state, "split", unit="blue-mixed", name="Left wing", units="mounted")
    assert report.headline == "blue mixed: mounted leave as Left wing."
    assert (report.units, report.audience) == (("blue-mixed", "blue-left-wing"), {BLUE})
    old, new = after.unit("blue-mixed"), after.unit("blue-left-wing")
    assert (old.days_dug, new.days_dug, old.supply, new.supply) == (3, 0, 5, 5)
    assert (old.listed, new.listed, after.wrote) == (0, 999, (BLUE,))
    assert [column.id for column in after.columns_of(BLUE)] == ["blue-mixed", "blue-left-wing"]
    deputy, _ = act(state, "split", unit="blue-mixed", name="Left wing", units="mounted", by_deputy=True)
    assert (deputy.wrote, deputy.deputised) == ((), (BLUE,))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"units": " , "}, "Name the units that leave. blue mixed has: foot, mounted."),
        ({"units": "foot and mounted"}, "Some unit must stay with blue mixed. It has: foot, mounted."),
        ({"units": "foot", "wagon": True}, "blue mixed has no wagon."),
        ({"units": "foot; Krupps"}, "blue mixed has no unit “Krupps”. There are: foot, mounted."),
    ],
)
def test_a_split_that_does_not_hold_is_refused(arguments: dict[str, Any], why: str) -> None:
    assert refusal(mixed(), "split", unit="blue-mixed", name="Left wing", **arguments) == why


def test_a_split_cuts_supply_to_what_each_carries() -> None:
    state = country(make_map(OPEN), "blue mixed 0203 supply:9 wagon", "red foot 0907")
    after, _ = act(state, "split", unit="blue-mixed", name="Left wing", units="mounted")
    assert [after.unit(column_id).supply for column_id in ("blue-mixed", "blue-left-wing")] == [9, 6]
    assert [after.unit(column_id).has_wagon for column_id in ("blue-mixed", "blue-left-wing")] == [True, False]
