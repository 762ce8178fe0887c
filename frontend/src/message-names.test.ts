import { expect, it } from "vitest";

import { readRoom, roomNames } from "../languages.config";

/** The types of the modules `languages:…`: a message that is not in the English folder does not compile. */
function declarations(): string {
  const rooms = roomNames().map((room) => {
    const names = Object.keys(readRoom("en", room)).map((name) => `    | "${name}"`);
    return `declare module "languages:${room}" {\n  type Name =\n${names.join("\n")};\n  const texts: import("./sayer").Texts<Name>;\n  export default texts;\n}\n`;
  });
  const list = `declare module "languages:list" {\n  const list: readonly import("./languages").Language[];\n  export default list;\n}\n`;
  const steps = `declare module "languages:steps" {\n  const texts: import("./sayer").Texts<string>;\n  export default texts;\n}\n`;
  return ["// Made from sim_engine/languages/en by `npm run messages`.\n", list, steps, ...rooms].join("\n");
}

it("the names of messages are those of the English folder", async () => {
  await expect(declarations()).toMatchFileSnapshot("./language/names.d.ts");
});
