"""Range and arc of rifle fire: measured, at the edge of a band, out of range, and across the front (BE-4, BE-4.1)."""

import pytest

from rules.core.model import Mark
from rules.empire.options import EmpireOptions

from .field import BLUE, contact_of, unit
from .firing_field import RIFLES, plan_shot, refusal


@pytest.mark.parametrize(
    ("troops", "at", "reaches"),
    [
        ("european-regulars", 24, True),
        ("european-regulars", 24.1, False),
        ("maxim", 24, True),
        ("maxim", 24.1, False),
        ("gatling", 24, True),
        ("gatling", 24.1, False),
        ("field-gun", 36, True),
        ("field-gun", 36.1, False),
    ],
)
def test_be_4_1_fire_out_of_range_is_refused(troops: str, at: float, reaches: bool) -> None:
    if reaches:
        assert plan_shot(unit(troops), range_=at).steps[0].needed == "effective range"
    else:
        assert "cannot reach" in refusal(unit(troops), range_=at)


@pytest.mark.parametrize(("troops", "edge"), [("european-regulars", 9), ("maxim", 9), ("field-gun", 12)])
def test_be_4_1_exactly_on_the_edge_is_the_nearer_band_by_ruling(troops: str, edge: float) -> None:
    plan = plan_shot(unit(troops), range_=edge)
    assert plan.steps[0].needed == "short range"
    assert (plan.steps[0].cite.rule, plan.steps[0].cite.mark) == ("BE-4.1", Mark.RULING)
    assert plan_shot(unit(troops), range_=edge + 0.1).steps[0].needed == "effective range"
    assert plan_shot(unit(troops), range_=edge - 0.1).steps[0].cite.mark is Mark.TEXT


def test_be_4_1_range_is_measured_from_the_centre_of_the_front() -> None:
    shooter = unit("european-regulars", at=(36, 30))
    target = unit("zulus", "b", BLUE, at=(36, 18, 180))
    plan = plan_shot(shooter, target=target, range_=None)
    assert "from the centre of their front" in plan.steps[0].text
    assert plan.inches == pytest.approx(12 - 0.5 - 1.0)


def test_be_4_1_wrong_range_is_refused_before_the_throw() -> None:
    shooter, target = unit("european-regulars", at=(36, 30)), unit("zulus", "b", BLUE, at=(36, 18, 180))
    why = refusal(shooter, target=target, range_=4)
    assert 'are 10.5" from' in why
    assert 'and the range given is 4"' in why


def test_be_4_1_missing_range_is_not_mentioned() -> None:
    shooter, target = unit("european-regulars", at=(36, 30)), unit("zulus", "b", BLUE, at=(36, 18, 180))
    plan = plan_shot(shooter, "target in contact", target=target, range_=None)
    assert (plan.inches, plan.warnings) == (10.5, ())


def test_be_4_1_unplaced_units_need_a_range() -> None:
    assert "Give the range in inches" in refusal(RIFLES, range_=None)


@pytest.mark.parametrize(
    ("formation", "facing", "fires"),
    [
        ("close order", 0, True),
        ("close order", 90, False),
        ("close order", 180, False),
        ("massed", 180, False),
        ("column", 180, False),
        ("loose order", 180, True),
        ("skirmish order", 180, True),
        ("square", 180, True),
        ("company square", 180, True),
    ],
)
def test_be_4_arc_of_fire(formation: str, facing: float, fires: bool) -> None:
    shooter = unit("european-regulars", formation=formation, at=(36, 30, facing))
    target = unit("boers-on-foot", "b", BLUE, at=(36, 22))
    if fires:
        assert plan_shot(shooter, target=target, range_=None).volley.dice
    else:
        assert "outside the arc of A: 90 degrees" in refusal(shooter, target=target, range_=None)


def test_be_4_arc_of_fire_is_an_option() -> None:
    shooter = unit("european-regulars", at=(36, 30, 80))
    target = unit("boers-on-foot", "b", BLUE, at=(36, 22))
    assert plan_shot(shooter, target=target, range_=None, options=EmpireOptions(fire_arc=180)).volley.dice
    backwards = unit("european-regulars", at=(36, 30, 180))
    assert plan_shot(backwards, target=target, range_=None, options=EmpireOptions(fire_arc=360)).volley.dice


def test_be_4_target_partly_in_the_arc_may_be_fired_at() -> None:
    target = unit("zulus", "b", BLUE, at=(44, 22), formation="close order", stands=8)
    assert plan_shot(unit("european-regulars", at=(36, 30)), target=target, range_=None).volley.dice


def test_be_4_target_in_contact_only_has_to_be_in_front() -> None:
    shooter = unit("european-regulars", at=(36, 30, 180))
    target = unit("zulus", "b", BLUE, at=(36, 28.5))
    assert plan_shot(shooter, target=target, range_=None, contacts=(contact_of("b", "a"),)).inches == 0
