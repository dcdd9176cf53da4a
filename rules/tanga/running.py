"""Pause and resumption of the automatic British turn, which plays formation after formation (TA-H.0)."""

from typing_extensions import override

from rules.core.action_type import SimpleType
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.state import Action

from .british import ACTED, BritishStep
from .german.orders import TURN, GermanType
from .model import Phase, TangaState
from .progress import mark
from .questions import prompts


class Pause(Action):
    """Stop the automatic British turn."""

    by_unit = False


class Resume(Action):
    """Start the automatic British turn."""

    by_unit = False


class PauseType(SimpleType[TangaState, Pause], GermanType[Pause, Pause]):
    """Action type that stops the automatic turn after the present formation."""

    action = Pause
    says = "Stop after this formation"

    @override
    def check(self, state: TangaState, action: Pause) -> None:
        """Raise Refused unless the turn runs automatically."""
        refuse(TURN, (not state.british.running, "The British turn is not playing itself on."))

    @override
    def resolve(self, play: Play[TangaState], plan: Pause) -> None:
        """Stop the automatic turn."""
        mark(play, running=False)
        play.tell(headline="The British turn waits.")


class ResumeType(SimpleType[TangaState, Resume], GermanType[Resume, Resume]):
    """Action type that continues the turn automatically."""

    action = Resume
    says = "Play on by itself"

    @override
    def check(self, state: TangaState, action: Resume) -> None:
        """Raise Refused if the turn already runs automatically, and outside the British phase."""
        running = (state.british.running, "The British turn plays itself on already.")
        refuse(TURN, (state.phase != Phase.BRITISH, ACTED), running)

    @override
    def resolve(self, play: Play[TangaState], plan: Resume) -> None:
        """Continue the turn automatically, after any open question."""
        mark(play, running=True)
        said = "The British turn goes on" + (", once this is answered." if play.state.british.asked else ".")
        play.tell(headline=said, prompts=prompts(play.state))


def next_by_itself(state: TangaState) -> Action | None:
    """Return the next formation's activation during an automatic turn without open question, else None."""
    waits = state.over is not None or not state.british.running or state.british.asked is not None
    return None if waits or state.phase != Phase.BRITISH else BritishStep(much="turn")


TYPES = (PauseType(), ResumeType())
