// @ts-check
// The documents of the page: which there are, which are begun, which are done.
import { boundaries, counted, el, named } from "./elements.js";
import { boundariesIn } from "./annotation_state.js";

/** @import { AnnotationData, Work } from "./annotation_state.js" */
/** @typedef {{list: HTMLElement, entries: HTMLElement[], told: HTMLElement, bar: HTMLProgressElement}} Shelf
 *   (entries: the button of each document, by its number) */

/** @param {HTMLElement} box @param {AnnotationData} data @param {number[]} order
 * @param {(number: number) => void} open @returns {Shelf} */
export function newShelf(box, data, order, open) {
  /** @type {HTMLElement[]} */
  const entries = [];
  const items = order.map((i) => {
    entries[i] = el("button", { type: "button", class: "entry" });
    entries[i].addEventListener("click", () => open(i));
    return el("li", {}, entries[i]);
  });
  const list = el("ol", { class: "shelf-list" }, ...items);
  const told = el("span", {});
  const bar = /** @type {HTMLProgressElement} */ (el("progress", { max: data.documents.length, value: 0,
    "aria-label": "Documents done" }));
  box.replaceChildren(el("summary", {}, told), bar, list);
  return { list, entries, told, bar };
}

/** Draw the entry of a document. @param {Shelf} shelf @param {AnnotationData} data
 * @param {number} i @param {Work} work @param {boolean} begun @param {boolean} isOpen */
export function drawEntry(shelf, data, i, work, begun, isOpen) {
  const doc = data.documents[i];
  const [sign, state] = work.finished ? ["✓", "done"] : begun ? ["◐", "begun"] : ["○", "not begun"];
  const found = boundariesIn(work).length;
  shelf.entries[i].className = `entry ${state.replace(" ", "-")}`;
  if (isOpen) shelf.entries[i].setAttribute("aria-current", "true");
  else shelf.entries[i].removeAttribute("aria-current");
  shelf.entries[i].replaceChildren(
    el("span", { class: "entry-sign", "aria-hidden": "true" }, sign),
    el("span", { class: "entry-name" }, named(doc.name, 80)),
    el("span", { class: "entry-told" }, `${doc.gold ? "practice, " : ""}${state}, ${begun || found
      ? boundaries(found) : counted(doc.units.length, "unit")}`));
}

/** How much is done. @param {Shelf} shelf @param {Work[]} works */
export function drawProgress(shelf, works) {
  const done = works.filter((one) => one.finished).length;
  shelf.bar.value = done;
  shelf.told.textContent = `Documents: ${done} of ${works.length} done`;
}
