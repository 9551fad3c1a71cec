// The list of documents in the report: columns, ticks for printing, and one step on.

import { addressOf, writeAddress } from "./address.js";
import { columnsOf, listed } from "./document_columns.js";
import { fillList, fitList, linkAt, sortHeading } from "./document_list.js";
import { byId, counted, el, named, visible } from "./elements.js";
import { openDocument } from "./open_document.js";

/** @import { Column } from "./document_columns.js" */
/** @import { Doc, State } from "./report_state.js" */

/** @param {State} state */
export function drawList(state) {
  const { data, filter, list, order } = state;
  const columns = columnsOf(state);
  const held = listed(state, columns);
  const byName = { key: "name", label: document.createTextNode("document"), help: "name", first: 1 };
  const headings = [byName, ...columns].map((one) => sortHeading(order, one, () => sorted(state)));
  const metric = data.metrics[state.metric];
  const caption = data.systems.length
    ? `Documents, ${visible(metric.name + (metric.words ? ` (${metric.words})` : ""))} of each system`
    : "Documents";
  fillList(list, held, caption,
    [el("th", { scope: "col", class: "choose" }, chooseAll(state, held)), ...headings],
    (doc) => listRow(state, doc, columns));
  const note = byId("list-note");
  const all = counted(data.documents.length, "document");
  if (note) note.textContent = filter ? `${held.length.toLocaleString("en")} of ${all}` : all;
  fitList(list);
}

/** @param {State} state */
function sorted(state) {
  drawList(state);
  writeAddress(state);
  const button = state.list.box.querySelector("[aria-sort]:not([aria-sort=none]) button");
  /** @type {HTMLElement|null} */ (button)?.focus();
}

/** @param {State} state @param {Doc} doc @param {Column[]} columns */
function listRow(state, doc, columns) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
    "aria-label": `choose ${visible(doc.name)} for printing` }));
  tick.checked = state.toPrint.has(doc.name);
  tick.addEventListener("change", () => state.toPrint[tick.checked ? "add" : "delete"](doc.name));
  const link = el("a", { href: addressOf({ document: doc.name }) }, named(doc.name, 48));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDocument(state, doc.name);
  });
  const row = el("tr", { "aria-current": doc.name === state.document ? "true" : null },
    el("td", { class: "choose" }, tick), el("th", { scope: "row" }, link),
    ...columns.map((one) => el("td", { class: "num" }, one.show(doc))));
  row.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a, .choose")) return;
    if (window.getSelection()?.isCollapsed ?? true) openDocument(state, doc.name); // else numbers were selected
  });
  return row;
}

/** @param {State} state @param {Doc[]} held */
function chooseAll({ list, toPrint }, held) {
  const tick = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox",
    "aria-label": "choose all listed documents for printing", title: "choose for printing" }));
  tick.checked = held.length > 0 && held.every((doc) => toPrint.has(doc.name));
  tick.addEventListener("change", () => {
    for (const doc of held) toPrint[tick.checked ? "add" : "delete"](doc.name);
    for (const one of list.body.querySelectorAll("input")) one.checked = tick.checked;
  });
  return tick;
}

/** Open the next or the previous document of the list. @param {State} state @param {number} step
 * @param {boolean} inside whether the focus is, and stays, in the list */
export function moveInList(state, step, inside) {
  const { article, list } = state;
  const now = list.held.findIndex((doc) => doc.name === state.document);
  const next = Math.max(0, Math.min(list.held.length - 1, now + step));
  if (!list.held.length || next === now) return;
  const link = linkAt(list, next);
  const beside = article.getBoundingClientRect().left >= list.box.getBoundingClientRect().right;
  openDocument(state, list.held[next].name, beside || !inside); // or the list would go out of sight
  if (inside) link?.focus({ preventScroll: true });
  if (beside || inside) link?.scrollIntoView({ block: "nearest" });
}
