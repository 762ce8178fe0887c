/** The stage's sheet with a theme's values in place of the tokens' names: a figure has no page to take them from. */

import figureCss from "../../styles/figure.css?raw";
import stageCss from "../../styles/stage.css?raw";
import tokensCss from "../../styles/tokens.css?raw";

export type Theme = "light" | "dark";

function declarations(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

function block(selector: string): string {
  const start = tokensCss.indexOf(`${selector} {`);
  return tokensCss.slice(start, tokensCss.indexOf("}", start));
}

function tokens(theme: Theme): Map<string, string> {
  const light = declarations(block(":root"));
  return theme === "light" ? light : new Map([...light, ...declarations(block(':root[data-theme="dark"]'))]);
}

export function figureSheet(theme: Theme): string {
  const values = tokens(theme);
  return (stageCss + figureCss)
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => values.get(name) ?? "currentColor")
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(/: /g, ":");
}
