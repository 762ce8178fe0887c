"""The Sphinx extension: `extensions = ["highwater.embedding.sphinx_extension"]`, and a directive.

    .. highwater:: https://highwater.example/s/ID?step=12
       :title: An acknowledged record is lost
       :height: 551

HTML has the element. Everything else has the picture and the link: LaTeX as PNG, which Sphinx
downloads. With `highwater_offline = True` HTML has the picture as well, downloaded at build time.
"""

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx import addnodes

from highwater.embedding import markup
from highwater.embedding.addresses import NotAShareError, SharedMoment
from highwater.embedding.fetching import FetchError, picture_of

_FOLDER = "_highwater"


class HighwaterDirective(Directive):
    """One embed."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, object]] = {
        "title": directives.unchanged,
        "height": directives.unchanged,
        "theme": directives.unchanged,
        "lang": directives.unchanged,
    }

    def run(self) -> list[object]:
        """The element for HTML, the picture for everything else."""
        application = self.state.document.settings.env.app
        try:
            moment = SharedMoment.at(self.arguments[0])
            options = markup.Options.read(dict(self.options))
            if application.config.highwater_offline:
                return [_linked(moment, options, _copied(application, moment, options))]
        except (NotAShareError, markup.OptionError, FetchError) as error:
            raise self.error(str(error)) from None
        elsewhere = addnodes.only(expr="not html")
        elsewhere += _linked(moment, options, moment.picture("png", lang=options.lang))
        return [nodes.raw("", markup.element(moment, options), format="html"), elsewhere]


def _linked(moment: SharedMoment, options: markup.Options, picture: str) -> object:
    link = nodes.reference("", "", refuri=moment.page)
    link += nodes.image(uri=picture, alt=options.title)
    paragraph = nodes.paragraph()
    paragraph += link
    return paragraph


def _copied(application: Any, moment: SharedMoment, options: markup.Options) -> str:
    """Puts the picture into the sources, as if the author had it there; gives its address."""
    path = Path(application.srcdir) / _FOLDER / f"{moment.file_name}.svg"
    if not path.is_file():
        picture = picture_of(moment, theme=options.theme, lang=options.lang)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(picture)
    return f"/{_FOLDER}/{path.name}"


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.add_config_value("highwater_offline", default=False, rebuild="env", types=[bool])
    app.add_directive("highwater", HighwaterDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
