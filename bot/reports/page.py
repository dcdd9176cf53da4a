"""The after-action report as one page of HTML that needs nothing else, to be read on a telephone."""

import re
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files
from xml.etree.ElementTree import Element

from bot.journal.game import Entry
from render.photograph import is_jpeg

from .facts import AfterAction, reckoned
from .html import element, to_html
from .turn_maps import NOW, Maps, TurnMap

NO_PICTURES: Maps = {}
FEWER = "Pictures left out, the oldest, because with them this page would be too large to send: {number}."
SHORTENED = "The reckoning is left out: with it this page would be too large to send. /game log has it."


def page(
    told: AfterAction, maps: Maps, pictures: Maps = NO_PICTURES, left_out: int = 0, *, reckoning: bool = True
) -> str:
    """Return the report as HTML, with maps and pictures by entry; `left_out` counts omitted pictures.

    Without `reckoning` it says that this was left out.
    """
    parts = [*_head(told), _contents(told)]
    if not reckoning:
        parts.append(element("p", SHORTENED, class_="note"))
    if left_out:
        parts.append(element("p", FEWER.format(number=left_out), class_="note"))
    parts += [*_turns(told, maps, pictures, reckoning), _end(told, maps), *_luck(told), _dice(told)]
    frame = files("bot.reports").joinpath("page.html").read_text(encoding="utf-8")
    filled = {"title": to_html(element("title", told.game.name)), "body": "\n".join(map(to_html, parts))}
    return re.sub(r"\{\{(title|body)\}\}", lambda found: filled[found[1]], frame)


def _head(told: AfterAction) -> Iterable[Element]:
    yield element("h1", told.game.name)
    yield element("p", told.subtitle, class_="subtitle")
    if told.briefing:
        yield element("p", told.briefing)
    people = (element("li", element("b", what), f": {who}") for what, who in told.people.items())
    yield element("ul", *people)


def _contents(told: AfterAction) -> Element:
    """Links to every part, large enough for a thumb: `Turn 1 2 3 How it ended`."""
    turns = [(str(turn), _place(at)) for at, (turn, _) in enumerate(told.turns)]
    parts = [*turns, (told.end_title, "end"), *((("Luck", "luck"),) if any(told.luck) else ()), ("The dice", "dice")]
    return element("nav", element("span", "Turn"), *(element("a", name, href=f"#{where}") for name, where in parts))


def _place(at: int) -> str:
    return f"part-{at + 1}"


def _turns(told: AfterAction, maps: Maps, pictures: Maps, reckoning: bool) -> Iterable[Element]:
    for at, (turn, entries) in enumerate(told.turns):
        drawn = [_map(maps[entry.seq]) for entry in entries if entry.seq in maps]
        items = [_entry(entry, pictures.get(entry.seq), reckoning) for entry in entries]
        yield element("section", element("h2", f"Turn {turn}"), *drawn, *items, id=_place(at))


def _map(drawn: TurnMap) -> Element:
    if not drawn.data:
        return element("p", drawn.title, class_="note")
    return element("figure", _image(drawn), element("figcaption", drawn.title))


def _image(drawn: TurnMap) -> Element:
    kind = "jpeg" if is_jpeg(drawn.data) else "png"
    source = f"data:image/{kind};base64,{b64encode(drawn.data).decode()}"
    return element("img", src=source, alt=drawn.words)


def _entry(entry: Entry, picture: TurnMap | None, reckoning: bool) -> Element:
    report = entry.report
    number = element("span", entry.shown_number, class_="number")
    if entry.undone:
        undone = element("p", number, " ", element("s", report.headline), " ", element("i", "taken back"))
        return element("article", undone)
    parts = [element("p", number, " ", element("b", report.headline))]
    if picture is not None:
        parts.append(element("figure", _image(picture)))
    if report.whole_outcome:
        parts.append(element("p", report.whole_outcome))
    if report.steps and reckoning:
        steps = element("ul", *(element("li", reckoned(step)) for step in report.steps))
        parts.append(element("details", element("summary", "The reckoning"), steps))
    return element("article", *parts)


def _end(told: AfterAction, maps: Maps) -> Element:
    parts = [element("h2", told.end_title)]
    if told.verdict is not None:
        who, why = told.verdict
        parts.append(element("p", element("b", f"{who}."), f" {why}"))
    if NOW in maps:
        parts.append(_map(maps[NOW]))
    for army in told.armies:
        units = (element("li", element("b", card.name), f": {card.line}") for card in army.units)
        parts.append(element("h3", army.name))
        parts += [element("p", army.left)] if army.left else []
        parts.append(element("details", element("summary", "Unit by unit"), element("ul", *units)))
    return element("section", *parts, id="end")


def _luck(told: AfterAction) -> Iterable[Element]:
    lines = [element("li", element("b", whose), f": {fallen}") for whose, fallen in told.luck]
    if lines:
        yield element("section", element("h2", "Luck"), element("ul", *lines), id="luck")


def _dice(told: AfterAction) -> Element:
    seeds = (
        element("li", f"{name}, sealed as ", element("code", seal), ": ", element("code", secret or "not revealed yet"))
        for name, seal, secret in told.seeds
    )
    return element("section", element("h2", "The dice"), element("ul", *seeds), id="dice")
