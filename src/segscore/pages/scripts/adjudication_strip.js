// The strip of a document: everyone's marks over its units, and the gold that comes of them.
import { boundaries, counted, el, named, svg, visible } from "./elements.js";
import { decisionOf, goldOf, workOf } from "./adjudication_state.js";
import { positionsOf } from "./positions.js";

/** @import { Doc, State } from "./adjudication_state.js" */

const LANE_HIGH = 20; // pixels
const MOST_LANE_SIGNS = { wide: 36, narrow: 16 }; // with more, a lane has lines alone

/** Everyone's marks, a row for each, and gold below. A click leads to the nearest place.
 * @param {State} state @param {(p: number) => void} goTo */
export function adjudicationStrip(state, goTo) {
  const doc = state.open;
  const rows = doc.codings.map((one, i) => stripRow(named(doc.coders[i], 22), visible(doc.coders[i]),
    doc, [["marks", positionsOf(one.masses)]]));
  const most = Math.max(0, ...doc.codings.map((one) => one.masses.length - 1));
  const crowd = most > MOST_LANE_SIGNS.wide ? " crowded" : most > MOST_LANE_SIGNS.narrow ? " dense" : "";
  const head = el("tr", {}, el("th", { scope: "col", class: "who" }, el("span", { class: "unseen" }, "row"),
    el("span", { "aria-hidden": "true" }, "unit")),
    el("th", { scope: "col" }, el("span", { class: "unseen" }, "boundaries over the units"),
      el("span", { class: "ends", "aria-hidden": "true" }, el("span", {}, "1"),
        el("span", {}, doc.units.toLocaleString("en")))),
    el("th", { scope: "col", class: "num" }, el("span", { class: "unseen" }, "boundaries")));
  const made = el("div", { class: "strip-box", tabindex: "0", role: "region", "aria-label": "Everyone’s boundaries" },
    el("table", { class: `strip${crowd}` }, el("thead", {}, head),
      el("tbody", {}, ...rows, goldRow(state))));
  made.addEventListener("click", (event) => {
    const lane = /** @type {Element} */ (event.target).closest(".lane");
    if (!lane) return;
    const frame = lane.getBoundingClientRect();
    const wanted = ((event.clientX - frame.left) / frame.width) * doc.units;
    const places = [...doc.places.flatMap((one) => one.at), ...workOf(state, doc).added];
    const nearest = places.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
    if (nearest !== undefined) goTo(nearest);
  });
  return made;
}

/** @param {Node|string} name @param {string} label @param {Doc} doc @param {[string, number[]][]} kinds */
function stripRow(name, label, doc, kinds) {
  const n = kinds.reduce((sum, [kind, positions]) => sum + (kind === "waits" ? 0 : positions.length), 0);
  return el("tr", {}, el("th", { scope: "row", class: "who", title: label }, name),
    el("td", {}, laneOfMarks(`${label}: ${boundaries(n)}`, doc, kinds)),
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

/** @param {string} label @param {Doc} doc @param {[string, number[]][]} kinds */
function laneOfMarks(label, doc, kinds) {
  const signs = /** @type {Record<string, string>} */ ({ marks: "●", reference: "■", waits: "?" });
  const lines = kinds.map(([kind, positions]) => svg("path", { class: `mark ${kind}`,
    d: positions.map((p) => `M${p} 0V${LANE_HIGH}`).join("") }));
  const texts = kinds.filter(([, positions]) => positions.length).map(([kind, positions]) => {
    const text = svg("text", { class: `sign ${kind}`,
      x: positions.map((p) => `${Number(((100 * p) / doc.units).toFixed(3))}%`).join(" "),
      y: positions.map(() => LANE_HIGH / 2).join(" ") });
    text.textContent = signs[kind].repeat(positions.length);
    return text;
  });
  return svg("svg", { class: "lane", height: LANE_HIGH, role: "img", "aria-label": label },
    svg("svg", { class: "stretched", viewBox: `0 0 ${doc.units} ${LANE_HIGH}`, preserveAspectRatio: "none",
      width: "100%", height: LANE_HIGH }, ...lines), ...texts);
}

/** Show in the strip where one is. @param {HTMLElement} box @param {number|null} p */
export function markNow(box, p) {
  for (const one of box.querySelectorAll(".strip .stretched")) {
    one.querySelector(".now")?.remove();
    if (p !== null) one.append(svg("path", { class: "now", d: `M${p} 0V${LANE_HIGH}` }));
  }
}
