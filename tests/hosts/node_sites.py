"""Documentation in the tools of Node.js: Docusaurus, VitePress, Astro Starlight."""

import shutil
from pathlib import Path

from tests.hosts.site import Bench, BuildError, Built, Host

_PACKAGE = Path(__file__).resolve().parent.parent.parent / "frontend" / "packages" / "element"
_MARKDOWN = "# A page\n\nText before.\n\n{}\n\nText after.\n"


def _home(bench: Bench) -> Bench:
    """The site is next to its packages, because these tools search for them upwards."""
    home = bench.programs.parent.parent
    return Bench(home, bench.programs, bench.codes, bench.service)


def _docusaurus(bench: Bench) -> Built:
    bench = _home(bench)
    bench.write(
        "docusaurus.config.js",
        """export default {
  title: "Host", url: "http://localhost", baseUrl: "/", onBrokenLinks: "ignore",
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, pages: false }]],
};
""",
    )
    bench.write("docs/index.mdx", "---\nslug: /\n---\n" + _MARKDOWN.format(bench.codes["MDX"]))
    bench.run("docusaurus", "build")
    return Built(bench.folder / "build")


def _component(bench: Bench) -> Built:
    """The component with the downloaded picture, until it is clicked."""
    return _docusaurus_package(bench, "picture", "svg")


def _component_offline(bench: Bench) -> Built:
    """The component with the downloaded player."""
    return _docusaurus_package(bench, "player", "html")


def _docusaurus_package(bench: Bench, kept: str, ending: str) -> Built:
    bench = _home(bench)
    npm = shutil.which("npm") or "npm"
    bench.run(npm, "pack", "--silent", "--pack-destination", str(bench.folder), str(_PACKAGE))
    (package,) = bench.folder.glob("highwater-replay-*.tgz")
    bench.run(npm, "install", "--no-audit", "--no-fund", str(package))
    address, _, step = bench.link.partition("?frame=")
    copy = f"/highwater/{address.rpartition('/')[2]}-{step}.{ending}"
    runs = str(kept == "player").lower()
    bench.write(
        "docusaurus.config.js",
        f"""export default {{
  title: "Host", url: "http://localhost", baseUrl: "/", onBrokenLinks: "ignore",
  presets: [["classic", {{ docs: {{ routeBasePath: "/" }}, blog: false, pages: false }}]],
  plugins: [["highwater-replay/docusaurus", {{ download: ["{bench.link}"], runs: {runs} }}]],
}};
""",
    )
    used = (
        'import HighwaterReplay from "@theme/HighwaterReplay";\n\n'
        f'<HighwaterReplay src="{address}" step={{{step}}} height={{560}} title="A loss" '
        f'{kept}="{copy}" />'
    )
    bench.write("docs/index.mdx", "---\nslug: /\n---\n" + _MARKDOWN.format(used))
    bench.run("docusaurus", "build")
    if not (bench.folder / "build" / copy.lstrip("/")).is_file():
        raise BuildError(f"the site has no {kept}")
    return Built(bench.folder / "build")


def _vitepress(bench: Bench) -> Built:
    bench = _home(bench)
    bench.write("docs/index.md", _MARKDOWN.format(bench.codes["VitePress"]))
    bench.run("vitepress", "build", "docs")
    return Built(bench.folder / "docs" / ".vitepress" / "dist")


def _starlight(tab: str, ending: str) -> Host:
    def build(bench: Bench) -> Built:
        bench = _home(bench)
        bench.write(
            "astro.config.mjs",
            """import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
export default defineConfig({ integrations: [starlight({ title: "Host", pagefind: false })] });
""",
        )
        bench.write(
            "src/content.config.ts",
            """import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";
const docs = defineCollection({ loader: docsLoader(), schema: docsSchema() });
export const collections = { docs };
""",
        )
        text = f"---\ntitle: A page\n---\n\nText before.\n\n{bench.codes[tab]}\n\nText after.\n"
        bench.write(f"src/content/docs/index.{ending}", text)
        bench.run("astro", "build")
        return Built(bench.folder / "dist")

    # The newest that runs on the Node.js version that the frontend requires.
    return Host(f"starlight-{tab.lower()}", build, npm=("astro@5", "@astrojs/starlight@0.36"))


_DOCUSAURUS = ("@docusaurus/core", "@docusaurus/preset-classic", "react", "react-dom")

HOSTS = (
    Host("docusaurus", _docusaurus, npm=(*_DOCUSAURUS, "@mdx-js/react")),
    Host("plugin-docusaurus", _component, npm=(*_DOCUSAURUS, "@mdx-js/react")),
    Host("plugin-docusaurus-player", _component_offline, npm=(*_DOCUSAURUS, "@mdx-js/react")),
    Host("vitepress", _vitepress, npm=("vitepress",)),
    _starlight("HTML", "md"),
    _starlight("MDX", "mdx"),
)
