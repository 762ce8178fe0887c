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


SITE_PAGES = (
    SitePage("/", "interface/pages", "lessons", part="#lessons"),
    SitePage("/articles", "interface/articles", "articles"),
    SitePage("/challenges", "interface/challenges", "challenges"),
    SitePage("/new", "interface/pages", "build"),
    SitePage("/assess", "interface/assess", "myCluster"),
    SitePage("/insights", "interface/pages", "insights"),
    SitePage("/gallery", "interface/gallery", "gallery"),
    SitePage("/glossary", "interface/glossary", "glossary"),
    SitePage("/fidelity", "interface/fidelity", "fidelity"),
)
"""The same as in the app, frontend/src/pages/registry.ts: registry.test.ts compares the two."""
