"""The contract between a rule system and the bot. To add a system, add a folder and a line in `rules/registry.py`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any, Generic

from rules.core.hexboard.hex_scene import Scene

from . import parsing
from .action_type import ActionType, Caption
from .ad_hoc import AdHocQuestions, FactsToAsk, find_facts_to_ask
from .book import Book, load_books
from .catalog import Choice, DecisionExplanation, Scenario, Troop
from .chart import Chart
from .correction_fields import CorrectionFields
from .dice import Dice
from .forced_actions import follow_up
from .hexboard.painting import PaintKind
from .hidden_troops import HiddenTroops
from .model import Viewer
from .odds import Odds
from .opponent_support import OpponentSupport
from .order_menus import OrderMenus
from .own_battles import BareTables, OwnBattles
from .phases import Phases
from .places import Places
from .play import MiddlingDice, Play, Sketch
from .preliminary_tests import PreliminaryTests
from .refusal import Refused
from .report import Annex, Prompt, Report, Standing
from .rule_index import RuleIndex
from .rule_words import load_words
from .sealed_texts import SealedText
from .sightings import LastSeen
from .standing_answers import Occasion
from .state import Action, Circumstance, S, State, Unit, UnitCard, note_deputy, require_consistent
from .turn_account import TurnAccounts
from .turn_events import Deed, Holding, UnitFacts, load_deeds
from .value import Worth
from .wording import as_words

__all__ = ["Choice", "DecisionExplanation", "Refused", "Ruleset", "Scenario", "Troop"]

ENDS = "The game ends."
"""Headline of a final report that would have opened a turn; in other final reports, the first words of the ending."""


class Ruleset(CorrectionFields[S], ABC, Generic[S]):
    """A rule system, made of action types. Every method is a pure function of its arguments.

    A subclass defines `id`, `title`, `state_type`, `action_types`, `setup` and `scene`; everything else has a default.
    An attribute such as `own_battles` is for some systems only, and None in all others.
    """

    id: str
    title: str
    package: str = ""
    """Package with the system's data, such as `rules.skirmish`."""
    action_types: Sequence[ActionType[S, Any, Any]] = ()
    """All action types of the system."""
    phases: Phases[S] | None = None
    """Phases of a turn; None for systems without phases."""
    scenarios: Mapping[str, Scenario] = {}
    charts: Mapping[str, Chart] = {}
    book: Book = Book()
    troops: Mapping[str, Troop] = {}
    circumstances: Mapping[str, Circumstance] = {}
    values: Sequence[Worth[S]] = ()
    """Values counted by the opponent; empty for systems without opponent."""
    played_by_bot: str | None = None
    """Id of the system's automatic side, or None.

    With such a side nobody sees the umpire's view: the umpire acts with the umpire's rights, but sees what the players
    of the first other side see.
    """
    ends_turn_at_deadline: bool = False
    """Whether a turn ends for all sides, by a pass of the umpire, when no awaited side has time left."""
    own_battles: OwnBattles[S] | None = None
    """Reads and writes battles that people make as files; None for a system without them."""
    bare_tables: BareTables | None = None
    """Makes tables in inches on which people put armies; None for other systems."""
    menus: OrderMenus[S] | None = None
    """Headings and forms of the system's orders for menus; None for a system with the usual headings and no forms."""
    end_words: str = "end my turn"
    """Label of a side's button to finish its orders, as a command."""
    unit_class: Callable[[Any], str] | None = None
    """Return a unit's class, such as `guns`, by which players order a group; empty for a unit without a class."""
    formation_names: Callable[[S, Any], tuple[str, ...]] | None = None
    """Return the names by which orders may call a unit's whole formation; None for a system without formations."""
    short_names: Callable[[S], Mapping[str, str]] | None = None
    """Return the short names of units by id, in a viewer's view; None where maps show whole names."""
    why_no_orders: Callable[[S, str], str] | None = None
    """Return why a side cannot be given orders now, if that does not depend on the order; else an empty string."""
    spell_out: Callable[[S, Viewer, str], str] | None = None
    """Return a line of orders of a side with the system's short forms spelled out; None without short forms."""
    paint_kinds: Callable[[S], Sequence[PaintKind]] | None = None
    """Return what the umpire may paint on the map of hexes now; None for a system whose maps are printed."""
    hidden_troops: HiddenTroops[S] | None = None
    """Rules for hidden troops; None for a system without hidden troops."""
    lacks_hidden_facts: Callable[[S], bool] | None = None
    """Whether hidden facts are unknown to the game itself and drawn at random when revealed.

    True after a player's file was imported, because the file leaves hidden facts out. None for a system that always
    knows all facts.
    """
    strengths: Callable[[S, Viewer], Mapping[str, str]] | None = None
    """Return each side's strength in a few words, by side id, as the viewer may know it.

    None for systems without it.
    """
    holdings: Callable[[S], Iterable[Holding]] | None = None
    """Return the ground or points that sides hold, for the headline of a turn; None for a system without them."""
    tally: Callable[[S], str] | None = None
    """Return the current standing for victory in a sentence; None for a system that counts only at the end."""
    unit_facts: UnitFacts[Any] | None = None
    """Facts about units that a turn's headline counts, such as losses; without them (None) it names actions alone."""
    enemies_seen: Callable[[S, Viewer], Sequence[LastSeen]] | None = None
    """Return a side's sightings of enemies; None for a system whose views hold enemies as units."""
    sealed_texts: Callable[[S], Sequence[SealedText]] | None = None
    """Return the texts under seal in a viewer's view; None for a system without seals."""
    turn_accounts: TurnAccounts | None = None
    """Accounts of turns for the sides' players; None for a system whose actions are told one by one."""
    annexes: Callable[[S], Sequence[Annex]] | None = None
    """Return further parts of a game's report for a viewer's view; None for most systems."""
    opens_past: bool = False
    """Whether everyone may read all entries of an ended game, also those that were private."""
    occasions: Mapping[str, Occasion[S]] = {}
    """The kinds of prompt that a side may answer beforehand, by their ids in `Prompt.occasion`."""
    deeds: Mapping[str, Deed] = {}
    """How the kinds of action are told in the summary of a turn."""
    orders_first: Callable[[S, Action], Sequence[Action] | None] | None = None
    """Return the actions to do before an action of a later phase, or None if the action cannot be ordered ahead.

    The result is empty if the action only waits for its phase. Raises Refused if the prerequisites cannot be done. The
    attribute itself is None for a system in which no action can be ordered ahead.
    """
    enemies_in_contact: Callable[[S, str], Sequence[Unit]] | None = None
    """Return the enemies in contact with a unit (by id), for orders `if charged`; None without lasting contact."""
    explain: Callable[[S, Viewer, int | None], DecisionExplanation | None] | None = None
    """Return why the automatic side took its decision `number` (from 1) or its last one, as the viewer may know it.

    Returns None without decisions; raises Refused for an unknown number. The attribute itself is None for a system
    without automatic side.
    """
    preliminary_tests: PreliminaryTests[S] | None = None
    """Tests before moves; None for a system without such tests."""
    opponent: OpponentSupport[S]
    """Support for the bot when it plays a side: candidates and possible enemy attacks."""
    places: Places[S]
    """Names, terrain and destinations of the map, in words."""
    _latest: tuple[S | None, tuple[Prompt, ...]] = (None, ())

    def __init__(self) -> None:
        """Index the action types by kind. Raises ValueError if two types have the same kind."""
        self._types: Mapping[str, ActionType[S, Any, Any]] = {one.action.kind: one for one in self.action_types}
        if len(self._types) < len(self.action_types):
            raise ValueError(f"{self.id}: two action types of one kind")
        self.actions: Mapping[str, type[Action]] = {kind: one.action for kind, one in self._types.items()}
        if self.package:
            self.book = load_books(self.package)
            self.circumstances = parsing.load_circumstances(self.package)
            self.deeds = load_deeds(self.package)
        self.ad_hoc = AdHocQuestions(self, self._types)
        self.opponent = OpponentSupport(self)
        self.places = Places(self)

    @abstractmethod
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of a scenario with these choices. Raises Refused for an unknown scenario or choice."""

    @abstractmethod
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> Scene:
        """Return the table or map as `viewer` may see it, with arrows for units that moved since the state `before`."""

    def view(self, state: S, viewer: Viewer) -> S:  # noqa: ARG002
        """Return the viewer's view of the state; the same object if nothing is hidden."""
        return state

    @cached_property
    def rule_index(self) -> RuleIndex:
        """Return the index in which questions find rules. Making it takes a moment."""
        return RuleIndex(self.book, self.charts, load_words(self.package))

    @property
    def has_secrets(self) -> bool:
        """Whether the system overrides `view`, so that its games can hide facts from viewers."""
        return type(self).view is not Ruleset.view

    def storable_view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view as a state that can be stored and played on."""
        return self.view(state, viewer)

    def prompts(self, state: S) -> tuple[Prompt, ...]:  # noqa: ARG002
        """Return every required or open test, retreat and choice, each with the offers that settle it."""
        return ()

    def waits_for(self, state: S) -> frozenset[Viewer]:
        """Return the sides, or the umpire, that the game waits for; never the side that the system plays."""
        if state.over is not None:
            return frozenset()
        required = (prompt.side for prompt in self.required_prompts(state))
        return frozenset({*state.acting_sides, *required} - {self.played_by_bot})

    def sides_missing_turn(self, state: S) -> frozenset[str]:
        """Return the sides that miss the turn if it ends now, where a turn ends at the deadline: the acting sides."""
        return frozenset(state.acting_sides)

    def roster(
        self,
        state: S,
        viewer: Viewer,
        only: Container[str] | None = None,
    ) -> tuple[UnitCard, ...]:
        """Return a card for each unit that `viewer` may know, in order of battle; with `only`, for these unit ids."""
        seen = self.view(state, viewer).units.values()
        units = [unit for unit in seen if only is None or unit.id in only]
        return tuple(UnitCard(id=unit.id, name=unit.name, side=unit.side, line="") for unit in units)

    def known_units(self, state: S, viewer: Viewer) -> Sequence[Unit | UnitCard]:
        """Return the units of the roster in the same order; a system may leave out details, to be faster."""
        return self.roster(state, viewer)

    def meant_kind(self, state: S, kind: str, unit: str | None = None) -> str:  # noqa: ARG002
        """Return the kind of action that the command `kind` stands for now; before a battle begins, it may be another.

        `unit` is the id of the unit or marker that would act.
        """
        return kind

    def side_of(self, state: S, action: Action) -> Viewer:
        """Return the side that the action belongs to, or the umpire."""
        return self._types[action.kind].side(state, action)

    def without_choice(self, state: S) -> Iterable[Action]:
        """Yield required actions without a choice, oldest first: anybody may trigger them.

        By default these are the actions of required prompts with a single offer.
        """
        for prompt in self.required_prompts(state):
            if len(prompt.offers) == 1:
                yield self.parse(prompt.offers[0].kind, prompt.offers[0].args)

    def knows_all(self, state: S, action: Action) -> bool:
        """Whether the game knows all facts for the action; without positions, whether no question is open."""
        return state.keeps_positions or self.facts_to_ask(state, action) is None

    def next_forced_action(self, state: S) -> Action | None:
        """Return the next forced action if the game may execute it now, else None. Secret actions always wait."""
        if state.over is not None or not state.throws_at_once:
            return None
        found = (action for action in self.without_choice(state) if self.knows_all(state, action))
        return next((action for action in found if not action.secret), None)

    def standing(self, state: S, units: Sequence[str]) -> tuple[Standing, ...]:  # noqa: ARG002
        """Return a sentence on the condition of each unit (by id), for an action's report; empty by default."""
        return ()

    def apply_consequences(self, state: S) -> S:
        """Return the state after automatic consequences; unchanged unless a system overrides this."""
        return state

    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute `action` and its forced consequences; return the new state, and a report with the new prompts.

        The umpire's actions and secret actions have no forced consequences. Leaves `state` unchanged. Raises Refused
        before any die is thrown.
        """
        _require_running(state, action)
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        with self._adding_prompts_to_refusal(state):
            try:
                self._carry_out(play, action)
            except Refused as refused:
                raise self._refusal_in_later_phase(state, action, refused) from refused
        before = self.open_prompts(state)
        if not (action.umpire_only or action.secret):
            follow_up(self, play, action)
        after, report = self.apply_consequences(play.state), play.report
        if after.over is not None and state.over is None:
            report = add_ending(report, f"{after.result}. {after.over.why}")
        if not report.prompts:
            report = report.model_copy(update={"prompts": _new_prompts(before, self.open_prompts(after))})
        return after, report

    def act_alone(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute `action` without consequences; return the new state and a report with the prompts its units owe."""
        before = self.open_prompts(state)
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        self._carry_out(play, action)
        owed = tuple(one for one in _new_prompts(before, self.open_prompts(play.state)) if one.required and one.unit)
        return play.state, play.report.model_copy(update={"prompts": owed})

    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the prompts of `state`.

        The last result is kept, because the next action usually begins with that state.
        """
        remembered, prompts = self._latest
        if remembered is not state:
            prompts = self.prompts(state)
            self._latest = state, prompts
        return prompts

    def required_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the open prompts that are required; a system may find them without the optional ones, to be faster."""
        return tuple(prompt for prompt in self.open_prompts(state) if prompt.required)

    @contextmanager
    def _adding_prompts_to_refusal(self, state: S) -> Iterator[None]:
        """Catch a refusal, add the open prompts that its keys name, and raise it again."""
        try:
            yield
        except Refused as refused:
            found = (prompt for prompt in self.open_prompts(state) if prompt.key in refused.keys)
            refused.prompts = (*refused.prompts, *found)
            raise

    def _carry_out(self, play: Play[S], action: Action) -> None:
        self._types[action.kind].carry_out(play, action, lambda: self.planned_on(play.state, play.side, action))

    def _refusal_in_later_phase(self, state: S, action: Action, refused: Refused) -> Refused:
        """Return the refusal of `action` in its later phase of the turn, or else `refused`, which says to wait."""
        phases, side = self.phases, self.side_of(state, action)
        if phases is None or refused.cite != phases.cite or not action.by_unit or side not in state.acting_sides:
            return refused
        seen = self.planned_on(state, side, action)
        for phase in phases.later_phases(seen):
            try:
                self._types[action.kind].plan(phases.suppose_phase(seen, phase, side), action)
            except Refused as later:
                if later.cite != phases.cite:
                    return later
            else:
                break
        return refused

    def planned_on(self, state: S, side: Viewer, action: Action) -> S:  # noqa: ARG002
        """Return the state on which `action` is planned: by default the view of `side`."""
        return self.view(state, side)

    def allows(self, state: S, action: Action) -> bool:
        """Whether the rules allow the action in this state."""
        return state.over is None and self._types[action.kind].planned(state, action) is not None

    def caption(self, state: S, action: Action) -> Caption:
        """Return the button's caption: unit, action and target as text, and the chance apart.

        Raises Refused like `act`.
        """
        kind = self._types[action.kind]
        return kind.caption(state, kind.plan(state, action))

    def effect(self, state: S, action: Action) -> str:
        """Return what the action takes of the unit's move, or how far it may go; empty if that is not known now."""
        return self._describe_plan(state, action, self._types[action.kind].effect)

    def foresee(self, state: S, action: Action) -> str:
        """Return the expected course of the action in words, such as a march day by day; empty if unknown."""
        return self._describe_plan(state, action, self._types[action.kind].foresee)

    def _describe_plan(self, state: S, action: Action, describe: Callable[[S, Any], str] | None) -> str:
        with suppress(Refused):
            return describe(state, self._types[action.kind].plan(state, action)) if describe is not None else ""
        return ""

    def label(self, state: S, action: Action) -> str:
        """Return the caption as one text. Raises Refused like `act`."""
        return str(self.caption(state, action))

    def odds(self, state: S, action: Action) -> Odds:
        """Return the exact chances of `action`. Raises Refused like `act`, or if such an action throws no dice."""
        kind = self._types[action.kind]
        if not kind.has_odds:
            raise Refused(f"There are no odds for {action.kind}. Ask for those of: {', '.join(sorted(self.askable))}.")
        _require_running(state, action)
        with self._adding_prompts_to_refusal(state):
            return kind.odds_of(state, action)

    def _is_sketched(self, action: Action) -> bool:
        """Whether the action's result can be sketched: true for actions of units, except the umpire's."""
        return action.by_unit and not action.umpire_only

    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """Return the expected result of `action` without real dice, as far as `viewer` may know.

        Raises Refused like `act`.
        """
        if not self._is_sketched(action):
            raise Refused(f"What {as_words(action.kind)} brings cannot be shown beforehand.")
        _require_running(state, action)
        seen, dice = self.view(state, viewer), MiddlingDice()
        side = self.side_of(seen, action)
        action = note_deputy(action, by_deputy=viewer != side)
        play = Play(seen, dice, side, self._carry_out)
        play.is_sketch = True
        self._types[action.kind].carry_out(play, action, lambda: seen)
        return Sketch(seen, play.state, play.report, about=bool(dice.thrown))

    def try_action(self, state: S, action: Action, dice: Dice) -> S:
        """Return the state after `action` alone, without consequences. Raises Refused."""
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        self._types[action.kind].carry_out(play, action, lambda: play.state)
        return play.state

    @property
    def askable(self) -> tuple[str, ...]:
        """Return the kinds of action whose odds can be asked for: those that throw dice."""
        return tuple(kind for kind, one in self._types.items() if one.has_odds)

    def legal(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """Yield legal actions of `side`, optionally of one kind or unit (by id); none after the game's end.

        These actions suffice to play a whole game.
        """
        if state.over is not None:
            return
        for one in self._types_of_kind(kind):
            yield from one.possible_actions(state, side, unit)

    def actions_to_measure(
        self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None
    ) -> Iterable[Action]:
        """Yield the actions that `side` may take now once people give a measurement, such as the range."""
        if state.over is not None:
            return
        for one in self._types_of_kind(kind):
            yield from one.actions_to_measure(state, side, unit)

    def _types_of_kind(self, kind: str | None) -> Iterable[ActionType[S, Any, Any]]:
        """Return the action type of `kind`, none for an unknown kind, and all types for None."""
        return self._types.values() if kind is None else filter(None, (self._types.get(kind),))

    def finds_unit(self, kind: str) -> bool:
        """Whether a unit's actions of this kind are found without searching the actions of all units."""
        return self._types[kind].finds_unit

    def facts_to_ask(self, state: S, action: Action) -> FactsToAsk | None:
        """Return the facts that people must state before `action`, or None."""
        kind = self._types.get(action.kind)
        return None if kind is None else find_facts_to_ask(kind, state, action, measures=True)

    def parse(self, kind: str, args: Mapping[str, Any]) -> Action:
        """Return the action of that kind, with arguments given as words or values.

        Raises Refused naming a wrong argument.

        `with` may list circumstances, separated by commas. Raises Refused for an unknown circumstance, with the nearest
        names, and for two that contradict each other.
        """
        if kind not in self.actions:
            raise Refused(f"{self.title} knows no {kind}. It has: {', '.join(sorted(self.actions))}.")
        return parsing.parse(self.title, self.actions[kind], args, self.circumstances)

    def read_action(self, kind: str, args: Mapping[str, Any], version: int) -> Action:
        """Return the action that an entry of `version` stored.

        Raises Refused for an invalid action, ValueError for bad data.
        """
        return self.parse(*self.upgrade_action(kind, args, version))

    def check(self, state: S) -> None:
        """Raise Refused, naming the place, if a state from outside contradicts itself and cannot be played."""
        require_consistent(state)

    def next_by_itself(self, state: S) -> Action | None:  # noqa: ARG002
        """Return the action that the system takes next without being asked, or None if it waits for people.

        Must be fast.

        `act` executes each such action as a journal entry of its own. Repeated calls must end with None.
        """
        return None


def _new_prompts(before: Sequence[Prompt], after: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """Return the prompts of `after` that are new or changed since `before`."""
    known = {prompt.key: prompt for prompt in before}
    return tuple(prompt for prompt in after if known.get(prompt.key) != prompt)


def tally_of(system: Ruleset[S], state: S) -> str:
    """Return the current standing for victory in a sentence; empty for a system that counts only at the end."""
    return "" if system.tally is None else system.tally(state)


def strengths_of(system: Ruleset[S], state: S, viewer: Viewer) -> Mapping[str, str]:
    """Return each side's strength in a few words, by side id, as the viewer may know it.

    Empty for systems without it.
    """
    return {} if system.strengths is None else system.strengths(state, viewer)


def add_ending(report: Report, why: str) -> Report:
    """Return the report of the action that ended the game: with the reason `why`, and no longer opening a turn."""
    if report.opens_turn:
        return report.model_copy(update={"headline": ENDS, "ending": why, "opens_turn": False})
    return report.model_copy(update={"ending": f"{ENDS} {why}"})


def _require_running(state: State, action: Action) -> None:
    """Raise Refused after the game's end, except for umpire actions."""
    if state.over is not None and not action.umpire_only:
        raise Refused(f"The game is over: {state.over.why} Undo, or start another with /game new.")
