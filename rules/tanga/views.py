"""What each viewer may know: all counters lie open but what is under the MG markers (TA-1)."""

from rules.core.model import UMPIRE, Viewer

from .model import TangaState


def view(state: TangaState, viewer: Viewer) -> TangaState:
    """The state as `viewer` may know it: the contents of the markers are nobody's but the umpire's."""
    if viewer == UMPIRE:
        return state
    covered = {key: marker.model_copy(update={"real": None}) for key, marker in state.markers.items()}
    before = view(state.before_last, viewer) if state.before_last is not None else None
    return state.model_copy(update={"markers": covered, "before_last": before})
