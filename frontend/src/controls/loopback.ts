/** Whether an address is one of the reader's own computer, which nobody else can open. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
