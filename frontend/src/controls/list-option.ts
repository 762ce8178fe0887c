/** An option of a list. */
export interface ListOption {
  readonly value: string;
  readonly label: string;
  /** Its group heading; the options of a group are consecutive. */
  readonly group?: string | undefined;
}
