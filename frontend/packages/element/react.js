/** The element as a React component. It renders the same on a server: the element is defined later, in the browser. */

import { createElement, useEffect, useRef } from "react";

import { momentOf } from "./share-addresses.js";

const EVENTS = {
  onReady: "highwater-ready",
  onStep: "highwater-step",
  onState: "highwater-state",
  onError: "highwater-error",
};

export function HighwaterReplay({
  src,
  step,
  level,
  height,
  theme,
  lang,
  loading,
  autoplay,
  title,
  picture,
  player,
  onReady,
  onStep,
  onState,
  onError,
  children,
}) {
  const element = useRef(null);

  useEffect(() => {
    if (player === undefined) void import("./dist/element.js");
  }, [player]);

  useEffect(() => {
    const handlers = Object.entries({ onReady, onStep, onState, onError }).filter(
      ([, handler]) => handler !== undefined,
    );
    const listeners = handlers.map(([name, handler]) => [
      EVENTS[name],
      (event) => handler(event.detail),
    ]);
    for (const [name, listener] of listeners) element.current?.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners)
        element.current?.removeEventListener(name, listener);
    };
  }, [onReady, onStep, onState, onError]);

  if (player !== undefined) {
    const style = { width: "100%", height: height ?? 460, border: 0 };
    return createElement("iframe", {
      src: player,
      title: title ?? "Highwater",
      loading: loading ?? "lazy",
      sandbox: "allow-scripts allow-popups allow-popups-to-escape-sandbox",
      style,
    });
  }
  const moment = momentOf(src, step, level);
  const image = createElement("img", {
    src: picture ?? moment.picture,
    alt: title ?? "Highwater",
    style: { maxWidth: "100%", height: "auto" },
  });
  return createElement(
    "highwater-replay",
    {
      ref: element,
      src,
      step,
      level,
      height,
      theme,
      lang,
      loading,
      title,
      autoplay: autoplay ? "" : undefined,
    },
    children ?? createElement("a", { href: moment.page }, image),
  );
}
