"""An action planned by what its side sees and carried out on how things are: a scout marches into an ambush."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import pytest

from rules.core.action_type import ActionType
from rules.core.dice import NoDice, ScriptedDice
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.report import Step
from rules.core.state import Action, Side, State, Unit

RULE = Cite(rule="A-1")


class Woods(State):
    """A path of five squares; foes lie in some of them."""

    units: Mapping[str, Unit] = {"scout": Unit(id="scout", name="Scout", side="red")}
    foes: tuple[int, ...] = ()
    at: int = 0


class March(Action):
    kind: ClassVar[str] = "march"
    to: int


class Order(Action):
    kind: ClassVar[str] = "order"
    umpire_only: ClassVar[bool] = True


class Marching(ActionType[Woods, March, int]):
    action = March

    def candidates(self, state: Woods, viewer: Viewer, unit: str | None = None) -> Iterable[March]:
        return [March(unit="scout", to=to) for to in range(7)]

    def plan(self, state: Woods, action: March, *, supposing: bool = False) -> int:
        if not supposing and not state.at < action.to <= 5:
            raise Refused("That is no way on.", RULE)
        if any(state.at < foe <= action.to for foe in state.foes):
            raise Refused("The enemy is there.", RULE)
        return action.to

    def resolve(self, play: Play[Woods], plan: int) -> None:
        throw = play.throw(1, 6, "march")
        play.set(at=plan)
        play.say(Step(text="marches", cite=RULE, throws=(throw,)))
        play.tell(headline=f"To {plan}.")

    def surprised(self, play: Play[Woods], action: March, why: Refused) -> None:
        play.set(at=min(foe for foe in play.state.foes if foe > play.state.at) - 1)
        play.tell(headline="An ambush!", outcome=why.why)


MARCH = Marching()


def woods(*foes: int) -> Woods:
    sides = (Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1))
    return Woods(ruleset="toy", scenario="", sides=sides, active="blue", foes=foes)


def marched(state: Woods, seen: Woods | None, to: int, *faces: int) -> Play[Woods]:
    play = Play(state, ScriptedDice(faces), "red")
    MARCH.carry_out(play, March(unit="scout", to=to), lambda: seen or state)
    return play


def test_what_lies_open_is_planned_once_and_resolved() -> None:
    play = marched(woods(), None, 3, 4)
    assert (play.state.at, play.before.at) == (3, 0)
    assert (play.report.headline, play.report.side, play.report.steps[0].throws[0].side) == ("To 3.", "red", "red")


def test_what_the_side_knows_to_be_impossible_is_refused_before_a_die() -> None:
    for seen, to in ((woods(2), 3), (woods(), 0), (woods(), 6)):
        with pytest.raises(Refused):
            marched(woods(2), seen, to)


def test_what_only_the_hidden_prevents_is_a_surprise_and_throws_nothing() -> None:
    play = marched(woods(3), woods(), 4)
    assert (play.state.at, play.report.headline, play.report.outcome) == (2, "An ambush!", "The enemy is there.")


def test_where_nothing_hidden_is_met_it_goes_by_how_things_are() -> None:
    assert marched(woods(5), woods(), 4, 1).state.at == 4


def test_a_system_that_foresees_no_surprise_refuses_it_too() -> None:
    why = Refused("The enemy is there.", RULE)
    with pytest.raises(Refused) as refused:
        ActionType.surprised(MARCH, Play(woods(), NoDice()), March(unit="scout", to=1), why)
    assert refused.value is why


def test_an_action_is_of_its_units_side_else_of_the_active_one_or_the_umpires() -> None:
    assert MARCH.side(woods(), March(unit="scout", to=1)) == "red"
    assert MARCH.side(woods(), March(to=1)) == "blue"
    assert MARCH.side(woods(), March(unit="nobody", to=1)) == "blue"
    assert ActionType.side(MARCH, woods(), Order(unit="scout")) == UMPIRE  # type: ignore[arg-type]


def test_possible_are_the_candidates_that_can_be_planned() -> None:
    assert [action.to for action in MARCH.possible(woods(4), "red")] == [1, 2, 3]
    assert MARCH.planned(woods(), March(to=9)) is None
    assert MARCH.planned(woods(), March(to=2)) == 2


def test_an_action_done_by_itself_lies_all_open() -> None:
    after, report = MARCH.done(woods(), March(unit="scout", to=2), ScriptedDice([1]))
    assert (after.at, report.headline, report.side) == (2, "To 2.", "red")
    with pytest.raises(Refused, match="enemy"):
        MARCH.done(woods(1), March(unit="scout", to=2), NoDice())


def test_an_action_that_throws_nothing_has_no_odds_and_needs_a_game() -> None:
    assert not MARCH.has_odds
    with pytest.raises(Refused, match="There are no odds for march: it throws no dice"):
        MARCH.odds_of(woods(), March(to=9))
    with pytest.raises(Refused, match="march needs a game"):
        MARCH.ask({}, ())
    assert list(ActionType.candidates(MARCH, woods(), "red")) == []


def test_a_play_changes_units_throws_for_another_and_carries_out_other_actions() -> None:
    done: list[Any] = []
    play = Play(woods(), ScriptedDice([1, 2]), "red", lambda within, action: done.append((within, action)))
    play.change("scout", name="Old Scout")
    assert (play.state.units["scout"].name, play.before.units["scout"].name) == ("Old Scout", "Scout")
    with pytest.raises(KeyError):
        play.change("nobody", name="x")
    assert [play.throw(1, 6, "", side=side).side for side in ("blue", None)] == ["blue", "red"]
    play.say(Step(text="one", cite=RULE))
    play.say(Step(text="two", cite=RULE), Step(text="three", cite=RULE))
    assert [step.text for step in play.report.steps] == ["one", "two", "three"]
    play.do(March(to=1))
    assert done == [(play, March(to=1))]


def test_the_side_whose_turn_it_is_acts() -> None:
    assert woods().acting == ("blue",)
