"""The rule system Tanga 1914: British automaton, house rules, German player."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from rules.core.ad_hoc import AdHocQuestions
from rules.core.dice import Dice
from rules.core.hex_places import HexPlaces
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import Viewer
from rules.core.opponent_support import OpponentSupport
from rules.core.play import Sketch
from rules.core.report import Prompt, Report
from rules.core.ruleset import Refused, Ruleset, Troop
from rules.core.state import Action

from . import british, candidates, charts, questions, scenarios, scene, turn, validation, victory
from .automaton import explanations
from .combat.reveal import is_gun_marker_unknown, view
from .corrections import UMPIRE_TOOLS
from .field import board_of
from .german import fight, move, stand
from .model import BRITISH, Arm, Condition, TangaState, TangaUnit
from .occasions import OCCASIONS
from .own import reading
from .upgrades import UPGRADES
from .values import VALUES


class TangaQuestions(AdHocQuestions[TangaState]):
    """Questions without a game, which Tanga does not allow."""

    @override
    def set_up(self, kind: str, args: Mapping[str, Any]) -> tuple[TangaState, Action]:
        """Raise Refused, because every question about Tanga depends on the map."""
        raise Refused("Tanga's fire and melee hang on the map: begin a game with /game new, then ask there.")


class TangaOpponent(OpponentSupport[TangaState]):
    """Support for the bot as German player."""

    imagine = staticmethod(candidates.guess_hidden_guns)
    candidates = staticmethod(candidates.promising_actions)


class Tanga(Ruleset[TangaState]):
    """The rule system Tanga 1914."""

    id, title, package = "tanga", "Tanga 1914", "rules.tanga"
    class_field = "arm"
    upgrades = UPGRADES
    action_types = (
        *(move.MOVE, fight.FIRE, fight.MELEE, stand.IMPROVE, stand.RALLY, stand.STANDING),
        *british.ACTION_TYPES,
        turn.TURN_NEXT,
        *UMPIRE_TOOLS.action_types,
    )
    state_type = TangaState
    played_by_bot = BRITISH
    phases = turn.TURN_SEQUENCE
    values = VALUES

    def __init__(self) -> None:
        super().__init__()
        self.scenarios = {key: scenarios.scenario_entry(entry) for key, entry in scenarios.SCENARIOS.all.items()}
        self.charts = charts.all_charts()
        self.troops = {arm.value: Troop(id=arm.value, name=arm.value) for arm in Arm}
        self.ad_hoc = TangaQuestions(self, self._types)
        self.opponent = TangaOpponent(self)
        self.places = HexPlaces(self, board_of)

    setup = staticmethod(scenarios.set_up_house_scenario)
    own_battles = reading.OwnScenarios()
    lacks_hidden_facts = staticmethod(is_gun_marker_unknown)
    tally = staticmethod(victory.tally_held_hexes)
    unit_facts = scene.UNIT_FACTS
    occasions = OCCASIONS
    holdings = staticmethod(victory.list_holdings)
    actions_without_choice = staticmethod(turn.actions_without_choice)
    next_automatic_action = staticmethod(british.next_automatic_action)
    view = staticmethod(view)
    units_in_battle_order = staticmethod(scene.units_in_battle_order)
    explain = staticmethod(lambda state, viewer, number: explanations.explain_decision(view(state, viewer), number))

    @override
    def formation_names(self, state: TangaState, unit: TangaUnit) -> tuple[str, ...]:
        """Return the name and the short name of the unit's formation."""
        formation = state.formation(unit.formation)
        return formation.name, formation.short

    @override
    def act(self, state: TangaState, action: Action, dice: Dice) -> tuple[TangaState, Report]:
        """Carry out the action, with only its own moves and shots on the picture.

        An action outside the British turn closes the last decision to overruling. An umpire's correction stops an
        automatic British turn.
        """
        after, report = super().act(state.model_copy(update={"trails": ()}), action, dice)
        if action.umpire_only and after.british.running:
            after = after.model_copy(update={"british": after.british.model_copy(update={"running": False})})
            report = report.model_copy(update={"prompts": (*report.prompts, *turn.phase_prompts(after))})
        if self.next_automatic_action(after) is not None:
            report = report.model_copy(update={"prompts": ()})
        if not isinstance(action, tuple(action_type.action for action_type in british.ACTION_TYPES)):
            after = after.model_copy(update={"before_last": None})
        return after, report

    @override
    def sketch(self, state: TangaState, viewer: Viewer, action: Action) -> Sketch[TangaState]:
        """Sketch the action, without the moves and shots of the previous action."""
        return super().sketch(state.model_copy(update={"trails": ()}), viewer, action)

    @override
    def require_valid_state(self, state: TangaState) -> None:
        """Raise Refused, with the field at fault, if the state contradicts itself."""
        super().require_valid_state(state)
        validation.check_state(state)

    @override
    def prompts(self, state: TangaState) -> tuple[Prompt, ...]:
        """Return prompts for the open question of the British turn, and for the next steps."""
        return (*questions.question_prompts(state), *turn.phase_prompts(state))

    @override
    def scene(self, state: TangaState, viewer: Viewer, before: TangaState | None = None) -> HexScene:
        """Return the map visible to the viewer, with moves and shots of the last action."""
        return scene.scene(view(state, viewer))

    @override
    def describe_unit(self, state: TangaState, unit: TangaUnit, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return a unit's line and details, which are equal for all viewers."""
        return scene.unit_summary(state, unit), scene.card_details(state, unit)

    def strengths(self, state: TangaState, viewer: Viewer) -> Mapping[str, str]:
        """Return each side's strength, including units on their way: `44 of 48 combat units`."""
        visible = [unit for unit in view(state, viewer).units.values() if unit.is_combat]
        totals = Counter(unit.side for unit in visible)
        remaining = Counter(unit.side for unit in visible if unit.condition is not Condition.ELIMINATED)
        return {side.id: f"{remaining[side.id]} of {totals[side.id]} combat units" for side in state.sides}
