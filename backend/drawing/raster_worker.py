"""The process that renders a picture as pixels: `python -m backend.drawing.raster_worker`.

It reads an SVG document from standard input and writes a PNG to standard output. It is a separate
process because the library keeps Python's global interpreter lock while it draws, so every other
request would wait.
"""

import sys
from pathlib import Path

import resvg_py


def main() -> None:
    """Draw standard input. Arguments: the width in pixels and the folder of the fonts."""
    width, fonts = int(sys.argv[1]), Path(sys.argv[2])
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), width=width, fonts=fonts))


def png(picture: str, *, width: int, fonts: Path) -> bytes:
    """Render an SVG document as PNG, with the height in proportion.

    The machine's fonts are not used, so the same picture has the same pixels everywhere.
    """
    return resvg_py.svg_to_bytes(
        svg_string=picture,
        width=width,
        skip_system_fonts=True,
        font_files=[str(font) for font in sorted(fonts.glob("*.ttf"))],
        sans_serif_family="Inter",
    )


if __name__ == "__main__":
    main()
