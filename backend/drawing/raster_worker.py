"""The process that turns a picture into pixels: `python -m backend.drawing.raster_worker`.

It reads an SVG document from standard input and writes a PNG. The library keeps Python's lock for
as long as it draws, so in the service's own process every other request would wait for it.
"""

import os
import sys
from pathlib import Path

import resvg_py


def main() -> None:
    """Draw standard input as wide as the first argument says, with the fonts in a folder."""
    os.nice(5)  # visitors who wait for the service come first
    width, fonts = int(sys.argv[1]), Path(sys.argv[2])
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), width=width, fonts=fonts))


def png(picture: str, *, width: int, fonts: Path) -> bytes:
    """An SVG document as PNG, its height in proportion.

    No font of the machine is used: the same picture has the same pixels everywhere.
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
