"""How the bot judges orders: by what its own command has sighted."""

from rules.campaign.model import Sighting, Size
from rules.campaign.plans import enemies_near, threat_to
from rules.core.hexboard.hexes import Hex

from .country import BLUE, OPEN, RED, country, make_map

GOAL = Hex.labelled("0503")


def test_a_command_fears_what_it_has_sighted_itself() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0803", points=["Well 0503 blue well 3"])
    army = {GOAL: Sighting(day=1, distance=2, size=Size.ARMY)}
    power = state.powers[0].model_copy(update={"commands": (BLUE, "second"), "chief": "second"})
    sighted = state.model_copy(update={"powers": (power, state.powers[1]), "sightings": {BLUE: army, RED: {}}})
    assert enemies_near(sighted, BLUE, GOAL) == 200
    assert threat_to(sighted, BLUE, sighted.points["Well"]) == 200
    assert enemies_near(sighted, "second", GOAL) == 0
