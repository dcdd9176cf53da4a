"""The day's end: commands declare readiness; when all are ready, the day is resolved (CA-1.2, CA-1.10)."""

from collections.abc import Iterable
from typing import Any

from typing_extensions import override

from rules.core import phases
from rules.core.action_type import ActionType, Caption, SimpleType
from rules.core.model import UMPIRE, Viewer
from rules.core.phases import Phase, PhaseKind, Phases
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.wording import join_with_and

from .day import finish_day, play_day
from .intelligence import NewsKind
from .knowledge import record_activity
from .model import CampaignPlay, CampaignState
from .news import announce, gazette_title, repeat_news_of_today
from .options import Release
from .release import release_day, withhold_day
from .seals import seal_orders
from .telling import cite

DAYS_END = cite("1.2")

PHASES: Phases[CampaignState] = Phases(
    (Phase("", "orders", PhaseKind.SIMULTANEOUS, has_to_do=lambda state, side: bool(state.units_of(side))),),
    order=lambda state: tuple(side.id for side in state.sides),
    next_turn=lambda state: state,
    is_over=lambda state: state.over,
    cite=DAYS_END,
    turns=lambda state: state.days,
)


class TurnNext(phases.TurnNext):
    """Declare the command `side` ready for the day's end; without a side, the umpire ends the day for all commands."""

    side: str | None = None
    by_deputy: bool = False
    """Whether a deputy declares the command ready (CA-1.10)."""


class TurnNextType(SimpleType[CampaignState, TurnNext]):
    """Action type of a command's readiness, and of the umpire's end of the day (CA-1.2)."""

    action = TurnNext

    @override
    def side(self, state: CampaignState, action: TurnNext) -> Viewer:
        """Return the command that is ready, or the umpire."""
        return UMPIRE if action.side is None else action.side

    def suggest_actions(self, state: CampaignState) -> Iterable[TurnNext]:
        """Yield a declaration of readiness for each command that is not ready."""
        return (TurnNext(side=side) for side in state.acting_sides)

    def caption(self, state: CampaignState, plan: TurnNext) -> Caption:
        """Return the button's text: `Graham ready`, `End the day` or `Release the day`."""
        if plan.side is None:
            return Caption("Release the day" if state.is_withheld else "End the day")
        return Caption(f"{state.side(plan.side).name} ready")

    def check(self, state: CampaignState, action: TurnNext) -> None:
        """Raise Refused for a command that is ready or has no column, and while the last day's battles are open."""
        if state.is_withheld:
            refuse(DAYS_END, (action.side is not None, state.why_withheld))
            return
        last = "The last day's march is over: the campaign ends when its battles have a result."
        refuse(cite("6.5"), (state.waits_for_battles and (action.side is not None or bool(state.battles)), last))
        if action.side is None or action.side in state.acting_sides:
            return
        if all(side.id != action.side for side in state.sides):
            raise Refused(f"There is no command “{action.side[:40]}”. Say which is ready.", DAYS_END)
        own = state.side(action.side)
        if action.side in state.done:
            raise Refused(f"{own:The} are ready already. Take that back to write orders again.", DAYS_END)
        raise Refused(f"{own:The} have no column: the day does not wait for them.", DAYS_END)

    def resolve(self, play: CampaignPlay, plan: TurnNext) -> None:
        """Mark the command ready, and resolve the day if all commands are ready or the umpire ends it.

        While a day is withheld, publish that day instead. After the last day's battles, end the campaign.
        """
        state = play.state
        if state.is_withheld:
            if release_day(play):
                _report_days_end(play, state.turn)
            else:
                play.tell(headline=f"Day {state.turn} goes on: orders are open again.", side=UMPIRE)
            return
        if state.waits_for_battles:
            finish_day(play)
            play.tell(headline=f"Day {state.turn} ends.", side=UMPIRE)
            return
        if plan.side is not None:
            play.set(done=(*state.done, plan.side))
            record_activity(play, plan.side, by_deputy=plan.by_deputy)
            commands = play.state.acting_sides
            if commands:
                names = join_with_and(f"{state.side(side):the}" for side in commands)
                headline = f"{state.side(plan.side):The} are ready."
                play.tell(headline=headline, side=plan.side, outcome=f"The day waits for {names}.")
                return
        seal_orders(play)
        repeat_news_of_today(play)
        _count_missed_days(play)
        play_day(play)
        play.set(wrote=(), deputised=())
        if state.options.release is Release.UMPIRE:
            withhold_day(play, state, len(state.sides))
        else:
            _report_days_end(play, state.turn)


def _report_days_end(play: CampaignPlay, day: int) -> None:
    """Report that a day has ended, and what happens next."""
    if play.state.waits_for_battles:
        waits = "The campaign ends when the open battles have a result."
        play.tell(headline=f"Day {day}, the last, is over.", side=UMPIRE, outcome=waits)
    elif play.state.over is None:
        headline = f"{gazette_title(play.state, day)}. {play.state.turn_title}."
        play.tell(headline=headline, opens_turn=True, side=UMPIRE)
    else:
        play.tell(headline=f"{gazette_title(play.state, day)}.", side=UMPIRE)


def _count_missed_days(play: CampaignPlay) -> None:
    """Add today to the count of each command that missed it, and announce this publicly (CA-1.10).

    A command that acts starts again from 0. If a deputy acts, or the command has no free column, its count stays.
    """
    state, missing = play.state, sides_that_missed_day(play.state)
    missed: dict[str, int] = {}
    for command in (side.id for side in state.sides if side.id not in state.wrote):
        count = state.missed.get(command, 0) + (command in missing)
        if command in missing:
            announce(play, NewsKind.MISSED, command, days=count)
        if count:
            missed[command] = count
    play.set(missed=missed)


def sides_that_missed_day(state: CampaignState) -> frozenset[str]:
    """Return the commands that have a free column, but got no orders and were not ready today (CA-1.10)."""
    acted = {*state.wrote, *state.deputised}
    idle = (side.id for side in state.sides if side.id not in acted)
    return frozenset(command for command in idle if any(map(state.is_free, state.units_of(command))))


class Unready(Action):
    """Withdraw the readiness of the command `side`."""

    is_unit_action = False

    side: str


class UnreadyType(SimpleType[CampaignState, Unready]):
    """Action type of withdrawing a command's readiness (CA-1.2)."""

    action = Unready
    says = "{side} not ready yet"

    @override
    def side(self, state: CampaignState, action: Unready) -> Viewer:
        """Return the command."""
        return action.side

    def suggest_actions(self, state: CampaignState) -> Iterable[Unready]:
        """Yield a withdrawal for each ready command."""
        return (Unready(side=side) for side in state.done)

    def check(self, state: CampaignState, action: Unready) -> None:
        """Raise Refused unless the command is ready."""
        refuse(
            DAYS_END,
            (state.is_withheld, state.why_withheld),
            (state.waits_for_battles, "The last day is over. The campaign waits for its battles alone."),
            (action.side not in state.done, "That command is not ready: it can write orders."),
        )

    def resolve(self, play: CampaignPlay, plan: Unready) -> None:
        """Let the command write orders again."""
        play.set(done=tuple(side for side in play.state.done if side != plan.side))
        play.tell(headline=f"{play.state.side(plan.side):The} are not ready yet.", side=plan.side)


TURN, UNREADY = TurnNextType(), UnreadyType()


def list_prompts(state: CampaignState) -> tuple[Prompt, ...]:
    """Return a prompt for each command, to declare or withdraw readiness.

    While a day is withheld, the only prompt asks the umpire to release the day.
    """
    day = state.turn
    if state.is_withheld:
        return (_make_prompt(state, f"release:{day}", UMPIRE, f"Day {day} is over: tell it?", TURN, TurnNext()),)
    if state.over is not None or state.waits_for_battles:
        return ()
    prompts = []
    for side in state.acting_sides:
        text = f"{state.side(side).name}: ready for the end of day {day}?"
        prompts.append(_make_prompt(state, f"ready:{day}:{side}", side, text, TURN, TurnNext(side=side)))
    for side in state.done:
        text = f"{state.side(side).name}: ready, which can be taken back until day {day} ends."
        prompts.append(_make_prompt(state, f"unready:{day}:{side}", side, text, UNREADY, Unready(side=side)))
    return tuple(prompts)


def _make_prompt(
    state: CampaignState, key: str, side: Viewer, text: str, kind: ActionType[CampaignState, Any, Any], action: Action
) -> Prompt:
    """Return a prompt with a single action as its answer."""
    offer = kind.offer(state, action, key)
    return Prompt(key=key, unit="", side=side, text=text, cite=DAYS_END, offers=(offer,), required=False)
