"""The site's pages without a name in their address, those of its menu in its order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SitePage:
    """A page: its path, and the file and the name of the message that is its name in the menu."""

    path: str
    file: str
    name: str
    part: str = ""
    """The part of the page to which the menu leads."""
    about: str = ""
    """The name of the message in the same file with one sentence about it; empty if its name says
    enough."""
    title: str = ""
    """The name of the message that is its title, if it is not its name in the menu."""
    in_menu: bool = True
    """Other pages are reached from a page of the menu and have no name in it."""


SITE_PAGES = (
    SitePage("/", "interface/pages", "lessons", part="#lessons"),
    SitePage("/articles", "interface/articles", "articles", about="articlesText"),
    SitePage("/lesson-plan", "interface/lesson-plan", "title", about="about", in_menu=False),
    SitePage("/challenges", "interface/challenges", "challenges", about="challengesText"),
    SitePage("/new", "interface/pages", "build"),
    SitePage("/assess", "interface/assess", "myCluster", about="lead", title="title"),
    SitePage("/insights", "interface/pages", "insights"),
    SitePage("/gallery", "interface/gallery", "gallery", about="about"),
    SitePage("/glossary", "interface/glossary", "glossary", about="glossaryAbout"),
    SitePage("/fidelity", "interface/fidelity", "fidelity", about="fidelityText"),
)
"""The same as in the app, frontend/src/pages/registry.ts: registry.test.ts compares the two."""
