export { inert } from "../writers/inert.js";
