"""Withheld days: resolved at the day's end, corrected by the umpire, and published by the umpire's release (CA-1.2).

Until the release, everyone else sees the state before the day's end. Its field `withheld` stores the resolved day.
"""

from collections.abc import Callable

from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite
from rules.core.refusal import Refused
from rules.core.report import Report, Step
from rules.core.state import Action

from .model import CampaignPlay, CampaignState, WithheldDay
from .telling import UMPIRE_ALONE, cite


def withhold_day(play: CampaignPlay, before: CampaignState, sealed: int) -> None:
    """Restore the state `before` the day's end, and keep the resolved day in `withheld` until its release.

    Only the report's first `sealed` steps, the seals of the orders, are published at once.
    """
    seals, steps = play.report.steps[:sealed], play.report.steps[sealed:]
    done = tuple(side.id for side in before.sides)
    withheld = WithheldDay(state=play.state, steps=steps)
    play.state = before.model_copy(update={"done": done, "is_withheld": True, "withheld": withheld})
    play.tell(
        headline=f"Day {before.turn} is over.",
        side=UMPIRE,
        steps=(*seals, *(step.model_copy(update={"only_for": UMPIRE_ALONE}) for step in steps)),
        outcome="The umpire looks at it before it is told. Until then nobody can write orders.",
    )


def release_day(play: CampaignPlay) -> bool:
    """Publish the withheld day with its report; return False if the state lacks that day.

    A game exported from a command's view lacks it. There, commands write orders for the day again.
    """
    withheld = play.state.withheld
    if withheld is None:
        play.set(is_withheld=False, done=())
        return False
    play.state = withheld.state
    play.say(*withheld.steps)
    return True


def correct_withheld_day(
    act: Callable[[CampaignState, Action, Dice], tuple[CampaignState, Report]],
    state: CampaignState,
    action: Action,
    dice: Dice,
) -> tuple[CampaignState, Report]:
    """Apply an umpire's action to the withheld day by `act`. Only the umpire reads the report before the release.

    Raises Refused for a command's action, or if `act` refuses the umpire's action.
    """
    if state.withheld is None or not action.umpire_only:
        raise Refused(state.why_withheld, cite("1.2"))
    after, report = act(state.withheld.state, action, dice)
    changes = "; ".join(step.verdict or step.text for step in report.steps)
    correction = Step(text=report.headline.rstrip("."), cite=cite("1.2"), verdict=changes, only_for=report.audience)
    withheld = WithheldDay(state=after, steps=(*state.withheld.steps, correction))
    secret = {"audience": UMPIRE_ALONE, "prompts": (), "offers": ()}
    return state.model_copy(update={"withheld": withheld}), report.model_copy(update=secret)


def require_orders_open(state: CampaignState, command: str, rule: Cite) -> None:
    """Raise Refused while a command is ready for the day's end, or the umpire looks at the day."""
    if why := state.why_no_orders(command):
        raise Refused(why, cite("1.2") if state.is_withheld else rule)
