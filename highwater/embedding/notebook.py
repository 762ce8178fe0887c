"""A run in a notebook: the player where HTML is shown, the picture or the link elsewhere."""

from dataclasses import dataclass

from highwater.embedding import markup
from highwater.embedding.addresses import SharedMoment
from highwater.embedding.fetching import picture_of


@dataclass(frozen=True, slots=True)
class Embed:
    """What a cell shows when it ends with it."""

    moment: SharedMoment
    options: markup.Options
    picture: bytes | None = None
    """The picture as SVG; where there is one, nothing is loaded when the notebook is read."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        if self.picture is not None:
            return {"image/svg+xml": self.picture.decode(), "text/plain": self.moment.page}
        return {
            "text/html": markup.frame(self.moment, self.options),
            "text/plain": self.moment.page,
        }


def embed(
    link: str,
    *,
    title: str = "Highwater",
    height: int = 460,
    theme: str | None = None,
    lang: str | None = None,
    offline: bool = False,
) -> Embed:
    """Shows a shared run in a notebook.

    `link` is what the share dialog copies. With `offline` the picture is downloaded now and kept in
    the notebook, in place of the player. Raises NotAShareError and OptionError, both of them
    ValueErrors, and FetchError.
    """
    moment = SharedMoment.at(link)
    options = markup.Options(title=title, height=height, theme=theme, lang=lang)
    picture = picture_of(moment, theme=theme, lang=lang) if offline else None
    return Embed(moment, options, picture)
