"""BE-4.3: which units may claim cover from rifle fire."""

import pytest

from rules.empire.options import EmpireOptions

from .field import BLUE, unit, with_memory
from .firing_field import RIFLES, die_modifiers, plan_shot

# BE-4.3


@pytest.mark.parametrize(
    ("target", "claims"),
    [
        # Units in skirmish order: neither hard cover nor gone to ground.
        ({"formation": "skirmish order", "cover": "soft cover"}, True),
        ({"formation": "skirmish order", "cover": "hard cover"}, False),
        ({"formation": "skirmish order", "cover": "a sangar"}, False),
        ({"formation": "skirmish order", "gone_to_ground": True}, False),
        # Pathans and Boers skirmishing: hard cover in a sangar only.
        ({"formation": "skirmish order", "cover": "soft cover", "nation": "Pathan"}, True),
        ({"formation": "skirmish order", "cover": "a sangar", "nation": "Pathan"}, True),
        ({"formation": "skirmish order", "cover": "a sangar", "nation": "Boer"}, True),
        ({"formation": "skirmish order", "cover": "hard cover", "nation": "Boer"}, False),
        ({"formation": "skirmish order", "cover": "hard cover", "nation": "Pathan"}, False),
        ({"formation": "skirmish order", "gone_to_ground": True, "nation": "Pathan"}, False),
        # Stationary formed or massed units.
        ({"formation": "close order", "cover": "hard cover"}, True),
        ({"formation": "massed", "cover": "hard cover"}, True),
        ({"formation": "massed", "cover": "a sangar"}, True),
        ({"formation": "massed", "gone_to_ground": True}, True),
        ({"formation": "loose order", "cover": "hard cover"}, True),
        ({"formation": "loose order", "cover": "soft cover"}, True),
        ({"formation": "loose order", "cover": "a sangar"}, True),
        ({"formation": "loose order", "gone_to_ground": True}, True),
        ({"formation": "close order", "cover": "soft cover"}, True),
    ],
)
def test_be_4_3_units_that_may_claim_cover(target: dict[str, object], claims: bool) -> None:
    """Claims add up in this test; otherwise skirmish order would hide the others."""
    options = EmpireOptions(covers_add_up=True)
    plan = plan_shot(RIFLES, target=unit("zulus", "b", BLUE, **target), options=options)
    skirmishing = target["formation"] == "skirmish order"
    assert sum(die_modifiers(plan).values()) == -(claims + skirmishing)
    denied = [step for step in plan.steps if "may not claim" in step.text]
    assert bool(denied) is not claims
    assert all(step.cite.rule == "BE-4.3" and step.needed for step in denied)


@pytest.mark.parametrize("cover", ["soft cover", "hard cover", "a sangar"])
@pytest.mark.parametrize("troops", ["field-gun", "gatling", "maxim"])
def test_be_4_3_crews_may_claim_any_cover(troops: str, cover: str) -> None:
    plan = plan_shot(RIFLES, target=unit(troops, "b", BLUE, cover=cover))
    assert die_modifiers(plan) == {f"target in {cover}": -1}


@pytest.mark.parametrize("troops", ["field-gun", "gatling", "maxim"])
def test_be_4_3_crews_may_go_to_ground(troops: str) -> None:
    plan = plan_shot(RIFLES, target=unit(troops, "b", BLUE, gone_to_ground=True))
    assert die_modifiers(plan) == {"target gone to ground": -1}


@pytest.mark.parametrize("memory", [{"moved": 3.0}, {"recoiled": True}])
@pytest.mark.parametrize("cover", ["hard cover", "a sangar"])
def test_be_4_3_only_stationary_units_claim_hard_cover(memory: dict[str, object], cover: str) -> None:
    plan = plan_shot(RIFLES, target=with_memory(unit("zulus", "b", BLUE, cover=cover, name="Zulus"), **memory))
    assert die_modifiers(plan) == {}
    step = next(step for step in plan.steps if step.cite.rule == "BE-4.3")
    assert (step.text, step.needed) == (
        f"Zulus may not claim {cover}",
        "they moved this turn, and only the stationary may",
    )


def test_be_4_3_moved_units_may_claim_soft_cover_and_ground() -> None:
    moved = with_memory(unit("zulus", "b", BLUE, cover="soft cover", gone_to_ground=True), moved=3.0)
    assert plan_shot(RIFLES, target=moved).volley.needed == 5


def test_be_4_3_report_explains_why_skirmishers_get_no_cover() -> None:
    plan = plan_shot(RIFLES, "target skirmishing", "target in hard cover")
    step = next(step for step in plan.steps if step.cite.rule == "BE-4.3")
    assert (step.text, step.needed) == ("Zulus may not claim hard cover", "units in skirmish order may not")
    sangar = plan_shot(RIFLES, "target skirmishing", "target in a sangar")
    step = next(step for step in sangar.steps if step.cite.rule == "BE-4.3")
    assert step.needed == "of those in skirmish order only Pathans and Boers may"


def test_be_4_3_words_tell_moved_and_pathan_targets() -> None:
    assert die_modifiers(plan_shot(RIFLES, "target in hard cover", "target moved")) == {}
    words = ("target skirmishing", "target in a sangar", "target pathan or boer")
    assert die_modifiers(plan_shot(RIFLES, *words)) == {"target in skirmish order and in a sangar, once": -1}
