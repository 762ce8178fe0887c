"""The process that renders pictures as pixels: `python -m backend.drawing.raster_worker FONTS`.

It reads requests from standard input, each the width in pixels and an SVG document, and writes one
PNG for each to standard output, or nothing if the library rejects the picture. It is a separate
process because the library keeps Python's global interpreter lock while it draws, so every other
request would wait.
"""

import sys
from pathlib import Path

import msgspec
import resvg_py

from backend.processes.framing import LENGTH_BYTES, framed


def main() -> None:
    """Draw one picture after another, until standard input ends."""
    fonts = Path(sys.argv[1])
    while length := sys.stdin.buffer.read(LENGTH_BYTES):
        request = sys.stdin.buffer.read(int.from_bytes(length, "big"))
        width, picture = msgspec.json.decode(request, type=tuple[int, str])
        try:
            drawn = png(picture, width=width, fonts=fonts)
        except Exception:  # whatever the library raises, the next picture may be drawn
            drawn = b""
        sys.stdout.buffer.write(framed(drawn))
        sys.stdout.buffer.flush()


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
