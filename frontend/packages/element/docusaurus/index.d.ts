export interface Options {
  /** Links to the moments whose pictures are downloaded into `/highwater/ID-STEP.svg`. */
  readonly download?: readonly string[];
  /** Whether the players with their runs are downloaded too, into `/highwater/ID-STEP.html`. */
  readonly runs?: boolean;
}

export default function highwater(
  context: unknown,
  options?: Options,
): {
  readonly name: string;
  readonly getThemePath: () => string;
  readonly postBuild: (build: { readonly outDir: string }) => Promise<void>;
};
