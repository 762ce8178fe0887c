/** A value for texts: it does not change while frames pass too fast to read. */

export class Held<T> {
  #kept: { readonly value: T } | null = null;
  readonly value: T = $derived.by(() => {
    if (this.#kept === null || !this.hurried()) this.#kept = { value: this.read() };
    return this.#kept.value;
  });

  constructor(
    private readonly hurried: () => boolean,
    private readonly read: () => T,
  ) {}
}
