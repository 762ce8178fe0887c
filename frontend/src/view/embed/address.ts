/** The player's address for a share's page, or null if the address is not a share's. */
export function playerAddress(
  src: string,
  base: string,
  query: Readonly<Record<string, string | null>>,
): URL | null {
  let address: URL;
  try {
    address = new URL(src, base);
  } catch {
    return null;
  }
  const id = /^\/(?:e\/v1\/)?s\/([0-9A-Za-z]{1,64})\/?$/.exec(address.pathname)?.[1];
  if (id === undefined || !/^https?:$/.test(address.protocol)) return null;
  const player = new URL(`/e/v1/s/${id}`, address);
  const frame = query.frame ?? address.searchParams.get("frame");
  const level = query.level ?? address.searchParams.get("level");
  for (const [name, value] of Object.entries({ ...query, frame, level })) {
    if (value !== null && value !== "") player.searchParams.set(name, value);
  }
  return player;
}
