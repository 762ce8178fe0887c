/** The natural size of a picture; null if it cannot be loaded. */
export async function pictureSize(
  address: string,
): Promise<{ readonly width: number; readonly height: number } | null> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return image.naturalWidth === 0
    ? null
    : { width: image.naturalWidth, height: image.naturalHeight };
}
