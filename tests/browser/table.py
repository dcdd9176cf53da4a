"""The local table in a separate process, used through its page in a real browser."""

import json
import os
import re
import shutil
import signal
import socket
import threading
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLateError

from tests.wire.nursery import start

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TYPED_LETTERS = 4
"""Letters to type until the page offers a choice."""

END_STATE = """() => {
    const channel = document.querySelector('#channel-timeline');
    const newest = document.querySelector('#channel-message-list article:last-of-type');
    return {
        ready: window.simcordPreview.ready,
        below: channel.scrollHeight - channel.scrollTop - channel.clientHeight,
        shows: [...newest.querySelectorAll('img')].some(image => image.naturalWidth > 300),
        text: newest.innerText.slice(0, 200),
    };
}"""
"""Script: the state at the end of the channel. `below` is the distance to scroll, in CSS pixels."""


def find_free_ports(count: int) -> int:
    """Return the first of `count` consecutive free ports."""
    for first in range(18_600 + os.getpid() % 1_000 * 8, 60_000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                bound = socket.socket()
                sockets.append(bound)
                bound.bind(("127.0.0.1", port))
        except OSError:
            continue
        finally:
            for bound in sockets:
                bound.close()
        return first
    raise RuntimeError("no free ports")


class LocalTable:
    """`python -m bot` without a token, with its database in `home`."""

    def __init__(self, home: Path, port: int, **settings: str) -> None:
        defaults = {
            "UMPIRE_DATABASE_URL": f"sqlite+aiosqlite:///{home}/umpire.db",
            "UMPIRE_LOCAL_PORT": str(port),
            "UMPIRE_WEB_PORT": "0",
            "UMPIRE_OPEN_BROWSER": "false",
            "UMPIRE_GROUNDS": "none",
        }
        self.process = start(("-m", "bot"), home, {**defaults, **settings})
        self.port = port
        self.lines: list[str] = []
        self.urls: dict[str, str] = {}
        self._open = threading.Event()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def wait_until_open(self) -> "LocalTable":
        """Wait until the program has printed the addresses of its channels."""
        assert self._open.wait(60), "".join(self.lines)
        assert self.urls, "".join(self.lines)
        return self

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if match := re.search(r"(table-\d)\s+(http://\S+)", line):
                self.urls[match[1]] = match[2]
            elif "Ctrl-C" in line:
                self._open.set()
        self._open.set()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal and wait; return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            self._listener.join(5)
            assert self.process.stdout is not None
            self.process.stdout.close()


class Tab:
    """A browser tab that shows a channel, used by one person."""

    def __init__(self, browser: Browser, url: str, *, width: int = 1280, height: int = 960) -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": height})
        self.page.set_default_timeout(20_000)
        self.go(url)

    def go(self, url: str) -> None:
        """Open a channel."""
        self.page.goto(url)
        expect(self.page.locator("#channel-composer-input")).to_be_visible(timeout=20_000)
        self._wait_for("() => window.simcordPreview.ready", 20)

    def close(self) -> None:
        """Close the tab. An open tab would repeat its requests to a closed table."""
        self.page.close()

    def sit(self, seat: str) -> None:
        """Change to the seat of this name."""
        self.page.locator("#viewer-picker").select_option(label=seat)
        expect(self.page.locator("#channel-composer-input")).to_be_visible(timeout=20_000)

    def run(self, command: str, **options: str) -> None:
        """Give a command and wait until the bot has finished."""
        self.write(command, **options)
        self.send()
        expect(self.page.locator("#channel-composer-input")).to_be_visible(timeout=20_000)

    def write(self, command: str, **options: str) -> None:
        """Type `/command`, choose the command from the list, and fill in its options from the offered choices."""
        page = self.page
        page.locator("#channel-composer-input").click()
        page.keyboard.type(f"/{command}")
        page.locator(".command-entry", has=page.get_by_text(f"/{command}", exact=True)).click()
        for name, value in options.items():
            self._fill(self._field(name), value)

    def open_choices(self, option: str) -> Locator:
        """Click an option of the written command; return the choices offered without typing."""
        self._field(option).click()
        return self.page.locator(".command-suggestion")

    def send(self) -> None:
        """Send the written command without waiting for the answer."""
        self.page.locator("#send-message").click()

    def _field(self, option: str) -> Locator:
        field = self.page.locator(f'.command-option-input[data-option="{option}"]')
        if not field.count():
            self.page.locator(".command-ghost").click()
            self.page.locator(f'.command-suggestion[data-value="{option}"]').click()
        return field

    def _fill(self, field: Locator, value: str) -> None:
        field.click()
        if field.get_attribute("role") == "combobox":
            field.press_sequentially(value[:TYPED_LETTERS])
            self.page.locator(".command-suggestion", has_text=value).first.click()
        else:
            field.fill(value)

    def press(self, label: str) -> None:
        """Press the newest button with this label."""
        self.messages.locator(".component-button").filter(has_text=label).last.click()

    def choose(self, menu: str, *options: str) -> None:
        """Choose options in the newest menu whose text contains `menu`."""
        self.messages.locator(".preview-select").filter(has_text=menu).last.locator(".select-trigger").click()
        opened = self.page.locator(".preview-select.is-open")
        for option in options:
            opened.locator(".select-option").filter(has_text=option).first.click()
        if opened.locator(".select-apply").count():
            opened.locator(".select-apply").click()

    @property
    def messages(self) -> Locator:
        """The channel's messages that this seat sees, oldest first."""
        return self.page.locator("#channel-message-list article")

    def expect_message(self, text: str | re.Pattern[str], timeout: float = 15) -> Locator:
        """Wait up to `timeout` seconds for a message with the text; return the newest."""
        message = self.messages.filter(has_text=text).last
        expect(message).to_be_visible(timeout=timeout * 1000)
        return message

    def expect_no_message(self, text: str) -> None:
        """Require that no message has the text."""
        expect(self.messages.filter(has_text=text)).to_have_count(0)

    def expect_picture(self, timeout: float = 15) -> None:
        """Wait until the channel shows a completely loaded picture."""
        self._wait_for(
            "() => [...document.querySelectorAll('#channel-message-list img')].some(i => i.naturalWidth > 300)",
            timeout,
        )

    def expect_warning(self, text: str) -> None:
        """Wait until the message field shows a warning that begins with the text."""
        field = "document.querySelector('#channel-composer-input')"
        self._wait_for(f"() => {field}.validationMessage.startsWith({json.dumps(text)})", 20)

    def expect_scrolled_to_end(self, timeout: float = 60) -> None:
        """Wait until the newest message shows its picture and the channel is scrolled down to its last line."""
        try:
            self._wait_for(
                f"() => {{ const end = ({END_STATE})(); return end.ready && end.below <= 48 && end.shows; }}", timeout
            )
        except TooLateError as error:
            raise AssertionError(f"The channel is not at its end: {self.page.evaluate(END_STATE)}") from error

    def _wait_for(self, condition: str, timeout: float) -> None:
        """Wait until the page meets the condition. Checks ten times a second, which is cheaper than every frame."""
        self.page.wait_for_function(condition, timeout=timeout * 1000, polling=100)
