/**
 * The messages between the embedded page and its host: `{highwater: 1, type, payload}` both ways.
 * docs/reference/element.md describes them; the version is only ever extended.
 *
 * To the host: ready, resize, step, state, key, error; and each height also as a string that many
 * hosts support (`{"context": "iframe.resize", "height": …}`). From it: hello, setTheme, goto,
 * play, pause, setSpeed. All other messages, and messages from other windows, are ignored. The data
 * is public, so it is sent to every host.
 */

export interface HostCommands {
  /** The number of a frame; in the embed of a lesson, of a step. */
  goto: (number: number) => void;
  play: () => void;
  pause: () => void;
  setSpeed: (speed: number) => void;
  setTheme: (theme: "auto" | "light" | "dark") => void;
}

export interface Host {
  listen: (commands: HostCommands) => void;
  /**
   * Sends the preferred height; at most four times a second, and not for a difference of one pixel.
   */
  resize: (height: number) => void;
}

const RESIZE_EVERY_MS = 250;
const RESIZE_FROM_PX = 2;
/** Of messages within this time (ms), only the last one is applied. */
const OBEY_EVERY_MS = 50;

export function post(type: string, payload: Record<string, unknown>): void {
  if (window.parent !== window) window.parent.postMessage({ highwater: 1, type, payload }, "*");
}

const MODIFIERS: readonly string[] = ["Shift", "Control", "Alt", "Meta", "CapsLock", "Tab"];

/** Passes an unused key to the host, for example for a presentation. */
export function handOn({ key, code, keyCode, shiftKey, altKey }: KeyboardEvent): void {
  if (!MODIFIERS.includes(key)) post("key", { key, code, keyCode, shiftKey, altKey });
}

export function connectHost(): Host {
  let told = 0;
  let wanted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    timer = undefined;
    if (Math.abs(wanted - told) < RESIZE_FROM_PX) return;
    told = wanted;
    post("resize", { height: told });
    if (window.parent !== window)
      window.parent.postMessage(
        JSON.stringify({ src: location.href, context: "iframe.resize", height: told }),
        "*",
      );
  }

  return {
    resize: (height) => {
      wanted = height;
      if (told === 0) tell();
      else timer ??= setTimeout(tell, RESIZE_EVERY_MS);
    },
    listen: (commands) => {
      const obeyLast = coalesced((command) => obey(command, commands));
      window.addEventListener("message", (event) => {
        if (event.source !== window.parent || window.parent === window) return;
        const message = parse(event.data);
        if (message !== null) obeyLast(message);
      });
    },
  };
}

/**
 * Performs the first command immediately, and of quickly following ones the last of each kind, in
 * order.
 */
function coalesced(done: (command: Command) => void): (command: Command) => void {
  let waiting: readonly Command[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    const due = waiting;
    waiting = [];
    timer = due.length > 0 ? setTimeout(flush, OBEY_EVERY_MS) : undefined;
    for (const command of due) done(command);
  }

  return (command) => {
    const kind = KINDS[command.type];
    if (kind === undefined) return;
    waiting = [...waiting.filter((other) => KINDS[other.type] !== kind), command];
    if (timer === undefined) flush();
  };
}

/**
 * The state that each command changes; of two commands that change the same state, the later one
 * counts.
 */
const KINDS: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    goto: "place",
    play: "playing",
    pause: "playing",
    setSpeed: "speed",
    hello: "theme",
    setTheme: "theme",
  },
);

interface Command {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

function parse(data: unknown): Command | null {
  if (typeof data !== "object" || data === null) return null;
  const { highwater, type, payload } = data as Record<string, unknown>;
  if (highwater !== 1 || typeof type !== "string") return null;
  return {
    type,
    payload:
      typeof payload === "object" && payload !== null ? (payload as Record<string, unknown>) : {},
  };
}

function obey({ type, payload }: Command, commands: HostCommands): void {
  switch (type) {
    case "goto":
      if (Number.isInteger(payload.step))
        commands.goto(Math.max(0, Math.min(100_000, Number(payload.step))));
      break;
    case "play":
      commands.play();
      break;
    case "pause":
      commands.pause();
      break;
    case "setSpeed":
      if (typeof payload.speed === "number" && Number.isFinite(payload.speed))
        commands.setSpeed(payload.speed);
      break;
    case "hello":
    case "setTheme":
      if (payload.theme === "light" || payload.theme === "dark" || payload.theme === "auto")
        commands.setTheme(payload.theme);
      break;
  }
}
