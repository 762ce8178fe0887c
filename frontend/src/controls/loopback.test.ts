import { expect, it } from "vitest";

import { isLoopback } from "./loopback";

it.each([
  "http://127.0.0.1:8000/s/x",
  "http://localhost/",
  "http://a.localhost:1/",
  "http://[::1]/",
])("%s is on the reader's own computer", (address) => {
  expect(isLoopback(address)).toBe(true);
});

it.each(["https://highwater.example/", "http://192.168.0.7:8000/", "https://127.0.0.1.example/"])(
  "%s is not",
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
