// The strip of a document: everyone's marks over its units, and the gold that comes of them.
import { boundaries, counted, el, named, visible } from "./elements.js";
import { lane, leadsTo } from "./lanes.js";
import { decisionOf, goldOf, workOf } from "./adjudication_state.js";
import { positionsOf } from "./positions.js";
import { stripBox } from "./strip_box.js";

/** @import { Doc, State } from "./adjudication_state.js" */

const LANE_HIGH = 20; // pixels

/** Everyone's marks, a row for each, and gold below. A click leads to the nearest place.
 * @param {State} state @param {(p: number) => void} goTo */
export function adjudicationStrip(state, goTo) {
  const doc = state.open;
  const rows = doc.codings.map((one, i) => stripRow(named(doc.coders[i], 22), visible(doc.coders[i]),
    doc, [["marks", positionsOf(one.masses)]]));
  const most = Math.max(0, ...doc.codings.map((one) => one.masses.length - 1));
  const made = stripBox(doc.units, [], [...rows, goldRow(state)], most);
  leadsTo(made, doc.units, [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added], goTo);
  return made;
}

/** @param {Node|string} name @param {string} label @param {Doc} doc @param {[string, number[]][]} kinds */
function stripRow(name, label, doc, kinds) {
  const n = kinds.reduce((sum, [kind, positions]) => sum + (kind === "waits" ? 0 : positions.length), 0);
  return el("tr", {}, el("th", { scope: "row", class: "who", title: label }, name),
    el("td", {}, lane(`${label}: ${boundaries(n)}`, doc.units, LANE_HIGH, kinds, () => 0)),
    el("td", { class: "num" }, n.toLocaleString("en")));
}

/** What is gold so far, and what waits. @param {State} state */
export function goldRow(state) {
  const doc = state.open;
  const waits = doc.places.filter((one) => decisionOf(state, doc, one) === null).map((one) => one.at[one.most]);
  const words = waits.length ? `gold (${counted(waits.length, "place")} open)` : "gold";
  const row = stripRow(el("b", {}, "gold"), words, doc, [["waits", waits], ["reference", goldOf(state, doc)]]);
  row.id = "gold-row";
  return row;
}
