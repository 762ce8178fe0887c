export function momentOf(link: string, step?: number | null): { readonly page: string; readonly picture: string; readonly fileName: string };
