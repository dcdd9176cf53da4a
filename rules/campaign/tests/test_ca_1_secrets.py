"""Who knows what: views of a campaign, undone orders, and seals (CA-1.1, CA-1.9, CA-3.5, CA-5.6)."""

import json
from typing import Any

import pytest

from rules.campaign.intelligence import Dispatch, EnemySize, Sighting
from rules.campaign.model import Battle, CampaignState, SealedOrders
from rules.campaign.options import Knowledge
from rules.campaign.seals import battle_seed, list_sealed_orders, make_seal
from rules.campaign.secret_orders import SecretOrders
from rules.core.hidden_troops import acts_unseen
from rules.core.model import PUBLIC, UMPIRE
from rules.core.state import Verdict

from .country import BLUE, OPEN, RED, country, hex_at, make_map
from .dispatch_desk import campaign, seen_on
from .worlds import SYSTEM

SECRETS = SecretOrders()
KEEP = SECRETS.keep_hidden_facts
LINES = ("blue foot 0103", "green foot 0203", "red foot 0703", "red foot 0803")


def own(**fields: Any) -> CampaignState:
    """A country of two Blue commands, the chief and Green, in which each knows its own."""
    return country(make_map(OPEN), *LINES, blues=(BLUE, "green"), knowledge=Knowledge.OWN, **fields)


def shared(**fields: Any) -> CampaignState:
    return country(make_map(OPEN), *LINES, blues=(BLUE, "green"), **fields)


def test_commands_keep_secrets_until_the_campaign_is_over() -> None:
    state = shared()
    over = state.model_copy(update={"over": Verdict(winner=None, why="It is over.")})
    for now, is_open in ((state, True), (over, False)):
        assert SECRETS.can_have_hidden_units(now) is is_open
        assert SECRETS.is_fully_public(now) is not is_open
        assert acts_unseen(SECRETS, now, "blue-foot") is is_open
        assert acts_unseen(SECRETS, now, None) is is_open


def test_1_1_who_acted_today_is_known_to_the_command_and_its_chief() -> None:
    everybody = (BLUE, "green", RED)
    state = shared(wrote=everybody, deputised=everybody)
    for viewer, commands in (
        (BLUE, (BLUE, "green")),
        ("green", ("green",)),
        (RED, (RED,)),
        (PUBLIC, ()),
        (UMPIRE, everybody),
    ):
        view = SYSTEM.view(state, viewer)
        assert (view.wrote, view.deputised) == (commands, commands)


def test_1_1_cards_leave_out_orders_that_are_not_read() -> None:
    state = shared()
    for viewer, readable in (
        (BLUE, {"blue-foot", "green-foot"}),
        ("green", {"green-foot"}),
        (RED, {"red-foot", "red-foot-2"}),
    ):
        cards = SYSTEM.roster(state, viewer)
        assert {card.id for card in cards if "hold" in card.line} == readable
        assert {card.id for card in cards if "Orders" in dict(card.details)} == readable
    assert all("hold" in card.line for card in SYSTEM.roster(state, UMPIRE))


def test_3_5_a_view_has_the_own_looks_sightings_and_figures() -> None:
    state = own()
    begun = tuple(power.model_copy(update={"began_with": 50}) for power in state.powers)
    state = state.model_copy(update={"powers": begun})
    assert state.looked[RED]
    for viewer in (BLUE, "green", RED):
        view = SYSTEM.view(state, viewer)
        assert {*view.looked} == {*view.sightings} == {viewer}
    public = SYSTEM.view(state, PUBLIC)
    assert [{*part} for part in (public.looked, public.sightings, public.units, public.dispatches)] == [set()] * 4
    assert [power.began_with for power in public.powers] == [0, 0]
    assert [power.began_with for power in SYSTEM.view(shared(), BLUE).powers] == [0, 0]
    all_known = shared().model_copy(update={"powers": begun})
    assert [power.began_with for power in SYSTEM.view(all_known, BLUE).powers] == [50, 0]
    assert {*SYSTEM.view(all_known, "green").sightings} == {BLUE, "green"}


def test_5_6_a_battle_is_seen_by_those_who_are_in_it() -> None:
    fight = Battle(
        id="battle",
        at=hex_at("0203"),
        day=1,
        columns=("green-foot", "red-foot", "gone"),
        edges={"red-foot": hex_at("0204")},
        late={"green-foot": 2, "red-foot": 3},
    )
    state = own(battles={"battle": fight})
    assert SYSTEM.view(state, "green").battles["battle"] == fight.model_copy(update={"late": {"green-foot": 2}})
    assert SYSTEM.view(state, RED).battles["battle"] == fight.model_copy(update={"late": {"red-foot": 3}})
    for viewer in (BLUE, PUBLIC):
        assert SYSTEM.view(state, viewer).battles["battle"] == Battle(id="battle", at=hex_at("0203"), day=1, columns=())


def test_1_9_sealed_orders_are_read_by_the_command_and_its_chief() -> None:
    text = json.dumps({"green foot": shared().unit("green-foot").orders.model_dump(mode="json")})
    sealed = SealedOrders(day=1, command="green", seal=make_seal(text, "7"), orders=text, salt="7")
    none = SealedOrders(day=1, command=RED, seal="abc", orders="{}", salt="8")
    state = shared(seals=(sealed, none))
    (annex,) = list_sealed_orders(SYSTEM.view(state, BLUE))
    assert annex.title == "Sealed orders"
    lines = ("green foot: stays, hold", f"Seal {sealed.seal}, genuine; salt 7")
    assert [*annex.parts] == [("Day 1, Green", lines)]
    assert list_sealed_orders(SYSTEM.view(state, PUBLIC)) == ()
    (annex,) = list_sealed_orders(SYSTEM.view(state, RED))
    assert [*annex.parts] == [("Day 1, Red", ("no column", "Seal abc, NOT that of these orders; salt 8"))]


def test_5_7_a_battles_seed_follows_from_the_seals_of_its_day() -> None:
    seals = tuple(SealedOrders(day=day, command=BLUE, seal=f"seal {day}") for day in (1, 2))
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=())
    seed = battle_seed(shared(seals=seals), fight)
    assert seed == battle_seed(shared(seals=seals[:1]), fight)
    assert len({seed, battle_seed(shared(seals=seals), fight.model_copy(update={"day": 2}))}) == 2


def test_1_1_an_undo_restores_the_commands_own_orders_and_keeps_the_rest() -> None:
    before = shared(wrote=("green",), deputised=(RED,))
    fight = Battle(id="battle", at=hex_at("0703"), day=1, columns=())
    now = before.model_copy(
        update={
            "units": {key: column.model_copy(update={"supply": 1}) for key, column in before.units.items()},
            "wrote": (BLUE, RED),
            "deputised": ("green",),
            "powers": tuple(power.model_copy(update={"began_with": 7}) for power in before.powers),
        }
    )
    chief = KEEP(before, now, BLUE)
    assert {key: column.supply for key, column in chief.units.items()} == {
        "blue-foot": 6,
        "green-foot": 1,
        "red-foot": 1,
        "red-foot-2": 1,
    }
    assert (chief.wrote, chief.deputised, chief.powers) == ((RED,), ("green",), now.powers)
    absent = now.model_copy(update={"missed": {"green": 2}})
    deputy = KEEP(before, absent, BLUE)
    assert [key for key, column in deputy.units.items() if column.supply == 6] == ["blue-foot", "green-foot"]
    assert (deputy.wrote, deputy.deputised) == ((RED, "green"), ())
    green = KEEP(before, now, "green")
    assert [key for key, column in green.units.items() if column.supply == 6] == ["green-foot"]
    assert (green.wrote, green.deputised) == ((BLUE, RED, "green"), ())
    assert KEEP(before, now, UMPIRE) is before
    for change in ({"turn": 2}, {"is_withheld": True}, {"battles": {"battle": fight}}):
        assert KEEP(before, now.model_copy(update=change), BLUE) is before


def test_7_1_an_undo_of_something_else_keeps_what_dispatches_told() -> None:
    before = campaign(make_map(OPEN), "blue foot 0103", "green foot 0103", "red foot 0907", turn=3)
    dispatch = Dispatch(day=3, sender=BLUE, to="green", text="News.", arrived=3, sightings={hex_at("0503"): seen_on(3)})
    rode = dispatch.model_copy(update={"day": 1, "rode": 2, "sightings": {hex_at("0504"): seen_on(2)}})
    both = {hex_at("0503"): seen_on(3), hex_at("0504"): seen_on(2)}
    now = before.model_copy(update={"dispatches": (rode, dispatch), "sightings": {**before.sightings, "green": both}})
    assert KEEP(before, now, "green").sightings["green"] == both
    assert KEEP(before, now, RED).sightings["green"] == both
    assert hex_at("0503") not in KEEP(before, now, BLUE).sightings["green"]


@pytest.mark.parametrize(("size", "article"), [(EnemySize.PARTY, "a party"), (EnemySize.ARMY, "an army")])
def test_3_2_a_size_in_words(size: EnemySize, article: str) -> None:
    sighting = Sighting(day=1, distance=2, size=size)
    assert (sighting.in_words, sighting.in_short) == (article, article)
    near = sighting.model_copy(update={"figures": 40, "paces": frozenset(("mounted", "foot"))})
    assert (near.in_words, near.in_short) == ("foot and mounted, about 40", "about 40")
    present = near.model_copy(update={"figures": 36, "columns": ("Guard", "Rear")})
    assert (present.in_words, present.in_short) == ("Guard, Rear: foot and mounted, 36", "Guard, Rear, 36")
