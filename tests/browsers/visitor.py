"""What a user does with a page, in any browser: reads, clicks, presses keys, waits."""

import time
from collections.abc import Callable
from typing import TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

PATIENCE_S = 30.0
"""How long to wait for what must come; a slow machine takes its time."""

KEYS = {"→": Keys.ARROW_RIGHT, "←": Keys.ARROW_LEFT, "↓": Keys.ARROW_DOWN, "Enter": Keys.ENTER}

# Accessible names, accurate enough for controls with a text or a label.
_NAMED = """
const [role, name, exact] = arguments;
const plain = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
const isNamed = (text) => (exact ? plain(text) === name : plain(text).includes(name));
const selector = {
  button: "button, [role=button]", combobox: "[role=combobox]", option: "[role=option]",
  tab: "[role=tab]", link: "a[href]", textbox: "input, textarea",
}[role];
return [...document.querySelectorAll(selector)].find((element) =>
  element.getClientRects().length > 0 &&
  isNamed(element.getAttribute("aria-label") ?? element.textContent)) ?? null;
"""
_TEXT = """
const found = [...document.querySelectorAll(arguments[0])];
return found.map((element) => element.innerText).join("\\n");
"""

Result = TypeVar("Result")


class Visitor:
    """One user in one browser."""

    def __init__(self, driver: WebDriver, address: str, *, phone: bool) -> None:
        self._driver = driver
        self._address = address
        self.phone = phone

    def open(self, path: str) -> None:
        """Goes to a page of the service, or to an address."""
        self._driver.get(path if path.startswith("http") else self._address + path)

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

    def attribute(self, selector: str, name: str) -> str:
        """An attribute of the first element that a selector finds, empty without one."""
        script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''"
        return str(self._driver.execute_script(script, selector, name))

    def press(self, *keys: str) -> None:
        """Presses keys one after the other, wherever the focus is."""
        for key in keys:
            ActionChains(self._driver).send_keys(KEYS.get(key, key)).perform()

    def click(self, role: str, name: str, *, exact: bool = True) -> None:
        """Clicks a control once it is there."""
        self.wait(lambda: self._click(role, name, exact), f"{role} {name!r}")

    def focus(self, role: str, name: str, *, exact: bool = True) -> None:
        """Puts the keyboard's focus on a control, as Tab would."""
        element = self.wait(lambda: self._find(role, name, exact), f"{role} {name!r}")
        self._driver.execute_script("arguments[0].focus()", element)

    def reads(self, selector: str, words: str) -> None:
        """Waits until a text is shown."""
        self.wait(lambda: words in self.text(selector), f"{words!r} in {selector}")

    def wait(self, look: Callable[[], Result], what: str) -> Result:
        """Waits until an element is visible, and returns it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                seen = look()
            except StaleElementReferenceException:
                seen = None
            if seen:
                return seen
            assert time.monotonic() < end, f"{what} does not come at {self.url}"
            time.sleep(0.05)

    def _find(self, role: str, name: str, exact: bool) -> WebElement | None:
        element: WebElement | None = self._driver.execute_script(_NAMED, role, name, exact)
        return element

    def _click(self, role: str, name: str, exact: bool) -> bool:
        element = self._find(role, name, exact)
        if element is None or not element.is_enabled():
            return False
        center = "arguments[0].scrollIntoView({ block: 'center', inline: 'center' })"
        self._driver.execute_script(center, element)
        ActionChains(self._driver).move_to_element(element).click().perform()
        return True
