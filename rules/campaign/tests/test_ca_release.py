"""Days that the umpire looks at before they are told (option `release`, CA-1.2)."""

import pytest

from rules.campaign.model import CampaignState
from rules.campaign.news import last_ended_day
from rules.campaign.options import Release
from rules.campaign.orders import MOVE, Move
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, country, make_map
from .test_ca_account import SALTS
from .worlds import SYSTEM

LINES = ("blue foot 0203 attack via:0204", "blue horse 0501 forced via:0601,0602", "red foot 0204:40", "red foot 0907")
VIEWERS: tuple[Viewer, ...] = ("blue", "red", PUBLIC)


def begin(**fields: object) -> CampaignState:
    """Return a country whose days the umpire releases, in which blue attacks today."""
    points = ["Well 0602 red well 3", "Home 0203 blue base"]
    return country(make_map(OPEN), *LINES, points=points, release=Release.UMPIRE, **fields)


def act(state: CampaignState, kind: str, *fell: int, **args: object) -> tuple[CampaignState, Report]:
    """Do an action with these dice."""
    return SYSTEM.act(state, SYSTEM.parse(kind, args), ScriptedDice(fell))


def withheld(state: CampaignState, die: int = 6) -> tuple[CampaignState, Report]:
    """End the day, which the umpire then looks at; the die is that of the forced march."""
    return act(state, "turn_next", *SALTS, die)


def told(state: CampaignState, report: Report, viewer: Viewer) -> str:
    """Return everything that a viewer is told of a state and of its report."""
    view = SYSTEM.view(state, viewer)
    parts = (
        SYSTEM.write_state(SYSTEM.storable_view(state, viewer)),
        SYSTEM.scene(state, viewer),
        SYSTEM.roster(state, viewer),
        SYSTEM.open_prompts(view),
        SYSTEM.tally(state),
        state.turn_title,
        state.over,
        report.view_for(viewer),
    )
    return "\n".join(map(str, parts))


def test_everybody_but_the_umpire_sees_the_state_before_the_day() -> None:
    before = begin()
    after, report = withheld(before)
    for viewer in VIEWERS:
        view, was = SYSTEM.view(after, viewer), SYSTEM.view(before, viewer)
        assert view == was.model_copy(update={"is_withheld": True, "done": ("blue", "red")})
        own = report.view_for(viewer)
        assert own is not None
        assert own.headline == "Day 1 is over."
        assert {step.cite.rule for step in own.steps} == {"CA-1.9"}, "the seals alone"
    umpire = SYSTEM.view(after, UMPIRE)
    assert umpire.turn == 2
    assert [battle.at.label for battle in umpire.battles.values()] == ["0204"]
    assert len(report.steps) > 4
    assert last_ended_day(after) == 0


def test_two_days_that_went_differently_tell_the_commands_the_same() -> None:
    state = begin()
    changed = state.changed("red-foot-2", at=state.unit("red-foot-2").at.neighbours()[0])  # type: ignore[union-attr]
    changed = changed.changed("red-foot", troops=(state.unit("red-foot").troops[0].model_copy(update={"figures": 1}),))
    worlds = [withheld(state), withheld(changed, 1)]
    assert worlds[0][0].withheld != worlds[1][0].withheld
    assert told(*worlds[0], "blue") == told(*worlds[1], "blue")
    assert told(*worlds[0], PUBLIC) == told(*worlds[1], PUBLIC)
    assert SYSTEM.awaited_viewers(worlds[0][0]) == {UMPIRE} == SYSTEM.awaited_viewers(worlds[1][0])


def test_a_victory_is_not_told_before_the_release() -> None:
    after, _ = withheld(begin(sudden={"blue": ("Well",)}))
    assert after.over is None
    assert after.withheld is not None
    assert after.withheld.state.over is not None
    released, report = act(after, "turn_next")
    assert released.over is not None
    assert "The Blue hold Well." in report.ending


def test_the_release_tells_the_day_as_usual() -> None:
    before = begin()
    at_once = before.model_copy(update={"options": before.options.model_copy(update={"release": Release.AT_ONCE})})
    usual, usual_report = act(at_once, "turn_next", *SALTS, 1)
    released, report = act(withheld(before, 1)[0], "turn_next")
    assert released.model_copy(update={"options": usual.options}) == usual
    assert report.headline == usual_report.headline == "Gazette of day 1. Day 2."
    for viewer in VIEWERS:
        seen, usual_seen = report.view_for(viewer), usual_report.view_for(viewer)
        assert seen is not None
        assert usual_seen is not None
        assert [step.verdict for step in seen.steps] == [step.verdict for step in usual_seen.steps][
            len(seen.steps) * -1 :
        ]
    accounts = SYSTEM.turn_accounts
    assert accounts is not None
    told_late = accounts.find_account(withheld(before, 1)[0], released, report, "blue")
    assert told_late == accounts.find_account(at_once, usual, usual_report, "blue")


def test_corrections_change_the_day_and_are_told_with_it() -> None:
    state, _ = withheld(begin())
    corrected, secret = act(state, "set", unit="blue-horse", field="supply", value="2")
    assert secret.audience == frozenset()
    assert SYSTEM.view(corrected, "blue") == SYSTEM.view(state, "blue")
    assert SYSTEM.view(corrected, UMPIRE).unit("blue-horse").supply == 2
    moved, _ = act(corrected, "set", unit="red-foot-2", field="at", value="0806")
    released, report = act(moved, "turn_next")
    assert released.unit("blue-horse").supply == 2
    blue, red = report.view_for("blue"), report.view_for("red")
    assert blue is not None
    assert red is not None
    mine = [f"{step.text}: {step.verdict}" for step in blue.steps if step.text.startswith("The umpire")]
    assert mine == ["The umpire corrects blue horse: supply: Supply: 6 → 2."]
    assert len([step for step in red.steps if step.text.startswith("The umpire")]) == 1


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("move", {"unit": "blue-horse", "to": "0604"}),
        ("split", {"unit": "blue-horse", "name": "Left", "units": "x"}),
        ("turn_next", {"side": "blue"}),
        ("unready", {"side": "blue"}),
    ],
)
def test_no_orders_are_written_meanwhile(kind: str, args: dict[str, str]) -> None:
    state, _ = withheld(begin())
    with pytest.raises(Refused, match="Day 1 is over, and the umpire looks at it"):
        act(state, kind, **args)


def test_what_a_command_would_order_is_refused_for_the_same_reason() -> None:
    state, _ = withheld(begin())
    with pytest.raises(Refused, match="Day 1 is over, and the umpire looks at it"):
        MOVE.plan(SYSTEM.view(state, "blue"), Move(unit="blue-horse", to="0604"))


def test_only_the_release_is_open_and_nobody_is_forced() -> None:
    state, _ = withheld(begin())
    (prompt,) = SYSTEM.open_prompts(state)
    assert (prompt.side, prompt.offers[0].label) == (UMPIRE, "Release the day")
    assert SYSTEM.next_forced_action(state) is None
    assert not [*SYSTEM.legal_actions(state, "blue")]


def test_a_withheld_day_is_stored_and_a_commands_file_has_nothing_of_it() -> None:
    state, _ = withheld(begin())
    view = SYSTEM.storable_view(state, UMPIRE)
    assert SYSTEM.state_type.model_validate_json(view.model_dump_json()) == state
    own = SYSTEM.storable_view(state, "blue")
    assert own.withheld is None
    after, report = act(own, "turn_next")
    assert report.headline == "Day 1 goes on: orders are open again."
    assert {*after.acting_sides} == {"blue"}


def test_the_last_day_is_withheld_and_then_waits_for_its_battle() -> None:
    state, _ = withheld(begin(days=1))
    assert not state.waits_for_battles
    released, report = act(state, "turn_next")
    assert released.waits_for_battles
    assert report.headline == "Day 1, the last, is over."


def test_taking_the_day_back_or_doing_it_again_restores_everything() -> None:
    before = begin()
    after, _ = withheld(before)
    changed, _ = act(before, "move", unit="red-foot", to="0306")
    secrets = SYSTEM.hidden_troops
    assert secrets is not None
    assert secrets.keep_hidden_facts(after, changed, "blue") == after, "a day again is that of its own orders"
    assert secrets.keep_hidden_facts(before, after, "blue") == before
