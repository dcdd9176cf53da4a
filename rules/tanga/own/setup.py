"""Setting up a player's own scenario, its MG markers dealt unseen (TA-1)."""

from collections.abc import Iterator, Mapping

from rules.core.dice import Dice
from rules.core.listed import Scenario
from rules.core.play import Play
from rules.core.refused import Refused
from rules.tanga.combat.reveal import deal
from rules.tanga.maps import OwnMap
from rules.tanga.model import BRITISH, GERMAN, Formation, Hours, Kind, Phase, TangaState, TangaUnit
from rules.tanga.options import TangaOptions
from rules.tanga.setup import SIDES

from .counters import unit_id
from .document import OwnFormation, OwnScenario
from .reading import read


def listed(document: bytes) -> Scenario:
    """The scenario of a document as lists show it. Raises Refused with the place of what is wrong."""
    scenario, _ = read(document)
    return Scenario(
        id=scenario.id,
        title=scenario.title,
        briefing=scenario.briefing,
        sides=tuple(side.name for side in SIDES),
        turns=scenario.turns,
    )


def setup_own(document: bytes, choices: Mapping[str, str], dice: Dice) -> TangaState:
    """The state that a document's scenario starts from. Raises Refused before anything is thrown."""
    scenario, own = read(document)
    if choices:
        raise Refused(f"{scenario.title} leaves nothing to choose. Leave out “{next(iter(choices))[:40]}”.")
    play = Play(_state(scenario, own), dice)
    for formation in scenario.formations:
        if formation.hidden_gun:
            deal(play, formation.id)
    return play.state


def _state(scenario: OwnScenario, own: OwnMap) -> TangaState:
    """The game before the MG markers are dealt."""
    units = {unit.id: unit for formation in scenario.formations for unit in _units(formation, scenario, own)}
    first = scenario.begins
    return TangaState(
        ruleset="tanga",
        scenario=scenario.id,
        sides=SIDES,
        active=BRITISH,
        phase=Phase.BRITISH.value,
        units=units,
        options=TangaOptions(**dict(scenario.options)),
        formations={one.id: _formation(one, order) for order, one in enumerate(scenario.formations, start=1)},
        improved=tuple(sorted(set(scenario.improved))),
        turns=scenario.turns,
        hours=Hours(first=first, minutes=scenario.minutes, turns_a_day=scenario.turns_a_day) if first else None,
        objectives=dict.fromkeys(own.victory, 0) if scenario.needed is None else scenario.needed.kinds,
        own=own,
    )


def _formation(one: OwnFormation, order: int) -> Formation:
    side = GERMAN if one.kind is Kind.COMPANY else BRITISH
    told = one.model_dump(include={"id", "name", "short", "kind", "fbn", "arrives", "by_train"})
    return Formation(**told, side=side, order=order, beach=one.beach or "")


def _units(formation: OwnFormation, scenario: OwnScenario, own: OwnMap) -> Iterator[TangaUnit]:
    landing = {hex_ for beach in own.beaches for hex_ in (beach.beach, beach.head)}
    for unit in formation.units:
        full = unit.rounds if unit.rounds_full is None else unit.rounds_full
        yield TangaUnit(
            **unit.model_dump(exclude={"id", "at", "rounds_full"}),
            id=unit_id(formation, unit),
            side=GERMAN if formation.kind is Kind.COMPANY else BRITISH,
            formation=formation.id,
            at=unit.at,
            rounds_full=full,
            inland=unit.at is not None and unit.at not in landing,
            fires_within=scenario.options.standing_within,
        )
