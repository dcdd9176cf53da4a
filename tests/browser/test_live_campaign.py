"""A campaign of two players, on a telephone and a desktop: eight days, battles by hand, by bot and by form."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .campaign_hand import CampaignHand
from .finger import YOUR_TURN
from .live_map import LiveChannel, LiveTable, open_telephone
from .test_live_turns import north, order_unit, south

pytestmark = pytest.mark.soak
DAYS, MAX_ROUNDS, ORDERED_UNITS = 8, 40, 2
"""Days to play; maximum rounds of a battle by hand; units to order in each turn of a battle."""
SCREENSHOTS = os.environ.get("UMPIRE_LOOKS")
"""Folder for screenshots, or None to take no screenshots."""
SUAKIN = "1406"


@pytest.fixture
def live(browser: Browser, tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path)
    yield table
    table.close()


class CampaignPlay:
    """A campaign: its channel, a channel for battles, and both players' pages."""

    def __init__(self, live: LiveTable, browser: Browser) -> None:
        self.live, self.campaign, self.field = live, live.get_channel(0), live.get_channel(1)
        self.campaign.start("campaign", "suakin-1884", "graham", "osman-digna")
        self.contexts = {"first": open_telephone(browser), "second": open_telephone(browser, 1440, 900)}
        self.faults: list[str] = []
        self.graham, self.osman = (self.open(self.campaign, person) for person in self.contexts)
        expect(self.graham.page.get_by_text("No new orders")).to_be_visible()
        self.fights: list[str] = []
        self._screenshots = 0

    def open(self, channel: LiveChannel, person: str) -> CampaignHand:
        """Open a person's page of a channel's game."""
        context: BrowserContext = self.contexts[person]
        hand = CampaignHand(channel.open(context, person))
        hand.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        return hand

    def open_for(self, person: str, browser: Browser) -> CampaignHand:
        """Open the page of the umpire or an onlooker on a telephone."""
        self.contexts[person] = open_telephone(browser)
        return self.open(self.campaign, person)

    def take_screenshot(self, hand: CampaignHand, name: str) -> None:
        """Take a screenshot if a folder is set."""
        self._screenshots += 1
        if SCREENSHOTS:
            hand.page.wait_for_timeout(400)
            hand.page.screenshot(path=Path(SCREENSHOTS) / f"{self._screenshots:02}-{name}.png")

    def list_battles(self) -> dict[str, str]:
        """Return the hexes of open battles, with their notes on the map."""
        notes = self.graham.view()["map"]["notes"]
        return {note["hex"]: note["words"] for note in notes if note["kind"] == "battle"}

    def wait_until_settled(self, hex_: str) -> None:
        """Wait until the map shows the result of a battle."""
        for _ in range(60):
            if hex_ not in self.list_battles():
                return
            self.graham.page.wait_for_timeout(1000)
        raise AssertionError(f"the battle in {hex_} has no result: {self.campaign.read('umpire')[-2:]}")

    # Battles.

    def fight(self, hex_: str) -> None:
        """Fight the first battle by hand, battles at Suakin by the umpire's form, and other battles by the bot.

        The campaign would end if the bot lost Suakin.
        """
        fight = self.fight_by_form if hex_ == SUAKIN else self.fight_by_bot if self.fights else self.fight_by_hand
        fight(hex_)
        self.wait_until_settled(hex_)
        self.fights.append(fight.__name__)

    def fight_by_bot(self, hex_: str) -> None:
        """Let the bot fight the battle on both sides."""
        self.campaign.give("umpire", "campaign fight", battle=hex_, by="the bot")

    def fight_by_form(self, hex_: str) -> None:
        """Enter a result by form: the British hold the field without losses."""
        self.campaign.give("umpire", "campaign result", battle=hex_, field="British")

    def fight_by_hand(self, hex_: str) -> None:
        """Fight the battle to its end on both pages; open them from the campaign's map."""
        chat = self.campaign.chat
        self.live.run(chat.umpire.slash(chat.channel, "campaign fight", channel=self.field.chat.channel))
        self.field.give("umpire", "turn next")
        for hand in (self.graham, self.osman):
            hand.close_report()
            hand.show_hexes(hex_)
            hand.tap(hand.locate_hex(hex_))
            self.take_screenshot(hand, "a hex with a battle")
            hand.press("Look at this battle")
            expect(hand.page.locator("#turn")).not_to_have_text(re.compile("Day"))
        self._play_out()
        self.take_screenshot(self.graham, "the battle's end")
        for hand in (self.graham, self.osman):
            hand.page.close()
        self.graham, self.osman = (self.open(self.campaign, person) for person in self.contexts)

    def _play_out(self) -> None:
        players = ((self.graham, south), (self.osman, north))
        for round_ in range(MAX_ROUNDS):
            for hand, forward in players:
                view = hand.view()
                if view["game"]["over"] or view["game"]["ended"]:
                    return
                if not view["waiting"].startswith(YOUR_TURN):
                    continue
                hand.close_report()
                own = [unit["id"] for unit in view["units"] if unit["side"] == view["seat"]["side"] and unit.get("at")]
                if not any(prompt["required"] for prompt in view["prompts"]) and round_ < 2:
                    for unit in own[:ORDERED_UNITS]:
                        order_unit(hand, unit, forward)
                    self.take_screenshot(hand, "orders of a battle")
                hand.end_turn()
        raise AssertionError("the battle does not end")

    # Days.

    def end_day(self) -> None:
        """Declare both players ready, the desktop first. Require that both pages show the new day."""
        day = self.graham.view()["game"]["turn"]
        self.osman.declare_ready()
        if day.startswith("Day 1 "):
            self.osman.close_report()
            expect(self.osman.page.get_by_text("You are ready.")).to_be_visible()
        self.graham.declare_ready()
        news = self.graham.view()
        if news["game"]["over"]:
            return
        assert news["game"]["turn"] != day, (news["waiting"], self.fights)
        for hand in (self.graham, self.osman):
            expect(hand.page.locator("#turn")).not_to_have_text(day)
        self.take_screenshot(self.graham, "a day is told")
        self.graham.close_report()

    def order_column(self, hand: CampaignHand, column: str, goal: str, *conduct: str) -> None:
        """Order a column to the hex `goal` with these buttons of conduct, if the page allows the order."""
        hand.close_report()
        if column not in hand.list_free_columns() or hand.find_hex(column) == goal:
            return
        hand.select_from_list(column)
        hand.show_hexes(goal)
        hand.tap_goal(goal)
        if hand.can_add():
            hand.choose(*conduct)
            self.take_screenshot(hand, f"{column} to {goal}")
            hand.add_order()
        hand.deselect()


def test_two_players_play_eight_days_of_a_campaign(live: LiveTable, browser: Browser) -> None:
    play = CampaignPlay(live, browser)
    graham, osman = play.graham, play.osman
    play.take_screenshot(graham, "the first day")
    graham.select("graham-s-column")
    play.take_screenshot(graham, "a column")
    graham.show_hexes("2416", "2316", "2317", "2318")
    graham.draw("2416", "2316", "2317", "2318", "2317", "2318")
    expect(graham.page.locator("#panel-body h2")).to_have_text("Graham's column: 2316 2317 2318")
    graham.choose("Attack")
    expect(graham.page.get_by_text("2318 (El Teb) (impulse 12)")).to_be_visible()
    play.take_screenshot(graham, "a drawn way")
    graham.add_order()

    osman.select("camp-of-tamai")
    osman.press_exactly("Split off …")
    osman.press_exactly("First Hadendoa")
    osman.page.get_by_placeholder("Name of the new column").fill("Raiders")
    play.take_screenshot(osman, "a split")
    osman.press("Make the order")
    osman.add_order()
    osman.press_exactly("Do all")
    expect(osman.page.get_by_text("Camp of Tamai: First Hadendoa leave as Raiders.")).to_be_visible()
    osman.select_from_list("osman-digna-raiders")
    osman.press_exactly("Fall back to …")
    play.take_screenshot(osman, "where to fall back to")
    with osman._expect_answer("/api/draft"):
        osman.page.get_by_label("Where to fall back to").select_option("1009")
    osman.add_order()
    play.take_screenshot(osman, "the sheet")
    play.end_day()

    plans = {
        2: (
            ("graham", "graham-s-column", "2321", "Attack"),
            ("osman", "osman-digna-raiders", "1406", "Attack", "Carry on"),
        ),
        4: (("osman", "camelmen", "1406", "Attack"), ("osman", "osman-digna-raiders", "1406", "Attack")),
        5: (("graham", "graham-s-column", "2321", "Attack"),),
        6: (("osman", "camelmen", "1406", "Attack"), ("osman", "siege-of-tokar", "2318", "Attack")),
    }
    for day in range(2, DAYS + 1):
        for hex_ in play.list_battles():
            play.fight(hex_)
        for person, column, goal, *conduct in plans.get(day, ()):
            play.order_column(play.graham if person == "graham" else play.osman, column, goal, *conduct)
        play.take_screenshot(play.osman, f"day {day}")
        play.end_day()
        if play.graham.view()["game"]["over"]:
            break
    for hex_ in play.list_battles():
        play.fight(hex_)
    umpire, onlooker = (play.open_for(person, browser) for person in ("umpire", "onlooker"))
    play.take_screenshot(umpire, "the umpire")
    play.take_screenshot(onlooker, "an onlooker")
    assert onlooker.view()["game"]["over"] or not [unit for unit in onlooker.view()["units"] if unit.get("at")]
    assert play.faults == []
    view = play.graham.view()
    assert {*play.fights} == {"fight_by_hand", "fight_by_bot", "fight_by_form"} or view["game"]["over"], play.fights
    assert view["game"]["turn"].startswith(f"Day {DAYS + 1} ") or view["game"]["over"]
    print(
        f"{view['game']['turn']}: {view['game']['tally']} {play.fights}; {play.graham.taps} and {play.osman.taps} taps"
    )
