/** The addresses that belong to the link of a share, or of a lesson. */

const PATH = /^\/(?:e\/v1\/)?(s\/[0-9A-Za-z]{1,64}|lessons\/[0-9a-z-]{1,64})\/?$/;

/** The path of the page that a URL leads to; undefined if it leads to something else. */
function pageIn(url) {
  return url !== null && /^https?:$/.test(url.protocol) ? PATH.exec(url.pathname)?.[1] : undefined;
}

/** The page, the picture, the player as a file, and a file name of a moment. Throws a TypeError if the text is not a link to a share or a lesson. */
export function momentOf(link, step = null, level = null) {
  const url = URL.canParse(link) ? new URL(link) : null;
  const path = pageIn(url);
  if (path === undefined)
    throw new TypeError(
      `not a link to a run, such as https://…/s/ID?frame=12: ${JSON.stringify(link)}`,
    );
  const given = (name) => url.searchParams.get(name);
  const byMessage = (level ?? given("level")) === "message";
  const named = path.startsWith("s/")
    ? { frame: step ?? given("frame"), level: byMessage ? "message" : null }
    : {
        step: step ?? given("step"),
        message: step === null ? given("message") : null,
        kafka: given("kafka"),
      };
  const written = Object.entries(named).filter(([, value]) => value !== null);
  const query = written.length === 0 ? "" : `?${new URLSearchParams(written).toString()}`;
  const page = `${url.origin}/${path}`;
  return {
    page: `${page}${query}`,
    picture: `${page}.svg${query}`,
    player: `${page}.html${query}`,
    fileName: [path.split("/")[1], ...written.map(([, value]) => String(value))].join("-"),
  };
}
