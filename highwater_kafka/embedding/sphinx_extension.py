"""The Sphinx extension `highwater_kafka.embedding.sphinx_extension`, and its directive.

    .. highwater:: https://highwater.example/s/ID?frame=12
       :title: An acknowledged record is lost
       :height: 551

HTML contains the element. Other formats contain the picture and the link; for LaTeX the picture is
a PNG, which Sphinx downloads. With `highwater_offline = True` HTML contains the picture too,
downloaded at build time; with `highwater_runs = True` as well, the player with its run.
"""

from pathlib import Path
from shutil import copyfile
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx import addnodes
from sphinx.util.osutil import ensuredir, relative_uri

from highwater_kafka.embedding import markup
from highwater_kafka.embedding.addresses import NotAShareError, SharedMoment
from highwater_kafka.embedding.fetching import FetchError, file_of

_FOLDER = "_highwater"


class CopiedPlayer(nodes.General, nodes.Element):
    """A player that is part of the site: `file` in its folder, shown with `options`."""


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
        """The embed for HTML, and the picture for other formats."""
        application = self.state.document.settings.env.app
        config = application.config
        try:
            moment = SharedMoment.at(self.arguments[0])
            options = markup.Options.read(dict(self.options))
            picture = moment.file("png", lang=options.lang)
            embed: object = nodes.raw("", markup.element(moment, options), format="html")
            if config.highwater_offline:
                picture = f"/{_FOLDER}/{_copied(application, 'svg', moment, options)}"
                if not config.highwater_runs:
                    return [_linked(moment, options, picture)]
                player = _copied(application, "html", moment, options)
                embed = CopiedPlayer(file=player, options=options)
        except (NotAShareError, markup.OptionError, FetchError) as error:
            raise self.error(str(error)) from None
        elsewhere = addnodes.only(expr="not html")
        elsewhere += _linked(moment, options, picture)
        return [embed, elsewhere]


def _linked(moment: SharedMoment, options: markup.Options, picture: str) -> object:
    link = nodes.reference("", "", refuri=moment.page)
    link += nodes.image(uri=picture, alt=options.title)
    paragraph = nodes.paragraph()
    paragraph += link
    return paragraph


# Any: Sphinx's application has the settings of its extensions as attributes; also below.
def _copied(application: Any, extension: str, moment: SharedMoment, options: markup.Options) -> str:
    """Copy a file of the moment into the sources, unless it is there, and return its name."""
    look = {"theme": options.theme, "lang": options.lang}
    path = Path(application.srcdir) / _FOLDER / moment.file_name(extension, **look)
    if not path.is_file():
        content = file_of(moment, extension, **look)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return path.name


def _write_player(translator: Any, node: CopiedPlayer) -> None:
    """Write the player into the HTML, and copy its file into the site."""
    builder = translator.builder
    folder = Path(builder.outdir) / _FOLDER
    ensuredir(folder)
    copyfile(Path(builder.srcdir) / _FOLDER / node["file"], folder / node["file"])
    page = builder.get_target_uri(builder.current_docname)
    path = relative_uri(page, f"{_FOLDER}/{node['file']}")
    translator.body.append(markup.copied_player(node["options"], path))
    raise nodes.SkipNode


def _skip(_translator: Any, _node: CopiedPlayer) -> None:
    """Other formats have the picture."""
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.add_config_value("highwater_offline", default=False, rebuild="env", types=[bool])
    app.add_config_value("highwater_runs", default=False, rebuild="env", types=[bool])
    other = (_skip, None)
    app.add_node(
        CopiedPlayer, html=(_write_player, None), latex=other, text=other, man=other, texinfo=other
    )
    app.add_directive("highwater", HighwaterDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
