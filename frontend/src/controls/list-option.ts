/** What a list offers. */
export interface ListOption {
  readonly value: string;
  readonly label: string;
  /** The heading that it stands under; options of one group follow each other. */
  readonly group?: string | undefined;
}
