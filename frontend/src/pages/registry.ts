/**
 * The pages: the application's addresses, titles and menu. The service serves the same paths
 * (`backend/pages/site.py`, which a test compares with this list). A page loads when it is opened,
 * so that no page waits for the code of another one.
 */

import { say as sayArticles } from "languages:articles";
import { say as sayAssess } from "languages:assess";
import { say as sayChallenges } from "languages:challenges";
import { say as sayFidelity } from "languages:fidelity";
import { say as sayGallery } from "languages:gallery";
import { say as sayGlossary } from "languages:glossary";
import { say as sayLessonPlan } from "languages:lesson-plan";
import { say } from "languages:pages";
import { say as sayWatch } from "languages:watch";

import { to } from "../addresses";
import { sessionAddress } from "../run/address";
import { isFullStateLink } from "../service/full-state-link";
import type { MenuEntry, Text } from "../site/ui-settings";
import { branchOf, frameOf, messageOf, stepOf } from "./address";
import { openLesson, openLink, openRecording, openSession, openShare } from "./runs";
import { openedPage, roomOf, sitePage, type SitePage, type Visit } from "./site-page";

const articles: Text = (lang) => sayArticles(lang, "articles");
const myCluster: Text = (lang) => sayAssess(lang, "myCluster");
const challenges: Text = (lang) => sayChallenges(lang, "challenges");

/** The only thing that an address asks for. */
const nothing = (): true => true;
const itself = (name: string): string | null => (isFile(name) ? null : name);

/** `/s/….svg` and similar addresses are files. */
function isFile(name: string): boolean {
  return name.includes(".");
}

export const PAGES: readonly SitePage[] = [
  openedPage({
    path: "/",
    read: (_, { hash }) => (isFullStateLink(hash) ? { fragment: hash } : null),
    open: openLink,
  }),
  sitePage({
    path: "/",
    menu: (lang) => say(lang, "lessons"),
    href: "/#lessons",
    title: () => "",
    read: (_, { search }) => ({ search }),
    load: () => import("../home/Home.svelte"),
    props: ({ ui }, { search }) => ({ ui, search }),
  }),
  sitePage({
    path: "/articles",
    menu: articles,
    read: nothing,
    load: () => import("../articles/ArticlesPage.svelte"),
    props: ({ ui }) => ({ ui }),
  }),
  sitePage({
    path: "/articles/:number",
    title: articles,
    read: (name) => (/^\d{1,3}$/.test(name) ? Number(name) : null),
    load: () => import("../articles/ArticlePage.svelte"),
    props: ({ ui }, number) => ({ ui, number }),
  }),
  sitePage({
    path: "/lesson-plan",
    title: (lang) => sayLessonPlan(lang, "title"),
    read: nothing,
    load: () => import("../lesson-plan/LessonPlanPage.svelte"),
    props: ({ ui }) => ({ ui }),
  }),
  sitePage({
    path: "/challenges",
    menu: challenges,
    read: nothing,
    load: () => import("../challenges/ChallengesPage.svelte"),
    props: ({ ui }) => ({ ui }),
  }),
  sitePage({
    path: "/challenges/:challenge",
    title: challenges,
    read: itself,
    load: () => import("../challenges/ChallengePage.svelte"),
    props: ({ ui, catalogue, go }, id) => ({
      ui,
      catalogue,
      id,
      onrun: (session: string, shared: number | null) =>
        go(
          shared === null ? sessionAddress(session) : `${sessionAddress(session, shared)}&share=1`,
        ),
    }),
  }),
  sitePage({
    path: "/new",
    menu: (lang) => say(lang, "build"),
    title: (lang) => say(lang, "newTitle"),
    read: (_, { searchParams }) => ({ from: branchOf(searchParams) }),
    load: () => import("../new-run/NewRun.svelte"),
    props: ({ ui, catalogue, go }, { from }) => ({
      ui,
      catalogue,
      from,
      onstart: (session: string, shared: number | null) =>
        go(
          shared === null
            ? sessionAddress(session, 0)
            : `${sessionAddress(session, shared)}&share=1`,
        ),
    }),
  }),
  sitePage({
    path: "/assess",
    menu: myCluster,
    read: nothing,
    load: () => import("../assess/AssessPage.svelte"),
    props: ({ ui, go }) => ({ ui, onnavigate: go }),
  }),
  sitePage({
    path: "/assess/s/:sid",
    title: myCluster,
    read: itself,
    load: () => import("../assess/SharedPage.svelte"),
    props: ({ ui, go }, sid) => ({ ui, sid, onnavigate: go }),
  }),
  sitePage({
    path: "/watch",
    title: (lang) => sayWatch(lang, "title"),
    read: nothing,
    load: () => import("../watch/WatchPage.svelte"),
    props: ({ ui, catalogue, go }) => ({ ui, catalogue, onnavigate: go }),
  }),
  sitePage({
    path: "/watch/recording",
    title: (lang) => sayWatch(lang, "recordingTitle"),
    read: nothing,
    load: () => import("../watch/RecordingPage.svelte"),
    props: ({ ui, catalogue }) => ({ ui, catalogue }),
  }),
  sitePage({
    path: "/insights",
    menu: (lang) => say(lang, "insights"),
    read: nothing,
    load: () => import("../insights/InsightsPage.svelte"),
    props: ({ ui, go }) => ({ ui, onnavigate: go }),
  }),
  sitePage({
    path: "/gallery",
    menu: (lang) => sayGallery(lang, "gallery"),
    read: nothing,
    load: () => import("../gallery/GalleryPage.svelte"),
    props: ({ ui }) => ({ ui }),
  }),
  sitePage({
    path: "/glossary",
    menu: (lang) => sayGlossary(lang, "glossary"),
    read: nothing,
    load: () => import("../glossary/GlossaryPage.svelte"),
    props: ({ ui, catalogue }) => ({ ui, catalogue }),
  }),
  sitePage({
    path: "/fidelity",
    menu: (lang) => sayFidelity(lang, "fidelity"),
    read: nothing,
    load: () => import("../fidelity/FidelityPage.svelte"),
    props: ({ ui }) => ({ ui }),
  }),
  openedPage({
    path: "/lessons/:scenario",
    read: (name, { searchParams }) =>
      isFile(name)
        ? null
        : {
            scenario: name,
            kafka: searchParams.get("kafka"),
            step: stepOf(searchParams),
            message: messageOf(searchParams),
            frame: frameOf(searchParams),
          },
    open: openLesson,
  }),
  openedPage({
    path: "/x/:session",
    expires: true,
    read: (name, { searchParams }) =>
      isFile(name) ? null : { session: name, frame: frameOf(searchParams) },
    open: openSession,
  }),
  // The names of recordings contain releases.
  openedPage({
    path: "/recordings/:name",
    read: (name, { searchParams }) => ({ name, frame: frameOf(searchParams) }),
    open: openRecording,
  }),
  openedPage({
    path: "/s/:sid",
    read: (name, { searchParams }) =>
      isFile(name) ? null : { sid: name, frame: frameOf(searchParams) },
    open: openShare,
  }),
  sitePage({
    path: "/p/:code",
    read: (name) => itself(name.toLowerCase()),
    load: () => import("../present/FollowPage.svelte"),
    props: ({ catalogue, go }, code) => ({
      code,
      catalogue,
      onrun: (session: string) => go(sessionAddress(session)),
    }),
  }),
];

export const MENU: readonly MenuEntry[] = PAGES.flatMap((page) =>
  page.menu === undefined
    ? []
    : [{ path: roomOf(page), href: to(page.href ?? page.path), name: page.menu }],
);

/** The visit that an address is; null if there is no page for it. */
export function visitTo(url: URL): Visit | null {
  for (const page of PAGES) {
    const visit = page.visit(url);
    if (visit !== null) return visit;
  }
  return null;
}
