// A list of documents: a table in a box, as high as there is room for whole rows, drawn in parts.

import { el, visible } from "./elements.js";

/**
 * @template T
 * @typedef {object} DocumentList
 * @property {HTMLElement} box what scrolls
 * @property {HTMLElement} body the rows that are drawn
 * @property {HTMLElement} above what stands above the box and may take more or less room
 * @property {number} aboveHigh its height when the box was fitted
 * @property {T[]} held what is listed, in its order
 * @property {(one: T) => HTMLElement} rowOf
 */
/** @typedef {{key: string, sign: number}} Order   (sign: 1 ascending, -1 descending) */

const ROWS_AT_ONCE = 200;

/** An empty list, which grows as one scrolls. @template T @param {HTMLElement} box
 * @param {HTMLElement} above @returns {DocumentList<T>} */
export function newList(box, above) {
  /** @type {DocumentList<T>} */
  const list = { box, body: el("tbody"), above, aboveHigh: 0, held: [], rowOf: () => el("tr") };
  window.addEventListener("resize", () => fitList(list));
  box.addEventListener("scroll", () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 600) drawMore(list);
  });
  return list;
}

/** Show other documents. @template T @param {DocumentList<T>} list @param {T[]} held
 * @param {string} caption @param {HTMLElement[]} headings @param {(one: T) => HTMLElement} rowOf */
export function fillList(list, held, caption, headings, rowOf) {
  Object.assign(list, { held, rowOf });
  list.body.replaceChildren();
  list.box.replaceChildren(el("table", { class: "documents" }, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...headings)), list.body));
  list.box.scrollTop = 0;
  drawMore(list);
}

/** @template T @param {DocumentList<T>} list */
function drawMore(list) {
  const drawn = list.body.children.length;
  list.body.append(...list.held.slice(drawn, drawn + ROWS_AT_ONCE).map(list.rowOf));
}

/** The link of a document, drawn if it was not yet. @template T @param {DocumentList<T>} list
 * @param {number} index */
export function linkAt(list, index) {
  while (list.body.children.length <= index && index < list.held.length) drawMore(list);
  return list.body.children[index]?.querySelector("a") ?? null;
}

/** Mark the open document. @template T @param {DocumentList<T>} list @param {number} index */
export function markCurrent(list, index) {
  list.body.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.body.children[index]?.setAttribute("aria-current", "true");
}

/** As high as there is room for whole rows, which the style sheet cannot know.
 * @template T @param {DocumentList<T>} list */
export function fitList(list) {
  const { box } = list;
  const measures = document.documentElement.style;
  list.aboveHigh = list.above.offsetHeight;
  measures.removeProperty("--list-high");
  const frame = box.offsetHeight - box.clientHeight; // borders, and a scroll bar
  if (box.scrollHeight <= box.clientHeight) return;
  const top = box.getBoundingClientRect().top + box.clientTop - box.scrollTop;
  let high = 0;
  for (const row of list.body.children) {
    const end = row.getBoundingClientRect().bottom - top;
    if (end > box.clientHeight) break;
    high = end;
  }
  if (high) measures.setProperty("--list-high", `${Math.ceil(high) + frame}px`);
}

/** Fit the list again if what stands above it has another height.
 * @template T @param {DocumentList<T>} list */
export function refitList(list) {
  if (list.above.offsetHeight !== list.aboveHigh) fitList(list);
}

/** A heading that sorts: by the same key again, the other way round. @param {Order} order
 * @param {{key: string, label: Node, help: string, first: number}} column
 * @param {() => void} sorted what to do then */
export function sortHeading(order, { key, label, help, first }, sorted) {
  const now = order.key === key ? (order.sign > 0 ? "ascending" : "descending") : "none";
  const button = el("button", { type: "button", title: `sort by ${visible(help)}` }, label);
  button.addEventListener("click", () => {
    order.sign = order.key === key ? -order.sign : first;
    order.key = key;
    sorted();
  });
  return el("th", { scope: "col", "aria-sort": now, class: key === "name" ? "" : "num" }, button);
}
