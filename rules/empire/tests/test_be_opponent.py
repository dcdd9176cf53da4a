"""What the opponent counts in Battles for Empire, and what it looks at."""

import pytest

from rules.core.state import Action
from rules.empire.model import Cover, Defence, EmpireState, Shot, ThisTurn
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning.walk import PHASES
from rules.empire.values import VALUES, strength

from .field import dice

EMPIRE = Empire()
OF_UNITS = ("move", "fire", "conduct", "rally", "attach", "support", "clear")


def el_teb(phase: Phase = Phase.RIFLES, side: str = "mahdists") -> EmpireState:
    return PHASES.suppose_phase(EMPIRE.setup("el-teb-1884", {}, dice()), phase.value, side)


def test_what_has_been_thrown_counts_before_it_lands() -> None:
    state = el_teb()
    hit = state.model_copy(update={"shots": (Shot(unit="gordons", target="arteiga", hits=4),)})
    assert strength(state, "mahdists") - strength(hit, "mahdists") == 3, "two kills of the four that foot can take"
    assert strength(hit, "british") == strength(state, "british")


def test_the_answers_of_the_enemy_are_fire_in_its_own_phase_the_most_dangerous_first() -> None:
    answers = [*EMPIRE.opponent.attacks(el_teb(), "british", "rifles-tokar")]
    assert [then.phase for then, _ in answers] == [Phase.ARTILLERY, Phase.RIFLES, Phase.RIFLES]
    assert all(then.acting_sides == ("british", "mahdists") and action.kind == "fire" for then, action in answers)
    assert [action.unit for _, action in answers] == ["camel-battery", "marines", "gatlings"]
    for then, action in answers:
        assert EMPIRE.try_action(then, action, dice(*[6] * 12)) is not then


@pytest.mark.parametrize("phase", [Phase.COMMANDERS, Phase.UNITS, Phase.ARTILLERY, Phase.RIFLES, Phase.MELEE])
def test_what_one_unit_may_do_is_what_all_may_do_by_unit(phase: Phase) -> None:
    state = el_teb(phase)
    for kind in OF_UNITS:
        one_by_one: list[Action] = []
        for unit in state.units:
            one_by_one += EMPIRE.legal(state, "mahdists", kind, unit)
        assert sorted(map(repr, one_by_one)) == sorted(map(repr, EMPIRE.legal(state, "mahdists", kind)))


def test_each_value_has_a_word_of_its_own_and_neither_side_begins_with_none() -> None:
    state = el_teb()
    assert len({worth.word for worth in VALUES}) == len(VALUES)
    assert all(worth.amount(state, "british") > 0 for worth in VALUES if worth.word in ("strength", "fire", "ground"))


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"gone_to_ground": True}, "stand up"),
        ({"defending": Defence.OBSTACLE}, "leave the defences"),
        ({"defending": Defence.TERRAIN}, "line the works"),
    ],
)
def test_be_m_4_nobody_is_thought_to_give_up_ground_but_by_moving(given: dict[str, object], word: str) -> None:
    """Or to change it for other: it would lie down and stand up, both for nothing, hundreds of times in a turn."""
    may_move = ThisTurn(tested=True, allowed=6.0)
    state = el_teb(Phase.UNITS).changed("rifles-tokar", this_turn=may_move, **given)
    moves = [*EMPIRE.legal(state, "mahdists", "move", "rifles-tokar")]
    assert moves
    assert not [move for move in moves if word in move.circumstances]
    assert EMPIRE.try_action(state, EMPIRE.parse("move", {"unit": "rifles-tokar", "circumstances": [word]}), dice())


def test_be_m_4_who_defends_nothing_is_thought_to_line_works() -> None:
    free = {"defending": Defence.NOTHING, "cover": Cover.NONE, "this_turn": ThisTurn(tested=True, allowed=6.0)}
    state = el_teb(Phase.UNITS).changed("rifles-tokar", **free)
    words = {move.circumstances for move in EMPIRE.legal(state, "mahdists", "move", "rifles-tokar")}
    assert ("line the works",) in words
