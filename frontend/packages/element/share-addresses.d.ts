export function momentOf(
  link: string,
  step?: number | null,
  level?: "story" | "message" | null,
): { readonly page: string; readonly picture: string; readonly fileName: string };
