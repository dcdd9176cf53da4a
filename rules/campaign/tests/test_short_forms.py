"""Short forms of order lines, spelled out as the orders that they mean."""

import pytest

from rules.campaign.model import CampaignState
from rules.campaign.short_forms import expand_short_forms
from rules.core.refusal import Refused

from .country import OPEN, country, make_map

NAMED = make_map(OPEN, "name 0503: El Teb", "name 0505: Tokar", "name 0203: Trinkitat")
AHEAD = "Orders hold from now on; none waits for another. Write one per line, and a way as “to El Teb via Tokar”."
ON_SIGHT = "On sight of the enemy a column can halt, fall back to a place that you name, or carry on."


def state() -> CampaignState:
    """A campaign of two blue columns on its third day."""
    return country(NAMED, "blue mixed 0203", "blue guns 0305", "red foot 0807", turn=3)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("blue guns: to El Teb, attack", "blue guns: to El Teb, attack"),
        ("blue guns: if enemy seen: halt", "blue guns: halt on sight"),
        ("blue guns: to El Teb; if we see the enemy, stop", "blue guns: to El Teb, halt on sight"),
        ("blue guns: on sight of the enemy fall back to Trinkitat", "blue guns: on sight back to Trinkitat"),
        ("blue guns: retire to Trinkitat if enemy seen", "blue guns: on sight back to Trinkitat"),
        ("blue guns: keep going if enemy seen", "blue guns: carry on"),
        ("blue guns: 0305 -> 0304 then 0303", "blue guns: 0305 0304 0303"),
        ("blue guns: wait until tomorrow", "blue guns: wait until day 4"),
        ("blue guns: wait until day 7", "blue guns: wait until day 7"),
        ("blue guns: wait 2 days", "blue guns: wait until day 5"),
        ("blue guns: wait a day", "blue guns: wait until day 4"),
        ("blue guns: wait three days then to El Teb", "blue guns: to El Teb wait until day 6"),
        ("blue guns: attack the enemy at El Teb", "blue guns: attack El Teb"),
        ("blue guns: to Tokar via El Teb", "blue guns: to 0503 0505"),
        ("blue guns: via El Teb to Tokar", "blue guns: to 0503 0505"),
        ("blue guns: to El Teb, then on to Tokar", "blue guns: to 0503 0505"),
        ("blue guns: to Tokar through El Teb and Trinkitat", "blue guns: to 0503 0203 0505"),
        ("blue guns: to Tokar through El Teb and attack", "blue guns: to 0503 0505 and attack"),
        ("blue guns: to Tokar via Atlantis", "blue guns: to Tokar via Atlantis"),
        ("split mounted as Left wing", "blue mixed split Left wing units mounted"),
        ("blue mixed: split off the foot and mounted as “All”", "blue mixed split All units foot, mounted"),
        ("detach foot from blue mixed as Flying column", "blue mixed split Flying column units foot"),
        ("split foot as Rear with the wagon", "blue mixed split Rear units foot wagon yes"),
        ("split Krupps as Left wing", "split Krupps as Left wing"),
    ],
)
def test_a_short_form_is_spelled_out(text: str, means: str) -> None:
    assert expand_short_forms(state(), "blue", text) == means


def test_a_split_without_its_column_needs_one_column_with_that_unit() -> None:
    two = country(NAMED, "blue foot 0203", "blue foot 0305", "red foot 0807")
    assert expand_short_forms(two, "blue", "split foot as Rear") == "split foot as Rear"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("blue guns: attack then hold", AHEAD),
        ("blue guns: if enemy seen attack", ON_SIGHT),
        ("blue guns: if enemy seen fall back", ON_SIGHT),
        (
            "blue guns: to El Teb then dig  in",
            "Orders hold from now on, so it would dig in at once. Order the march now, and “dig in” later.",
        ),
        ("blue guns: dig  in until day 4", "“Dig in” lasts until you order something else. Write it without a day."),
        ("blue mixed split foot", "Name the new column: “blue mixed split foot as Flying column”."),
        (
            "fall back to El Teb if enemy seen",
            "Who is to do that? Begin with a column: “blue mixed: fall back to El Teb if enemy seen”.",
        ),
        ("if enemy seen: halt", "Who is to do that? Begin with a column: “blue mixed: if enemy seen: halt”."),
        ("blue mixed split foot as", "Name the new column: “blue mixed split foot as Flying column”."),
        ("split off foot.", "Name the new column: “split foot as Flying column”."),
    ],
)
def test_what_orders_cannot_say_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        expand_short_forms(state(), "blue", text)
    assert str(refused.value) == why


def test_the_example_of_a_way_names_places_of_this_map() -> None:
    elsewhere = country(make_map(OPEN, "name 0503: Utrecht", "name 0505: Dundee"), "blue guns 0305", "red foot 0807")
    with pytest.raises(Refused, match="a way as “to Utrecht via Dundee”"):
        expand_short_forms(elsewhere, "blue", "blue guns: march, then fight")
