"""Critical hits on commanders and mules (BE-7)."""

from fractions import Fraction

import icepool
import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.wording import percent
from rules.empire.conduct.critical import CriticalHit, exposed_pieces, health_after_critical_hit, prompts
from rules.empire.fighting.effects import destroy_unit
from rules.empire.model import EmpireState, Health
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase

from .field import BLUE, RED, dice, field, odds, text_of, unit, with_memory
from .field import act as take
from .field import legal_actions as legal_of

WELL, OUT, KILLED = Health
PRINTED = {2: KILLED, 3: KILLED, 4: OUT, 5: OUT, 6: WELL, 7: WELL, 8: WELL, 9: OUT, 10: OUT, 11: KILLED, 12: KILLED}


def legal_actions(state: EmpireState, viewer: str):
    return legal_of(state, viewer, CriticalHit)


def hit_unit(**fields):
    return with_memory(unit("zulus", "u", name="Impi", kills=1, **fields), kills=1)


def piece(troops: str = "leader", unit_id: str = "l", **fields):
    return unit(troops, unit_id, **{"attached_to": "u", "name": "Chief", **fields})


def field_with_hit(*units, **fields) -> EmpireState:
    return field(*(units or (hit_unit(), piece())), **{"phase": Phase.CRITICAL, **fields})


def refusal(state: EmpireState, unit_id: str = "l") -> str:
    with pytest.raises(Refused) as refused_odds:
        odds(state, CriticalHit(unit=unit_id))
    with pytest.raises(Refused) as refused:
        take(state, CriticalHit(unit=unit_id), NoDice())
    assert str(refused_odds.value) == str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(("score", "health"), PRINTED.items())
def test_be_7_table_equals_the_printed_one(score: int, health: Health) -> None:
    assert health_after_critical_hit(score) is health
    first = min(6, score - 1)
    after, report = take(field_with_hit(), CriticalHit(unit="l"), dice(first, score - first))
    assert after.unit("l").health is health
    assert after.unit("l").this_turn.critical_thrown
    assert report.steps[0].start == score
    assert sum(step.needed == "this is read" for step in report.steps) == 1


def test_be_7_killed_piece_leaves_the_table() -> None:
    after, report = take(field_with_hit(), CriticalHit(unit="l"), dice(1, 1))
    assert not after.unit("l").on_table
    assert report.headline == "Critical hit: Chief is killed."


def test_be_7_piece_is_out_until_the_end_of_the_next_turn() -> None:
    after, report = take(field_with_hit(turn=3), CriticalHit(unit="l"), dice(4, 1))
    assert after.unit("l").out_until == 4
    assert not after.unit("l").can_lead
    assert after.unit("l").attached_to == "u"
    assert report.headline == "Critical hit: Chief is out until the end of turn 4."


def test_be_7_six_to_eight_leaves_the_piece_well() -> None:
    before = field_with_hit()
    after, report = take(before, CriticalHit(unit="l"), dice(3, 4))
    assert after.unit("l") == with_memory(before.unit("l"), critical_thrown=True)
    assert report.headline == "Critical hit: Chief is unhurt."
    assert "Chief is with Impi, which took a kill this turn" in text_of(report)


def test_be_7_odds_agree_with_icepool() -> None:
    odds_ = odds(field_with_hit(), CriticalHit(unit="l"))
    die = icepool.d(6) + icepool.d(6)
    assert dict(odds_.distribution) == {total: die.probability(total) for total in die.outcomes()}
    ends = die.map({score: health.value for score, health in PRINTED.items()})
    assert {outcome.label: outcome.chance for outcome in odds_.outcomes} == {
        end: ends.probability(end) for end in ends.outcomes()
    }
    assert [(outcome.label, outcome.chance) for outcome in odds_.outcomes] == [
        ("well", Fraction(16, 36)),
        ("out for a turn", Fraction(14, 36)),
        ("killed", Fraction(6, 36)),
    ]
    assert [outcome.good for outcome in odds_.outcomes] == [True, False, False]


@pytest.mark.parametrize("troops", ["army-commander", "leader", "mules"])
def test_be_7_commanders_leaders_and_mules_are_exposed(troops: str) -> None:
    assert [piece.id for piece in exposed_pieces(field_with_hit(hit_unit(), piece(troops)))] == ["l"]


def test_be_7_option_exposes_wagons() -> None:
    units = hit_unit(), piece("wagon")
    assert "only commanders" in refusal(field_with_hit(*units))
    assert not exposed_pieces(field_with_hit(*units))
    assert exposed_pieces(field_with_hit(*units, options=EmpireOptions(wagons_exposed=True)))


def test_be_7_piece_is_exposed_only_if_its_unit_took_a_kill_this_turn() -> None:
    assert "not exposed" in refusal(field_with_hit(unit("zulus", "u", kills=2), piece()))
    assert "not exposed" in refusal(field_with_hit(hit_unit(), piece(attached_to=None)))


def test_be_7_refusal_for_an_unexposed_piece_of_an_idle_side() -> None:
    assert "not exposed" in refusal(
        field_with_hit(hit_unit(), piece(attached_to=None)).model_copy(update={"done": (RED,)})
    )


def test_be_7_option_exposes_all_attached_pieces() -> None:
    option = EmpireOptions(exposed_by_kills=False)
    assert exposed_pieces(field_with_hit(unit("zulus", "u"), piece(), options=option))
    assert "with a unit. " in refusal(field_with_hit(hit_unit(), piece(attached_to=None), options=option))


def test_be_7_pieces_with_a_destroyed_unit_are_exposed() -> None:
    assert exposed_pieces(destroy_unit(field_with_hit(), "u"))
    assert exposed_pieces(destroy_unit(field_with_hit(unit("zulus", "u"), piece()), "u"))


def test_be_7_piece_tests_once_a_turn() -> None:
    after, _ = take(field_with_hit(), CriticalHit(unit="l"), dice(4, 1))
    assert "has been thrown for this turn: out for a turn" in refusal(after)
    assert not exposed_pieces(after)


def test_be_7_piece_that_is_out_is_still_exposed() -> None:
    assert exposed_pieces(field_with_hit(hit_unit(), piece(health=Health.OUT, out_until=1)))
    assert not exposed_pieces(field_with_hit(hit_unit(), piece(health=Health.KILLED)))


def test_be_7_critical_hits_are_for_pieces_in_phase_9() -> None:
    assert "belongs to phase 9" in refusal(field_with_hit(phase=Phase.MELEE))
    assert not list(legal_actions(field_with_hit(phase=Phase.MELEE), RED))
    assert "only commanders" in refusal(field_with_hit(), "u")


def test_be_7_owed_test_blocks_the_turn() -> None:
    state = field_with_hit()
    (debt,) = prompts(state)
    assert (debt.text, debt.required, debt.side) == ("Chief is exposed to a critical hit", True, RED)
    assert (debt.offers[0].kind, debt.offers[0].args, debt.offers[0].key) == ("critical", {"unit": "l"}, debt.key)
    assert not list(prompts(take(state, CriticalHit(unit="l"), dice(3, 4))[0]))


def test_be_7_button_has_the_chance_to_be_unhurt() -> None:
    (debt,) = prompts(field_with_hit())
    well = next(outcome.chance for outcome in odds(field_with_hit(), CriticalHit(unit="l")).outcomes if outcome.good)
    assert debt.offers[0].label == f"Critical hit: Chief, {percent(well)} unhurt"


def test_be_7_test_is_legal_for_its_side_and_the_umpire() -> None:
    state = field_with_hit()
    assert (
        [action.unit for action in legal_actions(state, RED)]
        == [action.unit for action in legal_actions(state, UMPIRE)]
        == ["l"]
    )
    assert not list(legal_actions(state, BLUE))
    assert not list(legal_actions(field_with_hit(done=(RED,)), RED))
