"""Who stands in for somebody: what is owed first, then the best shots, and nobody moves."""

import pytest

from rules.core.refused import Refused
from rules.core.stand_in import next_for
from rules.registry import rulesets
from tests.fuzz import RandomDice

STEPS = 60


@pytest.mark.parametrize("system", rulesets().values(), ids=lambda system: system.id)
def test_he_comes_to_an_end_in_every_turn_and_does_what_may_be_done(system) -> None:
    dice, done = RandomDice(1914), []
    state = system.setup(next(iter(system.scenarios)), {}, dice)
    for _ in range(STEPS):
        side = min(system.waits_for(state), default=None)
        if state.over is not None:
            break
        if side is None:
            state, _ = system.act(state, system.next_by_itself(state), dice)
            continue
        action = next_for(system, state, side)
        fields = system.actions["turn_next"].model_fields
        passes = system.parse("turn_next", {"side": side} if "side" in fields else {})
        try:
            state, _ = system.act(state, action or passes, dice)
        except Refused:
            assert action is None, f"{action} was refused"
            break
        done.append((action or passes).kind)
    assert "turn_next" in done
    assert "move" not in done


def test_he_fires_with_the_best_chance_past_nobody_and_only_in_his_turn() -> None:
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, RandomDice(1))
    assert next_for(system, state, "british") is None, "it is not their turn"

    def promise(shot) -> float:
        return float(sum(one.chance for one in system.odds(state, shot).outcomes if one.good))

    clear = [shot for shot in system.legal(state, "mahdists", "fire") if not system.odds(state, shot).warnings]
    assert promise(next_for(system, state, "mahdists")) == max(map(promise, clear))
