/**
 * A cache of the front page's data, so that it is available immediately when the reader returns.
 */

import type { ArticleSummary, LessonLibrary } from "../service/api";

export const pageCache: { library: LessonLibrary | null; articles: readonly ArticleSummary[] } = {
  library: null,
  articles: [],
};
