export { HighwaterReplay as default } from "../../react.js";
