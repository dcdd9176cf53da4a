"""Standing answers beside orders: effects of a unit's order, a refusal, a fellow player, another side."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from bot.games.action_batch import ActionBatch
from bot.journal.game import Actor, Game
from bot.order_sheets.execute import execute_sheet
from bot.order_sheets.model import AnswerChoice, Sheet, SheetOrder, StoredSheet
from bot.order_sheets.standing import has_due_standing_answers
from cogs.kit.cards.menu import MOST_OPTIONS
from cogs.kit.order_sheets.sheet_card import MORE
from cogs.kit.order_sheets.standing_card import SIDE, StandingAnswersView
from cogs.standing import choose_units
from rules.core.order_book import OrderBook
from rules.core.phases import PASS
from rules.core.standing_answers import StandingAnswer, StandingReply
from rules.empire.model import EmpireState
from rules.empire.phases import Phase
from rules.empire.prompt_occasions import END_OF_PHASE, FIRE, SUPPORT
from rules.empire.tests.field import BLUE, RED
from rules.empire.tests.test_be_5_supports import table_with_support
from rules.registry import rulesets

from .fuzz import RandomDice
from .large_tables import create_crowded_table
from .sheet_desk import DeskLedger, create_game

EMPIRE = rulesets()["empire"]
ANSWER_FIRE = StandingAnswer(occasion=FIRE, reply=StandingReply.YES)
NO_FIRE = StandingAnswer(occasion=FIRE, reply=StandingReply.NO)
END = StandingAnswer(occasion=END_OF_PHASE, reply=StandingReply.YES)


@pytest.fixture(scope="module")
def volleys() -> Game:
    """El Teb in the rifle fire phase, in which both sides act."""
    state, dice = EMPIRE.setup("el-teb-1884", {}, RandomDice(1)), RandomDice(3)
    while state.current_phase is not Phase.RIFLES:
        required = next(iter(EMPIRE.required_prompts(state)), None)
        if required is not None:
            action = EMPIRE.parse(required.offers[0].kind, required.offers[0].args)
        else:
            action = EMPIRE.parse(PASS, {"side": state.acting_sides[0]} if len(state.acting_sides) > 1 else {})
        state, _ = EMPIRE.act(state, action, dice)
    return create_game(EMPIRE, state)


def find_shooter(game: Game) -> str:
    """Return a British unit that may fire."""
    prompts = EMPIRE.open_prompts(game.state)
    return next(prompt.unit for prompt in prompts if prompt.side == "british" and prompt.occasion == FIRE)


def create_sheet(
    game: Game, side: str, lines: Iterable[str], standing: Sequence[StandingAnswer], **fields: Any
) -> Sheet:
    """Return an activated sheet with these lines and answers."""
    book = OrderBook(EMPIRE, EMPIRE.view(game.state, side), side)
    orders = tuple(SheetOrder(**order.model_dump()) for text in lines for order in book.read(text))
    return Sheet(orders=orders, given=True, standing=tuple(standing), **fields)


def execute_orders(
    game: Game, side: str, sheet: Sheet, *, automatic: bool = False, fellows: tuple[Sheet, ...] = ()
) -> tuple[list[str], Game, Sheet]:
    """Execute a sheet. Return kinds and units of its actions, the new game, and the remaining sheet."""
    seat = next(candidate for candidate in game.seats if candidate.side == side)
    ledger: Any = DeskLedger()
    series = ActionBatch(ledger, game, Actor(seat.user, seat.name), 5)
    stored_sheet = StoredSheet(game.id, seat.user, side, 1, sheet, fellows)
    rest_of_sheet = execute_sheet(series, stored_sheet, automatic=automatic)
    acts = [(entry.entry.kind, (entry.draft.action or {}).get("unit", "")) for entry in series.entries]
    return [f"{kind} {unit}".strip() for kind, unit in acts], series.game, rest_of_sheet


def test_without_an_order_a_unit_fires_by_the_answer(volleys: Game) -> None:
    acts, _, _ = execute_orders(volleys, "british", create_sheet(volleys, "british", (), [ANSWER_FIRE]))
    assert f"fire {find_shooter(volleys)}" in acts


@pytest.mark.parametrize("order", ["hold", "fire at the nearest if the chance is at least 100%"])
def test_a_unit_that_does_nothing_by_order_is_not_fired_by_the_answer(volleys: Game, order: str) -> None:
    unit = find_shooter(volleys)
    sheet = create_sheet(volleys, "british", [f"{unit}: {order}"], [ANSWER_FIRE])
    acts, after, remaining = execute_orders(volleys, "british", sheet)
    assert acts, "the others fire"
    assert f"fire {unit}" not in acts
    later_acts, _, _ = execute_orders(after, "british", remaining, automatic=True)
    assert f"fire {unit}" not in later_acts, "nor afterwards in this phase"


def test_the_phase_does_not_end_when_the_player_has_just_seen_an_order_refused(volleys: Game) -> None:
    enemies = (enemy.id for enemy in volleys.state.units.values() if enemy.side == "mahdists")
    unit = find_shooter(volleys)
    far = next(enemy for enemy in enemies if not allows(volleys.state, unit, enemy))
    sheet = Sheet(
        orders=(SheetOrder(kind="fire", units=(unit,), args={"target": far}),), given=True, standing=(NO_FIRE, END)
    )
    acts, after, remaining = execute_orders(volleys, "british", sheet)
    assert (acts, remaining.orders[0].why != "") == ([], True)
    assert execute_orders(after, "british", remaining, automatic=True)[0] == []
    without = remaining.model_copy(update={"orders": ()})
    assert execute_orders(after, "british", without)[0] == [PASS]


def allows(state: EmpireState, unit: str, target: str) -> bool:
    """Whether the unit may fire at the target now."""
    return EMPIRE.allows(state, EMPIRE.parse("fire", {"unit": unit, "target": target}))


def test_a_fellow_players_order_goes_before_the_answer(volleys: Game) -> None:
    unit = find_shooter(volleys)
    own, fellow = (
        create_sheet(volleys, "british", (), [ANSWER_FIRE]),
        create_sheet(volleys, "british", [f"{unit}: hold"], ()),
    )
    acts, _, _ = execute_orders(volleys, "british", own, automatic=True, fellows=(fellow,))
    assert acts
    assert f"fire {unit}" not in acts


def test_a_fellow_player_who_wants_to_be_asked_is_asked(volleys: Game) -> None:
    own = create_sheet(volleys, "british", (), [ANSWER_FIRE])
    fellow = Sheet().with_answer(StandingAnswer(occasion=FIRE, reply=StandingReply.ASK))
    acts, _, _ = execute_orders(volleys, "british", own, automatic=True, fellows=(fellow,))
    assert acts == []


def test_a_melee_is_not_fought_before_the_other_side_could_support_it() -> None:
    """The phase's last side leaves the melee to the next batch, after the other side's standing answers."""
    before = table_with_support(0.5).model_copy(update={"phase": Phase.RIFLES.value, "done": (RED,)})
    game = create_game(EMPIRE, before)
    fight = StandingAnswer(occasion=SUPPORT, reply=StandingReply.NO)
    acts, after, remaining = execute_orders(game, BLUE, Sheet(given=True, standing=(END, fight)), automatic=True)
    assert acts == [PASS]
    seat = next(candidate for candidate in after.seats if candidate.side == RED)
    reds = StoredSheet(
        after.id, seat.user, RED, 1, Sheet(standing=(StandingAnswer(occasion=SUPPORT, reply=StandingReply.YES),))
    )
    assert has_due_standing_answers(after, reds)
    supported, after, _ = execute_orders(after, RED, reds.sheet, automatic=True)
    assert supported == ["support c"]
    fought, _, _ = execute_orders(after, BLUE, remaining, automatic=True)
    assert fought[0] == "melee b"


def test_units_of_a_large_side_are_chosen_on_several_pages_of_the_menu() -> None:
    system, state = create_crowded_table("magdala", 60)
    game = create_game(system, state)
    seat = game.seats[0]
    occasion = next(iter(system.occasions))
    sheet = Sheet(answering=AnswerChoice(occasion=occasion))
    units_offered = set[str]()

    def shown() -> tuple[str, dict[str, bool]]:
        view = StandingAnswersView(game, StoredSheet(game.id, seat.user, seat.side, 1, sheet))
        menu = list(view._menus())[1]
        assert len(menu.options) <= MOST_OPTIONS
        return view._other_chosen_units_line(), {option.value: option.default for option in menu.options}

    for _ in range(3):
        _, units = shown()
        units_offered |= {unit for unit in units if unit in state.units}
        last = [*units][-2]
        sheet = choose_units(game, seat.user, sheet, [last, MORE])
    assert units_offered == {unit.id for unit in state.units_of(seat.side)}
    assert len(sheet.answering.units) == 3
    elsewhere, units = shown()
    names = [state.units[unit].name for unit in sheet.answering.units]
    assert elsewhere == f"-# Also for: {', '.join(names[1:])}"
    assert [unit for unit, chosen in units.items() if chosen] == [sheet.answering.units[0]], "the first page again"
    assert choose_units(game, seat.user, sheet, [SIDE, *sheet.answering.units]).answering.units == ()
    assert len(choose_units(game, seat.user, sheet, [MORE]).answering.units) == 2, "taken out of this page"
