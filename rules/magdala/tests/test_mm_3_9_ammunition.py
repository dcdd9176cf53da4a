"""Ammunition, refilling, the last volley and the defender's fire (MM-3.9, MM-3.10, MM-4.1)."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.tabletop.battle import Place
from rules.magdala.firing.ammunition import REFILL, Refill
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState, StoredPrompt
from rules.magdala.model import Test as Owing
from rules.magdala.placement import gap

from .field import BLUE, RED, dice, field, text_of, unit, with_memory
from .firing_field import BRITISH, FULL, HALF, TARGET, dice_of, fire_volley, refusal

# MM-3.9


def test_mm_3_9_full_effect_costs_a_point() -> None:
    after, _ = fire_volley(unit(BRITISH), faces=[1] * 8)
    assert after.unit("a").ammunition == 5


@pytest.mark.parametrize(("face", "remaining"), [(1, Fraction(11, 2)), (3, Fraction(11, 2)), (4, 6), (6, 6)])
def test_mm_3_9_half_effect_costs_half_a_point_on_1_to_3(face: int, remaining: Fraction) -> None:
    after, _ = fire_volley(unit(BRITISH), HALF, faces=[1, 1, 1, 1, face])
    assert after.unit("a").ammunition == remaining


def test_mm_3_9_with_half_a_point_only_half_effect() -> None:
    low = unit(BRITISH, ammunition=Fraction(1, 2))
    assert dice_of(low) == 4
    assert "half a round of ammunition left" in refusal(low, FULL)
    after, _ = fire_volley(low, faces=[1, 1, 1, 1, 1])
    assert after.unit("a").ammunition == 0


def test_mm_3_9_detachments_spend_none_even_without_any() -> None:
    detachment = unit(BRITISH, figures=6, parent="p", ammunition=Fraction(0))
    after, report = fire_volley(detachment, faces=[1, 1])
    assert after.unit("a").ammunition == 0
    assert "spends no ammunition" in text_of(report)


def test_mm_3_9_unit_without_ammunition_cannot_fire() -> None:
    for troops in ("native-warband", "field-gun", "maxim", "kommando", "british-cavalry"):
        assert "out of ammunition" in refusal(unit(troops, ammunition=Fraction(0)), range_=8)


WAGON = unit("wagon", "w")
EMPTY = unit(BRITISH, ammunition=Fraction(1), last_volley_fired=True)


def test_mm_3_9_a_wagon_refills_regulars_to_full_for_their_turn() -> None:
    state = field(EMPTY, WAGON, TARGET)
    assert list(REFILL.possible_actions(state, RED)) == [Refill(unit="a")]
    after, _ = REFILL.execute(state, Refill(unit="a"), NoDice())
    assert (after.unit("a").ammunition, after.unit("a").last_volley_fired) == (6, False)
    with pytest.raises(Refused, match="spent their whole turn"):
        FIRE.execute(after, Fire(unit="a", target="b", range=10), NoDice())


@pytest.mark.parametrize(
    ("unit_", "wagon", "why"),
    [
        (unit("native-warband", ammunition=Fraction(0)), WAGON, "only regulars are refilled"),
        (with_memory(EMPTY, moved=1.0), WAGON, "neither moving nor firing"),
        (with_memory(EMPTY, fired_half=True), WAGON, "neither moving nor firing"),
        (unit(BRITISH), WAGON, "have all their ammunition"),
        (EMPTY, unit("wagon", "w", BLUE), "no wagon or mules"),
        (unit(BRITISH, at=(10, 10), ammunition=Fraction(0)), unit("mules", "w", at=(10, 30)), 'must come within 6"'),
    ],
)
def test_mm_3_9_refilling_is_refused(unit_, wagon, why: str) -> None:
    with pytest.raises(Refused, match=why):
        REFILL.execute(field(unit_, wagon, TARGET), Refill(unit="a"), NoDice())


def test_mm_3_9_only_ammunition_carriers_refill() -> None:
    state = field(EMPTY, WAGON, unit("mules", "m"), unit(BRITISH, "c"), TARGET)
    with pytest.raises(Refused, match=r"^C carry no ammunition for A\. These do: W, M\. \(MM-3\.9\)$"):
        REFILL.execute(state, Refill(unit="a", target="c"), NoDice())


@pytest.mark.parametrize(("nearer", "reaches"), [(0.0, True), (0.01, False)])
def test_mm_3_9_a_wagon_reaches_just_as_far_as_the_option_says(nearer: float, reaches: bool) -> None:
    empty, wagon = EMPTY.model_copy(update={"place": Place(x=10, y=10)}), unit("wagon", "w", at=(10, 20))
    within = gap(empty, wagon)
    assert within is not None
    options = field().options.model_copy(update={"refill_within": within - nearer})
    assert bool(list(REFILL.possible_actions(field(empty, wagon, options=options), RED))) is reaches


def test_mm_3_9_a_whole_point_is_enough_for_full_effect() -> None:
    assert fire_volley(unit(BRITISH, ammunition=Fraction(1)), faces=[1] * 8)[0].unit("a").ammunition == 0


def test_mm_3_9_irregulars_may_be_refilled_by_ruling() -> None:
    state = field(unit("kommando", ammunition=Fraction(2)), WAGON, TARGET)
    options = state.options.model_copy(update={"refill_irregulars": True})
    after, _ = REFILL.execute(state.model_copy(update={"options": options}), Refill(unit="a", target="w"), NoDice())
    assert after.unit("a").ammunition == 6


# MM-3.10 and MM-4.1

PROMPT = StoredPrompt(key="k", unit="a", test=Owing.DEFENSIVE_FIRE, by="b")


def field_with_charge(shooter, prompt: StoredPrompt = PROMPT) -> MagdalaState:
    met = shooter.model_copy(update={"melee_with": "b"})
    enemy = TARGET.model_copy(update={"melee_with": "a", "melee_attacker": True, "melee_round": 1})
    return field(met, enemy, active=BLUE, prompts=(prompt,))


def test_mm_3_10_one_last_volley_at_half_effect_only_against_a_charge() -> None:
    out = unit(BRITISH, ammunition=Fraction(0))
    assert "keep one last volley, for a charge" in refusal(out)
    after, report = FIRE.execute(field_with_charge(out), Fire(unit="a", target="b"), dice(1, 1, 1, 1))
    assert after.unit("a").last_volley_fired
    assert "That was their last volley" in text_of(report)
    assert '0": short range' in text_of(report), "as they come in"
    assert "have fired their last volley" in refusal(unit(BRITISH, ammunition=Fraction(0), last_volley_fired=True))


def test_mm_4_1_defender_that_fired_in_its_turn_may_fire_in_the_enemys() -> None:
    after, _ = FIRE.execute(
        field_with_charge(with_memory(unit(BRITISH), fired_full=True, moved=0)),
        Fire(unit="a", target="b"),
        dice(*[6] * 8),
    )
    assert after.unit("b").casualties == 8
    assert not [prompt for prompt in after.prompts if prompt.test is Owing.DEFENSIVE_FIRE]
    assert not after.unit("a").this_turn.fired_half


def test_mm_4_1_at_half_effect_when_the_attackers_came_under_9_inches() -> None:
    state = field_with_charge(unit(BRITISH), PROMPT.model_copy(update={"half_effect": True}))
    assert FIRE.plan(state, Fire(unit="a", target="b")).dice.dice == 4


def test_mm_4_1_without_a_charge_nobody_fires_in_the_enemys_turn() -> None:
    firer, target = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 20))
    with pytest.raises(Refused, match="Nobody is moving into contact"):
        FIRE.execute(
            field(firer, target, active=BLUE), Fire(unit="a", target="b", circumstances=("defensive fire",)), NoDice()
        )
