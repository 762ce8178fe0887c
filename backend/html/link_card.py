"""The link card that chat programs and search engines read from the page's head.

The image is a PNG of a size that all of them accept; none of them shows an SVG.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from backend.html.frontend_build import text, with_head
from sim_engine.languages import find_language

CARD_WIDTH, CARD_HEIGHT = 1200, 630
_LONGEST_TITLE = 70
_LONGEST_DESCRIPTION = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCard:
    """The card of one page. Addresses are absolute; `opened` is the address with its query, if the
    query matters.
    """

    title: str
    description: str
    link: str
    image: str
    lang: str
    opened: str = ""
    is_article: bool = False


def with_card(page: str, card: LinkCard, *links: str) -> str:
    """The page with a card, whose words are its title and description too, and with more links."""
    return with_head(
        page,
        title=f"{card.title} · Highwater",
        description=card.description,
        elements="\n    ".join([card_elements(card), *links]),
    )


def card_elements(card: LinkCard) -> str:
    """The card as elements for the head: Open Graph, Twitter's tags, and the canonical address."""
    title = _shortened(card.title, _LONGEST_TITLE)
    description = _shortened(card.description, _LONGEST_DESCRIPTION)
    properties = {
        "og:type": "article" if card.is_article else "website",
        "og:site_name": "Highwater",
        "og:title": title,
        "og:description": description,
        "og:url": card.opened or card.link,
        "og:image": card.image,
        "og:image:type": "image/png",
        "og:image:width": str(CARD_WIDTH),
        "og:image:height": str(CARD_HEIGHT),
        "og:image:alt": description,
        "og:locale": find_language(card.lang).locale,
    }
    names = {
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": description,
        "twitter:image": card.image,
        "twitter:image:alt": description,
    }
    return "\n    ".join(
        [
            *_metas("property", properties),
            *_metas("name", names),
            f'<link rel="canonical" href="{text(card.link)}" />',
        ]
    )


def oembed_links(base_url: str, link: str) -> str:
    """The discovery links for oEmbed (https://oembed.com, §4)."""
    return "\n    ".join(
        f'<link rel="alternate" type="{media_type}" href="{text(address)}" />'
        for media_type, address in (
            (f"{family}+oembed", f"{base_url}/oembed?{urlencode({'url': link, 'format': name})}")
            for family, name in (("application/json", "json"), ("text/xml", "xml"))
        )
    )


def _metas(attribute: str, contents: dict[str, str]) -> list[str]:
    return [
        f'<meta {attribute}="{name}" content="{text(content)}" />'
        for name, content in contents.items()
    ]


def _shortened(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
