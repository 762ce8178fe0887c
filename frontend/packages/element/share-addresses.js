/** The addresses that belong to a share's link. */

const PATH = /^\/(?:e\/v1\/)?s\/([0-9A-Za-z]{1,64})\/?$/;

/** The id of the share that a URL leads to; undefined if it leads to something else. */
function shareIn(url) {
  return url !== null && /^https?:$/.test(url.protocol) ? PATH.exec(url.pathname)?.[1] : undefined;
}

/** The page, the picture, the player as a file, and a file name of a moment. Throws a TypeError if the text is not a link to a share. */
export function momentOf(link, step = null, level = null) {
  const url = URL.canParse(link) ? new URL(link) : null;
  const sid = shareIn(url);
  if (sid === undefined)
    throw new TypeError(
      `not a link to a run, such as https://…/s/ID?frame=12: ${JSON.stringify(link)}`,
    );
  const frame = step ?? url.searchParams.get("frame");
  const byMessage = (level ?? url.searchParams.get("level")) === "message";
  const written = [
    ...(frame === null ? [] : [`frame=${String(frame)}`]),
    ...(byMessage ? ["level=message"] : []),
  ].join("&");
  const query = written === "" ? "" : `?${written}`;
  const page = `${url.origin}/s/${sid}`;
  return {
    page: `${page}${query}`,
    picture: `${page}.svg${query}`,
    player: `${page}.html${query}`,
    fileName: [
      sid,
      ...(frame === null ? [] : [String(frame)]),
      ...(byMessage ? ["message"] : []),
    ].join("-"),
  };
}
