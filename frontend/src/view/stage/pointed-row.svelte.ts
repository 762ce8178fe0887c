/**
 * The broker whose row offers its actions: the mouse rests on the row, or the keyboard has focused
 * the broker's name. The later of the two counts.
 */

/** How long (ms) a pointer must rest on a row before its actions appear. */
const REST_MS = 120;

interface Row {
  readonly broker: number;
  readonly y: number;
  readonly height: number;
}

export class PointedRow {
  #under: number | null = $state(null);
  #focused: number | null = $state(null);
  #focusLast = $state(false);
  /** Whether the focus is on the actions: they must not disappear under it. */
  #onActions = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  readonly broker: number | null = $derived.by(() =>
    this.#focusLast ? (this.#focused ?? this.#under) : (this.#under ?? this.#focused),
  );

  /** The pointer moved over the logs. Over a row's actions, which lie on other rows too, the row stays. */
  move(event: PointerEvent, logs: HTMLElement, rows: readonly Row[]): void {
    if (event.pointerType === "touch") return;
    clearTimeout(this.#resting);
    if (isOnActions(event.target)) return;
    if (!this.#onActions) this.#focusLast = false;
    const y = event.clientY - logs.getBoundingClientRect().top;
    const broker = rows.find((row) => y >= row.y && y < row.y + row.height)?.broker ?? null;
    if (broker !== this.#under)
      this.#resting = setTimeout(() => (this.#under = broker), this.#under === null ? REST_MS : 0);
  }

  leave(): void {
    clearTimeout(this.#resting);
    this.#under = null;
  }

  /** Something in the logs received the focus; `offered` is the broker whose actions are shown. */
  focus({ target }: FocusEvent, offered: number | null): void {
    if (!(target instanceof Element)) return;
    const visible = target.matches(":focus-visible");
    this.#onActions = visible && isOnActions(target);
    if (this.#onActions) this.#focusOn(this.#focused ?? offered);
    // A press of the mouse on an action must not take it away.
    else if (isOnActions(target)) return;
    else if (target.matches("[data-broker]")) this.#focusOn(visible ? rowOf(target) : null);
    else if (rowOf(target) !== this.#focused) this.#focusOn(null);
  }

  /** The logs lose the focus, unless an action that disappears hands it on. */
  blur({ relatedTarget }: FocusEvent, logs: HTMLElement): void {
    if (relatedTarget instanceof Node && logs.contains(relatedTarget)) return;
    setTimeout(() => {
      if (logs.contains(document.activeElement)) return;
      this.#onActions = false;
      this.#focusOn(null);
    });
  }

  /** A row was selected elsewhere than on its name: now its actions are offered. */
  select(broker: number): void {
    if (broker !== this.#focused && !this.#onActions) this.#focusOn(null);
  }

  #focusOn(broker: number | null): void {
    this.#focused = broker;
    this.#focusLast = broker !== null;
  }
}

function isOnActions(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".actions-bar") !== null;
}

/** The broker of a name, of the button for its files, or of a record (`broker/offset`). */
function rowOf(element: Element): number | null {
  const of = element.closest<HTMLElement | SVGElement>(
    "[data-broker], [data-files], [data-cell]",
  )?.dataset;
  const broker = of?.broker ?? of?.files ?? of?.cell?.split("/")[0];
  return broker === undefined ? null : Number(broker);
}

/** The tab stop of the logs that follows the name of a broker, apart from the actions. */
export function stopAfterName(
  logs: HTMLElement,
  broker: number,
): HTMLElement | SVGElement | undefined {
  const stops = [
    ...logs.querySelectorAll<HTMLElement | SVGElement>("[tabindex='0'], button, a[href]"),
  ].filter((stop) => !isOnActions(stop));
  const name = stops.findIndex((stop) => stop.dataset.broker === String(broker));
  return name < 0 ? undefined : stops[name + 1];
}
