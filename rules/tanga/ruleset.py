"""Tanga 1914, assembled: the card's British, the house game around them, the player's Germans."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from rules.core.dice import Dice
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import Viewer
from rules.core.play import Sketch
from rules.core.report import Prompt, Report
from rules.core.ruleset import Explained, Refused, Ruleset, Troop
from rules.core.state import Action

from . import british, candidates, charts, questions, running, scenarios, scene, turn, validation
from .automaton import sequence
from .combat.reveal import undrawn, view
from .corrections import UMPIRE_TOOLS
from .field import VICTORY, board_of
from .german import fight, move, stand
from .model import BRITISH, Arm, Condition, TangaState
from .own import reading
from .upgrades import UPGRADES
from .values import VALUES

OF_THE_BRITISH = (*british.TYPES, *running.TYPES)
"""Kinds of action after which their last decision can still be overruled."""


class Tanga(Ruleset[TangaState]):
    """Tanga 1914."""

    id, title, package = "tanga", "Tanga 1914", "rules.tanga"
    upgrades = UPGRADES
    action_types = (
        *(move.MOVE, fight.FIRE, fight.MELEE, stand.IMPROVE, stand.RALLY, stand.STANDING),
        *OF_THE_BRITISH,
        turn.TURN_NEXT,
        *UMPIRE_TOOLS.action_types,
    )
    state_type = TangaState
    played_by_bot = BRITISH
    phases = turn.WALK
    values = VALUES

    def __init__(self) -> None:
        super().__init__()
        self.scenarios = {one.id: scenarios.as_listed(one) for one in scenarios.SCENARIOS.all.values()}
        self.charts = charts.charts()
        self.troops = {arm.value: Troop(id=arm.value, name=arm.value) for arm in Arm}

    setup = staticmethod(scenarios.setup)
    read_scenario = staticmethod(reading.listed)
    setup_uploaded = staticmethod(reading.setup_own)
    scenario_schema = staticmethod(lambda: reading.reader().schema)
    lacks_hidden = staticmethod(undrawn)
    tally = staticmethod(VICTORY.tally)
    without_choice = staticmethod(turn.without_choice)
    next_by_itself = staticmethod(running.next_by_itself)
    view = staticmethod(view)
    imagine = staticmethod(candidates.imagine)
    worth_trying = staticmethod(candidates.worth_trying)
    roster = staticmethod(scene.roster)

    @override
    def act(self, state: TangaState, action: Action, dice: Dice) -> tuple[TangaState, Report]:
        """Does it. What the last action drew of ways and shots was for its own picture, and is gone before.

        The last decision of the British can be overruled until something else is done. While they play on by
        themselves nobody need be told to have them do so; the umpire's correction has them wait for it.
        """
        after, report = super().act(state.model_copy(update={"trails": ()}), action, dice)
        if action.umpire_only and after.british.running:
            after = after.model_copy(update={"british": after.british.model_copy(update={"running": False})})
            report = report.model_copy(update={"prompts": (*report.prompts, *turn.prompts(after))})
        if self.next_by_itself(after) is not None:
            report = report.model_copy(update={"prompts": ()})
        if not isinstance(action, tuple(one.action for one in OF_THE_BRITISH)):
            after = after.model_copy(update={"before_last": None})
        return after, report

    @override
    def sketch(self, state: TangaState, viewer: Viewer, action: Action) -> Sketch[TangaState]:
        """Without the ways and shots of the last action."""
        return super().sketch(state.model_copy(update={"trails": ()}), viewer, action)

    @override
    def check(self, state: TangaState) -> None:
        """Raises Refused with the place of what contradicts itself."""
        super().check(state)
        validation.check(state)

    @override
    def prompts(self, state: TangaState) -> tuple[Prompt, ...]:
        """What the British turn asks, and what comes next."""
        return (*questions.prompts(state), *turn.prompts(state))

    @override
    def scene(self, state: TangaState, viewer: Viewer, before: TangaState | None = None) -> HexScene:
        """The map as that viewer may see it, with the ways and shots of the last action."""
        return scene.scene(view(state, viewer))

    @override
    def place_names(self, state: TangaState) -> tuple[str, ...]:
        """The names of its hexes, each once."""
        return tuple(dict.fromkeys(board_of(state).spec.names.values()))

    @override
    def strengths(self, state: TangaState, viewer: Viewer) -> Mapping[str, str]:
        """`44 of 48 combat units`, those on their way counted in."""
        known = [unit for unit in view(state, viewer).units.values() if unit.is_combat]
        fit = [unit for unit in known if unit.condition is not Condition.ELIMINATED]
        sides = [side.id for side in state.sides]
        left, all_ = ({side: sum(1 for unit in units if unit.side == side) for side in sides} for units in (fit, known))
        return {side: f"{left[side]} of {all_[side]} combat units" for side in sides}

    @override
    def explain(self, state: TangaState, viewer: Viewer, number: int | None) -> Explained | None:
        """Why the British did what they did last. Raises Refused when there is no such decision."""
        return sequence.explain(view(state, viewer), number)

    @override
    def ad_hoc(self, kind: str, args: Mapping[str, Any]) -> tuple[TangaState, Action]:
        """Raises Refused: everything at Tanga hangs on the map."""
        raise Refused("Tanga's fire and melee hang on the map: begin a game with /game new, then ask there.")
