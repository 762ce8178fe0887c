/**
 * The allowed contents of a place in a scenario file and their meaning, from the published JSON
 * Schema.
 */

export interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export interface Offer {
  readonly label: string;
  readonly detail: string;
}

/** Every schema that applies to a place, including alternatives and references. */
function schemasAt(root: Schema, path: readonly (string | number)[]): readonly Schema[] {
  let here = spread(root, root);
  for (const key of path)
    here = here.flatMap((schema) => below(schema, key)).flatMap((schema) => spread(root, schema));
  return here;
}

function spread(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
  if (depth > 8) return [];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/^#\/\$defs\//, "");
    const found = root.$defs?.[name];
    return found === undefined ? [] : spread(root, found, depth + 1);
  }
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...others.flatMap((other) => spread(root, other, depth + 1))];
}

function below(schema: Schema, key: string | number): readonly Schema[] {
  if (typeof key === "number") return typeof schema.items === "object" ? [schema.items] : [];
  const own = schema.properties?.[key];
  if (own !== undefined) return [own];
  const patterned = Object.entries(schema.patternProperties ?? {}).find(([pattern]) =>
    new RegExp(pattern).test(key),
  );
  if (patterned !== undefined) return [patterned[1]];
  return typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
}

/** The keys that can be added to a mapping at a place. */
export function keysAt(
  root: Schema,
  path: readonly (string | number)[],
  there: readonly string[],
): readonly Offer[] {
  const offers = new Map<string, Offer>();
  for (const schema of schemasAt(root, path)) {
    for (const [label, about] of Object.entries(schema.properties ?? {})) {
      if (!there.includes(label) && !offers.has(label))
        offers.set(label, { label, detail: meaningOf(root, about) });
    }
  }
  return [...offers.values()];
}

/** The values that a place may have, if they are a finite set. */
export function valuesAt(root: Schema, path: readonly (string | number)[]): readonly Offer[] {
  const offers = new Map<string, Offer>();
  for (const schema of schemasAt(root, path)) {
    const values = [
      ...(schema.enum ?? []),
      ...(schema.const === undefined ? [] : [schema.const]),
      ...(schema.type === "boolean" ? [true, false] : []),
    ];
    for (const value of values)
      if (value !== null)
        offers.set(String(value), { label: String(value), detail: schema.description ?? "" });
  }
  return [...offers.values()];
}

/** The help for a place: its description, its type and its range. */
export function meaningAt(root: Schema, path: readonly (string | number)[]): string {
  return [...new Set(schemasAt(root, path).map((schema) => meaningOf(root, schema)))]
    .filter((text) => text !== "")
    .join(" ");
}

function meaningOf(root: Schema, schema: Schema): string {
  const told = spread(root, schema).find((one) => one.description !== undefined)?.description ?? "";
  const { minimum, maximum } = schema;
  const range =
    minimum === undefined || maximum === undefined ? "" : `${String(minimum)}–${String(maximum)}`;
  return [told, range].filter((part) => part !== "").join(" ");
}
