"""What a user does with a page, in any browser: reads, clicks, presses keys, waits."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

PATIENCE_S = 30.0
"""How long to wait for what must come; a slow machine takes its time."""

MOST_STOPS = 150
"""After so many presses of Tab or an arrow key, a control counts as unreachable by keyboard."""

KEYS = {
    "→": Keys.ARROW_RIGHT,
    "↓": Keys.ARROW_DOWN,
    "Backspace": Keys.BACKSPACE,
    "Control": Keys.CONTROL,
    "Enter": Keys.ENTER,
    "Escape": Keys.ESCAPE,
    "Home": Keys.HOME,
    "PageDown": Keys.PAGE_DOWN,
    "Shift": Keys.SHIFT,
    "Tab": Keys.TAB,
}

# Accessible names, accurate enough for controls with a text or a label.
_NAMED = """
const [role, name, exact, within] = arguments;
const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
const isNamed = (text) => (exact ? plain(text) === name : plain(text).includes(name));
const selector = {
  button: "button, [role=button]", combobox: "[role=combobox]", option: "[role=option]",
  tab: "[role=tab]", link: "a[href]", textbox: "input, textarea, [role=textbox]",
  file: "input[type=file]",
}[role];
const root = within === "" ? document : document.querySelector(within);
return [...(root?.querySelectorAll(selector) ?? [])].find((element) =>
  element.getClientRects().length > 0 &&
  isNamed(element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ??
    element.textContent)) ?? null;
"""
# The key that leads from the focused element towards another: Tab, or an arrow key in a row of
# tabs, which is one stop; or `_HERE`.
_TOWARDS = """
const [wanted] = arguments;
const focused = document.activeElement;
if (focused === wanted) return "here";
const row = wanted.closest("[role=tablist]");
if (row !== null && row.contains(focused)) return "→";
const before = focused !== document.body &&
  (focused.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
return before ? "Shift+Tab" : "Tab";
"""
# Brings an element to the middle of the window, and returns where it is two frames later: while a
# page loads, it moves.
_CENTERED = """
arguments[0].scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
return frame().then(frame).then(() => {
  const { x, y } = arguments[0].getBoundingClientRect();
  return [x, y];
});
"""
_TEXT = """
const found = [...document.querySelectorAll(arguments[0])];
return found.map((element) => element.innerText).join("\\n");
"""
_COPIED = """
const field = document.createElement("textarea");
field.id = "copied";
field.value = arguments[0];
document.body.append(field);
field.select();
"""

_HERE = "here"

Result = TypeVar("Result")


class Visitor:
    """One user in one browser, who uses the mouse, or the keyboard alone."""

    def __init__(
        self,
        driver: WebDriver,
        address: str,
        *,
        phone: bool,
        by_keyboard: bool = False,
        downloads: Path | None = None,
    ) -> None:
        self._driver = driver
        self._address = address
        self._downloads = downloads
        self.phone = phone
        self.by_keyboard = by_keyboard

    def open(self, path: str) -> None:
        """Goes to a page of the service, or to an address."""
        self._driver.get(path if path.startswith("http") else self._address + path)

    def forget(self) -> None:
        """Deletes what the site stored in this browser, and the files that were saved."""
        self.open("/docs")
        self._driver.execute_script("localStorage.clear(); sessionStorage.clear()")
        for saved in [] if self._downloads is None else self._downloads.iterdir():
            saved.unlink()

    @property
    def url(self) -> str:
        return self._driver.current_url

    def text(self, selector: str) -> str:
        """The text of all elements that a selector finds."""
        return str(self._driver.execute_script(_TEXT, selector))

    def value(self, selector: str) -> str:
        """The value of a field."""
        script = "return document.querySelector(arguments[0])?.value ?? ''"
        return str(self._driver.execute_script(script, selector))

    def field(self, name: str, *, exact: bool = True) -> str:
        """The value of the field with this name."""
        field = self.wait(lambda: self._find("textbox", name, exact, ""), f"field {name!r}")
        return str(self._driver.execute_script("return arguments[0].value", field))

    def attribute(self, selector: str, name: str) -> str:
        """An attribute of the first element that a selector finds, empty without one."""
        script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''"
        return str(self._driver.execute_script(script, selector, name))

    def has(self, role: str, name: str, *, exact: bool = True) -> bool:
        """Whether a control is shown now."""
        return self._find(role, name, exact, "") is not None

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, wherever the focus is; "Shift+Tab" is a chord."""
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            actions = ActionChains(self._driver)
            for one in held:
                actions.key_down(KEYS[one])
            actions.send_keys(KEYS.get(last, last))
            for one in held:
                actions.key_up(KEYS[one])
            actions.perform()

    def use(self, role: str, name: str, *, exact: bool = True, within: str = "") -> None:
        """Uses a control once it is there: clicks it, or reaches it by Tab and presses Enter."""
        if self.by_keyboard:
            self.reach(role, name, exact=exact, within=within)
            self.press("Enter")
        else:
            self.click(role, name, exact=exact, within=within)

    def click(self, role: str, name: str, *, exact: bool = True, within: str = "") -> None:
        """Clicks a control once it is there."""
        self.wait(lambda: self._click(role, name, exact, within), f"{role} {name!r}")

    def reach(self, role: str, name: str, *, exact: bool = True, within: str = "") -> None:
        """Moves the keyboard's focus to a control, by Tab and by the arrow keys of tabs."""
        for _ in range(MOST_STOPS):
            key = self.wait(
                lambda: self._key_towards(role, name, exact, within), f"{role} {name!r}"
            )
            if key == _HERE:
                return
            self.press(key)
        raise AssertionError(f"{role} {name!r} cannot be reached by keyboard at {self.url}")

    def turn_to(self, page: str) -> None:
        """Opens a page of the site by its name in the menu, which a phone has to unfold."""
        if self.phone:
            self.use("button", "Menu")
        self.use("link", page, within="header")

    def choose(self, label: str, option: str) -> None:
        """Chooses an option of a list with confirmation."""
        self.use("combobox", label)
        if self.by_keyboard:
            self.press(*option, "Enter")
        else:
            self.click("option", option)

    def write(self, field: str, words: str, *, exact: bool = True) -> None:
        """Replaces the text of a field."""
        self._enter(field, exact)
        self.press("Control+a", *words)

    def paste(self, field: str, words: str) -> None:
        """Pastes a text into a field."""
        self._driver.execute_script(_COPIED, words)
        self.press("Control+c")
        self._driver.execute_script("document.getElementById('copied').remove()")
        self._enter(field, True)
        self.press("Control+v")

    def saved(self, name: str) -> Path:
        """Waits until the browser has saved a file with this name, and returns its path."""
        assert self._downloads is not None
        path = self._downloads / name
        self.wait(lambda: path.exists() and path.stat().st_size > 0, f"the file {name}")
        return path

    def open_file(self, field: str, path: Path) -> None:
        """Opens a file. The driver selects it instead of the system's dialog."""
        if self.by_keyboard:
            self.reach("file", field)
        element = self.wait(lambda: self._find("file", field, True, ""), f"file {field!r}")
        element.send_keys(str(path))

    def go_on(self) -> None:
        """Goes to the next step."""
        if self.by_keyboard:
            self.press("→")
        else:
            self.click("button", "Next step")

    def reads(self, selector: str, words: str) -> None:
        """Waits until a text is shown."""
        self.wait(lambda: words in self.text(selector), f"{words!r} in {selector}")

    def wait(self, look: Callable[[], Result | None], what: str) -> Result:
        """Waits until an element is visible, and returns it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                seen = look()
            except StaleElementReferenceException:
                seen = None
            if seen:
                return seen
            assert time.monotonic() < end, (
                f"{what} does not come at {self.url}, which shows:\n{self.text('body')}"
            )
            time.sleep(0.05)

    def _enter(self, field: str, exact: bool) -> None:
        if self.by_keyboard:
            self.reach("textbox", field, exact=exact)
        else:
            self.click("textbox", field, exact=exact)

    def _find(self, role: str, name: str, exact: bool, within: str) -> WebElement | None:
        element: WebElement | None = self._driver.execute_script(_NAMED, role, name, exact, within)
        return element

    def _enabled(self, role: str, name: str, exact: bool, within: str) -> WebElement | None:
        element = self._find(role, name, exact, within)
        if element is None or not element.is_enabled():
            return None
        return None if element.get_attribute("aria-disabled") == "true" else element

    def _key_towards(self, role: str, name: str, exact: bool, within: str) -> str | None:
        element = self._enabled(role, name, exact, within)
        return None if element is None else str(self._driver.execute_script(_TOWARDS, element))

    def _click(self, role: str, name: str, exact: bool, within: str) -> bool:
        element = self._enabled(role, name, exact, within)
        if element is None:
            return False
        before, after = (self._driver.execute_script(_CENTERED, element) for _ in range(2))
        if before != after:
            return False
        ActionChains(self._driver).move_to_element(element).click().perform()
        return True
