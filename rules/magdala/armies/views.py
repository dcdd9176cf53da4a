"""What each viewer may know of a game: the table lies open to all, save for the umpire's secrets (MM-5.4)."""

from rules.core.model import UMPIRE, Viewer
from rules.magdala.model import MagdalaState


def view(state: MagdalaState, viewer: Viewer) -> MagdalaState:
    """The state as `viewer` may know it.

    As on a real table everyone sees all figures and the ammunition dice beside them; the secret quality of a unit
    is the umpire's alone until it is revealed.
    """
    if viewer == UMPIRE:
        return state
    secret = [unit for unit in state.units.values() if unit.secret_quality and not unit.secret_known]
    return state.with_unit(*(unit.model_copy(update={"secret_quality": 0}) for unit in secret)) if secret else state
