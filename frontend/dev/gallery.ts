/**
 * Shows the stage with selected frames during development: `npm run dev`, then
 * /dev/gallery.html?show=repair&at=1&theme=dark&lang=zh. Not part of the build.
 */
import { mount } from "svelte";

import { readFrames, type FrameEntry } from "../src/trace";
import "../src/styles/tokens.css";
import "../src/styles/base.css";
import "../src/styles/controls.css";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("app");
const url = new URLSearchParams(location.search).get("url");
const fetched =
  url === null
    ? null
    : readFrames(((await (await fetch(url)).json()) as { frames: FrameEntry[] }).frames);
if (target !== null) mount(Gallery, { target, props: { fetched } });
