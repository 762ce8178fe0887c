/** What somebody was about to do with a stored run: it is done in the copy that is made for it. */

export interface AfterFork {
  /** How far along the branch one stood. */
  readonly index: number;
  /** What is to stand beside it, as an option's value. */
  readonly beside?: string;
  /** The release under which its steps are to be done. */
  readonly under?: string;
}

/** The address of the copy, with what is to be done there. */
export function copyAddress(session: string, { index, beside, under }: AfterFork): string {
  // The copy has this branch alone: its frames are numbered along it.
  const query = new URLSearchParams({ step: String(index), ...(beside === undefined ? {} : { beside }), ...(under === undefined ? {} : { under }) });
  return `/x/${encodeURIComponent(session)}?${query.toString()}`;
}
