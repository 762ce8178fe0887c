import { mount } from "svelte";

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import { settleAddress } from "./addresses";
import Root from "./pages/Root.svelte";

settleAddress();
const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

export default mount(Root, { target });
