"""Private steps of a day's report, each readable only by the commands that may know it (CA-3.5)."""

from rules.core.dice import Throw
from rules.core.model import Cite, Mark
from rules.core.report import Step

from .columns import Column
from .model import CampaignPlay

UMPIRE_ALONE: frozenset[str] = frozenset()
"""The audience of steps that only the umpire may read."""


def cite(rule: str) -> Cite:
    """Return the citation of a campaign rule by its number, such as `2.6`. All campaign rules are house rules."""
    return Cite(rule=f"CA-{rule}", mark=Mark.HOUSE)


def report_on_column(
    play: CampaignPlay, column: Column, rule: str, verdict: str, throw: Throw | None = None, needed: str = ""
) -> None:
    """Report what happens to a column, with the deciding throw.

    Readers are the commands that share the column's sightings, and the chief if it may order the column.
    """
    chief = play.state.power_of(column.side).chief
    deputy = {chief} if column.side in play.state.sides_represented_by(chief) else set[str]()
    play.say(
        Step(
            text=column.name if throw is None else throw.label,
            cite=cite(rule),
            subject=column.name,
            throws=() if throw is None else (throw,),
            needed=needed,
            verdict=verdict,
            only_for=play.state.sides_sharing_view(column.side) | deputy,
        )
    )


def report_to_command(play: CampaignPlay, command: str, rule: str, text: str, verdict: str) -> None:
    """Report a step that only one command may read, such as an arrived dispatch."""
    play.say(Step(text=text, cite=cite(rule), verdict=verdict, only_for=frozenset((command,))))


def throw_hidden_die(play: CampaignPlay, column: Column, purpose: str) -> Throw:
    """Throw a hidden D6 for a column."""
    return play.throw(1, 6, f"{column.name}: {purpose}", side=column.side, hidden=True)
