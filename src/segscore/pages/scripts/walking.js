// From one place of the open document to the next.

import { writeAddress } from "./address.js";
import { byId, counted, el } from "./elements.js";
import { menu } from "./form_controls.js";
import { showNow } from "./lanes.js";
import { openOne } from "./report_state.js";
import { STOPS } from "./stops.js";

/** @import { Row, Shown } from "./judging.js" */
/** @import { State } from "./report_state.js" */
/** @import { Stops } from "./stops.js" */

/** Buttons, and which places they stop at. @param {State} state @param {Stops} found
 * @param {Row|null} reference @param {Shown[]} shown */
export function walkingBar(state, found, reference, shown) {
  const back = el("button", { type: "button", title: "previous place (p)" }, "‹", el("span", {}, " previous"));
  const on = el("button", { type: "button", title: "next place (n)" }, el("span", {}, "next "), "›");
  back.addEventListener("click", () => walk(state, -1));
  on.addEventListener("click", () => walk(state, 1));
  const words = stopWords(reference, shown);
  const options = STOPS.filter((one) => found[one]).map((one) =>
    /** @type {[string, string]} */ ([one, words[one](found[one].length)]));
  const box = menu(options, stopKind(state, found), (value) => {
    state.stop = value;
    tellPlace(state);
    writeAddress(state);
  });
  box.id = "stops";
  box.setAttribute("aria-label", "Stop at");
  return el("div", { class: "walk" }, box, back, el("span", { id: "walked", role: "status" }), on);
}

/** What to call so many places of a kind. @param {Row|null} reference @param {Shown[]} shown
 * @returns {Record<string, (n: number) => string>} */
function stopWords(reference, shown) {
  const kinds = new Set(shown.map((one) => one.row.coding.kind));
  const rows = kinds.size > 1 ? "rows" : kinds.has("system") ? "systems" : "people";
  return {
    disagreements: (n) => counted(n, reference ? "disagreement" : "contested place"),
    differ: (n) => `${counted(n, "place")} where ${rows} differ`,
    all: (n) => `all ${n.toLocaleString("en")} ${n === 1 ? "boundary" : "boundaries"}`,
  };
}

/** What to stop at, where the document has such places to speak of. @param {State} state
 * @param {Stops} found */
const stopKind = (state, found) => (found[state.stop] ? state.stop : STOPS[0]);

/** @param {State} state */
const stopsNow = (state) => state.stops[stopKind(state, state.stops)] ?? [];

/** @param {State} state @param {number} step */
export function walk(state, step) {
  const now = state.at ?? (step > 0 ? 0 : Infinity);
  const stops = stopsNow(state);
  const next = step > 0 ? stops.find((p) => p > now) : stops.findLast((p) => p < now);
  if (next !== undefined) goTo(state, next);
}

/** @param {State} state @param {number} p @param {boolean} [focus] */
export function goTo(state, p, focus = true) {
  state.at = p;
  writeAddress(state);
  state.article.querySelector(".here")?.classList.remove("here");
  const place = state.placeOf(p);
  if (place) {
    place.classList.add("here");
    if (focus) place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
  }
  tellPlace(state);
}

/** Say where one is. @param {State} state */
export function tellPlace(state) {
  const said = byId("walked");
  if (!said) return;
  const places = stopsNow(state);
  const index = state.at === null ? -1 : places.indexOf(state.at);
  said.textContent = index >= 0 ? `${index + 1} of ${places.length}`
    : places.length ? counted(places.length, "place") : "no place";
  showNow(state.article, state.at, openOne(state)?.units ?? 1);
}
