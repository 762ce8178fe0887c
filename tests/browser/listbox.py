"""Helpers to select from, and to read, the page's lists with confirmation."""

from playwright.sync_api import Locator, Page, expect


def listbox(page: Page, label: str) -> Locator:
    """The control of the list with this name."""
    return page.get_by_role("combobox", name=label, exact=True)


def choose(page: Page, label: str, value: str) -> None:
    """Opens the list with this name and clicks the option with this value."""
    listbox(page, label).click()
    page.get_by_role("listbox", name=label, exact=True).locator(f'[data-value="{value}"]').click()


def expect_chosen(page: Page, label: str, value: str) -> None:
    expect(listbox(page, label)).to_have_attribute("data-value", value)
