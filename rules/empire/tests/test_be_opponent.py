"""The opponent in Battles for Empire: its values, and the actions that it considers."""

import pytest

from rules.core.state import Action
from rules.empire.model import Cover, Defence, EmpireState, Shot, UnitTurn
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning.sequence import PHASES
from rules.empire.values import VALUES, strength_value

from .field import dice

EMPIRE = Empire()
OF_UNITS = ("move", "fire", "conduct", "rally", "attach", "support", "clear")


def el_teb(phase: Phase = Phase.RIFLES, side: str = "mahdists") -> EmpireState:
    return PHASES.suppose_phase(EMPIRE.setup("el-teb-1884", {}, dice()), phase.value, side)


def test_pending_hits_count_before_they_land() -> None:
    state = el_teb()
    hit = state.model_copy(update={"shots": (Shot(unit="gordons", target="arteiga", hits=4),)})
    assert strength_value(state, "mahdists") - strength_value(hit, "mahdists") == 3, (
        "two kills of the four that foot can take"
    )
    assert strength_value(hit, "british") == strength_value(state, "british")


def test_enemys_replies_are_shots_in_their_phase_most_dangerous_first() -> None:
    answers = [*EMPIRE.opponent.attacks(el_teb(), "british", "rifles-tokar")]
    assert [state.phase for state, _ in answers] == [Phase.ARTILLERY, Phase.RIFLES, Phase.RIFLES]
    assert all(state.acting_sides == ("british", "mahdists") and action.kind == "fire" for state, action in answers)
    assert [action.unit for _, action in answers] == ["camel-battery", "marines", "gatlings"]
    for state, action in answers:
        assert EMPIRE.try_action(state, action, dice(*[6] * 12)) is not state


@pytest.mark.parametrize("phase", [Phase.COMMANDERS, Phase.UNITS, Phase.ARTILLERY, Phase.RIFLES, Phase.MELEE])
def test_legal_actions_by_unit_add_up_to_all(phase: Phase) -> None:
    state = el_teb(phase)
    for kind in OF_UNITS:
        one_by_one: list[Action] = []
        for unit in state.units:
            one_by_one += EMPIRE.legal_actions(state, "mahdists", kind, unit)
        assert sorted(map(repr, one_by_one)) == sorted(map(repr, EMPIRE.legal_actions(state, "mahdists", kind)))


def test_values_have_unique_words_and_are_positive_at_the_start() -> None:
    state = el_teb()
    assert len({worth.word for worth in VALUES}) == len(VALUES)
    assert all(worth.amount(state, "british") > 0 for worth in VALUES if worth.word in ("strength", "fire", "ground"))


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"gone_to_ground": True}, "stand up"),
        ({"defending": Defence.OBSTACLE}, "leave the defences"),
        ({"defending": Defence.TERRAIN}, "line the works"),
    ],
)
def test_be_m_4_suggested_moves_do_not_give_up_terrain_in_place(fields: dict[str, object], word: str) -> None:
    """Or to exchange it: lying down and standing up, both free, could repeat hundreds of times in a turn."""
    may_move = UnitTurn(tested=True, allowed=6.0)
    state = el_teb(Phase.UNITS).changed("rifles-tokar", this_turn=may_move, **fields)
    moves = [*EMPIRE.legal_actions(state, "mahdists", "move", "rifles-tokar")]
    assert moves
    assert not [move for move in moves if word in move.circumstances]
    assert EMPIRE.try_action(state, EMPIRE.parse("move", {"unit": "rifles-tokar", "circumstances": [word]}), dice())


def test_be_m_4_undefended_unit_is_suggested_to_line_works() -> None:
    free = {"defending": Defence.NOTHING, "cover": Cover.NONE, "this_turn": UnitTurn(tested=True, allowed=6.0)}
    state = el_teb(Phase.UNITS).changed("rifles-tokar", **free)
    words = {move.circumstances for move in EMPIRE.legal_actions(state, "mahdists", "move", "rifles-tokar")}
    assert ("line the works",) in words
