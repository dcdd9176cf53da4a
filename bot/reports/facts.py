"""What the after-action report tells, whatever it is written as: facts in plain text, for one viewer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from bot.journal.game import Entry, Game
from rules.core.dice import Luck, compute_luck
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Step
from rules.core.ruleset import strengths_of
from rules.core.state import UnitCard
from rules.core.wording import number, sum_line


class Army(NamedTuple):
    """A side: name, remaining strength, and units."""

    name: str
    left: str
    units: Sequence[UnitCard]


@dataclass(frozen=True)
class AfterAction:
    """A game told to `viewer`; its entries are already as that viewer may read them."""

    game: Game
    entries: Sequence[Entry]
    viewer: Viewer

    @property
    def subtitle(self) -> str:
        """Return rule system, battle and dates."""
        game = self.game
        scenario = game.ruleset.scenarios.get(game.state.scenario)
        when = f"{game.started:%Y-%m-%d}" + (f" to {game.ended:%Y-%m-%d}" if game.ended else "")
        return f"{game.ruleset.title}, {scenario.title if scenario else game.state.scenario}, {when}"

    @property
    def briefing(self) -> str:
        """Return the scenario's briefing, or an empty string."""
        scenario = self.game.ruleset.scenarios.get(self.game.state.scenario)
        return scenario.briefing if scenario else ""

    @property
    def people(self) -> Mapping[str, str]:
        """Who umpires and who plays each side."""
        game = self.game
        sides = {side.name: game.who_plays(side) or "nobody" for side in game.state.sides}
        return {"Umpire": game.umpire.name, **sides}

    @property
    def turns(self) -> Sequence[tuple[int, Sequence[Entry]]]:
        """Each turn with its entries; a turn taken back comes again."""
        return [(turn, tuple(group)) for turn, group in groupby(self.entries, key=lambda entry: entry.turn)]

    @property
    def end_title(self) -> str:
        """Return the heading of the report's end."""
        over = self.game.ended is not None or self.game.state.over is not None
        return "How it ended" if over else "The game so far"

    @property
    def verdict(self) -> tuple[str, str] | None:
        """Return winner and reason, or None for an undecided game."""
        state = self.game.state
        return None if state.over is None else (state.result, state.over.why)

    @property
    def armies(self) -> Sequence[Army]:
        """Return each side's remaining strength and losses."""
        game = self.game
        left = strengths_of(game.ruleset, game.state, self.viewer)
        cards = game.ruleset.roster(game.state, self.viewer)
        return [
            Army(side.name, left.get(side.id, ""), [card for card in cards if card.side == side.id])
            for side in game.state.sides
        ]

    @property
    def luck(self) -> Iterable[tuple[str, str]]:
        """Return each side's dice luck, over all throws not undone."""
        names = {side.id: side.name for side in self.game.state.sides}
        stand = [entry for entry in self.entries if not entry.undone]
        for one in compute_luck((throw.side or entry.side, throw) for entry in stand for throw in entry.report.throws):
            yield names.get(one.side, "The umpire" if one.side == UMPIRE else "Onlookers"), luck_in_words(one)

    @property
    def seeds(self) -> Iterable[tuple[str, str, str]]:
        """Return each dice seed's name, seal, and revealed value."""
        for seed in self.game.seeds:
            yield f"{'Hidden seed' if seed.hidden else 'Seed'} {seed.epoch}", seed.seal, seed.secret or ""


def luck_in_words(one: Luck) -> str:
    """`12 dice, sum 50, expected 42 (+1.4 standard deviations)`."""
    expected = f"expected {number(one.expected)} ({one.deviations:+z.1f} standard deviations)"
    return f"{one.dice} dice, sum {one.total}, {expected}"


def reckoned(step: Step) -> str:
    """`Firing (MM-3.6): 8D6 … = 5 hits`: a step of the reckoning."""
    line = sum_line(step)
    return f"{step.text} ({step.cite}){f': {line}' if line else ''}"
