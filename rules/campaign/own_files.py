"""Campaigns that users write: one TOML file with the map's text, or a TOML file and a map file."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json
from typing_extensions import override

from rules.core.catalog import Scenario
from rules.core.dice import Dice
from rules.core.documents import DocumentReader
from rules.core.faults import Fault
from rules.core.hexboard.map_file import LineFault
from rules.core.line_numbers import find_line_number, line_numbers_by_path
from rules.core.model import Path
from rules.core.own_battles import NOT_WRITTEN, OwnBattles
from rules.core.refusal import Refused
from rules.core.tabletop.battle_reader import make_file_refusal, parse_text

from .file_faults import TroopsBySystem, find_faults
from .ground import read_map_text
from .maps import read_own_map
from .model import CampaignState
from .scenarios import FIGURES_OF_TROOP, SCENARIOS, CampaignScenario

MOST_BYTES = 160 * 1024
"""Maximum size in bytes of a campaign's file and its map file together; the longest shipped files have 10,000."""
MOST_CHECKED = 250
"""Maximum number of validation errors described to the user."""
MAP, QUOTES = "map_text", "'''"
CAMPAIGN_FILE, MAP_FILE = "the campaign", "the map"
"""Names of the two files in faults, if the user gives two files."""


class OwnCampaigns(OwnBattles[CampaignState]):
    """Reader of campaigns from users' files."""

    def __init__(self, armies: TroopsBySystem) -> None:
        self._armies = armies

    @override
    def read(self, document: bytes) -> Scenario:
        return self._read(_decode_file(document)).catalogue_entry

    @override
    def set_up(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> CampaignState:
        campaign = self._read(_decode_file(document))
        if choices:
            raise Refused(f"{campaign.title} leaves nothing to choose.")
        return campaign.setup(dice).model_copy(update={"title": campaign.title})

    @override
    def join(self, document: bytes, map_document: bytes) -> bytes:
        """Return the campaign's file with the map's text included. Raises Refused with the faults of both files."""
        text, map_ = _decode_file(document), _decode_file(map_document)
        size = len(document) + len(map_document)
        if size > MOST_BYTES:
            raise Refused(f"The files have {size:,} bytes together; the limit is {MOST_BYTES:,}.")
        if text.lstrip().startswith("{"):
            raise Refused("The file is JSON. Write a campaign as TOML, or put the map into map_text.")
        if QUOTES in map_:
            raise Refused(f"{MAP_FILE}: three quotation marks in a row, {QUOTES}, are not allowed in it.")
        self._read(text, map_)
        return f"{MAP} = {QUOTES}\n{map_}\n{QUOTES}\n{text}".encode()

    @override
    def write(self, state: CampaignState, scenario: str, title: str, briefing: str = "") -> bytes:
        raise Refused(NOT_WRITTEN.format(system="Campaign"))

    @property
    @override
    def schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of a file, with the troops of each battle system under `troops`."""
        return {
            "troops": {system: list(troops) for system, troops in self._armies.items()},
            **_make_document_reader().schema,
        }

    @override
    def shipped_file(self, scenario: str) -> tuple[str, str] | None:
        """Return a shipped campaign as one file, with the text of its map."""
        map_, text = read_map_text(SCENARIOS.all[scenario].map), SCENARIOS.text(scenario)
        return f"{scenario}.toml", f"{MAP} = {QUOTES}\n{map_}{QUOTES}\n{text}"

    def _read(self, text: str, map_: str | None = None) -> CampaignScenario:
        """Parse a campaign's file and the text `map_` of a map file, if any. Raises Refused with all faults."""
        data, repeated = parse_text(text)
        if repeated:
            raise _make_refusal(repeated, text, map_)
        if map_ is not None:
            if MAP in data:
                why = "The map is given twice: in map_text of the file, and as a file of its own. Leave one out."
                raise Refused(why)
            data = {**data, MAP: map_}
        try:
            campaign = CampaignScenario.model_validate_json(to_json(data, inf_nan_mode="strings"))
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)[:MOST_CHECKED]
            faults = [Fault(path, why) for path, why in _make_document_reader().schema_faults(errors)]
            faults += _find_content_faults(data, [error["loc"] for error in errors], self._armies)
            raise _make_refusal(faults, text, map_, data.get(MAP, "")) from None
        if content_faults := list(find_faults(campaign, self._armies)):
            raise _make_refusal(content_faults, text, map_, campaign.map_text)
        return campaign


def _decode_file(document: bytes) -> str:
    """Return the text of a file. Raises Refused if the file is too large, or not text."""
    if len(document) > MOST_BYTES:
        raise Refused(f"The file has {len(document):,} bytes; the limit is {MOST_BYTES:,}.")
    try:
        text = document.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"The file is not text in UTF-8: byte {error.start} is invalid. Save it as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


@cache
def _make_document_reader() -> DocumentReader:
    words = {FIGURES_OF_TROOP: "figures and a troop, such as 18 british-breechloaders"}
    return DocumentReader(CampaignScenario, words, {})


STAND_INS: Mapping[str, Any] = {"id": "mine", "title": "Mine", "briefing": "", "days": 60, "margin": 0}
"""Values in place of required values that are missing or wrong, so that the rest of the file can be checked."""


def _find_content_faults(data: Mapping[str, Any], wrong: Sequence[Path], armies: TroopsBySystem) -> Iterable[Fault]:
    """Return the faults of a file's content, leaving out or replacing values of the wrong type.

    `wrong` are the paths of these values. If the file is still invalid, only the map is checked.
    """
    usable = json.loads(to_json(data, inf_nan_mode="strings"))
    for path in sorted({path for path in wrong if path}, key=lambda path: [str(part).rjust(9) for part in path])[::-1]:
        _delete_value(usable, path)
    usable = {**STAND_INS, **usable}
    try:
        faults = find_faults(CampaignScenario.model_validate_json(json.dumps(usable)), armies)
        return [fault for fault in faults if not any(path[: len(fault.place)] == fault.place for path in wrong)]
    except ValidationError:
        text = data.get(MAP)
        of_map = read_own_map(text)[1] if isinstance(text, str) and text else ()
        return [Fault((MAP, line), why) for line, why in of_map]


def _delete_value(value: Any, path: Path) -> None:
    """Delete the value at a path of the data. Ignore a missing value."""
    *inside, last = path
    try:
        for part in inside:
            value = value[part]
        del value[last]
    except (LookupError, TypeError):
        return


def _make_refusal(faults: Iterable[Fault], text: str, map_: str | None, in_file: object = "") -> Refused:
    """Return a refusal with the number of faults and the first faults, each with its file and line.

    `map_` is the text of a separate map file. Without one, `in_file` is the map's text inside the file.
    """
    lines = line_numbers_by_path(text)
    numbered: list[tuple[int, LineFault]] = []
    for place, why in faults:
        of_map = place[1] if place[:1] == (MAP,) and len(place) == 2 and isinstance(place[1], int) else None
        if of_map is None:
            numbered.append((0, LineFault(find_line_number(lines, place) or 0, why)))
        elif map_ is not None:
            numbered.append((1, LineFault(of_map, why)))
        else:
            start = find_line_number(lines, (MAP,)) or 0
            numbered.append((0, _renumber_map_fault(LineFault(of_map, why), start, text, str(in_file))))
    numbered.sort(key=lambda row: (row[0], row[1].line))
    rows = []
    for file, fault in numbered:
        name = "" if map_ is None else (CAMPAIGN_FILE, MAP_FILE)[file]
        place_in_words = ", ".join(filter(None, (name, f"line {fault.line}" if fault.line else "")))
        rows.append(f"{place_in_words}: {fault.why}" if place_in_words else fault.why)
    return make_file_refusal("The campaign was not accepted", rows)


def _renumber_map_fault(fault: LineFault, start: int, text: str, map_: str) -> LineFault:
    """Return a map's fault with its line number in the campaign file, whose map begins at line `start`.

    If the line is not found there, give `start`, and name the map's own line in words.
    """
    if not fault.line:
        return LineFault(start, fault.why)
    map_line, file_lines = map_.splitlines()[fault.line - 1].strip(), text.split("\n")
    for line in (start + fault.line, start + fault.line - 1):
        if line <= len(file_lines) and file_lines[line - 1].strip().rstrip("'\"").endswith(map_line):
            return LineFault(line, fault.why)
    return LineFault(start, f"line {fault.line} of the map: {fault.why}")
