"""Fixtures: a browser, and the local table in a separate process."""

import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .table import CHROMIUM, FLAGS, LocalTable, Tab, find_free_ports


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here; .ci/run installs it")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalTable]:
    """A local table for all tests of a module. Each test uses its own channel."""
    running = LocalTable(tmp_path_factory.mktemp("home"), find_free_ports(4), UMPIRE_WORKERS="0").wait_until_open()
    yield running
    assert running.stop() == 0, "".join(running.lines)


@pytest.fixture
def tab(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """A function that opens tabs. All tabs close after the test."""
    yield partial(Tab, browser)
    for context in browser.contexts:
        context.close()


@pytest.fixture
def open_table(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., LocalTable]]:
    """A function that starts the local table, always with the same database and port."""
    tables: list[LocalTable] = []
    port = find_free_ports(4)

    def start(**settings: str) -> LocalTable:
        tables.append(LocalTable(tmp_path, port, **settings))
        return tables[-1].wait_until_open()

    yield start
    for table in tables:
        table.stop(signal.SIGKILL)
