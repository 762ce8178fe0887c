"""The MkDocs plug-in: `plugins: [highwater]`, and fences called `highwater` (see `fences.py`).

With `offline: true` the pictures are downloaded while the site is built and are part of it; with
`runs: true` the runs too, as JSON beside them. What cannot be had is a warning, which `--strict`
makes an error.
"""

import logging
from typing import Any

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from highwater.embedding import markup
from highwater.embedding.addresses import NotAShareError, SharedMoment
from highwater.embedding.fences import replaced
from highwater.embedding.fetching import FetchError, picture_of, run_of

_log = logging.getLogger("mkdocs.plugins.highwater")
_FOLDER = "highwater"


class HighwaterConfig(Config):
    """What `mkdocs.yml` may say of the plug-in."""

    offline = config_options.Type(bool, default=False)
    runs = config_options.Type(bool, default=False)


class HighwaterPlugin(BasePlugin[HighwaterConfig]):
    """Called by MkDocs for each page."""

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
        name = f"{_FOLDER}/{moment.file_name}.svg"
        try:
            picture = picture_of(moment, theme=options.theme, lang=options.lang)
            files.append(File.generated(config, name, content=picture))
            if self.config.runs:
                run = f"{_FOLDER}/{moment.sid}.json"
                files.append(File.generated(config, run, content=run_of(moment)))
        except FetchError as error:
            _log.warning("%s: %s", page.file.src_uri, error)
            return markup.element(moment, options)
        return markup.linked_picture(moment, options, get_relative_url(name, page.url))
