/** Why an action is not possible now. */

import { reasonText, type Catalogue, type Lang } from "../trace";

import type { Choice } from "../service/api";

export function whyNot(choice: Choice, catalogue: Catalogue, lang: Lang): string {
  if (choice.reason_code === null) return choice.reason ?? "";
  return (
    reasonText(catalogue, choice.reason_code, choice.reason_numbers, lang) ?? choice.reason ?? ""
  );
}
