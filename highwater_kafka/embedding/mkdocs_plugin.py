"""The MkDocs plug-in: `plugins: [highwater]`, and fences called `highwater` (see `fences.py`).

With `offline: true` the pictures are downloaded while the site is built and become part of it; with
`runs: true` too, the players with their runs, instead of the pictures. A failed download is a
warning, or an error with `--strict`.
"""

import logging
from typing import Any

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from highwater_kafka.embedding import markup
from highwater_kafka.embedding.addresses import NotAShareError, SharedMoment
from highwater_kafka.embedding.fetching import FetchError, file_of
from highwater_kafka.embedding.markup import replaced

_log = logging.getLogger("mkdocs.plugins.highwater")
_FOLDER = "highwater"


class HighwaterConfig(Config):
    """The plug-in's options in `mkdocs.yml`."""

    offline = config_options.Type(bool, default=False)
    runs = config_options.Type(bool, default=False)


class HighwaterPlugin(BasePlugin[HighwaterConfig]):
    """Called by MkDocs for each page."""

    # Any: MkDocs does not annotate what it passes to plug-ins, here and below.
    def on_page_markdown(self, markdown: str, *, page: Any, config: Any, files: Any) -> str:
        """The page's Markdown with its embeds as HTML."""

        def render(moment: SharedMoment, options: markup.Options) -> str:
            if not self.config.offline:
                return markup.element(moment, options)
            return self._copied(moment, options, page=page, config=config, files=files)

        try:
            return replaced(markdown, render)
        except (NotAShareError, markup.OptionError) as error:
            _log.warning("%s: %s", page.file.src_uri, error)
            return markdown

    def _copied(
        self, moment: SharedMoment, options: markup.Options, *, page: Any, config: Any, files: Any
    ) -> str:
        extension = "html" if self.config.runs else "svg"
        look = {"theme": options.theme, "lang": options.lang}
        copy = f"{_FOLDER}/{moment.file_name(extension, **look)}"
        if files.get_file_from_path(copy) is None:
            try:
                content = file_of(moment, extension, **look)
                files.append(File.generated(config, copy, content=content))
            except FetchError as error:
                _log.warning("%s: %s", page.file.src_uri, error)
                return markup.element(moment, options)
        path = get_relative_url(copy, page.url)
        if self.config.runs:
            return markup.copied_player(options, path)
        return markup.linked_picture(moment, options, path)
