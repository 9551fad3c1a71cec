// What a person sees of keeping: "saved 12:03", what has gone wrong, and other tabs.
import { counted, el, named } from "./elements.js";
import { clock, keepingWords, unexported } from "./keeping.js";

/** @import { Keeping } from "./keeping.js" */
/**
 * @typedef {{nameOf: (document: string) => string, load: (document: string) => void,
 *   keep: (document: string) => void}} KeepingChoices
 *   (nameOf: what people call a document; load, keep: what to do if one takes the other tab's
 *   version of a document, or one's own: call `takeOther` or `keepMine`, and draw the page)
 */

/** The places for it: a line that is always visible, and a box for what has gone wrong, which
 * screen readers tell. */
export function keepingParts() {
  return { line: el("span", { id: "saved" }), notices: el("div", { id: "notices", role: "status" }) };
}

/** Draw how things stand. @param {{line: HTMLElement, notices: HTMLElement}} parts
 * @param {Keeping} keeping @param {KeepingChoices} choices */
export function drawKeeping(parts, keeping, choices) {
  const { short, wrong } = keepingWords(keeping);
  const open = unexported(keeping).length;
  parts.line.textContent = open ? `${short} · not exported yet` : short;
  parts.line.classList.toggle("wrong", Boolean(wrong) || keeping.conflicts.size > 0);
  const said = [];
  if (wrong) said.push(el("p", { class: "missing" }, wrong));
  if (keeping.damaged.size) said.push(damageNotice(keeping, choices));
  if (keeping.conflicts.size) said.push(conflictNotice(keeping, choices));
  if (keeping.otherTabs && !keeping.conflicts.size) {
    said.push(el("p", { class: "missing" }, `This page is open in another tab, too. ${keeping.follow
      ? "Work in one of them: if you change a document in both, you have to choose."
      : "Work in one of them: changes there are not shown here until you load them."}`));
  }
  const words = [...said.map((one) => one.textContent), ...keeping.conflicts.keys()].join("\n");
  if (parts.notices.getAttribute("data-words") === words) return; // not told again at each change
  parts.notices.setAttribute("data-words", words);
  parts.notices.replaceChildren(...said);
}

/** What was changed elsewhere, and what to do about it. Of a document on which one has not worked
 * here, only the other tab has a version, which nobody is asked to throw away.
 * @param {Keeping} keeping @param {KeepingChoices} choices */
function conflictNotice(keeping, choices) {
  const documents = [...keeping.conflicts.keys()];
  /** @param {string} document */
  const own = (document) => keeping.entries.has(document); // asked at the click: one may work on meanwhile
  const [first, ...others] = documents;
  const what = others.length ? `and ${counted(others.length, "other document")} were changed in another tab`
    : `was changed in another tab at ${clock(keeping.conflicts.get(first)?.saved ?? "")}`;
  const load = el("button", { type: "button" }, others.length ? "Load those versions" : "Load that version");
  const keep = el("button", { type: "button" }, "Keep mine");
  load.addEventListener("click", () => documents.forEach((document) => choices.load(document)));
  keep.addEventListener("click", () => documents.forEach((document) =>
    (own(document) ? choices.keep(document) : choices.load(document))));
  return el("p", { class: "missing" }, el("b", {}, named(choices.nameOf(first), 60)),
    ` ${what}. Changes you make to ${others.length ? "them" : "it"} here will not be saved until you choose: `, load,
    ...(documents.some(own) ? [" ", keep] : []));
}

/** What is stored and cannot be read. @param {Keeping} keeping @param {KeepingChoices} choices */
function damageNotice(keeping, choices) {
  const [[document, key], ...others] = keeping.damaged;
  return el("p", { class: "missing" }, "What was saved here of ", el("b", {}, named(choices.nameOf(document), 60)),
    others.length ? ` and ${counted(others.length, "other document")}` : "", " cannot be read, or not all of it. What can be read is shown. ",
    key === null ? "Nothing is overwritten: what you do there is kept in this window only. Export it before you close the page."
      : "All of it was kept in the storage of this browser under the name ", ...(key === null ? [] : [el("code", {}, key), "."]),
    " If you have an export, import it.");
}
