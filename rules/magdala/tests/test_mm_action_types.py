"""Buttons of every action type: unit, action, target, and the chance from the odds."""

from fractions import Fraction

import pytest

from rules.core.model import UMPIRE
from rules.core.odds import Odds
from rules.core.scene import Feature, TerrainPiece
from rules.core.throws import chance_of_at_least
from rules.core.wording import percent
from rules.magdala.engagement import start_melee
from rules.magdala.model import MagdalaState
from rules.magdala.model import Test as Owes
from rules.magdala.moving.marching import Move
from rules.magdala.orders.movement import MOVE
from rules.magdala.ruleset import Magdala
from rules.magdala.shared import OwnTurnType
from rules.magdala.stored_prompts import add_prompt

from .field import BLUE, RED, field, unit

ROUGH = TerrainPiece(feature=Feature.ROUGH, points=((0, 0), (72, 0), (72, 48), (0, 48)))
LED = field(unit("zulus", general="g", casualties=4), unit("native-commander", "g", name="Chief"))
APART = field(unit("mahdist-spears", at=(36, 40)), unit("british-breechloaders", "b", BLUE, at=(36, 28)))
STATES = {
    "morale": add_prompt(LED, "a", Owes.UNDER_FIRE),
    "reroll": add_prompt(LED, "a", Owes.UNDER_FIRE, failed=True),
    "reaction": add_prompt(LED, "a", Owes.REACTION),
    "risk": add_prompt(LED, "g", Owes.GENERAL_RISK),
    "pursuit": add_prompt(LED, "a", Owes.PURSUIT),
    "clear": field(unit("gatling", jammed=True)),
    "build": field(unit("indian-scouts", at=(36, 30), building_sangar=2), terrain=(ROUGH,)),
    "move": APART,
    "fire": APART.model_copy(update={"active": BLUE}),
    "melee": start_melee(APART, "a", "b"),
}


def success_chance(odds: Odds) -> Fraction:
    """Return the chance of success, as `/odds` tells it."""
    if odds.pass_from is not None:
        return chance_of_at_least(odds.distribution, odds.pass_from)
    return odds.outcomes[0].chance


@pytest.mark.parametrize(("kind", "state"), STATES.items())
def test_button_names_the_unit_and_the_chance_of_the_odds(kind: str, state: MagdalaState) -> None:
    (action_type,) = (action_type for action_type in Magdala.action_types if action_type.action.kind == kind)
    chances = 0
    for action in action_type.possible_actions(state, UMPIRE):
        plan = action_type.plan(state, action)
        label = action_type.label(state, plan)
        assert state.units[action.unit].name in label
        if "%" in label:
            hope = {"pursuit": " to rally", "risk": " to be unhurt"}.get(kind, "")
            assert label.endswith(f": {percent(success_chance(action_type.odds(state, plan)))}{hope}")
            chances += 1
    assert chances


def test_states_cover_every_action_with_odds() -> None:
    assert {*Magdala().kinds_with_odds} == {*STATES}


def test_button_hides_a_chance_with_a_secret_modifier() -> None:
    state = add_prompt(field(unit("zulus", casualties=4, secret_quality=-1)), "a", Owes.UNDER_FIRE)
    (action_type,) = (action_type for action_type in Magdala.action_types if action_type.action.kind == "morale")
    (action,) = action_type.possible_actions(state, UMPIRE)
    assert action_type.label(state, action_type.plan(state, action)) == "Morale of A"


def test_prompt_button_shows_only_a_public_chance() -> None:
    system, state = Magdala(), add_prompt(field(unit("zulus", casualties=4, secret_quality=-1)), "a", Owes.UNDER_FIRE)
    (prompt,) = system.prompts(state)
    odds = system.odds(system.view(state, RED), system.parse("morale", {"unit": "a"}))
    assert [offer.label for offer in prompt.offers] == [f"Morale of A: {percent(success_chance(odds))}"]
    assert odds != system.odds(state, system.parse("morale", {"unit": "a"}))


def test_mm_4_6_and_6_button_of_a_risk_names_the_event_of_its_chance() -> None:
    state = field(unit("british-cavalry"), unit("general", "g"))
    state = add_prompt(add_prompt(state, "a", Owes.PURSUIT), "g", Owes.GENERAL_RISK)
    labels = [offer.label for item in Magdala().prompts(state) for offer in item.offers]
    assert labels == ["Pursuit of A: 33.3% to rally", "Risk to G: 91.7% to be unhurt"]


def test_move_button_names_its_target() -> None:
    battery = unit("field-gun", "g-battery", BLUE, at=(36, 5, 180)).model_copy(update={"name": "G Battery"})
    state = field(unit("british-breechloaders"), battery)
    labels = [MOVE.label(state, MOVE.plan(state, Move(unit="a", to=f"towards g-battery{run}"))) for run in ("", " 3")]
    assert labels == ["A: towards G Battery", "A: 3 inches towards G Battery"]


@pytest.mark.parametrize(
    ("kind", "label"), [("detach", "send out"), ("turn_next", "End the turn of the Red"), ("decline", "accept")]
)
def test_button_without_dice_has_no_chance(kind: str, label: str) -> None:
    (action_type,) = (action_type for action_type in Magdala.action_types if action_type.action.kind == kind)
    state = STATES["reroll"] if kind == "decline" else field(unit("british-breechloaders"))
    (action,) = action_type.possible_actions(state, UMPIRE)
    assert label in action_type.label(state, action_type.plan(state, action))


def test_orders_are_done_in_the_sides_own_turn() -> None:
    short = field(unit("british-breechloaders", ammunition=2), unit("wagon", "w"), unit("kommando", "k", mounted=False))
    out = field(unit("british-breechloaders"), unit("british-breechloaders", "s", parent="a", figures=5))
    states, looked_at = (*STATES.values(), short, out), set()
    for action_type in Magdala.action_types:
        for state in states if isinstance(action_type, OwnTurnType) else ():
            for action in action_type.possible_actions(state, UMPIRE):
                other_turn = state.model_copy(update={"active": BLUE if state.active == RED else RED})
                assert action_type.plan_if_allowed(other_turn, action) is None, action
                looked_at.add(action.kind)
    assert looked_at >= {"build", "clear", "detach", "move", "refill", "rejoin"}
