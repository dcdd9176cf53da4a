"""The buttons of fire (BE-3, BE-4)."""

from typing import Any

import pytest

from rules.core.model import UMPIRE
from rules.core.report import Prompt
from rules.empire.firing.fire import FIRE, Fire, FirePlan
from rules.empire.firing.jams import shot_prompts
from rules.empire.model import EmpireState, EmpireUnit, Formation
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning import turn

from .field import BLUE, RED, contact_of, dice, field, unit, with_memory

RIFLES = unit("british-regulars", at=(36, 30))


def foe(unit_id: str, x: float, y: float, **fields: Any) -> EmpireUnit:
    return unit("zulus", unit_id, BLUE, at=(x, y, 180), **fields)


def table(shooter: EmpireUnit = RIFLES, *foes: EmpireUnit, **fields: Any) -> EmpireState:
    return field(shooter, *(foes or (foe("b", 36, 20),)), **{"phase": Phase.RIFLES, **fields})


def only_shot(state: EmpireState) -> Prompt:
    (item,) = shot_prompts(state)
    return item


def test_be_4_a_unit_that_may_fire_has_a_button_with_its_chance() -> None:
    state = table()
    item = only_shot(state)
    assert (item.key, item.text) == ("shot:a:1:rifle and machine gun fire", "A may fire")
    assert (item.unit, item.side, str(item.cite), item.required) == ("a", RED, "BE-4", False)
    (offer,) = item.offers
    chance = 1 - dict(FIRE.odds_of(state, Fire(unit="a", target="b")).distribution)[0]
    assert offer.label == f"A: fire at B, {float(chance):.1%} to hit"
    assert (offer.kind, offer.args, offer.side, offer.key) == ("fire", {"unit": "a", "target": "b"}, RED, item.key)
    assert item in turn.prompts(state)
    assert item not in turn.blocking_prompts(state, (RED, BLUE))


def test_be_4_button_fires_and_then_disappears() -> None:
    rules, state = Empire(), table()
    before = {item.key for item in rules.prompts(state)}
    (offer,) = only_shot(state).offers
    after, report = rules.act(state, Fire.model_validate(offer.args), dice(*(1,) * 4))
    assert after.unit("a").this_turn.shot
    assert list(shot_prompts(after)) == []
    assert [item.key for item in report.prompts if item.key.startswith("shot:")] == []
    assert before - {item.key for item in rules.prompts(after)} == {"shot:a:1:rifle and machine gun fire"}


def test_be_4_buttons_offer_the_two_nearest_valid_targets() -> None:
    far, near, nearer = foe("b", 36, 14), foe("c", 36, 18), foe("d", 36, 22)
    assert [offer.args["target"] for offer in only_shot(table(RIFLES, far, near, nearer)).offers] == ["d", "c"]
    behind = foe("d", 36, 36)
    assert [offer.args["target"] for offer in only_shot(table(RIFLES, far, near, behind)).offers] == ["c", "b"]
    busy = table(
        RIFLES, far, near, nearer, unit("british-regulars", "e", at=(44, 22)), contacts=(contact_of("d", "e"),)
    )
    assert [offer.args["target"] for offer in next(iter(shot_prompts(busy))).offers] == ["c", "b"]
    touched = table(RIFLES, near, nearer, contacts=(contact_of("d", "a"),))
    assert [offer.args["target"] for offer in only_shot(touched).offers] == ["d"]


def test_be_4_offered_shots_are_legal() -> None:
    state = table(RIFLES, foe("b", 36, 14), foe("c", 36, 18), foe("d", 36, 36))
    orders = list(FIRE.possible_actions(state, RED))
    for offer in only_shot(state).offers:
        order = Fire.model_validate(offer.args)
        assert order in orders
        assert FIRE.execute(state, order, dice(*(1,) * 4))[0].shots


def test_be_4_a_machine_gun_takes_aim_by_its_button_then_chooses() -> None:
    state = table(unit("gatling", at=(36, 30)))
    (offer,) = only_shot(state).offers
    assert (offer.label, offer.args) == ("A: aim at B", {"unit": "a", "target": "b"})
    after, _ = FIRE.execute(state, Fire.model_validate(offer.args), dice())
    assert after.bursts
    assert list(shot_prompts(after)) == []


def test_be_3_guns_have_buttons_in_phase_6() -> None:
    gun = unit("field-gun", at=(36, 30))
    item = only_shot(table(gun, phase=Phase.ARTILLERY))
    assert (item.key, str(item.cite)) == ("shot:a:1:artillery fire", "BE-3")
    assert list(shot_prompts(table(gun))) == []
    assert list(shot_prompts(table(RIFLES, phase=Phase.ARTILLERY))) == []


@pytest.mark.parametrize(
    "state",
    [
        table(unit("field-gun", at=(36, 30), limbered=True), phase=Phase.ARTILLERY),
        table(unit("gatling", at=(36, 30), limbered=True)),
        table(unit("gatling", at=(36, 30), jammed=True)),
        table(with_memory(RIFLES, shot=True)),
        table(unit("zulus", at=(36, 30)), unit("zulus", "b", BLUE, at=(36, 20))),
        table(done=(RED,)),
        table(RIFLES, foe("b", 36, 2)),
        table(RIFLES, foe("b", 36, 40)),
        table(unit("british-regulars")),
        table(RIFLES, unit("zulus", "b", BLUE)),
        table(phase=Phase.MELEE),
    ],
    ids=[
        "limbered",
        "limbered-mg",
        "jammed",
        "fired",
        "spears",
        "done",
        "far",
        "behind",
        "no-place",
        "target-no-place",
        "melee",
    ],
)
def test_be_4_unit_that_cannot_fire_or_hit_has_no_button(state: EmpireState) -> None:
    assert list(shot_prompts(state)) == []


def test_be_4_shot_without_dice_has_no_button() -> None:
    hopeless = unit("gatling", at=(36, 30), shaken=True, low_ammo=True)
    state = table(with_memory(hopeless, moved=3.0), foe("b", 36, 8, formation=Formation.SKIRMISH))
    actions = [Fire.model_validate(offer.args) for item in shot_prompts(state) for offer in item.offers]
    assert actions == list(FIRE.possible_actions(state, UMPIRE))


def test_be_4_at_most_the_three_nearest_targets_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    plan = FIRE.plan

    def counted(state: EmpireState, action: Fire) -> FirePlan:
        tried.append(action.target)
        return plan(state, action)

    monkeypatch.setattr(FIRE, "plan", counted)
    behind = [foe(f"x{n}", 36, 34 + n) for n in range(8)]
    assert list(shot_prompts(table(RIFLES, *behind))) == []
    assert tried == ["x0", "x1", "x2"]
    tried.clear()
    ahead = [foe(f"y{n}", 36, 26 - n) for n in range(8)]
    assert len(only_shot(table(RIFLES, *ahead)).offers) == 2
    assert tried == ["y0", "y1", "y2"]


@pytest.mark.parametrize(("number", "buttons"), [(6, 2), (7, 1)])
def test_be_4_each_of_many_firers_has_one_button(number: int, buttons: int) -> None:
    line = [unit("british-regulars", f"r{n}", at=(30 + n, 30)) for n in range(number)]
    state = field(*line, foe("b", 32, 20), foe("c", 35, 20), phase=Phase.RIFLES)
    assert [len(item.offers) for item in shot_prompts(state)] == [buttons] * number
    (first, *rest) = shot_prompts(state)
    after, report = Empire().act(state, Fire.model_validate(first.offers[0].args), dice(*(1,) * 4))
    assert list(shot_prompts(after)) == rest
    assert [item for item in report.prompts if item in rest] == []
