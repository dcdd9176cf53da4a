"""The after-action report as one self-contained page of HTML, for reading on a phone."""

import re
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files
from xml.etree.ElementTree import Element

from bot.journal.game import Entry
from render.photograph import is_jpeg

from .facts import ReportFacts, step_in_words
from .html import element, to_html
from .turn_maps import NOW, Maps, TurnMap

NO_PICTURES: Maps = {}
FEWER = "Pictures left out, the oldest, because with them this page would be too large to send: {number}."
SHORTENED = "The reckoning is left out: with it this page would be too large to send. /game log has it."


def write_page(
    facts: ReportFacts, maps: Maps, pictures: Maps = NO_PICTURES, left_out: int = 0, *, reckoning: bool = True
) -> str:
    """Return the report as HTML.

    The keys of `maps` and `pictures` are the numbers of entries. `left_out` is the number of omitted pictures. If
    `reckoning` is false, omit the steps of each entry's report. The page mentions omitted pictures and steps.
    """
    parts = [*_build_header(facts), _build_contents(facts)]
    if not reckoning:
        parts.append(element("p", SHORTENED, class_="note"))
    if left_out:
        parts.append(element("p", FEWER.format(number=left_out), class_="note"))
    parts += [*_build_turns(facts, maps, pictures, reckoning), _build_last_part(facts, maps)]
    parts += [*_build_annexes(facts), *_build_luck(facts), _build_seeds(facts)]
    frame = files("bot.reports").joinpath("page.html").read_text(encoding="utf-8")
    filled = {"title": to_html(element("title", facts.game.name)), "body": "\n".join(map(to_html, parts))}
    return re.sub(r"\{\{(title|body)\}\}", lambda match: filled[match[1]], frame)


def _build_header(facts: ReportFacts) -> Iterable[Element]:
    yield element("h1", facts.game.name)
    yield element("p", facts.subtitle, class_="subtitle")
    if facts.briefing:
        yield element("p", facts.briefing)
    people = (element("li", element("b", role), f": {name}") for role, name in facts.names_by_role.items())
    yield element("ul", *people)


def _build_contents(facts: ReportFacts) -> Element:
    """Return links to all parts of the page: `Turn 1 2 3 How it ended`. Each link is large enough for a thumb."""
    turns = [(str(turn), _turn_anchor(at)) for at, (turn, _) in enumerate(facts.turns)]
    annexes = [(annex.title, _annex_anchor(at)) for at, annex in enumerate(facts.annexes)]
    luck = [("Luck", "luck")] if any(facts.luck) else []
    parts = [*turns, (facts.last_heading, "end"), *annexes, *luck, ("The dice", "dice")]
    return element(
        "nav",
        element("span", facts.game.state.turn_word),
        *(element("a", name, href=f"#{anchor}") for name, anchor in parts),
    )


def _turn_anchor(at: int) -> str:
    return f"part-{at + 1}"


def _build_turns(facts: ReportFacts, maps: Maps, pictures: Maps, reckoning: bool) -> Iterable[Element]:
    for at, (turn, entries) in enumerate(facts.turns):
        figures = [_build_map(maps[entry.seq]) for entry in entries if entry.seq in maps]
        items = [_build_entry(facts, entry, pictures.get(entry.seq), reckoning) for entry in entries]
        yield element("section", element("h2", facts.turn_name(turn)), *figures, *items, id=_turn_anchor(at))


def _build_map(turn_map: TurnMap) -> Element:
    if not turn_map.data:
        return element("p", turn_map.title, class_="note")
    return element("figure", _build_image(turn_map), element("figcaption", turn_map.title))


def _build_image(turn_map: TurnMap) -> Element:
    kind = "jpeg" if is_jpeg(turn_map.data) else "png"
    source = f"data:image/{kind};base64,{b64encode(turn_map.data).decode()}"
    return element("img", src=source, alt=turn_map.words)


def _build_entry(facts: ReportFacts, entry: Entry, picture: TurnMap | None, reckoning: bool) -> Element:
    report = entry.report
    number = element("span", entry.shown_number, class_="number")
    if entry.undone:
        undone = element("p", number, " ", element("s", report.headline), " ", element("i", "taken back"))
        return element("article", undone)
    parts = [element("p", number, " ", element("b", report.headline))]
    if picture is not None:
        parts.append(element("figure", _build_image(picture)))
    if report.whole_outcome:
        parts.append(element("p", report.whole_outcome))
    if events := facts.turn_event_lines(entry):
        parts.append(element("ul", *(element("li", line) for line in events)))
    if report.steps and reckoning:
        steps = element("ul", *(element("li", step_in_words(step)) for step in report.steps))
        parts.append(element("details", element("summary", "The reckoning"), steps))
    return element("article", *parts)


def _build_last_part(facts: ReportFacts, maps: Maps) -> Element:
    parts = [element("h2", facts.last_heading)]
    if facts.verdict is not None:
        result, reason = facts.verdict
        parts.append(element("p", element("b", f"{result}."), f" {reason}"))
    if NOW in maps:
        parts.append(_build_map(maps[NOW]))
    for army in facts.armies:
        units = (element("li", element("b", card.name), f": {card.line}") for card in army.units)
        parts.append(element("h3", army.name))
        parts += [element("p", army.left)] if army.left else []
        parts.append(element("details", element("summary", "Unit by unit"), element("ul", *units)))
    return element("section", *parts, id="end")


def _build_annexes(facts: ReportFacts) -> Iterable[Element]:
    for at, annex in enumerate(facts.annexes):
        parts = (
            element("details", element("summary", heading), element("ul", *(element("li", line) for line in lines)))
            for heading, lines in annex.parts
        )
        yield element("section", element("h2", annex.title), *parts, id=_annex_anchor(at))


def _annex_anchor(at: int) -> str:
    return f"annex-{at + 1}"


def _build_luck(facts: ReportFacts) -> Iterable[Element]:
    lines = [element("li", element("b", name), f": {luck}") for name, luck in facts.luck]
    if lines:
        yield element("section", element("h2", "Luck"), element("ul", *lines), id="luck")


def _build_seeds(facts: ReportFacts) -> Element:
    seeds = (
        element("li", f"{name}, sealed as ", element("code", seal), ": ", element("code", secret or "not revealed yet"))
        for name, seal, secret in facts.seeds
    )
    return element("section", element("h2", "The dice"), element("ul", *seeds), id="dice")
