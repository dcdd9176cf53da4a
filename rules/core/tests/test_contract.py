"""The contract of a system, and a system made of action types."""

from fractions import Fraction

import pytest

from rules.core.action_type import ActionType, Caption
from rules.core.dice import NoDice
from rules.core.model import UMPIRE, Cite, Mark
from rules.core.refusal import passes_check
from rules.core.ruleset import Refused
from rules.core.tests.scripted import ScriptedDice

from .drill import HOLD, RULE, STOP, SYSTEM, UMPIRE_TOOLS, Drill, DrillState, Hold, Stop, start_drill


def refusal(kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        SYSTEM.parse(kind, args)
    return str(refused.value)


def test_an_order_is_made_of_words() -> None:
    order = SYSTEM.parse("hold", {"unit": "a", "steps": "2", "with": " In Cover, general ,, in cover", "secret": None})
    assert order == Hold(unit="a", steps=2, circumstances=("in cover", "general"))


def test_circumstances_may_come_as_a_list() -> None:
    assert SYSTEM.parse("hold", {"unit": "a", "with": ("general",)}).circumstances == ("general",)


@pytest.mark.parametrize(
    ("kind", "args", "reason"),
    [
        ("dance", {}, "Drill knows no dance. It has: add_unit, event, hold"),
        ("hold", {}, "needs “unit”"),
        ("hold", {"unit": "a", "speed": 3}, "takes no “speed”"),
        ("hold", {"unit": "a", "steps": 0}, "“steps”"),
        ("hold", {"unit": "a", "with": "in sqare"}, "in square"),
        ("stop", {"with": "in square"}, "It takes none here"),
        ("hold", {"unit": "a", "secret": True}, "hold is seen by all. Leave “secret” out."),
    ],
)
def test_a_wrong_order_is_refused_with_its_place(kind: str, args: dict, reason: str) -> None:
    assert reason in refusal(kind, **args)


def test_a_refusal_prints_its_rule() -> None:
    assert str(Refused("No.", Cite(rule="MM-1", mark=Mark.RULING))) == "No. (MM-1, ruling)"
    assert str(Refused("No.")) == "No."


def test_action_belongs_to_its_units_side_the_umpire_or_the_active_side() -> None:
    state = start_drill()
    assert SYSTEM.side_of(state, Hold(unit="b")) == "blue"
    assert SYSTEM.side_of(state, Stop()) == "red"
    assert SYSTEM.side_of(state, SYSTEM.parse("reveal", {"unit": "b"})) == UMPIRE


def test_umpires_circumstance_makes_the_action_his() -> None:
    class Known(ActionType[DrillState, Hold, None]):
        action = Hold

        def umpire_circumstances(self, state: DrillState, action: Hold) -> tuple[str, ...]:
            return ("general",) if not state.units[action.unit].brave else ()

    state = start_drill()
    assert Known().side(state, Hold(unit="b", circumstances=("in cover", "general"))) == UMPIRE
    assert Known().side(state, Hold(unit="b", circumstances=("in cover",))) == "blue"
    assert Known().side(state, Hold(unit="b")) == "blue"


def test_act_finds_the_action_and_leaves_its_argument_alone() -> None:
    state = start_drill()
    words = state.model_dump_json()
    after, report = SYSTEM.act(state, Hold(unit="a"), ScriptedDice([2]))
    assert after.owing == ("a",)
    assert state.model_dump_json() == words
    assert [prompt.key for prompt in report.prompts] == ["hold:a"]


def test_report_lists_only_new_or_changed_prompts() -> None:
    state, _ = SYSTEM.act(start_drill(), Hold(unit="a"), ScriptedDice([1]))
    state, report = SYSTEM.act(state, Hold(unit="b"), ScriptedDice([1]))
    assert [prompt.unit for prompt in report.prompts] == ["b"]
    state, report = SYSTEM.act(state, Hold(unit="a"), ScriptedDice([1]))
    assert [prompt.text for prompt in report.prompts] == ["a, 2 times"]
    _, report = SYSTEM.act(state, Hold(unit="a"), ScriptedDice([6]))
    assert report.prompts == ()


def test_a_refused_action_throws_nothing() -> None:
    dice = ScriptedDice([6])
    with pytest.raises(Refused):
        SYSTEM.act(start_drill(), Hold(unit="z"), dice)
    assert dice.left == 1


def test_report_tells_the_end_and_only_the_umpire_acts_after_it() -> None:
    state, report = SYSTEM.act(start_drill(), Stop(), NoDice())
    assert report.whole_outcome == "The game ends. The Red won. It is late."
    with pytest.raises(Refused, match="It is late"):
        SYSTEM.act(state, Hold(unit="a"), NoDice())
    assert [*SYSTEM.legal_actions(state, "red"), *SYSTEM.legal_actions(state, UMPIRE)] == []
    state, _ = SYSTEM.act(state, SYSTEM.parse("option", {"name": "pace", "value": "4"}), NoDice())
    assert state.options.pace == 4


def test_legal_actions_can_be_limited_to_a_kind() -> None:
    state = start_drill()
    assert list(SYSTEM.legal_actions(state, "red")) == [Hold(unit="a")]
    assert list(SYSTEM.legal_actions(state, "blue", "hold")) == [Hold(unit="b")]
    assert list(SYSTEM.legal_actions(state, "blue", "stop")) == []


def test_odds_add_up_or_the_refusal_lists_actions_with_odds() -> None:
    assert sum(outcome.chance for outcome in SYSTEM.odds(start_drill(), Hold(unit="a")).outcomes) == Fraction(1)
    with pytest.raises(Refused, match=r"no odds for stop.*hold"):
        SYSTEM.odds(start_drill(), Stop())


def test_system_with_two_types_of_one_kind_is_an_error() -> None:
    class Twice(Drill):
        action_types = (HOLD, HOLD, STOP, *UMPIRE_TOOLS.action_types)

    with pytest.raises(ValueError, match="two action types"):
        Twice()


def test_automatic_action_belongs_to_its_side_and_triggers_nothing() -> None:
    state, report = HOLD.execute(start_drill(), Hold(unit="b"), ScriptedDice([2]))
    assert (state.owing, report.side, report.prompts) == (("b",), "blue", ())


def test_prompt_has_a_button_for_each_plannable_action() -> None:
    class Named(type(HOLD)):
        def caption(self, state: DrillState, plan: str) -> Caption:
            return Caption(f"Hold {plan}", danger=plan == "a")

    actions = (Hold(unit="b"), Hold(unit="z"), Hold(unit="a", steps=2))
    prompt = Named().prompt(start_drill(), actions, "k", "Who holds?", RULE)
    assert (prompt.key, prompt.unit, prompt.side, prompt.text, prompt.cite, prompt.required) == (
        *("k", "b", "blue", "Who holds?", RULE, True),
    )
    assert [(offer.label, offer.args, offer.side, offer.key, offer.danger) for offer in prompt.offers] == [
        ("Hold b", {"unit": "b"}, "blue", "k", False),
        ("Hold a", {"unit": "a", "steps": 2}, "red", "k", True),
    ]
    assert Named().offer(start_drill(), Hold(unit="a"), "k", "Dig in").label == "Dig in"
    assert not Named().prompt(start_drill(), actions, "k", "?", RULE, required=False).required


def test_action_type_defaults() -> None:
    assert not STOP.has_odds
    assert STOP.question_fields is None
    assert [*STOP.umpire_circumstances(start_drill(), Stop())] == [*STOP.suggest_actions(start_drill())] == []


def test_hidden_obstacle_refuses_when_the_system_has_no_surprise() -> None:
    class Blind(Drill):
        def view(self, state: DrillState, viewer: str) -> DrillState:
            return start_drill()

    state, dice = start_drill().without_unit("a"), ScriptedDice([6])
    with pytest.raises(Refused, match="no such squad"):
        Blind().act(state, Hold(unit="a"), dice)
    assert dice.left == 1


def test_refusal_shows_its_obstacles() -> None:
    class Busy(type(HOLD)):
        def plan(self, state: DrillState, action: Hold) -> str:
            raise Refused("Hold first.", RULE, keys=("hold:a",))

    class Waiting(Drill):
        action_types = (Busy(), STOP)

    state, _ = SYSTEM.act(start_drill(), Hold(unit="a"), ScriptedDice([1]))
    state, _ = SYSTEM.act(state, Hold(unit="b"), ScriptedDice([1]))
    for ask in (lambda: Waiting().act(state, Hold(unit="b"), NoDice()), lambda: Waiting().odds(state, Hold(unit="b"))):
        with pytest.raises(Refused, match="Hold first") as refused:
            ask()
        assert [prompt.key for prompt in refused.value.prompts] == ["hold:a"]


def test_game_waits_for_active_and_owing_sides_until_its_end() -> None:
    class Played(Drill):
        played_by_bot = "red"

    state, _ = SYSTEM.act(start_drill(), Hold(unit="b"), ScriptedDice([1]))
    assert (SYSTEM.awaited_viewers(start_drill()), SYSTEM.awaited_viewers(state)) == ({"red"}, {"red", "blue"})
    assert (Played().awaited_viewers(start_drill()), Played().awaited_viewers(state)) == (frozenset(), {"blue"})
    assert SYSTEM.awaited_viewers(SYSTEM.act(state, Stop(), NoDice())[0]) == frozenset()


def test_a_check_passes_or_is_refused() -> None:
    assert [passes_check(HOLD.plan, start_drill(), Hold(unit=unit)) for unit in "az"] == [True, False]
