/** How large a picture is by itself; null where it cannot be had. */
export async function pictureSize(address: string): Promise<{ readonly width: number; readonly height: number } | null> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return image.naturalWidth === 0 ? null : { width: image.naturalWidth, height: image.naturalHeight };
}
