import { mount } from "svelte";

import Root from "./pages/Root.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

export default mount(Root, { target });
