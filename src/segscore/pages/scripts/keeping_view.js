// @ts-check
// What a person sees of keeping: "saved 12:03", what has gone wrong, and other tabs.
import { el, named } from "./elements.js";
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
  for (const [document, other] of keeping.conflicts) {
    said.push(conflictNotice(document, other?.saved ?? null, choices));
  }
  if (keeping.otherTabs && !keeping.conflicts.size) {
    said.push(el("p", { class: "missing" }, "This page is open in another tab, too. Work in one of " +
      "them: what you change there is not seen here before you load it."));
  }
  const words = said.map((one) => one.textContent).join("\n");
  if (parts.notices.getAttribute("data-words") === words) return; // not told again at each change
  parts.notices.setAttribute("data-words", words);
  parts.notices.replaceChildren(...said);
}

/** @param {string} document @param {string|null} saved @param {KeepingChoices} choices */
function conflictNotice(document, saved, choices) {
  const what = saved ? `was changed in another tab at ${clock(saved)}` : "was removed from the storage elsewhere";
  const load = el("button", { type: "button" }, saved ? "Load that version" : "Start it anew");
  const keep = el("button", { type: "button" }, "Keep mine");
  load.addEventListener("click", () => choices.load(document));
  keep.addEventListener("click", () => choices.keep(document));
  return el("p", { class: "missing" }, el("b", {}, named(choices.nameOf(document), 60)),
    ` ${what}. Your version in this tab is not saved until you choose: `, load, " ", keep);
}
