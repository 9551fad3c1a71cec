// One document of the report: its head with the strip, what was measured, and its text.

import { boundaryView } from "./boundary_view.js";
import { distanceWords, shareWords } from "./consensus_words.js";
import { boundaries, byId, counted, el, named, number, visible } from "./elements.js";
import { judge, rowOf } from "./judging.js";
import { massesOf } from "./positions.js";
import { EVERYONE, SLIDER, agreedOn, peopleOf } from "./report_state.js";
import { stopsOf } from "./stops.js";
import { legend, strip } from "./strip.js";
import { textView } from "./text_view.js";
import { goTo, walkingBar } from "./walking.js";

/** @import { Row, Shown } from "./judging.js" */
/** @import { Doc, State } from "./report_state.js" */

/** @param {State} state @param {Doc} doc
 * @param {boolean} whole whether all text is drawn at once, for print */
export function documentView(state, doc, whole) {
  const { data, hidden } = state;
  const rows = doc.codings.map(rowOf);
  const { candidates, chosen } = referenceOf(state, doc, rows);
  /** @type {Shown[]} */
  const shown = rows
    .filter((row) => row !== chosen && row.coding.kind !== "consensus" && !hidden.has(row.coding.coder))
    .map((row) => ({ row, judged: chosen ? judge(doc, chosen, row) : null }));
  const marked = new Set([...(chosen?.positions ?? []), ...shown.flatMap((one) => one.row.positions)]);
  const places = [...marked].sort((a, b) => a - b);
  const { element, placeOf } = textView(doc, places,
    (p) => boundaryView(p, doc, chosen, shown, data.seconds, whole), whole);
  const stops = stopsOf(places, chosen, shown);
  const title = el("h3", {}, named(doc.name, 120));
  const parts = [
    el("div", { class: "head" },
      el("div", { class: "document-bar" }, title, ...(whole ? [] : [walkingBar(state, stops, chosen, shown)])),
      strip(doc, chosen, shown, (p) => goTo(state, p))),
    legend(chosen !== null, shown, data.near),
    factsLine(state, doc, chosen),
    ...(chosen ? [...valuesTable(state, doc, shown), ...windowLines(state, doc, chosen)] : []),
    element,
  ];
  return { parts, candidates, reference: chosen, stops, placeOf };
}

/** The reference: the one chosen if the document has it, else its own. @param {State} state
 * @param {Doc} doc @param {Row[]} rows */
function referenceOf(state, doc, rows) {
  const candidates = rows.filter((row) => row.coding.kind !== "system");
  if (state.data.near === 2 && byId("consensus") && peopleOf(doc).length > 1) {
    candidates.push(sliderRow(massesOf(agreedOn(state, doc), doc.units)));
  }
  const called = (/** @type {string|null|undefined} */ name) =>
    candidates.find((row) => row.coding.coder === name) ?? null;
  const chosen = state.reference === EVERYONE && !called(EVERYONE)
    ? null
    : called(state.reference) ?? called(doc.reference);
  return { candidates, chosen };
}

/** The consensus of the sliders as a row. @param {number[]} masses */
function sliderRow(masses) {
  return rowOf({ coder: SLIDER, kind: "consensus", masses }, -1);
}

/** What to call a reference: a consensus says how it is made. @param {State} state
 * @param {Row} row */
export function referenceWords(state, row) {
  const name = row.coding.coder;
  if (row.index < 0) return sliderWords(state);
  if (row.coding.kind !== "consensus") return name;
  const [, share, within] = name.split(":");
  return `${name} (${shareWords(share ?? state.rule.atLeast)}, ${distanceWords(Number(within ?? 0))})`;
}

/** @param {State} state */
export function sliderWords({ rule }) {
  return `consensus by the sliders: ${shareWords(rule.atLeast)}, ${distanceWords(rule.within)}`;
}

/** @param {State} state @param {Doc} doc @param {Row|null} reference */
function factsLine(state, doc, reference) {
  const against = reference ? `compared with ${visible(referenceWords(state, reference))}, ` +
    `${boundaries(reference.positions.length)}` : "everyone side by side";
  const group = doc.group ? [`group ${visible(doc.group)}`] : [];
  return el("p", { class: "small facts-line" }, [counted(doc.units, "unit"), ...group, against].join(" · "));
}

/** What each metric says of the document; nothing where no row is a system. @param {State} state
 * @param {Doc} doc @param {Shown[]} shown */
function valuesTable({ data }, doc, shown) {
  const systems = shown.filter((one) => data.systems.includes(one.row.coding.coder));
  if (!systems.length) return [];
  const head = el("tr", {}, el("th", { scope: "col" }, "system"),
    ...data.metrics.map((one) => el("th", { scope: "col", class: "num", title: one.words || null },
      named(one.name, 18), one.higher ? "\u00a0↑" : "\u00a0↓")));
  const lines = systems.map(({ row }) => {
    const i = data.systems.indexOf(row.coding.coder);
    return el("tr", {}, el("th", { scope: "row" }, named(row.coding.coder, 36)),
      ...data.metrics.map((_, m) => el("td", { class: "num" }, number(doc.values?.[m]?.[i]))));
  });
  return [el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values" },
    el("table", { class: "values" }, el("thead", {}, head), el("tbody", {}, ...lines)))];
}

/** Why window metrics are what they are: their windows, and how many of them cost anything.
 * @param {State} state @param {Doc} doc @param {Row} reference */
function windowLines({ data, hidden }, doc, reference) {
  if (reference.coding.coder !== doc.reference) return [];
  const said = (doc.windows ?? []).flatMap((one, m) => {
    if (!one) return [];
    const [k, all, wrong] = one;
    const each = wrong.flatMap((n, i) => (n === null || hidden.has(data.systems[i]) ? [] :
      [`${visible(data.systems[i])} ${n.toLocaleString("en")}`]));
    return [`${visible(data.metrics[m].name)}: k = ${k.toLocaleString("en")}; of ` +
      `${counted(all, "window")}, penalised: ${each.join(", ")}`];
  });
  return said.map((one) => el("p", { class: "small windows" }, one));
}
