"""The rule system Campaign: action types, setup, checks and pictures."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core.dice import Dice
from rules.core.hex_places import HexPlaces
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import UMPIRE, Viewer
from rules.core.opponent_support import OpponentSupport
from rules.core.refusal import Refused, require_that
from rules.core.report import Report
from rules.core.ruleset import Ruleset, Troop
from rules.core.state import Action
from rules.core.umpire import UmpireActionType
from rules.core.upgrades import Upgrade

from . import candidates, knowledge, orders, scene, scouting_reports, seals, turn
from .account import TURN_ACCOUNTS
from .battles import battle_system_ids
from .columns import Pace
from .corrections import UMPIRE_TOOLS
from .dispatches import WRITE_DISPATCH, WriteDispatch
from .file_faults import TroopsBySystem
from .ground import board_of, shipped_map_names
from .maps import own_map_faults
from .menus import CampaignMenus
from .model import CampaignState
from .organisation import JOIN, SPLIT
from .own_files import OwnCampaigns
from .painting import Paint, paint_kinds, paint_map
from .release import correct_withheld_day
from .results import BATTLE_RESULT
from .scenarios import SCENARIOS
from .seals import list_sealed_orders
from .secret_orders import SecretOrders
from .short_forms import expand_short_forms
from .values import VALUES


class CampaignOpponent(OpponentSupport[CampaignState]):
    """Support for the bot as a command: the orders and dispatches that the bot considers."""

    imagine = staticmethod(candidates.guess_enemy_worth)

    @override
    def candidates(self, state: CampaignState, side: Viewer, kind: str, unit: str) -> Iterable[Action]:
        """Yield candidate actions of a kind for a column. Dispatches are suggested once, with the first column."""
        if kind == WriteDispatch.kind and unit == state.units_of(side)[0].id:
            return scouting_reports.suggest_scouting_reports(state, side)
        return candidates.candidate_orders(state, state.unit(unit)) if kind == orders.Move.kind else ()


class Campaign(Ruleset[CampaignState]):
    """The rule system Campaign."""

    id, title, package = "campaign", "Campaign", "rules.campaign"
    class_field = "pace"
    upgrades = (Upgrade(),)  # new fields have defaults
    action_types = (
        orders.MOVE,
        turn.TURN,
        turn.UNREADY,
        JOIN,
        SPLIT,
        WRITE_DISPATCH,
        BATTLE_RESULT,
        UmpireActionType(Paint, paint_map),
        *UMPIRE_TOOLS.action_types,
    )
    state_type = CampaignState
    phases = turn.PHASES
    unit_facts = scene.UNIT_FACTS
    turn_accounts = TURN_ACCOUNTS
    opens_past = True
    values = VALUES

    def __init__(self, armies: TroopsBySystem | None = None) -> None:
        """Create the system. `armies` lists the troops of each battle system, to check campaign files."""
        super().__init__()
        self.own_battles = OwnCampaigns(armies or {})
        self.scenarios = {scenario.id: scenario.catalogue_entry for scenario in SCENARIOS.all.values()}
        self.opponent = CampaignOpponent(self)
        self.hidden_troops = SecretOrders()
        self.menus = CampaignMenus()
        self.places = HexPlaces(self, board_of, draws_ways=True)
        self.troops = {pace.value: Troop(id=pace.value, name=pace.value) for pace in Pace}

    enemies_seen = staticmethod(scene.list_enemies_seen)
    sealed_texts = staticmethod(seals.list_sealed_texts)
    ends_turn_at_deadline = True  # CA-1.2
    sides_missing_turn = staticmethod(turn.sides_that_missed_day)
    spell_out = staticmethod(expand_short_forms)
    end_words = "be ready"
    why_no_orders = staticmethod(CampaignState.why_no_orders)
    tally = staticmethod(scene.held_points_in_words)
    holdings = staticmethod(scene.list_holdings)
    annexes = staticmethod(list_sealed_orders)
    describe_unit = staticmethod(scene.column_card)
    prompts = staticmethod(turn.list_prompts)
    paint_kinds = staticmethod(paint_kinds)
    view = staticmethod(knowledge.view)

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> CampaignState:
        """Return a campaign's starting state. Raises Refused for an unknown campaign."""
        if scenario not in SCENARIOS.all:
            names = ", ".join(SCENARIOS.all)
            raise Refused(f"There is no campaign “{scenario[:40]}”. There are: {names}.")
        return SCENARIOS.all[scenario].setup(dice)

    @override
    def act(self, state: CampaignState, action: Action, dice: Dice) -> tuple[CampaignState, Report]:
        """Execute the action; while a day is withheld, apply the umpire's corrections to that day (CA-1.2)."""
        if not state.is_withheld or isinstance(action, turn.TurnNext):
            return super().act(state, action, dice)
        return correct_withheld_day(super().act, state, action, dice)

    @override
    def awaited_viewers(self, state: CampaignState) -> frozenset[Viewer]:
        """Return the commands that still write orders; only the umpire while a day is withheld."""
        return frozenset({UMPIRE}) if state.is_withheld and state.over is None else super().awaited_viewers(state)

    @override
    def storable_view(self, state: CampaignState, viewer: Viewer) -> CampaignState:
        """Return the viewer's view; for the umpire, the whole state with any withheld day."""
        return state if viewer == UMPIRE else self.view(state, viewer)

    @override
    def scene(self, state: CampaignState, viewer: Viewer, before: CampaignState | None = None) -> HexScene:
        """Return the map in the viewer's view; after a day's end, with the marches since `before`."""
        return scene.scene(self.view(state, viewer), None if before is None else self.view(before, viewer))

    @override
    def require_valid_state(self, state: CampaignState) -> None:
        """Raise Refused, naming the field, if the state contradicts itself."""
        super().require_valid_state(state)
        sides = [side.id for side in state.sides]
        commands = [command for power in state.powers for command in power.commands]
        require_that(len(state.powers) == 2, "powers", "there are two")
        require_that(sorted(commands) == sorted(sides), "powers", "each command is a side, and belongs to one power")
        require_that(all(power.chief in power.commands for power in state.powers), "powers", "a chief commands in it")
        require_that(state.battle_system in battle_system_ids(), "battle_system", "there is no such battle system")
        require_that(state.own_map is not None or state.map in shipped_map_names(), "map", "there is no such map")
        if state.own_map is not None:
            for place, why in own_map_faults(state.own_map):
                require_that(False, f"own_map {place}", why)
        board = board_of(state)
        land = board.land
        for column in state.units.values():
            require_that(column.at is None or column.at in board.terrain, column.id, "it stands off the map")
            require_that(bool(column.troops), column.id, "it has no units")
            require_that(all(unit.figures for unit in column.troops), column.id, "a unit without figures")
        for point in state.points.values():
            require_that(point.at in land, point.name, "it lies off the land")
            require_that(point.holder in {"", *(power.id for power in state.powers)}, point.name, "no such holder")
        for dispatch in state.dispatches:
            own = {*next((power.commands for power in state.powers if dispatch.sender in power.commands), ())}
            require_that(dispatch.to in own - {dispatch.sender}, "dispatches", "to a command of its power")
            require_that(dispatch.caught_by in {"", *sides} - own, "dispatches", "an enemy command catches it")
            at = () if dispatch.rider is None else dispatch.rider.at
            require_that(land.issuperset(at), "dispatches", "nobody can ride there")
        for battle in state.battles.values():
            require_that(battle.at in land, battle.id, "it lies off the land")
