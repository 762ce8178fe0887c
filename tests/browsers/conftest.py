"""Chromium, Firefox and WebKit, each driven by its own WebDriver, on a desktop and on a phone.

Firefox and WebKit are the ones that a Linux distribution ships; Playwright drives only builds of
its own, which are not to be had everywhere.
"""

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from glob import glob
from pathlib import Path
from typing import NoReturn

import pytest
from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver

from tests.browsers.visitor import Visitor
from tests.museum.exhibits import FIRST
from tests.service_process import serving

BROWSERS = ("chromium", "firefox", "webkit")
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
WEBKIT = "/usr/lib/*/webkit2gtk-*/MiniBrowser"


@pytest.fixture(scope="session")
def service(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service with the built pages and what the first version stored; returns its address."""
    database = tmp_path_factory.mktemp("browsers") / "highwater.db"
    FIRST.insert_into(f"sqlite:///{database}")
    with serving(repository, database) as address:
        yield address


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual screen, because WebKit has no headless mode."""
    xvfb = found("Xvfb")
    receiver, sender = os.pipe()
    command = [xvfb, "-displayfd", str(sender), "-screen", "0", "1600x1200x24"]
    process = subprocess.Popen(command, pass_fds=[sender], stderr=subprocess.DEVNULL)
    os.close(sender)
    with os.fdopen(receiver) as said:
        number = said.readline().strip()
    yield f":{number}"
    process.terminate()
    process.wait(30)


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every browser saves files."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session", params=BROWSERS)
def browser(request: pytest.FixtureRequest, display: str, downloads: Path) -> Iterator[WebDriver]:
    """A browser with a new profile and an empty cache."""
    os.environ["DISPLAY"] = display
    driver = STARTED[request.param](downloads)
    yield driver
    driver.quit()


@pytest.fixture(params=SIZES)
def visitor(
    request: pytest.FixtureRequest, browser: WebDriver, service: str, downloads: Path
) -> Visitor:
    """A visitor with a screen of this size, who has never been here."""
    # A window may have a least width of its own; below 900 px the page is a phone's anyway.
    browser.set_window_size(*SIZES[request.param])
    visitor = Visitor(browser, service, phone=request.param == "phone", downloads=downloads)
    visitor.forget()
    return visitor


@pytest.fixture(params=["mouse", "keyboard"])
def person(request: pytest.FixtureRequest, visitor: Visitor) -> Visitor:
    """A visitor who uses the mouse, or the keyboard alone."""
    visitor.by_keyboard = request.param == "keyboard"
    return visitor


@pytest.fixture(scope="session")
def others(display: str, service: str, downloads: Path) -> Iterator[list[Visitor]]:
    """Three other visitors, one in each browser."""
    os.environ["DISPLAY"] = display
    with ExitStack() as started:
        drivers = [started.enter_context(quitting(STARTED[name](downloads))) for name in BROWSERS]
        yield [Visitor(driver, service, phone=False) for driver in drivers]


@contextmanager
def quitting(driver: WebDriver) -> Iterator[WebDriver]:
    """A browser that is quit at the end."""
    try:
        yield driver
    finally:
        driver.quit()


def start_chromium(downloads: Path) -> WebDriver:
    options = webdriver.ChromeOptions()
    options.binary_location = found("chromium", "chromium-browser", "google-chrome")
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--lang=en"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    service = webdriver.ChromeService(executable_path=found("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def start_firefox(downloads: Path) -> WebDriver:
    options = webdriver.FirefoxOptions()
    options.binary_location = found("firefox-esr", "firefox")
    options.add_argument("-headless")
    options.set_preference("intl.accept_languages", "en")
    options.set_preference("browser.download.folderList", 2)
    options.set_preference("browser.download.dir", str(downloads))
    service = webdriver.FirefoxService(executable_path=found("geckodriver"))
    return webdriver.Firefox(options=options, service=service)


def start_webkit(downloads: Path) -> WebDriver:
    options = webdriver.WebKitGTKOptions()
    options.binary_location = next(iter(glob(WEBKIT)), "") or missing("WebKitGTK's MiniBrowser")
    options.add_argument("--automation")
    # WebKitGTK saves files in the folder that the desktop's settings name.
    settings = downloads.with_name(f"{downloads.name}-settings")
    settings.mkdir(exist_ok=True)
    (settings / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{downloads}"\n')
    service = webdriver.WebKitGTKService(
        executable_path=found("WebKitWebDriver"),
        env={**os.environ, "XDG_CONFIG_HOME": str(settings)},
    )
    with warnings.catch_warnings():
        # Selenium's own driver for WebKitGTK uses options that Selenium no longer accepts.
        warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
        return webdriver.WebKitGTK(options=options, service=service)


STARTED = {"chromium": start_chromium, "firefox": start_firefox, "webkit": start_webkit}


def found(*names: str) -> str:
    """The first of these programs that is installed."""
    places = (shutil.which(name) for name in names)
    return next((place for place in places if place is not None), None) or missing(names[0])


def missing(what: str) -> NoReturn:
    """Fails the test if a browser is missing."""
    pytest.fail(f"{what} is not installed: run scripts/ensure-tool browsers")
