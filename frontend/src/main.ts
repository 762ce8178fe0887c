import { mount } from "svelte";

import App from "./app/App.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

export default mount(App, { target });
