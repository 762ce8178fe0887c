"""Hosts that need no build: plain pages, policies, presentations, a sanitizer."""

import subprocess

from tests.hosts.site import Bench, Built, Host

_PAGE = "<!doctype html><meta charset='utf-8'><title>Host</title>"
_PROSE = "<p>Text before.</p>{}<p>Text after.</p>"
# GitHub's rules for READMEs: no scripts, no frames, no styles.
_SANITISER = """
import sys, nh3
tags = {"a", "img", "picture", "source", "p", "br", "b", "i", "code", "pre", "h1", "h2", "div"}
attributes = {
    "a": {"href"}, "img": {"src", "alt", "width", "height"}, "source": {"media", "srcset"},
}
print(nh3.clean(sys.stdin.read(), tags=tags, attributes=attributes))
"""
_SLIDES = """<link rel="stylesheet" href="reveal.css"><link rel="stylesheet" href="white.css">
<div class="reveal"><div class="slides"><section><h3>A slide</h3>{}</section>
<section><h3>The next slide</h3></section></div></div>
<script type="module">import Reveal from "./reveal.mjs"; Reveal.initialize();</script>"""


def _plain(tab: str, headers: dict[str, str] | None = None) -> Host:
    def build(bench: Bench) -> Built:
        sources = {key: value.format(bench.service) for key, value in (headers or {}).items()}
        bench.write("index.html", _PAGE + _PROSE.format(bench.codes[tab]))
        return Built(bench.folder, headers=sources)

    name = f"plain-{tab.lower()}" if headers is None else f"policies-{tab.lower()}"
    return Host(name, build)


def _github(bench: Bench) -> Built:
    cleaned = subprocess.run(
        [str(bench.programs / "python"), "-c", _SANITISER],
        input=_PROSE.format(bench.codes["GitHub"]),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    bench.write("index.html", _PAGE + cleaned)
    return Built(bench.folder)


def _reveal(bench: Bench) -> Built:
    dist = bench.programs.parent / "reveal.js" / "dist"
    for target, names in {
        "reveal.css": ("reveal.css",),
        "white.css": ("theme/white.css",),
        "reveal.mjs": ("reveal.mjs", "reveal.esm.js"),
    }.items():
        found = next(dist / name for name in names if (dist / name).is_file())
        bench.write(target, found.read_text(encoding="utf-8"))
    bench.write("index.html", _PAGE + _SLIDES.format(bench.codes["HTML"]))
    return Built(bench.folder)


_STRICT = {
    "Content-Security-Policy": "default-src 'none'; script-src {0}; frame-src {0}; img-src {0}",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
}

HOSTS = (
    _plain("HTML"),
    _plain("Element"),
    _plain("HTML", _STRICT),
    _plain("Element", _STRICT),
    Host("github-sanitiser", _github, sees="picture", pip=("nh3",)),
    Host("reveal", _reveal, npm=("reveal.js",)),
)
