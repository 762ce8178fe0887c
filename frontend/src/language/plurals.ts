/**
 * Selects the plural form of a whole number, by a language's rules in the syntax of Unicode's CLDR:
 * `i = 1 and v = 0`. Browsers include these rules, but the service draws pictures without a
 * browser.
 */

const RELATION = /^([nivwfte])(?: ?% ?(\d+))? ?(!?=) ?(\d+(?:\.\.\d+)?(?:, ?\d+(?:\.\.\d+)?)*)$/;

function holds(relation: string, number: number): boolean {
  const found = RELATION.exec(relation.trim());
  if (found === null) throw new Error(`no relation of CLDR: ${relation}`);
  const [, operand = "", modulus, sign, ranges = ""] = found;
  // n and i are the number itself. The others are about its decimals or exponent, and whole numbers
  // have none.
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
  const found = Object.entries(rules).find(([, rule]) =>
    rule
      .split(" or ")
      .some((all) => all.split(" and ").every((relation) => holds(relation, number))),
  );
  return found?.[0] ?? "other";
}
