"""The process that renders pictures as pixels: `python -m backend.drawing.raster_worker FONTS`.

It reads requests from standard input and writes one image for each to standard output, or nothing
if a library rejects it. It is a separate process because the library keeps Python's global
interpreter lock while it draws, so every other request would wait.
"""

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import msgspec
import resvg_py
from msgspec import Struct
from PIL import Image

from backend.processes.framing import LENGTH_BYTES, framed


class Request(Struct, frozen=True, array_like=True):
    """SVG documents to draw, each `width` pixels wide: one as PNG; with `seconds`, one for each
    document, all of them as a GIF that plays for ever.
    """

    width: int
    pictures: tuple[str, ...]
    seconds: tuple[float, ...] = ()


def main() -> None:
    """Draw one picture after another, until standard input ends."""
    fonts = Path(sys.argv[1])
    while length := sys.stdin.buffer.read(LENGTH_BYTES):
        request = sys.stdin.buffer.read(int.from_bytes(length, "big"))
        asked = msgspec.json.decode(request, type=Request)
        try:
            images = [png(picture, width=asked.width, fonts=fonts) for picture in asked.pictures]
            drawn = gif(images, asked.seconds) if asked.seconds else images[0]
        except Exception:  # whatever the libraries raise, the next picture may be drawn
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


def gif(images: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """PNG images of one size as an animation that repeats, each shown for its time."""
    # One palette for all, so that a colour does not flicker from image to image.
    opened = [Image.open(BytesIO(image)).convert("RGB") for image in images]
    width, height = opened[0].size
    together = Image.new("RGB", (width, height * len(opened)))
    for place, image in enumerate(opened):
        together.paste(image, (0, place * height))
    palette = together.quantize(dither=Image.Dither.NONE)
    first, *others = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in opened]
    written = BytesIO()
    first.save(
        written,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[round(shown * 1000) for shown in seconds],
        loop=0,
        optimize=True,
    )
    return written.getvalue()


if __name__ == "__main__":
    main()
