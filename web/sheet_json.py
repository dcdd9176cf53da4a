"""JSON for the page: a seat's order sheet, possible orders of units, and the game's open prompts."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from bot.games.open_prompts import filter_visible_prompts, hash_offer
from bot.games.rights import can_answer_prompt
from bot.journal.game import Game
from bot.order_sheets import menu_options
from bot.order_sheets.forecast import OrderForecast
from bot.order_sheets.lost_attacks import warn_of_lost_attacks
from bot.order_sheets.model import StoredSheet
from bot.order_sheets.order_phases import add_prerequisites, assign_phase
from bot.order_sheets.preview import WHOLE, Prospect
from bot.order_sheets.typed_lines import is_understood_in_part
from rules.core.hexboard.hex_scene import Scene
from rules.core.model import UMPIRE, Viewer
from rules.core.orders import DEFAULT_KIND, Order, actions_by_unit
from rules.core.own_turn import own_turn_number
from rules.core.phases import PASS
from rules.core.report import Prompt

from .map_json import arrows_json, attack_lines_json, units_json
from .sessions import PageSeat

Json = Mapping[str, Any]
TOWARDS, FACE = "towards", "face"
"""First words of destinations that name a direction or a facing."""
FIELDS = ("id", "at", "facing", "frontage", "depth")
"""Fields of the JSON for a place where a unit is expected to end."""
MOST_OPTIONS = 120
"""Maximum options of one unit on the page."""


def sheet_json(game: Game, stored: StoredSheet) -> Json:
    """Return the sheet: a forecast of each order, the arrows of all orders, and flags for buttons."""
    sheet, side = stored.sheet, stored.side
    prospect = Prospect.for_sheet(game, side, sheet.orders)
    ends = side != UMPIRE and PASS in game.ruleset.actions
    return {
        "revision": stored.revision,
        "orders": _orders_json(prospect),
        "wrong": [{"text": unreadable.text, "why": unreadable.why} for unreadable in sheet.wrong],
        "takes": any(is_understood_in_part(prospect, unreadable.text) for unreadable in sheet.wrong),
        "warnings": list(warn_of_lost_attacks(prospect)),
        "now": any(order.is_due(game.state, side) for order in sheet.orders),
        "given": sheet.given or sheet.go_on,
        "goOn": sheet.go_on,
        "endsTurn": ends and sheet.through == own_turn_number(game.ruleset, game.state, side),
        "canEnd": ends,
        "end": game.ruleset.end_words,
        "acts": side in game.state.acting_sides or side == UMPIRE,
        "arrows": _expected_arrows_json(game, prospect, side),
    }


def _orders_json(prospect: Prospect) -> Sequence[Json]:
    """Return the forecasts of the orders, phase by phase.

    `rises`: the order can move up, because another order of its phase precedes it.
    """
    ranks = [None, *(prospect.phase_rank(forecast.order.phase) for forecast in prospect.forecasts)]
    pairs = zip(prospect.forecasts, pairwise(ranks), strict=True)
    return [{**forecast_json(forecast), "rises": rank_before == rank} for forecast, (rank_before, rank) in pairs]


def _expected_arrows_json(game: Game, prospect: Prospect, side: Viewer) -> Sequence[Json]:
    """Return the lines of the expected moves and attacks of all orders."""
    if not prospect.forecasts or not game.state.keeps_positions:
        return ()
    scene = game.ruleset.scene(prospect.state, side, prospect.before)
    attacks = [attack for forecast in prospect.forecasts for attack in _list_attacks(forecast.order)]
    return [*arrows_json(scene), *attack_lines_json(attacks, units_json(scene))]


def _list_attacks(order: Order) -> Sequence[tuple[str, str]]:
    """Return each of the order's units paired with the order's target. Empty for an order without a target."""
    target = order.args.get("target")
    return [(unit, target) for unit in order.units] if isinstance(target, str) else []


def added_order_json(game: Game, prospect: Prospect, order: Order) -> Json:
    """Add an order to the prospect, and return its forecast, with arrows and the units' expected ends.

    Raises Refused.
    """
    add_prerequisites(prospect, order)
    timed = assign_phase(prospect, order)
    before = prospect.state
    forecast = {**forecast_json(prospect.add_order(timed)), "order": timed.model_dump(mode="json")}
    if not game.state.keeps_positions:
        return forecast
    scene = game.ruleset.scene(prospect.state, prospect.viewer, before)
    earlier_ends, units = _unit_places_json(game.ruleset.scene(before, prospect.viewer), order), units_json(scene)
    ends = [end for end in _unit_places_json(scene, order) if end not in earlier_ends]
    return {**forecast, "arrows": [*arrows_json(scene), *attack_lines_json(_list_attacks(order), units)], "ends": ends}


def _unit_places_json(scene: Scene, order: Order) -> Sequence[Json]:
    """Return the places of the order's units in a scene."""
    return [
        {name: unit[name] for name in FIELDS if name in unit} for unit in units_json(scene) if unit["id"] in order.units
    ]


def forecast_json(forecast: OrderForecast) -> Json:
    """Return an order's words, chances, warnings and refusals. `fails`: no unit can carry out the order."""
    reasons = [forecast.order.why] if forecast.order.why else list(forecast.prevented)
    return {
        "words": forecast.words,
        "units": list(forecast.order.units),
        "phase": forecast.order.phase,
        "chances": [str(chance) for chances in forecast.chances for chance in chances[:1]],
        "about": forecast.about,
        "foreseen": list(forecast.foreseen),
        "warnings": list(forecast.warnings),
        "condition": forecast.condition_note,
        "why": reasons,
        "fails": bool(reasons) and (not forecast.undone or {*forecast.undone} >= {*forecast.order.units}),
    }


def menu_json(seat: PageSeat, stored: StoredSheet, units: tuple[str, ...]) -> Json:
    """Return the possible orders of `units` with their exact chances, like the chat's menus."""
    prospect = Prospect.for_sheet(seat.game, stored.side, stored.sheet.orders)
    if not units or not {*units} <= prospect.book.own_names.keys():
        return {"units": units, "options": [], "forms": [], "details": _unit_details(seat, units)}
    options = menu_options.list_order_options(prospect, units, WHOLE if len(prospect.phases_ahead) > 1 else "")
    other_units = [unit for unit in prospect.before.units if unit not in prospect.book.own_names]
    goals = {f"{TOWARDS} {prospect.book.typeable_name(unit)}": unit for unit in other_units}
    return {
        "units": units,
        "options": [_option_json(prospect, option, goals) for option in options[:MOST_OPTIONS]],
        "forms": [*_order_forms_json(prospect, units)],
        "details": _unit_details(seat, units),
    }


def _order_forms_json(prospect: Prospect, units: tuple[str, ...]) -> Iterable[Json]:
    """Yield the forms for orders to one unit. Yield nothing for several units."""
    menus = prospect.system.menus
    for form in menus.forms(prospect.state, units[0]) if menus is not None and len(units) == 1 else ():
        fields = [
            {
                "name": field.name,
                "words": field.words,
                "choices": list(field.choices),
                "several": field.several,
                "place": field.is_place,
            }
            for field in form.fields
        ]
        yield {"kind": form.kind, "words": form.words, "group": form.heading, "fields": fields}


def _unit_details(seat: PageSeat, units: tuple[str, ...]) -> Sequence[tuple[str, str]]:
    """Return the facts on a unit's card that the viewer may know, as pairs of name and value.

    The result is empty for several units.
    """
    cards = seat.game.ruleset.roster(seat.state, seat.viewer, units) if len(units) == 1 else ()
    return [fact for card in cards if card.id in units for fact in card.details]


def _option_json(prospect: Prospect, option: menu_options.OrderOption, goals: Mapping[str, str]) -> Json:
    order = option.order
    unit, action = next(
        actions_by_unit(prospect.system, prospect.state, order.model_copy(update={"units": option.able[:1]}))
    )
    menus = prospect.system.menus
    return {
        "words": option.words,
        "kind": order.kind,
        "group": (menus.heading(action) if menus is not None else "") or _section_title(order),
        "inForce": menus is not None and menus.is_in_force(prospect.expected_table(order.phase, unit), action),
        "args": dict(order.args),
        "phase": order.phase,
        "target": order.args.get("target", ""),
        "goal": goals.get(str(order.args.get("to", "")), ""),
        "chance": ", ".join(map(str, menu_options.option_chances(prospect, option))),
        "effect": menu_options.option_effect(prospect, option),
    }


def _section_title(order: Order) -> str:
    """Return the heading under which the page lists the order."""
    if "target" in order.args:
        return "Attack"
    if order.kind != DEFAULT_KIND or not order.args:
        return "Do"
    way = str(order.args.get("to", "")).partition(" ")[0]
    return {"": "Formation", TOWARDS: "Move towards", FACE: "Face"}.get(way, "Move")


def prompts_json(game: Game, user_viewer: Viewer) -> Sequence[Json]:
    """Return the open prompts that `user_viewer` may know. `mine` is true if this viewer may answer the prompt."""
    prompts = game.ruleset.open_prompts(game.state) if game.ended is None else ()
    return [_prompt_json(game, user_viewer, prompt) for prompt in filter_visible_prompts(game, user_viewer, prompts)]


def _prompt_json(game: Game, viewer: Viewer, prompt: Prompt) -> Json:
    return {
        "key": prompt.key,
        "unit": prompt.unit,
        "side": prompt.side,
        "text": prompt.text,
        "cite": str(prompt.cite),
        "required": prompt.required,
        "mine": can_answer_prompt(game, viewer, prompt),
        "ends": bool(prompt.offers) and all(offer.kind == PASS for offer in prompt.offers),
        "offers": [{"label": offer.label, "danger": offer.danger, "tag": hash_offer(offer)} for offer in prompt.offers],
    }
