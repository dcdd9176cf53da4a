"""The local table as users see it: the page in a browser, seats, pictures, buttons, and a restart."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from render.text_size import TELEPHONE

from .table import LocalTable, Tab


@pytest.mark.soak
def test_game_on_the_page_continues_after_a_restart(
    tab: Callable[..., Tab], open_table: Callable[..., LocalTable], tmp_path: Path
) -> None:
    table = open_table()
    assert list(table.urls) == ["table-1", "table-2", "table-3", "table-4"]
    umpire = tab(table.urls["table-1"])
    umpire.expect_message("Games are kept")
    onlooker = tab(table.urls["table-1"])
    onlooker.sit("Onlooker")

    umpire.run("game new", rules="Magdala", scenario="Suakin")
    umpire.expect_message("Suakin 1885")
    onlooker.expect_message("Suakin 1885")

    # A brigade of 400: 30 dice certainly hit, and never remove half of it, which would skip the morale test.
    troop = "British regulars, breech"
    umpire.run("unit add", troop=troop, side="British", name="Brigade", figures="400")
    umpire.run("unit add", troop=troop, side="Army", name="Firing party", figures="90")
    onlooker.expect_message("adds Firing party")
    umpire.run("fire", unit="Firing party", target="Brigade", range="10")
    onlooker.expect_message("Firing party fire at Brigade")
    umpire.page.screenshot(path=tmp_path / "volley.png")
    umpire.press("Morale of Brigade")
    onlooker.expect_message(re.compile("2D6.*morale|morale.*2D6", re.IGNORECASE | re.DOTALL))
    expect(umpire.messages.last).to_be_in_viewport()
    umpire.page.screenshot(path=tmp_path / "morale.png")

    onlooker.write("fire")
    expect(onlooker.open_choices("target").filter(has_text="400 figures")).to_be_visible()

    onlooker.page.screenshot(path=tmp_path / "offered.png")
    umpire.run("move", unit="Amarar", to="forward")
    umpire.expect_message("Amarar move")
    umpire.expect_scrolled_to_end()
    umpire.page.screenshot(path=tmp_path / "move.png")

    umpire.run("game status")
    umpire.expect_message("Only you can see this")
    onlooker.expect_no_message("Only you can see this")
    umpire.page.screenshot(path=tmp_path / "status.png")
    onlooker.page.screenshot(path=tmp_path / "onlooker.png")

    assert table.stop(signal.SIGTERM) == 0
    for seat in (umpire, onlooker):
        seat.close()
    restarted = open_table(UMPIRE_WORKERS="0")
    tomorrow = tab(restarted.urls["table-1"])
    board = tomorrow.expect_message("Suakin 1885")
    expect(board).to_contain_text("Turn 1, Army of Osman Digna")
    tomorrow.expect_picture()
    tomorrow.page.screenshot(path=tmp_path / "tomorrow.png")
    tomorrow.go(restarted.urls["table-2"])
    tomorrow.expect_no_message("Suakin 1885")
    tomorrow.run("game status")
    tomorrow.expect_message("No game runs in this channel")
    assert restarted.stop(signal.SIGINT) == 0


def test_menus_give_orders_on_a_narrow_screen_and_the_page_stays_at_its_end(
    tab: Callable[..., Tab], table: LocalTable, tmp_path: Path
) -> None:
    player = tab(table.urls["table-2"], width=400, height=860)
    player.run("game new", rules="Magdala", scenario="Suakin")
    player.press("Play the Army")
    player.expect_message("plays the Army")
    player.press("Give orders")
    player.expect_message("Your order sheet")
    player.expect_scrolled_to_end()  # the sheet appeared first, then grew by its map
    player.choose("Which units?", "All 14")
    player.choose("Do what?", "Towards 1st Berkshires")
    player.expect_message("towards 1st Berkshires · about")
    player.expect_scrolled_to_end()
    player.choose("Which units?", "Riflemen of Hashin")  # the previous choice is cleared
    player.choose("Do what?", "Fire 1st Berkshires")
    player.expect_message("Riflemen of Hashin fire 1st Berkshires")
    player.page.screenshot(path=tmp_path / "sheet.png")
    player.press("Do all")
    player.expect_message(re.compile(r"Army of Osman Digna: 1\d orders"))


def test_pasted_command_is_not_sent_but_explained(tab: Callable[..., Tab], table: LocalTable) -> None:
    umpire = tab(table.urls["table-2"])
    box = umpire.page.locator("#channel-composer-input")
    box.fill("/game new rules:magdala scenario:Suakin 1885")
    box.press("Enter")
    umpire.expect_warning("A command is picked from the list, not pasted")
    assert box.input_value() == "/game new rules:magdala scenario:Suakin 1885", "the typed text stays"


def test_picture_on_a_narrow_screen_is_as_wide_as_on_discord(tab: Callable[..., Tab], table: LocalTable) -> None:
    player = tab(table.urls["table-4"], width=400, height=860)
    player.run("game new", rules="Magdala", scenario="Suakin")
    picture = player.page.locator("img.gallery-image").first
    picture.wait_for()
    box = picture.bounding_box()
    assert box is not None
    assert TELEPHONE <= box["width"] <= TELEPHONE + 4
    assert box["x"] + box["width"] <= 400


def test_commands_of_two_tabs_at_the_same_moment_are_all_executed(tab: Callable[..., Tab], table: LocalTable) -> None:
    tabs = [tab(table.urls["table-3"]) for _ in range(2)]
    tabs[1].sit("Player one")
    for number in range(3):
        for each_tab in tabs:
            each_tab.write("roll", dice="2d6", label=f"throw {number}")
        for each_tab in tabs:
            each_tab.send()
        expect(tabs[0].messages.filter(has_text=f"throw {number}")).to_have_count(2)


def test_second_table_reports_that_its_port_is_taken(table: LocalTable, tmp_path: Path) -> None:
    second = LocalTable(tmp_path, table.port)
    with pytest.raises(AssertionError, match=r"cannot have port \d+.*UMPIRE_LOCAL_PORT"):
        second.wait_until_open()
    assert second.stop() == 2
