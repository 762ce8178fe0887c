/**
 * Which plural form a whole number takes, by a language's rules as Unicode's CLDR writes them:
 * `i = 1 and v = 0`. A browser has these rules too, but the service draws pictures without one.
 */

const RELATION = /^([nivwfte])(?: ?% ?(\d+))? ?(!?=) ?(\d+(?:\.\.\d+)?(?:, ?\d+(?:\.\.\d+)?)*)$/;

function holds(relation: string, number: number): boolean {
  const found = RELATION.exec(relation.trim());
  if (found === null) throw new Error(`no relation of CLDR: ${relation}`);
  const [, operand = "", modulus, sign, ranges = ""] = found;
  // n and i are the number; the others count its decimals, or its exponent, and it has none.
  const whole = "ni".includes(operand) ? Math.abs(number) : 0;
  const value = modulus === undefined ? whole : whole % Number(modulus);
  const inside = ranges.split(",").some((range) => {
    const [low = "", high = low] = range.split("..");
    return Number(low) <= value && value <= Number(high);
  });
  return inside === (sign === "=");
}

/** The first category whose rule holds; "other" where none does. */
export function pluralCategory(number: number, rules: Readonly<Record<string, string>>): string {
  const found = Object.entries(rules).find(([, rule]) => rule.split(" or ").some((all) => all.split(" and ").every((relation) => holds(relation, number))));
  return found?.[0] ?? "other";
}
