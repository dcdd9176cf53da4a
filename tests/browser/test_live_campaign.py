"""A campaign of two players on two pages, a telephone and a desk: eight days, battles by hand, by bot and by form."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .campaign_hand import CampaignHand
from .finger import YOURS
from .live_map import LiveChannel, LiveTable, telephone
from .test_live_turns import north, order, south

pytestmark = pytest.mark.soak
DAYS, MOST_ROUNDS, ORDERED = 8, 40, 2
"""Days that are played, rounds of a battle by hand, and units that are ordered in each of its turns."""
LOOKS = os.environ.get("UMPIRE_LOOKS")
"""Folder for screenshots; none are taken without it."""
SUAKIN = "1406"


@pytest.fixture
def live(browser: Browser, tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path)
    yield table
    table.close()


class Play:
    """The campaign being played: its channel, the channel of its battles, and both players' pages."""

    def __init__(self, live: LiveTable, browser: Browser) -> None:
        self.live, self.campaign, self.field = live, live.channel(0), live.channel(1)
        self.campaign.start("campaign", "suakin-1884", "graham", "osman-digna")
        self.contexts = {"first": telephone(browser), "second": telephone(browser, 1440, 900)}
        self.faults: list[str] = []
        self.graham, self.osman = (self.open(self.campaign, who) for who in self.contexts)
        expect(self.graham.page.get_by_text("No new orders")).to_be_visible()
        self.fought: list[str] = []
        self._looks = 0

    def open(self, channel: LiveChannel, who: str) -> CampaignHand:
        """Open a person's page of a channel's game."""
        context: BrowserContext = self.contexts[who]
        hand = CampaignHand(channel.open(context, who))
        hand.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        return hand

    def open_for(self, who: str, browser: Browser) -> CampaignHand:
        """Open the campaign's page of somebody else on a telephone."""
        self.contexts[who] = telephone(browser)
        return self.open(self.campaign, who)

    def look(self, hand: CampaignHand, name: str) -> None:
        """Take a screenshot, if they are wanted."""
        self._looks += 1
        if LOOKS:
            hand.page.wait_for_timeout(400)
            hand.page.screenshot(path=Path(LOOKS) / f"{self._looks:02}-{name}.png")

    def battles(self) -> dict[str, str]:
        """Return the open battles' hexes with the words of the map."""
        notes = self.graham.view()["map"]["notes"]
        return {one["hex"]: one["words"] for one in notes if one["kind"] == "battle"}

    def wait_until_settled(self, hex_: str) -> None:
        """Wait until a battle's result is on the map."""
        for _ in range(60):
            if hex_ not in self.battles():
                return
            self.graham.page.wait_for_timeout(1000)
        raise AssertionError(f"the battle in {hex_} has no result: {self.campaign.read('umpire')[-2:]}")

    # Battles.

    def fight(self, hex_: str) -> None:
        """Fight the first battle by hand, those at Suakin by the umpire's form, and any other by the bot.

        If the bot lost Suakin, the campaign would be over.
        """
        how = self.by_form if hex_ == SUAKIN else self.by_bot if self.fought else self.by_hand
        how(hex_)
        self.wait_until_settled(hex_)
        self.fought.append(how.__name__)

    def by_bot(self, hex_: str) -> None:
        """Let the bot fight it on both sides."""
        self.campaign.give("umpire", "campaign fight", battle=hex_, by="the bot")

    def by_form(self, hex_: str) -> None:
        """Enter a result: the British hold the field, and nobody is lost."""
        self.campaign.give("umpire", "campaign result", battle=hex_, field="British")

    def by_hand(self, hex_: str) -> None:
        """Fight it to its end on both pages, which are reached from the campaign's map."""
        chat = self.campaign.chat
        self.live.run(chat.umpire.slash(chat.channel, "campaign fight", channel=self.field.chat.channel))
        self.field.give("umpire", "turn next")
        for hand in (self.graham, self.osman):
            hand.to_orders()
            hand.show_hexes(hex_)
            hand.tap(hand.centre(hex_))
            self.look(hand, "a hex with a battle")
            hand.press("Look at this battle")
            expect(hand.page.locator("#turn")).not_to_have_text(re.compile("Day"))
        self._play_out()
        self.look(self.graham, "the battle's end")
        for hand in (self.graham, self.osman):
            hand.page.close()
        self.graham, self.osman = (self.open(self.campaign, who) for who in self.contexts)

    def _play_out(self) -> None:
        ways = ((self.graham, south), (self.osman, north))
        for round_ in range(MOST_ROUNDS):
            for hand, forward in ways:
                view = hand.view()
                if view["game"]["over"] or view["game"]["ended"]:
                    return
                if not view["waiting"].startswith(YOURS):
                    continue
                hand.to_orders()
                own = [one["id"] for one in view["units"] if one["side"] == view["seat"]["side"] and one.get("at")]
                if not any(one["required"] for one in view["prompts"]) and round_ < 2:
                    for unit in own[:ORDERED]:
                        order(hand, unit, forward)
                    self.look(hand, "orders of a battle")
                hand.end_turn()
        raise AssertionError("the battle does not end")

    # Days.

    def end_day(self) -> None:
        """Both are ready: the desk first, then the telephone, which is told the day."""
        day = self.graham.view()["game"]["turn"]
        self.osman.be_ready()
        if day.startswith("Day 1 "):
            expect(self.osman.page.get_by_text("You are ready.")).to_be_visible()
        self.graham.be_ready()
        told = self.graham.view()
        if told["game"]["over"]:
            return
        assert told["game"]["turn"] != day, (told["waiting"], self.fought)
        for hand in (self.graham, self.osman):
            expect(hand.page.locator("#turn")).not_to_have_text(day)
        self.look(self.graham, "a day is told")
        self.graham.to_orders()

    def send(self, hand: CampaignHand, column: str, goal: str, *conduct: str) -> None:
        """Order a column to a hex by a tap, with these buttons, if it can be ordered."""
        hand.to_orders()
        if column not in hand.free_columns() or hand.hex_of(column) == goal:
            return
        hand.pick(column)
        hand.show_hexes(goal)
        hand.point_at(goal)
        if hand.drafted():
            hand.choose(*conduct)
            self.look(hand, f"{column} to {goal}")
            hand.add()
        hand.deselect()


def test_a_campaign_of_eight_days_is_played_on_a_telephone_and_on_a_desk(live: LiveTable, browser: Browser) -> None:
    play = Play(live, browser)
    graham, osman = play.graham, play.osman
    play.look(graham, "the first day")
    graham.select("graham-s-column")
    play.look(graham, "a column")
    graham.show_hexes("2416", "2316", "2317", "2318")
    graham.draw("2416", "2316", "2317", "2318", "2317", "2318")
    expect(graham.page.locator("#panel-body h2")).to_have_text("Graham's column: 2316 2317 2318")
    graham.choose("Attack")
    expect(graham.page.get_by_text("2318 (El Teb) (impulse 12)")).to_be_visible()
    play.look(graham, "a drawn way")
    graham.add()

    osman.select("camp-of-tamai")
    osman.press_exactly("Split off …")
    osman.press_exactly("First Hadendoa")
    osman.page.get_by_placeholder("Name of the new column").fill("Raiders")
    play.look(osman, "a split")
    osman.press("Make the order")
    osman.add()
    osman.press_exactly("Do all")
    expect(osman.page.get_by_text("Camp of Tamai: First Hadendoa leave as Raiders.")).to_be_visible()
    osman.pick("osman-digna-raiders")
    osman.press_exactly("Fall back to …")
    play.look(osman, "where to fall back to")
    with osman._answered("/api/draft"):
        osman.page.get_by_label("Where to fall back to").select_option("1009")
    osman.add()
    play.look(osman, "the sheet")
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
        for hex_ in play.battles():
            play.fight(hex_)
        for who, column, goal, *conduct in plans.get(day, ()):
            play.send(play.graham if who == "graham" else play.osman, column, goal, *conduct)
        play.look(play.osman, f"day {day}")
        play.end_day()
        if play.graham.view()["game"]["over"]:
            break
    for hex_ in play.battles():
        play.fight(hex_)
    umpire, onlooker = (play.open_for(who, browser) for who in ("umpire", "onlooker"))
    play.look(umpire, "the umpire")
    play.look(onlooker, "an onlooker")
    assert onlooker.view()["game"]["over"] or not [one for one in onlooker.view()["units"] if one.get("at")]
    assert play.faults == []
    view = play.graham.view()
    assert {*play.fought} == {"by_hand", "by_bot", "by_form"} or view["game"]["over"], play.fought
    assert view["game"]["turn"].startswith(f"Day {DAYS + 1} ") or view["game"]["over"]
    print(
        f"{view['game']['turn']}: {view['game']['tally']} {play.fought}; {play.graham.taps} and {play.osman.taps} taps"
    )
