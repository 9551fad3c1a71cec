// The table of a strip, without its rows.

import { el, unseen } from "./elements.js";
import { ends } from "./lanes.js";
import { STATUS, sign } from "./signs.js";

const MOST_SIGNS = { wide: 36, narrow: 16 }; // in a row of a strip; with more it has lines alone

/** The table of a strip. @param {number} units @param {string[]} kinds what is counted beside all
 * @param {HTMLElement[]} lines @param {number} most boundaries in a line: with many, signs would
 * cover each other @param {string} [look] */
export function stripBox(units, kinds, lines, most, look = "") {
  const crowd = most > MOST_SIGNS.wide ? " crowded" : most > MOST_SIGNS.narrow ? " dense" : "";
  return el("div", { class: "strip-box", tabindex: "0", role: "region", "aria-label": "Everyone’s boundaries" },
    el("table", { class: `strip${look}${crowd}` }, el("thead", {}, stripHead(units, kinds)),
      el("tbody", {}, ...lines)));
}

/** @param {number} units @param {string[]} kinds */
function stripHead(units, kinds) {
  return el("tr", {},
    el("th", { scope: "col", class: "who" }, unseen("row"), el("span", { "aria-hidden": "true" }, "unit")),
    el("th", { scope: "col" }, unseen("boundaries over the units"), ends(units)),
    el("th", { scope: "col", class: "num all" }, el("span", { title: "all boundaries of the row" }, "all")),
    ...kinds.map((one) => el("th", { scope: "col", class: "num", title: STATUS[one][1] }, sign(one),
      unseen(STATUS[one][1]))));
}
