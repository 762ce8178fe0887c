import type { ExperimentalOptions } from "vite";

/**
 * A copy of the site may lie below any path, so scripts and styles name other files relative to
 * themselves. In pages the addresses begin at the root, and the copy changes them.
 */
export const relativeFiles: ExperimentalOptions = {
  renderBuiltUrl: (_file, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
};
