"""Random positions fought by the rules and by the second model in `oracle.py`."""

import random
from collections import Counter

import pytest

from rules.core.dice import Throw
from rules.core.refusal import Refused
from rules.great_war.model import Arm, GreatWarState
from rules.great_war.tables import chart_number

from .field import BRITISH, GERMANS, SYSTEM, field
from .field import unit as unit_of
from .oracle import Answer, Battlefield, compared_fields

COLUMNS, ROWS = 9, 7
KINDS = ("countryside", "trench", "crater", "forest", "building", "hill", "waterway", "ford")
TERRAIN = dict(zip(".tcfbh~=", KINDS, strict=True))
WORDS = {arm: word for word, arm in zip(("infantry", "mg", "mortar", "gun", "male", "female", "a7v"), Arm, strict=True)}
SEEDS = 12
"""Positions of the quick test. The soak test uses `MANY`."""
MANY = 3000


class ListedDice:
    """Dice that show the faces of a list."""

    def __init__(self, fell: list[int]) -> None:
        self.fell = fell

    def throw(self, count: int, sides: int, label: str, *, side: str | None = None, hidden: bool = False) -> Throw:
        """Return a throw of the next `count` faces."""
        dice = tuple(self.fell.pop(0) for _ in range(count))
        return Throw(number=1, label=label, sides=sides, dice=dice, side=side)


def random_position(rng: random.Random) -> tuple[GreatWarState, dict[tuple[int, int], str]]:
    """Return a crowd of units of both sides on terrain of every kind."""
    letters = [[rng.choice("......ttccfbh==") for _ in range(COLUMNS)] for _ in range(ROWS)]
    for column, row in ((1, 2), (3, 4), (5, 2), (7, 4), (4, 5)):
        letters[row][column] = "~"
    ground = {(c, r): TERRAIN[letters[r][c]] for r in range(ROWS) for c in range(COLUMNS)}
    dry = [place for place, kind in ground.items() if kind != "waterway"]
    text = "\n".join(" ".join(row) for row in letters)
    state = field(text, wire=" ".join(f"{c:02}{r:02}" for c, r in rng.sample(dry, 6)))
    units = {}
    for number, (column, row) in enumerate(rng.sample(dry, 14)):
        arm = rng.choice([*Arm, Arm.MALE, Arm.FEMALE])
        if ground[column, row] == "ford" and (arm.is_tank or arm is Arm.FIELD_ARTILLERY):
            arm = Arm.INFANTRY
        unit = unit_of(f"{rng.choice((BRITISH, GERMANS))} {WORDS[arm]} {column:02}{row:02}")
        memory = {
            "is_ordered": rng.random() < 0.95,
            "by_first_strike": rng.random() < 0.1,
            "moved": rng.choice((0, 0, 0, 0, 0, 0, 1, 2)),
            "has_battled": rng.random() < 0.1,
            "entered": unit.at if rng.random() < 0.2 else None,
            "recovery": rng.choice(("none", "none", "failed")),
        }
        stuck = rng.choice(("no", "no", "no", "bogged", "ditched")) if arm.is_tank else "no"
        changed = {
            **unit.model_dump(),
            "id": f"u{number}",
            "name": f"U{number}",
            "figures": rng.randint(1, chart_number(arm, "figures")),
            "bogged": stuck,
            "this_turn": memory,
        }
        units[f"u{number}"] = type(unit).model_validate(changed)
    return state.model_copy(update={"units": units, "medals_to_win": 99}), ground


def require_same(state: GreatWarState, model: Battlefield, ground: dict[tuple[int, int], str], seed: int) -> None:
    """Require that the rules and the model reached equal states."""
    battlefield = Battlefield(state, ground)
    assert compared_fields(battlefield.units) == compared_fields(model.units), seed
    assert battlefield.wire == model.wire, seed
    assert {**battlefield.medals} == model.medals, seed
    assert {k: v for k, v in battlefield.tokens.items() if v} == {k: v for k, v in model.tokens.items() if v}, seed
    flags = state.flags and (
        state.flags.unit,
        state.flags.by,
        state.flags.flags,
        state.flags.may_ignore,
        state.flags.may_gain,
    )
    model_flags = model.flags and tuple(model.flags.values())
    assert flags == model_flags, seed
    stood = [unit.at for unit in state.units.values() if unit.at]
    assert len(stood) == len(set(stood)), seed


def play_battles(seed: int, counts: Counter[str]) -> None:
    """Fight some battles from one position, and count the actions in `seen`."""
    rng = random.Random(seed)
    state, ground = random_position(rng)
    model = Battlefield(state, ground)
    for _ in range(16):
        if state.over is not None:
            return
        units = [unit for unit in state.units.values() if unit.at]
        bonus = [unit for unit in units if unit.this_turn.bonus]
        ready = [
            unit
            for unit in units
            if unit.side == state.active and unit.this_turn.is_ordered and not unit.this_turn.has_battled
        ]
        unit = rng.choice(bonus if bonus and rng.random() < 0.8 else ready if ready and rng.random() < 0.8 else units)
        enemies = [enemy for enemy in units if enemy.side != unit.side]
        if not enemies:
            return
        near = sorted(enemies, key=lambda enemy: enemy.at.distance(unit.at))[:3]
        sensible = rng.random() < 0.85
        target = near[0] if sensible and rng.random() < 0.7 else rng.choice(near)
        close = (target.at.distance(unit.at) == 1) is sensible
        card = rng.choice(("surprise ambush", "butt & bayonet", "", "", "")) if close else ""
        fell = [rng.randint(1, 6) for _ in range(30)]
        kind = "melee" if close else "fire"
        action = SYSTEM.parse(
            kind,
            {"unit": unit.id, "target": target.id, "with": card} if card else {"unit": unit.id, "target": target.id},
        )
        ours, theirs = ListedDice(list(fell)), list(fell)
        against = model.against(unit.id, target.id, close, card)
        if against:
            with pytest.raises(Refused) as refused:
                SYSTEM.act(state, action, ours)
            assert refused.value.cite is not None
            assert refused.value.cite.rule in against, (seed, str(refused.value))
            counts.update(f"no {rule}" for rule in against)
            continue
        model.battle(unit.id, target.id, close, card, theirs)
        state, _ = SYSTEM.act(state, action, ours)
        counts[kind] += 1
        assert ours.fell == theirs, seed
        require_same(state, model, ground, seed)
        if model.flags is not None:
            answers = sorted(model.answers())
            legal = {
                (action.to, action.ignores)
                for action in SYSTEM.legal_actions(state, state.unit(state.flags.unit).side, "retreat")
            }
            assert legal == {(f"{a.to[0]:02}{a.to[1]:02}", a.ignores) for a in answers}, seed
            answer: Answer = rng.choice(answers)
            to = f"{answer.to[0]:02}{answer.to[1]:02}"
            retreat = SYSTEM.parse("retreat", {"unit": state.flags.unit, "to": to, "ignores": answer.ignores})
            before = state.unit(state.flags.unit)
            state, _ = SYSTEM.act(state, retreat, ours)
            model.answer(answer, theirs)
            counts["retreat"] += 1
            assert ours.fell == theirs, seed
            require_same(state, model, ground, seed)
            now = state.unit(before.id).at
            if now is not None:
                assert now.column <= before.at.column if before.side == state.west else now.column >= before.at.column
        counts["gained"] += any(unit.this_turn.bonus for unit in state.units.values())


def test_gw_battles_match_the_second_model() -> None:
    counts: Counter[str] = Counter()
    for seed in range(SEEDS):
        play_battles(seed, counts)
    assert (
        min(counts[kind] for kind in ("fire", "melee", "retreat", "gained", "no GW-4", "no GW-6.3", "no GW-7")) > 0
    ), counts


@pytest.mark.soak
def test_gw_many_battles_match_the_second_model() -> None:
    for seed in range(SEEDS, MANY):
        play_battles(seed, Counter())
