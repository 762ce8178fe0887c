/** What a page is: an entry of the registry, and what it shows at an address. */

import type { Component } from "svelte";

import { pathOf } from "../addresses";
import type { Catalogue } from "../trace";
import type { Text, UiSettings } from "../site/ui-settings";

/** What a page uses of the application. */
export interface App {
  readonly ui: UiSettings;
  /** Loaded before a page is shown. */
  readonly catalogue: Catalogue;
  readonly go: (path: string) => void;
  readonly fail: (error: unknown) => void;
  /** How much of a long run is loaded. */
  readonly onprogress: (read: number, total: number) => void;
  readonly messagesOpen: boolean;
  readonly onmessages: (open: boolean) => void;
}

/** A component with its props, which may follow the state of the application. */
export interface Shown {
  readonly component: Component<Record<string, unknown>>;
  readonly props: () => Record<string, unknown>;
  /** What it is about: for something else, the component is made anew. */
  readonly about?: unknown;
  /** The title, if it is not the one of the page's entry. */
  readonly title?: Text;
}

/** A component, of which only the props matter. */
type PageComponent<Props> = (internals: never, props: Props) => unknown;

interface Described {
  /** The address; with `/:`, the rest is a name. */
  readonly path: string;
  /** The title of the document; omitted: the name in the menu, or that of the site. */
  readonly title?: Text;
  /** The name in the menu, which lists the pages in the order of the registry. */
  readonly menu?: Text;
  /** Where the menu leads, if not to the top of the page. */
  readonly href?: string;
  /** A missing one has expired. */
  readonly expires?: boolean;
}

/** What an address asks for; null if it is no address of this page. */
type Read<Asked> = (name: string, url: URL) => Asked | null;

export interface Visit {
  readonly page: SitePage;
  readonly asked: unknown;
  readonly open: (app: App) => Promise<Shown>;
}

export interface SitePage extends Described {
  /** The visit that an address is; null if it is no address of this page. */
  readonly visit: (url: URL) => Visit | null;
}

const NAMED = "/:";

interface OpenedPage<Asked> extends Described {
  readonly read: Read<Asked>;
  readonly open: (asked: Asked, app: App) => Promise<Shown>;
}

/** A page that requests something before it is shown. */
export function openedPage<Asked>({ read, open, ...described }: OpenedPage<Asked>): SitePage {
  const [room = "", named] = described.path.split(NAMED);
  const rooms = partsOf(room);
  const page: SitePage = {
    ...described,
    visit(url) {
      const path = pathOf(url);
      if (path === null) return null;
      const parts = partsOf(path);
      const names = parts.slice(rooms.length);
      const isHere = rooms.every((part, index) => part === parts[index]);
      if (!isHere || names.length !== (named === undefined ? 0 : 1)) return null;
      const asked = read(decoded(names[0] ?? ""), url);
      return asked === null ? null : { page, asked, open: (app) => open(asked, app) };
    },
  };
  return page;
}

interface ComponentPage<Asked, Props> extends Described {
  readonly read: Read<Asked>;
  readonly load: () => Promise<{ readonly default: PageComponent<Props> }>;
  readonly props: (app: App, asked: Asked) => Props;
}

/** A page that is shown as soon as its component is loaded. */
export function sitePage<Asked, Props>({
  load,
  props,
  ...page
}: ComponentPage<Asked, Props>): SitePage {
  const about = (asked: Asked): unknown => (page.path.includes(NAMED) ? asked : undefined);
  return openedPage<Asked>({
    ...page,
    open: async (asked, app) =>
      shown((await load()).default, () => props(app, asked), { about: about(asked) }),
  });
}

export function shown<Props>(
  component: PageComponent<Props>,
  props: () => Props,
  more: Pick<Shown, "about" | "title">,
): Shown {
  // The type checker has compared the two here.
  return { component, props, ...more } as unknown as Shown;
}
/** The path in the menu that a page belongs to. */
export function roomOf({ path }: SitePage): string {
  return `/${partsOf(path.split(NAMED)[0] ?? "")[0] ?? ""}`;
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
