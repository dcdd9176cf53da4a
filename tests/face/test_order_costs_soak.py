"""The cost of whole games with order sheets, per turn and player: every press must be a decision."""

import hashlib
import secrets

import pytest

from .commander import Commander, play
from .table import Table, text
from .test_order_costs import MOST_MESSAGES, MOST_PRESSES, MOST_WAITS

TURNS = 6

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("by_text", [True, False])
@pytest.mark.parametrize(("rules", "scenario"), [("empire", "el-teb-1884"), ("magdala", "suakin-1885")])
async def test_every_turn_costs_what_its_decisions_cost(
    table: Table, monkeypatch: pytest.MonkeyPatch, rules: str, scenario: str, by_text: bool, seed: int
) -> None:
    seeds = iter(range(seed * 1000, (seed + 1) * 1000))
    monkeypatch.setattr(
        secrets, "token_bytes", lambda size=32: hashlib.sha256(str(next(seeds)).encode()).digest()[:size]
    )
    monkeypatch.setattr("render.scenes.draw", lambda *_, **__: b"a picture")
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    players = {"british": table.british, "mahdists": table.mahdist}
    for side, player in players.items():
        await table.give(player, "game join", side=side)
    always = {"empire": ("bayonets", "clear")}.get(rules, ())
    commanders = [
        Commander(table, player, side, attacks=side == "mahdists", by_text=by_text, always=always)
        for side, player in players.items()
    ]
    game = await play(table, commanders, TURNS)
    long = {"magdala": 1}.get(rules, 0)  # two turns' melees, with all who see them, may need a second message
    for commander in commanders:
        for turn, cost in commander.costs.items():
            heading = f"turn {turn}, {commander.side}: {cost}"
            assert not cost.needless, heading
            assert cost.presses <= MOST_PRESSES + len(cost.choices), heading
            end = game.state.over is not None and turn == game.state.turn
            assert cost.messages <= end + (1 + long + len(cost.choices) if by_text else MOST_MESSAGES), heading
            assert cost.waits <= MOST_WAITS, heading
    are_whole = ["the rest in" not in text(message) for message in table.channel.history(viewer=table.onlooker)]
    assert long or all(are_whole)
