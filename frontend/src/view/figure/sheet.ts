/**
 * The stage's style sheet with a theme's values instead of token names, because a figure has no
 * page that defines them.
 */

import tokensCss from "../../styles/tokens.css?raw";
import logoCss from "../logo/logo.css?raw";
import stageCss from "../stage/stage.css?raw";
import figureCss from "./figure.css?raw";

export type Theme = "light" | "dark";

const LIGHT_DARK = /light-dark\(((?:[^(),]|\([^()]*\))+),\s*((?:[^(),]|\([^()]*\))+)\)/g;

/** The base tokens; those for forced colours and reduced motion do not apply to pictures. */
function tokens(theme: Theme): Map<string, string> {
  const start = tokensCss.indexOf(":root {");
  const block = tokensCss.slice(start, tokensCss.indexOf("\n}", start));
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(LIGHT_DARK, (_, light: string, dark: string) =>
        theme === "light" ? light : dark,
      ),
    ]),
  );
}

/** `more` is another sheet for what a picture contains besides a figure. */
export function figureSheet(theme: Theme, more = ""): string {
  const values = tokens(theme);
  return (stageCss + logoCss + figureCss + more)
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => values.get(name) ?? "currentColor")
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(/: /g, ":");
}
