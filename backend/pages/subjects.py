"""What the pages that are not about one run say of themselves, in their titles and in their cards:
a title, a sentence, and the picture that goes with them, if there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from backend.fidelity.recordings import find_recording
from backend.http.errors import NotFoundError
from backend.pages.site import SitePage
from sim_engine.articles import list_articles
from sim_engine.challenges import find_challenge
from sim_engine.configs import SETTINGS
from sim_engine.languages import in_language
from sim_engine.languages import say as say_message
from sim_engine.narration import catalogue

_TOLD_BY_THE_SITE = "kip-101-data-loss"
"""The lesson in the site's own picture, the same as on the front page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a page is about, in one language."""

    title: str
    sentence: str
    path: str
    """Of the page, with the query that names the subject if the path does not."""
    kind: str = ""
    """The word for its kind, in a card without a picture."""
    lesson: str | None = None
    """The lesson in its picture."""
    step: int | None = None
    """The step of that lesson; None for its most important one."""
    term: str | None = None
    """The term of the glossary whose drawing it has."""

    def words(self) -> Mapping[str, object]:
        """The options of a card without a picture of a run, as `figure.ts` reads them."""
        return {
            "kind": self.kind or "Highwater",
            "title": self.title,
            "description": self.sentence,
            "term": self.term,
        }

    def picture(self, base_url: str, lang: str) -> str:
        """The address of its card's picture."""
        path, _, query = self.path.partition("?")
        picture = "/card" if path == "/" else path
        return f"{base_url}{picture}.png?{query}{'&' if query else ''}lang={lang}"


def the_site(lang: str) -> Subject:
    """The front page."""
    return Subject(
        title="Highwater",
        sentence=say_message(lang, "service", "tagline"),
        path="/",
        lesson=_TOLD_BY_THE_SITE,
    )


def about_page(page: SitePage, lang: str) -> Subject:
    """A page of the menu."""
    if page.path == "/":
        return the_site(lang)
    tagline = say_message(lang, "service", "tagline")
    return Subject(
        title=say_message(lang, page.file, page.title or page.name),
        sentence=say_message(lang, page.file, page.about) if page.about else tagline,
        path=page.path,
    )


def about_article(number: str, claim: int | None, lang: str) -> Subject:
    """An article by its number, from 0, or one of its claims, from 1. Raises NotFoundError."""
    articles = {str(place): article for place, article in enumerate(list_articles())}
    if number not in articles:
        raise NotFoundError("There is no such article.")
    article = articles[number]
    title = in_language(article.title, lang)
    if claim is None:
        return Subject(
            title=title,
            sentence=in_language(article.about, lang),
            path=f"/articles/{number}",
            kind=say_message(lang, "interface/articles", "articles"),
        )
    if not 1 <= claim <= len(article.claims):
        raise NotFoundError(f"This article has the claims 1 to {len(article.claims)}.")
    told = article.claims[claim - 1]
    return Subject(
        title=title,
        sentence=say_message(
            lang,
            "service",
            "claim",
            claim=in_language(told.claim, lang),
            verdict=say_message(lang, "interface/articles", told.assessment),
            kafka=in_language(told.kafka, lang),
        ),
        path=f"/articles/{number}?claim={claim}",
        kind=say_message(lang, "interface/articles", "articles"),
        lesson=told.watch[0].lesson if told.watch else None,
        step=told.watch[0].step if told.watch else None,
    )


def about_challenge(challenge_id: str, lang: str) -> Subject:
    """A challenge. Raises NotFoundError."""
    try:
        challenge = find_challenge(challenge_id)
    except KeyError:
        raise NotFoundError("There is no such challenge.") from None
    return Subject(
        title=in_language(challenge.title, lang),
        sentence=in_language(challenge.goal, lang),
        path=f"/challenges/{challenge_id}",
        kind=say_message(lang, "interface/challenges", "challenges"),
    )


def about_recording(name: str, lang: str) -> Subject:
    """A recording of a real cluster. Raises NotFoundError."""
    recording = find_recording(name)
    if recording is None:
        raise NotFoundError("There is no such recording.")
    return Subject(
        title=in_language(recording.titles(), lang),
        sentence=recording.shows,
        path=f"/recordings/{name}",
        kind=say_message(lang, "interface/fidelity", "recordings"),
    )


def about_term(term: str, lang: str) -> Subject:
    """A term of the glossary by its id. Raises NotFoundError."""
    terms = catalogue((lang,))["languages"][lang]["terms"]
    if term not in terms:
        raise NotFoundError("The glossary has no such term.")
    setting = term.replace("-", ".")
    is_setting = any(known.name == setting for known in SETTINGS)
    return Subject(
        title=setting if is_setting else term.replace("-", " "),
        sentence=terms[term],
        path=f"/glossary?term={term}",
        kind=say_message(lang, "interface/glossary", "glossary"),
        term=term,
    )
