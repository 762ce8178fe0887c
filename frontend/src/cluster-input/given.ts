/** What is given to an import: a pasted text and files. */

export interface GivenFile {
  readonly name: string;
  readonly text: string;
}

/** The name of the pasted text among the files. */
export const PASTED = "pasted";
