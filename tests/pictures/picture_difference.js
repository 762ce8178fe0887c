/** What `picture_difference.py` has a browser do with pictures, each as text in base 64. */
(() => {
  const read = async (type, text) =>
    createImageBitmap(await (await fetch(`data:image/${type};base64,${text}`)).blob());

  const written = async (canvas, as) => {
    const bytes = new Uint8Array(await (await canvas.convertToBlob(as)).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };

  /** A PNG as WebP, smaller. */
  const small = async (png, scale, quality) => {
    const image = await read("png", png);
    const canvas = new OffscreenCanvas(
      Math.round(image.width * scale),
      Math.round(image.height * scale),
    );
    const drawing = canvas.getContext("2d");
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
    return written(canvas, { type: "image/webp", quality });
  };

  const pixels = async (webp) => {
    const image = await read("webp", webp);
    const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
    drawing.drawImage(image, 0, 0);
    return drawing.getImageData(0, 0, image.width, image.height);
  };

  /** The share of pixels that differ, and a picture with those in red; of another size, all of it. */
  const difference = async (kept, now, tolerated) => {
    const [before, after] = [await pixels(kept), await pixels(now)];
    const sameSize = before.width === after.width && before.height === after.height;
    let off = 0;
    for (let at = 0; at < after.data.length; at += 4) {
      const apart = [0, 1, 2].map((channel) =>
        Math.abs(before.data[at + channel] - after.data[at + channel]),
      );
      if (!sameSize || Math.max(...apart) > tolerated) {
        off += 1;
        after.data.set([255, 0, 90, 255], at);
      } else after.data[at + 3] = 70;
    }
    const canvas = new OffscreenCanvas(after.width, after.height);
    canvas.getContext("2d").putImageData(after, 0, 0);
    return {
      share: off / (after.width * after.height),
      picture: await written(canvas, { type: "image/png" }),
    };
  };

  globalThis.pictures = { small, difference };
})();
