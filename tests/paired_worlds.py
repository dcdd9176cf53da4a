"""Two games that differ only in what is hidden: the same public actions are done in both, and compared.

In each, the second side puts units on in secret, hides some, and the umpire edits what nobody sees. Then both play the
same open actions, while hidden units go about. To everyone else both games must be the same to the last byte.
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
from rules.core.ruleset import Ruleset, tally_of
from rules.core.sealed_dice import SealedDice
from rules.core.state import Action
from rules.core.tabletop.hidden_units import show_all_units
from tests.hidden_tables import State, bare

SECRETS = 12
"""Secret things done in a set-up, at most."""
CHOICE = 60
"""Open actions of which one is drawn."""


@dataclass
class World:
    """A game, with dice of its own for what is hidden."""

    system: Ruleset[Any]
    state: State
    thrown: int = 0
    said: list[str] = field(default_factory=list)

    def dice(self) -> Dice:
        """Dice that fall alike in both worlds for everyone."""
        return SealedDice(bytes(32), "game", 1, self.thrown + 1)

    def act(self, action: Action) -> Report:
        """Does it. Raises Refused."""
        dice = self.dice()
        self.state, report = self.system.act(self.state, action, dice)
        if report.audience is None:
            self.thrown += len(getattr(dice, "thrown", ()))
        return report

    def unseen(self, kind: str, **args: Any) -> bool:
        """Do something that others may know nothing of; return whether it was done. What shows a unit is taken back."""
        before, thrown = self.state, self.thrown
        try:
            report = self.act(self.system.parse(kind, args))
        except Refused:
            self.state = before
            return False
        if report.audience is None:
            self.state, self.thrown = before, thrown
        return report.audience is not None


def others(state: State) -> tuple[Viewer, ...]:
    """Who may know nothing of what the second side hides."""
    return PUBLIC, state.sides[0].id


def begin_worlds(system: Ruleset[Any], seed: int) -> Iterator[World]:
    """Yield two worlds as the battle begins, which differ in the second side's secret set-up."""
    for number in (1, 2):
        chance, open_chance = random.Random(seed * 10 + number), random.Random(seed)
        world = World(system, bare(system, in_secret=True))
        first, second = (side.id for side in world.state.sides)
        troops = list(system.troops)
        for side, x in ((first, 10.0), (second, 62.0)):
            for place in range(3):
                _add(world, open_chance.choice(troops), side, f"Unit {side} {place}", x, 8.0 + 14 * place)
        for at in range(chance.randint(1, 3)):
            name = f"Lurker {chance.randint(1, 99)}"
            _add(world, chance.choice(troops), second, name, 40.0 + at * 5, 46.0)
        _go_about(world, chance, second)
        for unit in [one.id for one in world.state.hidden.values() if one.name.startswith("Lurker")]:
            world.unseen("hide", unit=unit)
        yield world


def _add(world: World, troop: str, side: str, name: str, x: float, y: float) -> None:
    world.unseen("add_unit", troop=troop, side=side, name=name, x=x, y=y, facing=0.0)


def _go_about(world: World, chance: random.Random, side: str) -> None:
    """Secret things that a side, and the umpire with its units, do in a set-up and take back again."""
    own = [unit.id for unit in world.state.hidden.values() if unit.side == side and unit.name.startswith("Unit")]
    for _ in range(chance.randint(0, SECRETS)):
        unit = chance.choice(own)
        place = world.state.hidden[unit].place
        assert place is not None
        world.unseen("deploy", unit=unit, to="forward 1")
        world.unseen("deploy", unit=unit, to=f"{place.x:g},{place.y:g} face {'north'}")
        world.unseen("set", unit=unit, field="place", value=f"{place.x:g},{place.y:g},{place.facing:g}")
    for unit in own:
        place = world.state.hidden[unit].place
        assert place is not None
        world.unseen("set", unit=unit, field="place", value=f"{place.x:g},{place.y:g},0")


def lurk(world: World, chance: random.Random) -> None:
    """What hidden units do on their own, and the umpire with them."""
    side = world.state.sides[1].id
    for unit in list(world.state.hidden):
        if chance.random() < 0.5:
            world.unseen("set", unit=unit, field="place", value=f"{chance.uniform(40, 60):.0f},46,0")
        own = [*islice(world.system.legal(world.system.view(world.state, side), side, None, unit), CHOICE)]
        for action in chance.sample(own, min(2, len(own))):
            if getattr(action, "target", None) is None and action.unit == unit and action.kind != "unhide":
                world.unseen(action.kind, **action.model_dump(exclude={"kind"}, by_alias=True, exclude_defaults=True))


def open_actions(world: World, chance: random.Random) -> list[Action]:
    """What may be done openly now: what is owed first, else by shown units, and passing on."""
    state, system = world.state, world.system
    prompts = [one for one in system.open_prompts(state) if one.unit not in state.hidden]
    owed = [system.parse(offer.kind, offer.args) for one in prompts if one.required for offer in one.offers]
    if owed:
        return owed
    found: list[Action] = []
    for side in state.acting_sides:
        seen = system.view(state.model_copy(update={"hidden": {}}), side)
        legal = (one for one in system.legal(seen, side) if one.unit is None or one.unit in state.units)
        found += islice(legal, CHOICE)
    passing = [one for one in found if one.kind == "turn_next"]
    return passing if passing and chance.random() < 0.4 else found


def public_facts(world: World, report: Report | None = None) -> Iterator[tuple[str, str]]:
    """Yield everything that others may know of the game's state, and of the report."""
    state, system = world.state, world.system
    yield "waits for", str(sorted(system.waits_for(state)))
    yield "acting", str(state.acting_sides)
    for viewer in others(state):
        seen = system.view(state, viewer)
        yield f"{viewer}: state", system.write_state(system.storable_view(state, viewer))
        yield f"{viewer}: roster", str(system.roster(state, viewer))
        yield f"{viewer}: scene", str(system.scene(state, viewer))
        yield f"{viewer}: strengths", str(system.strengths(state, viewer))
        yield f"{viewer}: prompts", str([one for one in system.open_prompts(state) if one.side != UMPIRE])
        yield f"{viewer}: prompts seen", str(system.open_prompts(seen))
        yield f"{viewer}: tally", tally_of(system, seen)
        yield f"{viewer}: names", str(sorted(system.legal(seen, state.sides[0].id, "turn_next"), key=str))
        if state.setting_up is None:
            yield f"{viewer}: file", system.own_battles.write(seen, "ours", "Ours").decode()
        if report is not None:
            yield f"{viewer}: report", str(report.seen_by(viewer))
    for name in ("Lurker 1", "lurker-7", "Unit red 0"):
        yield f"refusal of {name}", _refusal(world, name)


def _refusal(world: World, name: str) -> str:
    seen = world.system.view(world.state, world.state.sides[0].id)
    try:
        return world.system.label(seen, world.system.parse("fire", {"unit": name, "target": name}))
    except Refused as refused:
        return str(refused)


def difference(one: Iterable[tuple[str, str]], other: Iterable[tuple[str, str]]) -> str:
    """Where two worlds first tell otherwise; nothing where they tell the same."""
    for (where, text), (_, said) in zip(one, other, strict=True):
        if text != said:
            at = next((n for n, pair in enumerate(zip(text, said, strict=False)) if pair[0] != pair[1]), 0)
            return f"{where}: …{text[max(at - 120, 0) : at + 120]}… | …{said[max(at - 120, 0) : at + 120]}…"
    return ""


def play(system: Ruleset[Any], seed: int, actions: int) -> int:
    """Plays both worlds side by side; how many open actions. Raises AssertionError where others could tell them apart.

    It ends where a hidden unit is found, or the game is over.
    """
    worlds = [*begin_worlds(system, seed)]
    chance = random.Random(seed)
    assert not (wrong := difference(*map(public_facts, worlds))), f"set up: {wrong}"
    reports = [world.act(system.parse("begin", {})) for world in worlds]
    assert not (wrong := difference(*map(public_facts, worlds, reports))), f"begun: {wrong}"
    assert worlds[0].state.hidden != worlds[1].state.hidden, "the worlds are not the same"
    for done in range(actions):
        for number, world in enumerate(worlds):
            lurk(world, random.Random(f"{seed} {done} {number}"))
            assert world.state.hidden, "somebody still lies hidden"
        assert not (wrong := difference(*map(public_facts, worlds))), f"after {done} actions, unseen: {wrong}"
        found = open_actions(worlds[0], chance)
        if worlds[0].state.over is not None or not found:
            return done
        action = chance.choice(found)
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
        assert not (wrong := difference(*map(public_facts, worlds, reports))), f"after {action!r}: {wrong}"
        assert worlds[0].thrown == worlds[1].thrown, "throws are counted alike"
    return actions


def shown_all(state: State) -> State:
    """The table with everyone shown."""
    return show_all_units(state)
