"""The turn message: mentions, recent actions, the map, strengths and the next step."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from sys import maxsize
from typing import TypeAlias

from bot.games.game_settings import FULL
from bot.games.turn_accounts import find_turn_end
from bot.games.turn_mentions import TurnCall, users_to_mention
from bot.journal.game import Entry, Game, Played
from rules.core import glance
from rules.core.model import PUBLIC, Viewer
from rules.core.phases import PASS
from rules.core.ruleset import describe_strengths, describe_tally

from .cards import report_card, telephone, unit_list
from .cards.action_list import MOST_TOLD, NO_OUTCOME, ActionList, is_pass_by_bot
from .cards.card import Card, Picture, safe
from .cards.next_step import NextStep
from .cards.offer_buttons import details_button
from .cards.stand_in import stand_in_buttons
from .cards.turn_account import account_button
from .cards.turn_summary import TurnSummary
from .cards.waiting import waiting_for_line

YOUR_TURN = "it is your turn."
WAITS_FOR_YOU = "the game waits for you."
ANY_PICTURE = Picture("table.png", b"", "")
"""A placeholder that takes the space of a picture, to measure a card before the picture is drawn."""
BuildCard: TypeAlias = Callable[[Picture | None], Card]
Wording: TypeAlias = tuple[BuildCard, int]
"""A function that builds a card, and the maximum number of lines that this card may have."""
LEVELS = (0, 1, 2, 3)
"""Levels of shortness. The first level at which the message fits a telephone is used."""
MOST_LISTED = (unit_list.MOST_LETTERS, 600, 400, 200)
"""Maximum letters of the list of units, by level of shortness."""
MOST_STEPS = (None, 4, 2, 1)
"""Maximum steps of a single action, by level of shortness; None for all steps."""
NOBODY = TurnCall()
"""A call that mentions nobody."""


@dataclass(frozen=True)
class TurnMessage:
    """The message that announces a new turn or phase."""

    game: Game
    call: TurnCall
    turns: bool
    step: NextStep
    answered: Played | None = None
    """The action without a unit, such as a pass, that the message answers; None for a separate message."""
    summary: TurnSummary | None = None
    """The summary of the answered action in the public view; None for a separate message."""
    begins_turn: bool = True
    """Whether a whole turn of a side begins, rather than a later phase."""
    ended: Entry | None = None
    """The entry that ended the last turn, if players have an account of that turn."""

    @classmethod
    def for_actions(cls, call: TurnCall, *played: Played, is_reply: bool) -> "TurnMessage":
        """Return the turn message after `played`. With `is_reply`, this message also answers the last action."""
        last = played[-1]
        fresh = [prompt.key for action in played for prompt in action.entry.report.prompts]
        answered, step = last if is_reply else None, NextStep.for_turn(last.game, fresh, has_live_map=call.has_live_map)
        summary = ActionList.for_viewer(PUBLIC, played).summary if is_reply else None
        turns, begins = begins_turn_or_phase(*played), begins_turn(*played)
        return cls(last.game, call, turns, step, answered, summary, begins, find_turn_end(*played))

    def card(self, picture: Picture | None = None) -> Card:
        """Return the message's card: headline, mentions, latest actions, map, strengths and next step.

        If the card has too many lines for a telephone, lines about the answered action are omitted.
        """
        most = [telephone.MOST_LINES if short else telephone.AT_A_GLANCE for short in LEVELS]
        if self.game.detail == FULL:
            most = [maxsize for _ in LEVELS]
        return first_fitting_wording(
            (partial(self._build_card, short=short), lines) for short, lines in zip(LEVELS, most, strict=True)
        )(picture)

    def _build_card(self, picture: Picture | None, *, short: int) -> Card:
        card = Card(report_card.turn_colour(self.game.state))
        return self.add_to(card, [] if short else recent_action_lines(self.call), picture, short=short)

    def add_to(self, card: Card, happened: Sequence[str], picture: Picture | None = None, *, short: int = 0) -> Card:
        """Add the turn message to a card, and return the card. `happened` lists actions since the side's last turn.

        The higher the level of shortness `short`, the fewer lines tell of the answered action.
        """
        card.text(f"### {safe(self.game.state.turn_title_with_total)}")
        card.mention(self.call.users, YOUR_TURN if self.turns else WAITS_FOR_YOU)
        card.text("\n".join(happened))
        card.text(deadline_line(self.call))
        if {*users_to_mention(self.game, self.game.awaited_viewers)} - {*self.call.users}:
            card.text(waiting_for_line(self.game))
        if self.answered is not None and self.summary is not None:
            card.paragraphs(paragraphs_of_pass(self.answered, self.summary, short=short))
        card.picture(picture)
        if self.begins_turn:
            first, most = self.game.state.acting_sides, MOST_LISTED[short]
            card.paragraphs(unit_list.unit_list_instead_of_map(self.game, first=first, most=most))
        card.text("\n".join(strength_lines(self.game)))
        self.step.add_prompts(card)
        if self.answered is not None:
            add_pass_footer(card, self.answered)
        card.buttons([account_button(self.game, self.ended)] if self.ended is not None else [])
        card.buttons(stand_in_buttons(self.game))
        return self.step.add_last_row(card)


def paragraphs_of_pass(played: Played, summary: TurnSummary, *, short: int = 0) -> Iterable[str]:
    """Yield the public report of a pass: events, and facts about the turn. Unless `short`, tell each throw."""
    report, game = played.entry.report.view_for(PUBLIC), played.game
    if report is None:
        return
    if headline := report.headline.replace(game.state.turn_title, "").strip(" .;,"):
        yield f"**{safe(headline)}**"
    if game.detail == FULL:
        yield from report_card.calculation_paragraphs(report)
        return
    if summary.has_events or short:
        yield f"**{safe(summary.headline)}**" if summary.headline else ""
    if not short:
        shown_report = report.model_copy(update={"warnings": ()}) if is_pass_by_bot(played) else report
        yield from report_card.short_paragraphs(shown_report, report_card.conditions_before_action(played, report))
        return
    lines = [f"• {safe(line)}" for line in summary.lines]
    if not lines and game.ruleset.turn_accounts is not None:
        lines = [f"• {report_card.short_step_line(step)}" for step in glance.short_steps(report)]
    yield report_card.limit_lines(lines, MOST_TOLD[short])
    outcome = "" if short >= NO_OUTCOME or summary.has_events else glance.outcome_to_tell(report, report.standing)
    yield f"**{safe(outcome)}**" if outcome and len(outcome) <= report_card.SHORT_OUTCOME else ""
    yield "" if is_pass_by_bot(played) else report_card.warning_lines(report.warnings)


def add_pass_footer(card: Card, played: Played) -> None:
    """Add the last line, with the numbers of the pass's throws, and the button *Details*.

    Players verify the dice by the numbers of the throws.
    """
    report, game = played.entry.report.view_for(PUBLIC), played.game
    if report is None:
        return
    if game.detail == FULL:
        card.text(report_card.footer_line(report, None))
    else:
        details = details_button(game.id, played.entry.name) if report.steps else None
        card.add_footer(report_card.footer_line(report, None), details)


def recent_action_lines(call: TurnCall) -> list[str]:
    """Return lines about the actions since the side's last turn, the newest last."""
    omitted = [f"-# … and {call.besides} more: `/game since`"] if call.besides else []
    return [*(f"▸ {safe(line)}" for line in call.since), *omitted]


def earlier_action_lines(call: TurnCall, *played: Played) -> list[str]:
    """Return lines about actions since the side's last turn, without the actions `played`.

    If `played` has actions of units, return only the number of earlier actions, as a line.
    """
    above = sum(action.entry.action.get("unit") is not None for action in played)
    if not above:
        return recent_action_lines(call)
    before = len(call.since) + call.besides - above
    return [f"-# {before} more before that: `/game since`"] if before > 0 else []


def deadline_line(call: TurnCall) -> str:
    """Return the line about the deadline, or an empty string without a clock."""
    return f"-# Time {report_card.deadline_in_words(call.ends)}" if call.ends is not None else ""


def strength_lines(game: Game, viewer: Viewer = PUBLIC) -> list[str]:
    """Return a line for each side's strength, and a line for the score, in the viewer's view."""
    words = describe_strengths(game.ruleset, game.state, viewer)
    lines = [f"-# **{safe(side.name)}**: {safe(words[side.id])}" for side in game.state.sides if side.id in words]
    tally = describe_tally(game.ruleset, game.state)
    return [*lines, f"-# {safe(tally)}"] if tally else lines


def first_fitting_wording(wordings: Iterable[Wording]) -> BuildCard:
    """Return the first wording whose card fits a message and its maximum of lines, or else the shortest wording."""
    candidates: list[tuple[bool, int, BuildCard]] = []
    for build, most in wordings:
        card = build(ANY_PICTURE)
        lines = len(telephone.wrap_lines(card.words))
        if card.fits_in_message and lines <= most:
            return build
        candidates.append((not card.fits_in_message, lines, build))
    return min(candidates, key=lambda candidate: candidate[:2])[2]


def begins_turn_or_phase(*played: Played) -> bool:
    """Whether these actions began a new turn or phase of a running game."""
    system, before, after = played[-1].game.ruleset, played[0].before, played[-1].game.state
    turned = (before.turn, before.phase, before.active) != (after.turn, after.phase, after.active)
    begun = system.kind_meant_now(before, PASS) != system.kind_meant_now(after, PASS)
    return (turned or begun) and after.over is None


def begins_turn(*played: Played) -> bool:
    """Whether these actions began a turn, or the turn's first phase in which players act."""
    system, before, after = played[-1].game.ruleset, played[0].before, played[-1].game.state
    phases = system.phases.player_phases if system.phases is not None else ()
    return not phases or before.turn != after.turn or after.phase == phases[0]


def is_answered_by_turn_message(*played: Played) -> bool:
    """Whether the turn message is the whole answer: to a single pass whose report names the new turn or phase."""
    entry = played[-1].entry
    goes_on = entry.acts and not played[-1].game.ruleset.actions[entry.kind].is_unit_action
    names_turn = played[-1].game.state.turn_title in entry.report.headline
    return len(played) == 1 and goes_on and names_turn and begins_turn_or_phase(*played)


def needs_turn_message(*played: Played) -> bool:
    """Whether a separate turn message follows the answer to these actions."""
    game = played[-1].game
    waits = game.ruleset.next_automatic_action(game.state) is None and not game.is_left_to_bot
    return begins_turn_or_phase(*played) and waits and not is_answered_by_turn_message(*played)


@dataclass(frozen=True)
class PublicCard:
    """The public answer to actions: `build` makes the card. If `tells_turn`, the card includes the turn message."""

    build: BuildCard
    tells_turn: bool


def public_card(call: TurnCall, *played: Played) -> PublicCard:
    """Return the public answer to actions, shortened to its maximum of lines.

    If a turn begins, the turn message is part of the answer if it fits. A single pass is answered by the turn message
    alone.
    """
    if is_answered_by_turn_message(*played):
        return PublicCard(TurnMessage.for_actions(call, *played, is_reply=True).card, tells_turn=True)
    public, game, begins = ActionList.for_viewer(PUBLIC, played), played[-1].game, needs_turn_message(*played)
    fresh = [prompt.key for _, report in public.actions for prompt in report.prompts]
    step = NextStep(game) if begins else NextStep.for_game(game, fresh)
    turn = TurnMessage.for_actions(call, *played, is_reply=False) if begins else None
    waiting = step.open_prompts
    if turn is not None:
        waiting = waiting._replace(free_buttons=turn.step.open_prompts.free_buttons)

    def action_card(picture: Picture | None, *, short: int) -> Card:
        if len(public.actions) > 1 or (not public.has_orders and short):
            return public.card(picture, waiting, turn_follows=begins, short=short)
        ((action, report),) = public.actions
        most = MOST_STEPS[short]
        return report_card.action_card(action, report, picture, waiting=waiting, turn_follows=begins, most_steps=most)

    def card_with_next_step(picture: Picture | None, *, short: int) -> Card:
        card = action_card(picture, short=short)
        if not begins:
            if (turn_end := find_turn_end(*played)) is not None:
                card.buttons([account_button(game, turn_end)])
            card.mention(call.users, WAITS_FOR_YOU).text(deadline_line(call) if call.users else "")
            before, after = played[0].waited, played[-1].waits
            waits_for_one_side_now = len(before) > 1 and len(after) == 1 and after < before
            card.text(waiting_for_line(game, last=True) if waits_for_one_side_now else "")
        return step.add_last_row(card)

    def wordings_by_shortness(build: Callable[..., Card]) -> Iterable[Wording]:
        return [(partial(build, short=short), maximum_lines(public, short, begins=begins)) for short in LEVELS]

    with_turn: Iterable[Wording] = ()
    if turn is not None:
        before, message = earlier_action_lines(call, *played), turn

        def card_with_turn(picture: Picture | None, *, short: int) -> Card:
            return message.add_to(action_card(picture, short=short), [] if short > 1 else before, short=short)

        with_turn = wordings_by_shortness(card_with_turn)
    build = first_fitting_wording([*with_turn, *wordings_by_shortness(card_with_next_step)])
    return PublicCard(build, tells_turn=build in [wording for wording, _ in with_turn])


def maximum_lines(action_list: ActionList, short: int, *, begins: bool) -> int:
    """Return the maximum number of lines for a message at this level of shortness.

    At level 0 (complete), the maximum for many actions is 0: a shorter version is sent.
    """
    if action_list.game.detail == FULL:
        return maxsize
    is_single = len(action_list.actions) == 1 and (action_list.has_orders or not begins)
    if short or is_single or (action_list.has_few_orders and action_list.has_only_orders_by_people):
        return telephone.MOST_LINES
    return telephone.AT_A_GLANCE if action_list.has_few_orders else 0
