"""Upgrades: data stored by older versions is read, and data of newer versions is refused."""

import json
from typing import Any, ClassVar

import pytest

from rules.core.report import Offer, Prompt, Report
from rules.core.upgrades import VERSION, Data, NewerVersion, Upgrade, rename_owed_to_prompts, upgrades_since

from .drill import RULE, Drill, start_drill


def _squads_had_ranks(state: Data) -> Data:
    for unit in state["units"].values():
        del unit["rank"]
    return state


def _hold_was_wait(kind: str, args: Data) -> tuple[str, Data]:
    return ("hold" if kind == "wait" else kind), args


def _reports_had_titles(report: Data) -> Data:
    report["headline"] = report.pop("title")
    return report


class Upgraded(Drill):
    upgrades: ClassVar = (
        Upgrade(state=_squads_had_ranks, action=_hold_was_wait),
        Upgrade(report=_reports_had_titles),
    )


SYSTEM = Upgraded()


def test_only_upgrades_of_actions_and_reports_touch_reports() -> None:
    assert not Upgrade(state=_squads_had_ranks).can_change_reports
    assert Upgrade(action=_hold_was_wait).can_change_reports
    assert Upgrade(report=_reports_had_titles).can_change_reports


def version_1_record() -> dict[str, Any]:
    state = json.loads(start_drill().model_dump_json())
    for unit in state["units"].values():
        unit["rank"] = 3
    return {VERSION: 1, **state}


def test_version_is_one_more_than_the_upgrades():
    assert (Drill().version, SYSTEM.version) == (1, 3)


def test_a_state_is_stored_with_its_version_and_all_its_options_and_read_again():
    text = SYSTEM.write_state(start_drill())
    document = json.loads(text)
    assert document[VERSION] == 3
    assert document["options"] == start_drill().options.model_dump(mode="json")
    assert set(document["units"]["a"]) == {"id", "name", "side"}
    assert SYSTEM.read_state(text) == start_drill()


def test_state_of_an_earlier_version_is_read_and_keeps_its_values():
    old = version_1_record()
    assert SYSTEM.read_state(json.dumps(old)) == start_drill()
    assert SYSTEM.parse_state(old) == start_drill()
    assert old == version_1_record()


def test_a_state_that_names_no_version_is_of_the_first():
    old = version_1_record()
    del old[VERSION]
    assert SYSTEM.parse_state(old) == start_drill()


@pytest.mark.parametrize(
    "text", ['{"schema_version":4}', '{"schema_version":3,"units":', "[]", '{"schema_version":"x"}']
)
def test_invalid_or_newer_state_is_a_value_error(text: str):
    with pytest.raises(ValueError, match=r"."):
        SYSTEM.read_state(text)


def test_state_unlike_its_version_is_a_value_error():
    with pytest.raises(ValueError, match="form of its version"):
        SYSTEM.read_state(json.dumps({VERSION: 1, "units": {"a": {}}}))


def test_newer_states_actions_and_reports_say_that_they_are_newer():
    with pytest.raises(NewerVersion, match="version 4, and 3"):
        SYSTEM.parse_state({VERSION: 4})
    with pytest.raises(NewerVersion):
        SYSTEM.upgrade_action("hold", {}, 4)
    with pytest.raises(NewerVersion):
        SYSTEM.read_report("{}", 4)


def test_an_action_of_an_earlier_version_is_read():
    args = {"unit": "a"}
    assert SYSTEM.upgrade_action("wait", args, 1) == ("hold", args)
    assert SYSTEM.read_action("wait", args, 1) == SYSTEM.parse("hold", args)
    assert SYSTEM.upgrade_action("hold", args, 3) == ("hold", args)


def test_a_report_of_an_earlier_version_is_read_with_its_offers():
    offer = Offer(label="Hold", kind="hold", args={"unit": "a"}, side="red", key="k")
    prompts = Prompt(key="k", unit="a", side="red", text="…", cite=RULE, offers=(offer,))
    today = Report(headline="A squad holds", prompts=(prompts,), offers=(offer,))
    old = json.loads(today.model_dump_json())
    old["title"] = old.pop("headline")
    for offer_data in (*old["offers"], *old["prompts"][0]["offers"]):
        offer_data["kind"] = "wait"
    assert SYSTEM.read_report(json.dumps(old), 1) == today
    assert SYSTEM.read_report(today.model_dump_json(), 3) == today


def test_renamed_report_fields_before_version_3():
    owed = {"key": "k", "blocks_turn": False}
    assert rename_owed_to_prompts({"headline": "H", "owed": [owed, {"key": "l"}]}) == {
        "headline": "H",
        "prompts": [{"key": "k", "required": False}, {"key": "l"}],
    }
    assert rename_owed_to_prompts({}) == {"prompts": ()}


def test_versions_are_counted_from_1():
    assert [len(upgrades_since(Upgraded.upgrades, version)) for version in (1, 2, 3)] == [2, 1, 0]
    with pytest.raises(ValueError, match="there is no version 0"):
        upgrades_since(Upgraded.upgrades, 0)
