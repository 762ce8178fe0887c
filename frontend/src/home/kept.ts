/** What the front page has read before: there at once when the reader comes back to it. */

import type { ArticleSummary, LessonLibrary } from "../service/api";

export const kept: { library: LessonLibrary | null; articles: readonly ArticleSummary[] } = { library: null, articles: [] };
