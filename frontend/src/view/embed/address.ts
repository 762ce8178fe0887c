/** A page that has an embed: of a share, or of a lesson. Its site may lie below a path. */
const PATH = /^(|\/.*?)\/(?:e\/v1\/)?(s\/[0-9A-Za-z]{1,64}|lessons\/[0-9a-z-]{1,64})\/?$/;
/** What the link of each kind names, and the parameter that an element's attribute `step` sets. */
const OF_SHARES = { names: ["frame", "level"], counted: "frame" };
const OF_LESSONS = { names: ["step", "message", "kafka"], counted: "step" };

/**
 * The player's address for the page of a share or a lesson, or null if the address is not one.
 * `step` and `level` replace what the address names.
 */
export function playerAddress(
  src: string,
  base: string,
  { step = null, level = null, ...more }: Readonly<Record<string, string | null>>,
): URL | null {
  let address: URL;
  try {
    address = new URL(src, base);
  } catch {
    return null;
  }
  const [, folder = "", page] = PATH.exec(address.pathname) ?? [];
  if (page === undefined || !/^https?:$/.test(address.protocol)) return null;
  const player = new URL(`${folder}/e/v1/${page}`, address);
  const { names, counted } = page.startsWith("s/") ? OF_SHARES : OF_LESSONS;
  const named = names.map((name) => [name, address.searchParams.get(name)] as const);
  const asked: Record<string, string | null> = { ...Object.fromEntries(named), ...more };
  if (step !== null) Object.assign(asked, { message: null, [counted]: step });
  if (level !== null && counted === "frame") asked.level = level;
  for (const [name, value] of Object.entries(asked)) {
    if (value !== null && value !== "") player.searchParams.set(name, value);
  }
  return player;
}
