"""The site's pages without a name in their address, in the order of its menu."""

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


SITE_PAGES = (
    SitePage("/", "interface/pages", "lessons", part="#lessons"),
    SitePage("/articles", "interface/articles", "articles", about="articlesText"),
    SitePage("/challenges", "interface/challenges", "challenges", about="challengesText"),
    SitePage("/new", "interface/pages", "build"),
    SitePage("/assess", "interface/assess", "myCluster", about="lead", title="title"),
    SitePage("/insights", "interface/pages", "insights"),
    SitePage("/gallery", "interface/gallery", "gallery", about="about"),
    SitePage("/glossary", "interface/glossary", "glossary", about="glossaryAbout"),
    SitePage("/fidelity", "interface/fidelity", "fidelity", about="fidelityText"),
)
"""The same as in the app, frontend/src/pages/registry.ts: registry.test.ts compares the two."""
