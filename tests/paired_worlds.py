"""Two games that differ only in hidden facts, played with the same public actions and compared.

In each world the second side adds and hides units in secret, and the umpire edits hidden units. Then both worlds play
the same open actions, while hidden units act. Other viewers must get the same bytes in both worlds.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import Ruleset, describe_tally
from rules.core.sealed_dice import SealedDice
from rules.core.state import Action
from tests.hidden_tables import State, lay_bare_table

MAX_SECRET_ACTIONS = 12
"""Maximum number of secret actions in a set-up."""
MAX_CANDIDATES = 60
"""Maximum number of open actions per side to choose from."""


@dataclass
class World:
    """A game with its own dice for hidden throws."""

    system: Ruleset[Any]
    state: State
    thrown: int = 0
    said: list[str] = field(default_factory=list)

    def dice(self) -> Dice:
        """Return dice whose open throws are the same in both worlds."""
        return SealedDice(bytes(32), "game", 1, self.thrown + 1)

    def act(self, action: Action) -> Report:
        """Execute the action. Raises Refused."""
        dice = self.dice()
        self.state, report = self.system.act(self.state, action, dice)
        if report.audience is None:
            self.thrown += len(getattr(dice, "thrown", ()))
        return report

    def act_in_secret(self, kind: str, **args: Any) -> bool:
        """Execute an action and revert it if other viewers may know of it. Return whether it stands."""
        before, thrown_before = self.state, self.thrown
        try:
            report = self.act(self.system.parse(kind, args))
        except Refused:
            self.state = before
            return False
        if report.audience is None:
            self.state, self.thrown = before, thrown_before
        return report.audience is not None


def list_other_viewers(state: State) -> tuple[Viewer, ...]:
    """Return the viewers who may not know what the second side hides."""
    return PUBLIC, state.sides[0].id


def begin_worlds(system: Ruleset[Any], seed: int) -> Iterator[World]:
    """Yield two worlds before the battle, which differ in the second side's secret set-up."""
    for number in (1, 2):
        chance, open_chance = random.Random(seed * 10 + number), random.Random(seed)
        world = World(system, lay_bare_table(system, in_secret=True))
        first, second = (side.id for side in world.state.sides)
        troops = list(system.troops)
        for side, x in ((first, 10.0), (second, 62.0)):
            for place in range(3):
                _add(world, open_chance.choice(troops), side, f"Unit {side} {place}", x, 8.0 + 14 * place)
        for at in range(chance.randint(1, 3)):
            name = f"Lurker {chance.randint(1, 99)}"
            _add(world, chance.choice(troops), second, name, 40.0 + at * 5, 46.0)
        _set_up_in_secret(world, chance, second)
        for unit in [unit.id for unit in world.state.hidden.values() if unit.name.startswith("Lurker")]:
            world.act_in_secret("hide", unit=unit)
        yield world


def _add(world: World, troop: str, side: str, name: str, x: float, y: float) -> None:
    world.act_in_secret("add_unit", troop=troop, side=side, name=name, x=x, y=y, facing=0.0)


def _set_up_in_secret(world: World, chance: random.Random, side: str) -> None:
    """Move and edit a side's units in secret during set-up, and put them back."""
    own = [unit.id for unit in world.state.hidden.values() if unit.side == side and unit.name.startswith("Unit")]
    for _ in range(chance.randint(0, MAX_SECRET_ACTIONS)):
        unit = chance.choice(own)
        place = world.state.hidden[unit].place
        assert place is not None
        world.act_in_secret("deploy", unit=unit, to="forward 1")
        world.act_in_secret("deploy", unit=unit, to=f"{place.x:g},{place.y:g} face {'north'}")
        world.act_in_secret("set", unit=unit, field="place", value=f"{place.x:g},{place.y:g},{place.facing:g}")
    for unit in own:
        place = world.state.hidden[unit].place
        assert place is not None
        world.act_in_secret("set", unit=unit, field="place", value=f"{place.x:g},{place.y:g},0")


def act_with_hidden_units(world: World, chance: random.Random) -> None:
    """Execute random actions of hidden units, and umpire's edits of them."""
    side = world.state.sides[1].id
    for unit in list(world.state.hidden):
        if chance.random() < 0.5:
            world.act_in_secret("set", unit=unit, field="place", value=f"{chance.uniform(40, 60):.0f},46,0")
        own = [
            *islice(world.system.legal_actions(world.system.view(world.state, side), side, None, unit), MAX_CANDIDATES)
        ]
        for action in chance.sample(own, min(2, len(own))):
            if getattr(action, "target", None) is None and action.unit == unit and action.kind != "unhide":
                world.act_in_secret(
                    action.kind, **action.model_dump(exclude={"kind"}, by_alias=True, exclude_defaults=True)
                )


def list_open_actions(world: World, chance: random.Random) -> list[Action]:
    """Return the open actions possible now: required ones, else those of shown units and passing."""
    state, system = world.state, world.system
    prompts = [prompt for prompt in system.open_prompts(state) if prompt.unit not in state.hidden]
    answers = [system.parse(offer.kind, offer.args) for prompt in prompts if prompt.required for offer in prompt.offers]
    if answers:
        return answers
    actions: list[Action] = []
    for side in state.acting_sides:
        view = system.view(state.model_copy(update={"hidden": {}}), side)
        legal = (
            action for action in system.legal_actions(view, side) if action.unit is None or action.unit in state.units
        )
        actions += islice(legal, MAX_CANDIDATES)
    passing = [action for action in actions if action.kind == "turn_next"]
    return passing if passing and chance.random() < 0.4 else actions


def iterate_public_facts(world: World, report: Report | None = None) -> Iterator[tuple[str, str]]:
    """Yield everything that other viewers may know of the game's state and of the report."""
    state, system = world.state, world.system
    yield "waits for", str(sorted(system.awaited_viewers(state)))
    yield "acting", str(state.acting_sides)
    for viewer in list_other_viewers(state):
        view = system.view(state, viewer)
        yield f"{viewer}: state", system.write_state(system.storable_view(state, viewer))
        yield f"{viewer}: roster", str(system.roster(state, viewer))
        yield f"{viewer}: scene", str(system.scene(state, viewer))
        yield f"{viewer}: strengths", str(system.strengths(state, viewer))
        yield f"{viewer}: prompts", str([prompt for prompt in system.open_prompts(state) if prompt.side != UMPIRE])
        yield f"{viewer}: prompts seen", str(system.open_prompts(view))
        yield f"{viewer}: tally", describe_tally(system, view)
        yield f"{viewer}: names", str(sorted(system.legal_actions(view, state.sides[0].id, "turn_next"), key=str))
        if state.setting_up is None:
            yield f"{viewer}: file", system.own_battles.write(view, "ours", "Ours").decode()
        if report is not None:
            yield f"{viewer}: report", str(report.view_for(viewer))
    for name in ("Lurker 1", "lurker-7", "Unit red 0"):
        yield f"refusal of {name}", _refusal(world, name)


def _refusal(world: World, name: str) -> str:
    view = world.system.view(world.state, world.state.sides[0].id)
    try:
        return world.system.label(view, world.system.parse("fire", {"unit": name, "target": name}))
    except Refused as refused:
        return str(refused)


def find_difference(first: Iterable[tuple[str, str]], second: Iterable[tuple[str, str]]) -> str:
    """Return the first difference between the facts of two worlds, or "" if they are equal."""
    for (place, text), (_, second_text) in zip(first, second, strict=True):
        if text != second_text:
            at = next((n for n, pair in enumerate(zip(text, second_text, strict=False)) if pair[0] != pair[1]), 0)
            return f"{place}: …{text[max(at - 120, 0) : at + 120]}… | …{second_text[max(at - 120, 0) : at + 120]}…"
    return ""


def play(system: Ruleset[Any], seed: int, actions: int) -> int:
    """Play both worlds side by side. Return the number of open actions.

    Stops when the game is over. Raises AssertionError if a viewer sees a difference.
    """
    worlds = [*begin_worlds(system, seed)]
    chance = random.Random(seed)
    assert not (difference := find_difference(*map(iterate_public_facts, worlds))), f"set up: {difference}"
    reports = [world.act(system.parse("begin", {})) for world in worlds]
    assert not (difference := find_difference(*map(iterate_public_facts, worlds, reports))), f"begun: {difference}"
    assert worlds[0].state.hidden != worlds[1].state.hidden, "the worlds are not the same"
    for number_done in range(actions):
        for number, world in enumerate(worlds):
            act_with_hidden_units(world, random.Random(f"{seed} {number_done} {number}"))
            assert world.state.hidden, "somebody still lies hidden"
        assert not (difference := find_difference(*map(iterate_public_facts, worlds))), (
            f"after {number_done} actions, unseen: {difference}"
        )
        choices = list_open_actions(worlds[0], chance)
        if worlds[0].state.over is not None or not choices:
            return number_done
        action = chance.choice(choices)
        before = [world.state for world in worlds]
        reports = []
        for world in worlds:
            try:
                reports.append(world.act(action))
            except Refused as refused:
                reports.append(Report(headline=str(refused)))
        if any(report.showed_hidden for report in reports):
            for world, state in zip(worlds, before, strict=True):
                world.state = state
            worlds[0].thrown = worlds[1].thrown = max(world.thrown for world in worlds)
            continue
        assert not (difference := find_difference(*map(iterate_public_facts, worlds, reports))), (
            f"after {action!r}: {difference}"
        )
        assert worlds[0].thrown == worlds[1].thrown, "throws are counted alike"
    return actions
