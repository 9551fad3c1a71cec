// The panel in which a place is decided, and the list of documents.
import { counted, el, named } from "./elements.js";
import { LONGEST_COMMENT, menu } from "./form_controls.js";
import { commentAt, decidedBy, decisionOf, goldLevel, isGold, openPlaces, placeAt, ruledLevel, workOf } from "./adjudication_state.js";
import { placeName } from "./adjudication_files.js";
import { once } from "./key_help.js";

/** @import { Doc, Place, State, Work } from "./adjudication_state.js" */

const USUAL_LEVELS = 6; // for as many there are keys

/**
 * @typedef {{choose: (p: number) => void, drop: () => void, reopen: () => void, add: () => void,
 *   comment: (text: string, done: boolean) => void, walk: (step: number) => void,
 *   level: (level: number) => void,
 *   open: (doc: Doc) => void}} Acts
 */

/** The panel about where one is. @param {State} state @param {Acts} acts */
export function panelOf(state, acts) {
  const { at, open: doc } = state;
  const place = placeAt(state, at);
  if (at === null) return nothingChosen(state, acts);
  const where = place ? `After ${place.at.length > 1 ? "units" : "unit"} ${placeName(place)}` : `After unit ${at}`;
  return [el("p", { class: "where", role: "status" }, el("b", {}, where), ` · ${howItStands(state, place, at)}`),
    el("div", { class: "choices", role: "group", "aria-label": "Decide" },
      ...(place ? placeButtons(state, place, acts) : [addButton(state, at, acts)]), ...levelMenu(state, acts)),
    ...(place || workOf(state, doc).added.includes(at) ? [commentField(state, at, acts)] : [])];
}

/** @param {State} state @param {Acts} acts */
function nothingChosen(state, acts) {
  const here = openPlaces(state, state.open).length;
  const all = state.data.documents.reduce((sum, doc) => sum + openPlaces(state, doc).length, 0);
  if (!all) return [el("p", { class: "where" }, "Every place is decided. Export gold and the decisions.")];
  const go = el("button", { type: "button", class: "primary" }, "Go to the next open place (n)");
  go.addEventListener("click", () => acts.walk(1));
  const words = `${here ? counted(here, "place") : "No place"} of this document ${here > 1 ? "wait" : "waits"} for you.`;
  return [el("p", { class: "where" }, words), el("div", { class: "choices" }, go)];
}

/** @param {State} state @param {Place|undefined} place @param {number} at */
function howItStands(state, place, at) {
  const doc = state.open;
  if (!place) return workOf(state, doc).added.includes(at) ? "added: nobody marks it" : "nobody marks it";
  const votes = place.who.reduce((sum, who) => sum + who.length, 0);
  const choice = decisionOf(state, doc, place);
  const said = choice === null ? "open" : choice === "drop" ? "dropped" : `gold after unit ${choice}`;
  const rule = decidedBy(state, doc, place) === "rule" ? " by the rule" : "";
  return `${votes} of ${counted(doc.coders.length, "coder")} · ${said}${rule}`;
}

/** @param {State} state @param {Place} place @param {Acts} acts */
function placeButtons(state, place, acts) {
  const choice = decisionOf(state, state.open, place);
  /** @param {string} key @param {(Node|string)[]} inside @param {boolean|null} pressed @param {() => void} act */
  const button = (key, inside, pressed, act) => {
    const made = el("button", { type: "button", "aria-pressed": pressed === null ? null : `${pressed}` },
      el("kbd", {}, key), " ", ...inside);
    made.addEventListener("click", once(act)); // the panel has grown, and another button is there
    return made;
  };
  const found = place.at.map((p, i) => button(i < 9 ? `${i + 1}` : "·",
    [`after unit ${p}: `, el("span", { class: "names" }, ...place.who[i].flatMap((n, j) =>
      [...(j ? [", "] : []), named(state.open.coders[n], 24)]))], choice === p, () => acts.choose(p)));
  found.push(button("x", ["drop"], choice === "drop", acts.drop));
  if (choice !== null) found.push(button("0", ["leave it open"], null, acts.reopen));
  return found;
}

/** @param {State} state @param {number} at @param {Acts} acts */
function addButton(state, at, acts) {
  const there = workOf(state, state.open).added.includes(at);
  const made = el("button", { type: "button", "aria-pressed": `${there}` }, el("kbd", {}, "a"),
    there ? " take the added boundary away" : " add a boundary here");
  made.addEventListener("click", once(acts.add));
  return made;
}

/** The boundary of gold where one is, if there is one: that of the place, or an added one.
 * @param {State} state @returns {number|null} */
export function goldHere(state) {
  const place = placeAt(state, state.at);
  const p = place ? decisionOf(state, state.open, place) : state.at;
  return typeof p === "number" && isGold(state, state.open, p) ? p : null;
}

/** The level of the boundary of gold where one is. @param {State} state @param {Acts} acts */
function levelMenu(state, acts) {
  const [doc, p] = [state.open, goldHere(state)];
  const now = p === null ? undefined : goldLevel(state, doc, p);
  if (p === null || now === undefined) return [];
  const most = Math.max(USUAL_LEVELS, now, ...doc.codings.flatMap((one) => one.ranks ?? []));
  const ruled = ruledLevel(doc, p);
  /** @type {[string, string][]} */
  const options = Array.from({ length: most }, (_, i) => [`${i + 1}`, `${i + 1}${i + 1 === ruled ? " (rule)" : ""}`]);
  const box = menu(options, `${now}`, (value) => acts.level(Number(value)));
  box.id = "level";
  box.title = "Shift 1 … 6";
  return [el("label", { class: "level-of" }, "level ", box)];
}

/** @param {State} state @param {number} at @param {Acts} acts */
function commentField(state, at, acts) {
  const box = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "comment", rows: "1", dir: "auto", maxlength: LONGEST_COMMENT,
    "aria-label": "Comment on this place", placeholder: "Comment (c)" }));
  box.value = commentAt(state, at);
  box.addEventListener("input", () => acts.comment(box.value, false));
  box.addEventListener("blur", () => acts.comment(box.value, true));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.blur();
  });
  return box;
}

/** What a person did, in words. @param {Work} work */
export function workWords(work) {
  const [decisions, levels, comments] = [work.decisions, work.levels, work.comments].map((one) => Object.keys(one).length);
  return [decisions ? counted(decisions, "decision") : "", work.added.length ? `${work.added.length} added` : "",
    levels ? counted(levels, "level") : "", comments ? counted(comments, "comment") : ""].filter(Boolean).join(", ") || "nothing";
}

/** The list of documents, with what waits in each. @param {State} state @param {Acts} acts */
export function documentList(state, acts) {
  return el("ol", { class: "document-list" }, ...state.data.documents.map((doc) =>
    el("li", { "data-key": doc.key }, listButton(state, doc, acts))));
}

/** @param {State} state @param {Doc} doc @param {Acts} acts */
export function listButton(state, doc, acts) {
  const waits = openPlaces(state, doc).length;
  const made = el("button", { type: "button", "aria-current": doc === state.open ? "true" : null,
    class: waits ? "" : "done" }, el("span", { class: "name" }, named(doc.name, 40)),
  el("span", { class: "state" }, waits ? `${waits} of ${doc.places.length} open` : "✓ decided"));
  made.addEventListener("click", () => acts.open(doc));
  return made;
}

/** How far one is, over all documents. @param {State} state */
export function progressWords(state) {
  const all = state.data.documents.reduce((sum, doc) => sum + doc.places.length, 0);
  const waits = state.data.documents.map((doc) => openPlaces(state, doc).length);
  const open = waits.reduce((sum, n) => sum + n, 0);
  const done = waits.filter((n) => !n).length;
  return { all, open, words: `${(all - open).toLocaleString("en")} of ${counted(all, "place")} decided, ` +
    `${done} of ${counted(state.data.documents.length, "document")} complete` };
}
