/** The pages, each loaded when it is opened, so that no page waits for the code of another one. */

export const pages = {
  home: async () => (await import("../home/Home.svelte")).default,
  newRun: async () => (await import("../new-run/NewRun.svelte")).default,
  insights: async () => (await import("../insights/InsightsPage.svelte")).default,
  gallery: async () => (await import("../gallery/GalleryPage.svelte")).default,
  glossary: async () => (await import("../glossary/GlossaryPage.svelte")).default,
  articles: async () => (await import("../articles/ArticlesPage.svelte")).default,
  article: async () => (await import("../articles/ArticlePage.svelte")).default,
  fidelity: async () => (await import("../fidelity/FidelityPage.svelte")).default,
  challenges: async () => (await import("../challenges/ChallengesPage.svelte")).default,
  challenge: async () => (await import("../challenges/ChallengePage.svelte")).default,
  presentation: async () => (await import("../present/FollowPage.svelte")).default,
  run: async () => (await import("../run/RunPage.svelte")).default,
};

/** A page's component, by name. */
export type Pages = {
  readonly [Name in keyof typeof pages]: Awaited<ReturnType<(typeof pages)[Name]>>;
};
