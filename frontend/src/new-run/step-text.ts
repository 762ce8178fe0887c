/** One step of the text: as one line of YAML, and with changed arguments. */

import { Document, isMap, parseDocument, visit, type Node } from "yaml";

import { changed, treeOf, writtenOut, type Path, type Step } from "./draft-document";

/**
 * A step of the text on one line, as the shipped files write it: `crash: {broker: 1}`. Without its
 * comments; empty if there is no such step.
 */
export function stepLine(text: string, place: number): string {
  const step = treeOf(text)?.getIn(["steps", place]);
  if (!isMap(step)) return "";
  const tree = new Document(step.clone());
  const uncommented = { comment: null, commentBefore: null, spaceBefore: false };
  visit(tree, {
    Collection: (_, node) =>
      void Object.assign(node, uncommented, { flow: node !== tree.contents }),
    Scalar: (key, node) => {
      Object.assign(node, uncommented);
      // A text of several lines is quoted, with its line breaks as \n.
      if (key !== "key" && typeof node.value === "string" && node.value.includes("\n"))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return writtenOut(tree).trimEnd();
}

/** The text with another step at a place; null if the line is not a YAML mapping. */
export function withStepLine(text: string, place: number, line: string): string | null {
  const tree = treeOf(text);
  const step = parseDocument(line);
  const contents = step.contents as Node | null;
  if (tree === null || step.errors.length > 0 || !isMap(contents)) return null;
  contents.flow = false;
  tree.setIn(["steps", place], contents);
  return writtenOut(tree);
}

/**
 * The text with other arguments of a step. Arguments that stay the same keep their place and their
 * form; `undefined` removes one.
 */
export function withArguments(
  text: string,
  place: number,
  kind: string,
  given: Readonly<Record<string, unknown>>,
): string {
  const path: Path = ["steps", place, kind];
  const about: unknown = treeOf(text)?.getIn(path);
  if (!isMap(about)) {
    return changed(text, [
      [path, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))],
    ]);
  }
  return changed(
    text,
    Object.entries(given).map(([name, value]) => [[...path, name], value] as const),
  );
}

/** Whether a step has only these arguments, in the usual form. */
export function hasOnly(step: Step, names: readonly string[]): boolean {
  const { about } = step;
  return (
    about === null ||
    (typeof about === "object" &&
      !Array.isArray(about) &&
      Object.keys(about).every((name) => names.includes(name)))
  );
}
