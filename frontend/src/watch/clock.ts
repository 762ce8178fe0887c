/** Moments of the readings as the time of day, in the language of the page. */

export function clockIn(lang: string): (at: string) => string {
  const form = new Intl.DateTimeFormat(lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return (at) => (at === "" ? "" : form.format(new Date(at)));
}
