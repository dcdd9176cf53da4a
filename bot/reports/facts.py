"""The facts of the after-action report for one viewer, as plain text. Each format of the report uses them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from bot.journal.game import Entry, Game
from rules.core.dice import Luck, compute_luck
from rules.core.model import UMPIRE, Viewer
from rules.core.report import ReportAnnex, Step
from rules.core.ruleset import describe_strengths
from rules.core.state import UnitCard
from rules.core.wording import number_text, sum_line


class Army(NamedTuple):
    """A side's name, its remaining strength in words, and its units."""

    name: str
    left: str
    units: Sequence[UnitCard]


@dataclass(frozen=True)
class ReportFacts:
    """The facts of a game's after-action report. `entries` are already limited to what `viewer` may read."""

    game: Game
    entries: Sequence[Entry]
    viewer: Viewer

    @property
    def subtitle(self) -> str:
        """The rule system, the battle and the dates."""
        game = self.game
        scenario = game.ruleset.scenarios.get(game.state.scenario)
        dates = f"{game.started:%Y-%m-%d}" + (f" to {game.ended:%Y-%m-%d}" if game.ended else "")
        return f"{game.ruleset.title}, {scenario.title if scenario else game.state.scenario}, {dates}"

    @property
    def briefing(self) -> str:
        """The scenario's briefing, or an empty string."""
        scenario = self.game.ruleset.scenarios.get(self.game.state.scenario)
        return scenario.briefing if scenario else ""

    @property
    def names_by_role(self) -> Mapping[str, str]:
        """The name of the umpire and of each side's player, by role."""
        game = self.game
        sides = {side.name: game.names_of_players(side) or "nobody" for side in game.state.sides}
        return {"Umpire": game.umpire.name, **sides}

    @property
    def turns(self) -> Sequence[tuple[int, Sequence[Entry]]]:
        """Each turn with its entries. A turn that was undone and played again appears several times."""
        return [(turn, tuple(group)) for turn, group in groupby(self.entries, key=lambda entry: entry.turn)]

    def turn_name(self, turn: int) -> str:
        """Return the name of a turn: `Turn 3`, `Day 3`."""
        return f"{self.game.state.turn_word} {turn}"

    def turn_event_lines(self, entry: Entry) -> Sequence[str]:
        """Return the results of a turn that plays by itself, one line for each step; none for other entries."""
        system = self.game.ruleset
        if system.turn_accounts is None or not entry.acts or system.actions[entry.kind].is_unit_action:
            return ()
        return [f"{step.text}: {step.verdict}" for step in entry.report.steps if step.verdict]

    @property
    def annexes(self) -> Sequence[ReportAnnex]:
        """Further facts that the rule system adds to the report, limited to what the viewer may know."""
        game = self.game
        return () if game.ruleset.annexes is None else game.ruleset.annexes(game.ruleset.view(game.state, self.viewer))

    @property
    def last_heading(self) -> str:
        """The heading of the report's last part."""
        is_over = self.game.ended is not None or self.game.state.over is not None
        return "How it ended" if is_over else "The game so far"

    @property
    def verdict(self) -> tuple[str, str] | None:
        """The game's result, and the reason for it. None before the battle is over."""
        state = self.game.state
        return None if state.over is None else (state.result, state.over.why)

    @property
    def armies(self) -> Sequence[Army]:
        """Each side with its remaining strength and its units."""
        game = self.game
        strengths = describe_strengths(game.ruleset, game.state, self.viewer)
        cards = game.ruleset.roster(game.state, self.viewer)
        return [
            Army(side.name, strengths.get(side.id, ""), [card for card in cards if card.side == side.id])
            for side in game.state.sides
        ]

    @property
    def luck(self) -> Iterable[tuple[str, str]]:
        """Each side's name, and its luck with the dice in words. Undone throws do not count."""
        names = {side.id: side.name for side in self.game.state.sides}
        entries = [entry for entry in self.entries if not entry.undone]
        for luck in compute_luck(
            (throw.side or entry.side, throw) for entry in entries for throw in entry.report.throws
        ):
            yield names.get(luck.side, "The umpire" if luck.side == UMPIRE else "Onlookers"), luck_in_words(luck)

    @property
    def seeds(self) -> Iterable[tuple[str, str, str]]:
        """Each dice seed's name, its published hash, and its value, which is empty until the seed is revealed."""
        for seed in self.game.seeds:
            yield f"{'Hidden seed' if seed.hidden else 'Seed'} {seed.epoch}", seed.seal, seed.secret or ""


def luck_in_words(luck: Luck) -> str:
    """Return a side's luck as `12 dice, sum 50, expected 42 (+1.4 standard deviations)`."""
    expected = f"expected {number_text(luck.expected)} ({luck.standard_deviations:+z.1f} standard deviations)"
    return f"{luck.dice} dice, sum {luck.total}, {expected}"


def step_in_words(step: Step) -> str:
    """Return a step of a report as `Firing (MM-3.6): 8D6 … = 5 hits`."""
    line = sum_line(step)
    return f"{step.text} ({step.cite}){f': {line}' if line else ''}"
