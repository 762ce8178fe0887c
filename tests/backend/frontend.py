"""A minimal frontend, in the places where the real build puts its files."""

from pathlib import Path

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="description" content="What it is." />
    <title>Highwater</title>
    <script type="module" crossorigin src="/assets/index-AbCdEf12.js"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>It needs scripts.</noscript>
  </body>
</html>
"""
EMBED = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Highwater</title>
    <script defer src="/assets/embed-AbCdEf12.js"></script>
    <link rel="stylesheet" href="/assets/plain.css">
  </head>
  <body>
    <div id="embed"></div>
  </body>
</html>
"""
DOCS = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Highwater</title>
    <script src="/assets/docs-AbCdEf12.js"></script>
  </head>
  <body>
    <div id="docs"></div>
  </body>
</html>
"""
FIGURE = """
globalThis.renderFigure = function (frameJson, optionsJson) {
  const frame = JSON.parse(frameJson) || { frame: 0, state: {} };  // null: a card of words
  const options = JSON.parse(optionsJson);
  if (frameJson === "null") options.card = true;
  if (options.theme === "dark" && frame.frame === 1) throw new Error("cannot");
  if (options.theme === "dark" && frame.frame === 2) while (true) {}
  const escaped = options.title.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const size = options.card ? 'width="1200" height="630"' : 'width="800" height="400"';
  return '<!--[--><svg ' + size + ' role="img"><style>text { fill: red; }'
    + '.hw-paper { fill: white; }</style>'
    + '<title>' + escaped + '</title>'
    + '<rect width="' + (10 * frame.frame + 10) + '" height="10" />'  // to see it in pixels
    + '<text>frame ' + frame.frame + ' ' + options.theme + ' ' + options.lang
    + ' log ' + Object.keys(frame.state).length + '</text>'
    + '<text>events ' + (frame.events || []).length
    + ' since ' + (options.previous ? options.previous.frame : '-')
    + ' message ' + (options.message || '-')
    + ' order ' + Object.values(options.order || {}).join(' ') + '</text>'
    + '<text>told ' + options.description + '</text></svg><!--]-->';
};
"""


LINK_CARD = b"the card of the site"


def write_frontend(folder: Path) -> tuple[Path, Path]:
    """The folder of the pages, and the drawing script."""
    pages = folder / "dist"
    for name, content in {
        "index.html": INDEX,
        "embed.html": EMBED,
        "docs.html": DOCS,
        "favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "favicon.ico": "icon",
        "assets/index-AbCdEf12.js": "export {};",
        "assets/embed-AbCdEf12.js": "const hostile = '</script><!--';",
        "assets/docs-AbCdEf12.js": "",
        "assets/plain.css": "p {}",
        "embed/v1.js": "customElements;",
    }.items():
        path = pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (pages / "link-card.png").write_bytes(LINK_CARD)
    figure = folder / "figure.js"
    figure.write_text(FIGURE)
    return pages, figure
