// The open document: drawn, marked in the list, and brought into sight.

import { writeAddress } from "./address.js";
import { tellConsensus } from "./consensus_panel.js";
import { markCurrent, refitList } from "./document_list.js";
import { documentView, referenceWords, sliderWords } from "./document_view.js";
import { byId, el } from "./elements.js";
import { fillMenu } from "./form_controls.js";
import { EVERYONE, SLIDER, openOne } from "./report_state.js";
import { goTo, tellPlace } from "./walking.js";

/** @import { Doc, State } from "./report_state.js" */

/** @param {State} state @param {string} name @param {boolean} [scroll] */
export function openDocument(state, name, scroll = true) {
  state.document = name;
  state.at = null;
  writeAddress(state, true);
  markOpen(state);
  drawDocument(state);
  if (scroll) toHead(state);
}

/** @param {State} state */
export function markOpen({ list, document: name }) {
  markCurrent(list, list.held.findIndex((doc) => doc.name === name));
}

/** Show the head of the open document, unless it is well in sight. @param {State} state */
export function toHead({ article }) {
  const top = article.getBoundingClientRect().top;
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (top < covered - 1 || top > 0.5 * window.innerHeight) article.scrollIntoView({ block: "start" });
}

/** @param {State} state */
export function drawDocument(state) {
  const doc = openOne(state);
  if (!doc) {
    state.article.replaceChildren(el("p", { class: "empty" }, "Choose a document in the list."));
    return;
  }
  const { parts, candidates, reference, stops, placeOf } = documentView(state, doc, false);
  state.article.replaceChildren(...parts);
  Object.assign(state, { stops, placeOf });
  const box = /** @type {HTMLSelectElement|null} */ (byId("reference"));
  if (box) {
    /** @type {[string, string][]} */
    const options = candidates.map((row) => [row.coding.coder, referenceWords(state, row)]);
    fillMenu(box, [[EVERYONE, "no one: everyone side by side"], ...options],
      reference?.coding.coder ?? EVERYONE);
  }
  markAbsent(doc);
  refitList(state.list); // what stands above may take more room
  measureHead(state);
  if (state.at !== null) goTo(state, state.at, false);
  else tellPlace(state);
  tellConsensus(state);
}

/** Mark names that have no row in the open document. @param {Doc} doc */
function markAbsent(doc) {
  const here = new Set(doc.codings.map((one) => one.coder));
  for (const label of document.querySelectorAll("[data-row]")) {
    const absent = !here.has(label.getAttribute("data-row") ?? "");
    label.classList.toggle("absent", absent);
    if (absent) label.setAttribute("title", "not in the open document");
    else label.removeAttribute("title");
  }
}

/** Places to jump to keep clear of the head, which stays in sight. @param {State} state */
export function measureHead({ article }) {
  const head = article.querySelector(".head");
  const covers = head && getComputedStyle(head).position === "sticky";
  document.documentElement.style.setProperty("--covered", `${covers ? head.clientHeight : 0}px`);
}

/** The rule of the sliders has changed: so have the strip, the words and, if it is the reference, the
 * text. @param {State} state */
export function ruleChanged(state) {
  if (state.reference === SLIDER) {
    drawDocument(state);
    return;
  }
  tellConsensus(state);
  for (const option of document.querySelectorAll("#reference option")) {
    if (/** @type {HTMLOptionElement} */ (option).value === SLIDER) option.textContent = sliderWords(state);
  }
}
