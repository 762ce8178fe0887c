"""A run in a notebook: the player where HTML is shown, the picture or the link elsewhere."""

from dataclasses import dataclass

from highwater_kafka.embedding import markup
from highwater_kafka.embedding.addresses import SharedMoment
from highwater_kafka.embedding.fetching import file_of


@dataclass(frozen=True, slots=True)
class Embed:
    """The output of a notebook cell."""

    moment: SharedMoment
    options: markup.Options
    picture: bytes | None = None
    """The picture as SVG. With it, nothing is loaded when the notebook is read."""
    player: bytes | None = None
    """The player with the run as an HTML file, which is preferred to the picture."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        shown = {"text/plain": self.moment.page}
        if self.picture is not None:
            shown["image/svg+xml"] = self.picture.decode()
        if self.player is not None:
            shown["text/html"] = markup.inline_player(self.options, self.player.decode())
        elif self.picture is None:
            shown["text/html"] = markup.iframe(self.moment, self.options)
        return shown


def embed(
    link: str,
    *,
    title: str = "Highwater",
    height: int = 460,
    theme: str | None = None,
    lang: str | None = None,
    offline: bool = False,
    run: bool = False,
) -> Embed:
    """Show a shared run in a notebook.

    `link` is the link from the share dialog. With `offline` the picture is downloaded now and
    stored in the notebook instead of the player; with `run` too, the player with its run is stored
    beside it, for readers whose notebooks show HTML. Raises HighwaterError.
    """
    moment = SharedMoment.at(link)
    options = markup.Options(title=title, height=height, theme=theme, lang=lang)
    picture = file_of(moment, "svg", theme=theme, lang=lang) if offline else None
    player = file_of(moment, "html", theme=theme, lang=lang) if offline and run else None
    return Embed(moment, options, picture, player)
