"""The contract of a rule system: all the bot asks of one. Adding a system is a folder and a line of the registry."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from rules.core.hexboard.hex_scene import Scene

from . import ad_hoc as core_ad_hoc
from . import parsing
from .action_type import ActionType
from .book import Book, load_books
from .catalog import Choice, Explained, Meanings, Scenario, Troop
from .chart import Chart
from .correctable import Correctable
from .dice import Dice
from .forced_actions import follow_up
from .model import Viewer
from .odds import Odds
from .phases import Phases
from .play import MiddlingDice, Play, Sketch
from .refusal import Refused
from .report import Prompt, Report
from .scene import DieFace
from .state import Action, Circumstance, State, Unit, UnitCard, is_of_one_piece
from .value import Worth
from .wording import as_words

__all__ = ["Choice", "Explained", "Refused", "Ruleset", "Scenario", "Troop"]

S = TypeVar("S", bound=State)

ENDS = "The game ends."
"""Headline of an action that only ended the game."""


class Ruleset(Correctable[S], ABC, Generic[S]):
    """One rule system, put together of action types. Every method is a pure function of its arguments.

    A system needs an id, a title, a type of state, action types, `setup` and `scene`; everything else has a default.
    The methods at the end are for systems that can do more than umpire; theirs says no.
    """

    id: str
    title: str
    package: str = ""
    """Package with the system's data, such as `rules.skirmish`."""
    action_types: Sequence[ActionType[S, Any, Any]] = ()
    """All action types of the system."""
    phases: Phases[S] | None = None
    """The way a turn goes, for a system that has phases."""
    scenarios: Mapping[str, Scenario] = {}
    charts: Mapping[str, Chart] = {}
    book: Book = Book()
    troops: Mapping[str, Troop] = {}
    circumstances: Mapping[str, Circumstance] = {}
    values: Sequence[Worth[S]] = ()
    """Values counted by the opponent; empty for systems without opponent."""
    played_by_bot: str | None = None
    """Id of the side that the system itself plays. Then nobody sees what the umpire would: who is the umpire has the
    umpire's rights, and sees what the players of the first other side see."""
    has_bare_table = False
    """Whether the system plays on tables in inches and offers a bare table."""
    _latest: tuple[S | None, tuple[Prompt, ...]] = (None, ())

    def __init__(self) -> None:
        """Raises ValueError on two action types of one kind."""
        self._types: Mapping[str, ActionType[S, Any, Any]] = {one.action.kind: one for one in self.action_types}
        if len(self._types) < len(self.action_types):
            raise ValueError(f"{self.id}: two action types of one kind")
        self.actions: Mapping[str, type[Action]] = {kind: one.action for kind, one in self._types.items()}
        if self.package:
            self.book = load_books(self.package)
            self.circumstances = parsing.load_circumstances(self.package)

    @abstractmethod
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""

    @abstractmethod
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> Scene:
        """The table or map as that viewer may see it, with arrows for what moved since `before`."""

    def view(self, state: S, viewer: Viewer) -> S:  # noqa: ARG002
        """Return the viewer's view of the state; the same object if nothing is hidden."""
        return state

    def told(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view in storable form."""
        return self.view(state, viewer)

    def hides_nothing(self, state: S) -> bool:  # noqa: ARG002
        """Whether every viewer knows the entire state, judged by public facts."""
        return type(self).view is Ruleset.view

    def prompts(self, state: S) -> tuple[Prompt, ...]:  # noqa: ARG002
        """Every test, retreat and choice that the game waits for or that is open, with the offers that settle each."""
        return ()

    def waits_for(self, state: S) -> frozenset[Viewer]:
        """Return the waited-for sides of people, including the umpire."""
        if state.over is not None:
            return frozenset()
        required = (prompt.side for prompt in self.open_prompts(state) if prompt.required)
        return frozenset({*state.acting, *required} - {self.played_by_bot})

    def roster(
        self,
        state: S,
        viewer: Viewer,  # noqa: ARG002
        only: Container[str] | None = None,
    ) -> tuple[UnitCard, ...]:
        """The units that viewer may know of, in order of battle; `only` those of these ids, where they are named."""
        units = [unit for unit in state.units.values() if only is None or unit.id in only]
        return tuple(UnitCard(id=unit.id, name=unit.name, side=unit.side, line="") for unit in units)

    def named(self, state: S, viewer: Viewer) -> Sequence[Unit | UnitCard]:
        """Return the entries of the roster in order, without their details."""
        return self.roster(state, viewer)

    def meant(self, state: S, kind: str, unit: str | None = None) -> str:  # noqa: ARG002
        """Return the kind of action meant by `kind` at the moment, for instance before a battle begins.

        `unit` is the id of whom it is asked for; it may be something that is no unit.
        """
        return kind

    def bare_table(self, words: Mapping[str, str], title: str) -> bytes:  # noqa: ARG002
        """The document of a bare table, of what was written in the form. Raises Refused."""
        raise Refused(f"{self.title} is not played on a table in inches, so it has no bare table of your own.")

    @property
    def army_book(self) -> Any:
        """Its armies (`rules.core.tabletop.army_book`). Raises Refused where it has none to put on."""
        raise Refused(f"{self.title} is not played on a table in inches, so no armies are put on it.")

    def side_of(self, state: S, action: Action) -> Viewer:
        """The side whose business the action is."""
        return self._types[action.kind].side(state, action)

    def without_choice(self, state: S) -> Iterable[Action]:
        """Yield required actions without a choice, oldest first: anybody may trigger them.

        So is what has a single button under a prompt that is required, unless a system knows better.
        """
        for prompt in self.open_prompts(state):
            if prompt.required and len(prompt.offers) == 1:
                yield self.parse(prompt.offers[0].kind, prompt.offers[0].args)

    def knows_all(self, state: S, action: Action) -> bool:  # noqa: ARG002
        """Whether the game knows all facts for the action, so that no player must be asked."""
        return True

    def at_once(self, state: S) -> Action | None:
        """Return the next forced action, or None."""
        if state.over is not None or not state.throws_at_once:
            return None
        found = (action for action in self.without_choice(state) if self.knows_all(state, action))
        return next((action for action in found if not action.secret), None)

    def standing(self, state: S, units: Sequence[str]) -> str:  # noqa: ARG002
        """Return the units' status for an action's outcome, or an empty string."""
        return ""

    def settled(self, state: S) -> S:
        """Return the state after automatic consequences; systems override this."""
        return state

    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute an action and its forced consequences; the report lists new prompts.

        What the umpire does by hand, or anybody in secret, is done alone. Never changes its argument. Raises Refused
        before any die is thrown.
        """
        _require_running(state, action)
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        with self._saying_what_is_in_the_way(state):
            try:
                self._carry_out(play, action)
            except Refused as refused:
                raise self._refused_in_its_phase(state, action, refused) from refused
        before = self.open_prompts(state)
        if not (action.umpire_only or action.secret):
            follow_up(self, play, action)
        after, report = self.settled(play.state), play.report
        if after.over is not None and state.over is None:
            report = at_the_end(report, after, after.over.why)
        if not report.prompts:
            report = report.model_copy(update={"prompts": _new(before, self.open_prompts(after))})
        return after, report

    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Its prompts; those of the state asked about last are remembered, for the next action begins with it."""
        remembered, prompts = self._latest
        if remembered is not state:
            prompts = self.prompts(state)
            self._latest = state, prompts
        return prompts

    @contextmanager
    def _saying_what_is_in_the_way(self, state: S) -> Iterator[None]:
        """Add the prompts named by a refusal's keys to the refusal."""
        try:
            yield
        except Refused as refused:
            found = (prompt for prompt in self.open_prompts(state) if prompt.key in refused.keys)
            refused.prompts = (*refused.prompts, *found)
            raise

    def _carry_out(self, play: Play[S], action: Action) -> None:
        self._types[action.kind].carry_out(play, action, lambda: self.planned_on(play.state, play.side, action))

    def _refused_in_its_phase(self, state: S, action: Action, refused: Refused) -> Refused:
        """Return the refusal of `action` in its later phase of the turn, or else `refused`, which says to wait."""
        phases, side = self.phases, self.side_of(state, action)
        if phases is None or refused.cite != phases.cite or not action.by_unit or side not in state.acting:
            return refused
        seen = self.planned_on(state, side, action)
        for phase in phases.later(seen):
            try:
                self._types[action.kind].plan(phases.supposed(seen, phase, side), action)
            except Refused as later:
                if later.cite != phases.cite:
                    return later
            else:
                break
        return refused

    def planned_on(self, state: S, side: Viewer, action: Action) -> S:  # noqa: ARG002
        """Return the state for planning the action: the side's view."""
        return self.view(state, side)

    def orders_first(self, state: S, action: Action) -> Sequence[Action] | None:  # noqa: ARG002
        """Return the prerequisites for `action` in a later phase of the turn, or None if it cannot be given ahead.

        The prerequisites are empty if the action only waits for its phase. Raises Refused if they cannot be done.
        """
        return None

    def allows(self, state: S, action: Action) -> bool:
        """Whether the action is possible in the state."""
        return state.over is None and self._types[action.kind].planned(state, action) is not None

    def test_to_move(self, state: S, unit: str) -> Action | None:  # noqa: ARG002
        """Return the test that the unit (by its id) owes before it moves and may take now, or None."""
        return None

    def shortened(self, state: S, action: Action) -> Action | None:  # noqa: ARG002
        """Return the action shortened by its preliminary test's dice; None if nothing remains."""
        return action

    def label(self, state: S, action: Action) -> str:
        """Return the button text with unit, action, target and chance. Raises Refused like `act`."""
        kind = self._types[action.kind]
        return kind.label(state, kind.plan(state, action))

    def odds(self, state: S, action: Action) -> Odds:
        """The exact chances of `action`. Raises Refused as `act` would, or when it throws no dice to ask about."""
        kind = self._types[action.kind]
        if not kind.has_odds:
            raise Refused(f"There are no odds for {action.kind}. Ask for those of: {', '.join(sorted(self.askable))}.")
        _require_running(state, action)
        with self._saying_what_is_in_the_way(state):
            return kind.odds_of(state, action)

    def is_sketched(self, action: Action) -> bool:
        """Whether the action's effects can be sketched: true for unit actions."""
        return action.by_unit and not action.umpire_only

    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """What `action` would bring, as far as `viewer` may know. Raises Refused as `act` would."""
        if not self.is_sketched(action):
            raise Refused(f"What {as_words(action.kind)} brings cannot be shown beforehand.")
        _require_running(state, action)
        seen, dice = self.view(state, viewer), MiddlingDice()
        play = Play(seen, dice, self.side_of(seen, action), self._carry_out)
        play.is_sketch = True
        self._types[action.kind].carry_out(play, action, lambda: seen)
        return Sketch(seen, play.state, play.report, about=bool(dice.thrown))

    def tried(self, state: S, action: Action, dice: Dice) -> S:
        """Return the state after an action alone, without consequences. Raises Refused."""
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        self._types[action.kind].carry_out(play, action, lambda: play.state)
        return play.state

    def keeps_positions(self, state: S) -> bool:  # noqa: ARG002
        """Whether the game knows the units' places; else people measure, and there is no map to draw."""
        return True

    def no_opponent(self, state: S) -> str:  # noqa: ARG002
        """Return why the bot cannot play a side of such a game, or an empty string if it can."""
        return ""

    def imagine(self, seen: S, dice: Dice) -> S:  # noqa: ARG002
        """Return the side's view with plausible assumptions about hidden facts."""
        return seen

    def fallen(self, state: S) -> Sequence[DieFace]:  # noqa: ARG002
        """What the dice of the last action showed, where they have pictures on their faces."""
        return ()

    def worth_trying(self, state: S, side: Viewer, kind: str, unit: str) -> Iterable[Action]:
        """Yield the opponent's candidates of a kind for a unit (by id), most useful first."""
        return self.legal(state, side, kind, unit)

    def attacks(self, state: S, side: Viewer, target: str) -> Iterable[tuple[S, Action]]:
        """Yield possible enemy attacks on a unit (by id) as if the enemy were active: state and action."""
        phases = self.phases
        for phase in phases.of_people or ("",) if phases is not None else ("",):
            theirs = state.model_copy(update={"active": side})
            supposed = phases.supposed(state, phase, side) if phases is not None else theirs
            for one in self._types.values():
                if "target" in one.action.model_fields:
                    aimed = (each for each in one.candidates(supposed, side) if getattr(each, "target", "") == target)
                    yield from ((supposed, action) for action in aimed if one.planned(supposed, action) is not None)

    @property
    def askable(self) -> tuple[str, ...]:
        """Kinds of action whose odds can be asked for: those that throw dice."""
        return tuple(kind for kind, one in self._types.items() if one.has_odds)

    def legal(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """Yield legal actions of `side`, optionally of one kind or unit (by id); none after the game's end.

        They are enough to play a whole game by.
        """
        if state.over is not None:
            return
        for one in self._types.values() if kind is None else (self._types[kind],) if kind in self._types else ():
            yield from one.possible(state, side, unit)

    def lacking(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """Yield the actions that `side` may take now once people give a measurement, such as the range."""
        if state.over is not None:
            return
        for one in self._types.values() if kind is None else (self._types[kind],) if kind in self._types else ():
            yield from one.lacking(state, side, unit)

    def asks(self, state: S, action: Action) -> core_ad_hoc.Asked | None:
        """Return the questions to people before the action, or None if no question is open."""
        kind = self._types.get(action.kind)
        return None if kind is None else core_ad_hoc.asked_of(kind, state, action, measures=True)

    def able(
        self, state: S, side: Viewer, kinds: Iterable[str], units: Collection[str], *, lacking: bool = False
    ) -> set[str]:
        """Return the units (by their ids) that may take any action of these kinds.

        If the type finds a unit's actions without a full search, at most one action of each unit is computed. With
        `lacking`, return units that may act once people give a measurement.
        """
        left, found = set(units), self.lacking if lacking else self.legal
        for kind in kinds if left else ():
            if self._types[kind].finds_unit:
                there = [unit for unit in left if unit in state.units]
                left.difference_update(u for u in there if any(True for _ in found(state, side, kind, u)))
            else:
                left.difference_update(action.unit for action in found(state, side, kind) if action.unit)
        return {*units} - left

    def legal_of(
        self, state: S, side: Viewer, kinds: Iterable[str], units: Collection[str], *, lacking: bool = False
    ) -> Iterable[Action]:
        """Return the actions of these kinds that the units (by their ids) may take now.

        With `lacking`, return actions that they may take once people give a measurement.
        """
        found = self.lacking if lacking else self.legal
        for kind in kinds if units else ():
            if self._types[kind].finds_unit:
                for unit in units:
                    yield from found(state, side, kind, unit) if unit in state.units else ()
            else:
                yield from (action for action in found(state, side, kind) if action.unit in units)

    def places(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return the unit's destinations as accepted by a move's `to`."""
        moves = self.legal(state, viewer, "move", unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    def place_names(self, state: S) -> tuple[str, ...]:  # noqa: ARG002
        """Return named places of the map: squares, or named hexes."""
        return ()

    def terrain_meanings(self, state: S) -> Meanings:  # noqa: ARG002
        """The kinds of terrain that mean anything in this game, by its options, and what each means."""
        return {}

    def point(self, state: S, words: str, side: str = "") -> Mapping[str, float]:  # noqa: ARG002
        """`x`, `y` and `facing` of a place in words, in inches and degrees. Raises Refused; always where hexes are.

        Where the words say no facing, it is that of the side (its id) from its edge of the table.
        """
        raise Refused("This map has hexes, not inches: add the unit without a place, then /umpire set its place.")

    def parse(self, kind: str, args: Mapping[str, Any]) -> Action:
        """The action of that kind with the arguments given, as words or values. Raises Refused with the place.

        `with` may be a list by comma; an unknown circumstance is refused with the nearest names, and so are two that
        contradict each other.
        """
        if kind not in self.actions:
            raise Refused(f"{self.title} knows no {kind}. It has: {', '.join(sorted(self.actions))}.")
        return parsing.parse(self.title, self.actions[kind], args, self.circumstances)

    def read_action(self, kind: str, args: Mapping[str, Any], version: int) -> Action:
        """The action that an entry of that version stored. Raises Refused where it is none, ValueError."""
        return self.parse(*self.action_of(kind, args, version))

    @property
    def ad_hoc_takes(self) -> Mapping[str, tuple[str, ...]]:
        """Kinds of action that can be asked about without a game, each with the options it then takes beside `with`."""
        return {kind: one.needs for kind, one in self._types.items() if one.needs is not None}

    def ad_hoc(self, kind: str, args: Mapping[str, Any]) -> tuple[S, Action]:
        """A throwaway state and action for a question asked without a game. Raises Refused."""
        if kind not in self.ad_hoc_takes:
            asked = ", ".join(self.ad_hoc_takes) or "nothing"
            raise Refused(f"Without a game you can ask {self.title} for {asked}. For {kind}, begin one with /game new.")
        return core_ad_hoc.question(self._types[kind], args, self.troops, self.circumstances)

    def answer(self, kind: str, args: Mapping[str, Any], dice: Dice) -> tuple[S, Report]:
        """Answer a question without a game: execute only its action.

        The report's prompts are the tests and moves that its units now owe. Raises Refused before any die is thrown.
        """
        with core_ad_hoc.reduce_to_words():
            state, action = self.ad_hoc(kind, args)
            before = self.open_prompts(state)
            play = Play(state, dice, self.side_of(state, action), self._carry_out)
            self._carry_out(play, action)
        owed = tuple(one for one in _new(before, self.open_prompts(play.state)) if one.required and one.unit)
        return play.state, play.report.model_copy(update={"prompts": owed})

    def ad_hoc_odds(self, kind: str, args: Mapping[str, Any]) -> Odds:
        """Return the exact odds of a question without a game. Raises Refused."""
        with core_ad_hoc.reduce_to_words():
            return self.odds(*self.ad_hoc(kind, args))

    def ad_hoc_circumstances(self, kind: str) -> tuple[str, ...]:
        """The circumstances that a question without a game of that kind takes."""
        return self._types[kind].needs_words if kind in self._types else ()

    def check(self, state: S) -> None:
        """Raises Refused with the place when a state from outside contradicts itself, and so cannot be played."""
        is_of_one_piece(state)

    def tally(self, state: S) -> str:  # noqa: ARG002
        """Return the current standing for victory in a sentence, or an empty string."""
        return ""

    def strengths(self, state: S, viewer: Viewer) -> Mapping[str, str]:  # noqa: ARG002
        """Return each side's strength in a few words, by id, as the viewer may know."""
        return {}

    def is_done_unseen(self, state: S, unit: str) -> bool:  # noqa: ARG002
        """Whether the unit's (by id) actions may be visible only to its side."""
        return False

    def keeping_hidden(self, then: S, now: S, viewer: Viewer) -> S:  # noqa: ARG002
        """Return the restored state, keeping other sides' hidden facts from the present."""
        return then

    def outlives_undo(self, now: S, kind: str, action: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a hidden action survives another side's undo."""
        return False

    def lacks_hidden(self, state: S) -> bool:  # noqa: ARG002
        """Whether hidden facts are unknown to the game itself and drawn at random when revealed.

        So it is after a player's file was taken in, which does not tell it.
        """
        return False

    def next_by_itself(self, state: S) -> Action | None:  # noqa: ARG002
        """What the system does next with nobody asking; None where it waits for people. Quickly told.

        `act` does it, an entry of the journal each; in the end there must come a state where there is nothing.
        """
        return None

    def explain(self, state: S, viewer: Viewer, number: int | None) -> Explained | None:  # noqa: ARG002
        """Explain the automatic side's decision `number` (from 1), or its last decision; None without decisions.

        None where there was none. Raises Refused when there is no such decision.
        """
        return None

    def read_scenario(self, document: bytes) -> Scenario:  # noqa: ARG002
        """A scenario that somebody wrote, checked as a whole. Raises Refused with the place of what is wrong."""
        raise Refused(f"{self.title} takes no scenarios of your own. /scenario list shows those there are.")

    def setup_uploaded(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:  # noqa: ARG002
        """Return the initial state of an uploaded scenario. Raises Refused."""
        raise Refused(f"{self.title} takes no scenarios of your own. /scenario list shows those there are.")

    def scenario_schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema of a scenario's document; None where none is taken."""
        return None

    def scenario_example(self) -> tuple[str, str] | None:
        """Return an example scenario file: name and text; None for systems without uploads."""
        return None

    def write_scenario(self, state: S, scenario: str, title: str, briefing: str = "") -> bytes:  # noqa: ARG002
        """The game as it stands as such a document, under that id and title. Raises Refused where none is written."""
        raise Refused(f"A game of {self.title} is not written as a scenario. /game export keeps it as it is.")


def _new(before: Sequence[Prompt], after: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """Return new and changed prompts."""
    known = {prompt.key: prompt for prompt in before}
    return tuple(prompt for prompt in after if known.get(prompt.key) != prompt)


def at_the_end(report: Report, state: State, why: str) -> Report:
    """Return the report of the game-ending action, without text about a new turn."""
    turn, said = state.turn_title, (report.headline, report.outcome)
    headline, outcome = (text.replace(f"{turn}.", turn).replace(turn, "").strip(" ;") for text in said)
    ends = f"{ENDS} " if headline else ""
    told = {"headline": headline or ENDS, "outcome": f"{outcome} {ends}{why}".strip()}
    return report.model_copy(update=told)


def _require_running(state: State, action: Action) -> None:
    """Raise Refused after the game's end, except for umpire actions."""
    if state.over is not None and not action.umpire_only:
        raise Refused(f"The game is over: {state.over.why} Undo, or start another with /game new.")
