// What a person sees of keeping: "saved 12:03", and what has gone wrong.
import { counted, el, named } from "./elements.js";
import { keepingWords, unexported } from "./keeping.js";

/** @import { Keeping } from "./keeping.js" */

/** The places for it: a line and a box for what has gone wrong, which screen readers tell. Both are
 * always in view. */
export function keepingParts() {
  return { line: el("span", { id: "saved" }), notices: el("div", { id: "notices", role: "status" }) };
}

/** Draw how things stand. @param {{line: HTMLElement, notices: HTMLElement}} parts
 * @param {Keeping} keeping @param {(document: string) => string} nameOf what people call a document */
export function drawKeeping(parts, keeping, nameOf) {
  const { short, wrong } = keepingWords(keeping);
  parts.line.textContent = unexported(keeping).length ? `${short} · not exported yet` : short;
  parts.line.classList.toggle("wrong", Boolean(wrong));
  const said = [...(wrong ? [el("p", { class: "missing" }, wrong)] : []),
    ...(keeping.damaged.size ? [damageNotice(keeping, nameOf)] : [])];
  if (parts.notices.textContent === said.map((one) => one.textContent).join("")) return; // not told again at each change
  parts.notices.replaceChildren(...said);
}

/** What is stored and cannot be read. @param {Keeping} keeping @param {(document: string) => string} nameOf */
function damageNotice(keeping, nameOf) {
  const [[document, key], ...others] = keeping.damaged;
  return el("p", { class: "missing" }, "What was saved here of ", el("b", {}, named(nameOf(document), 60)),
    others.length ? ` and ${counted(others.length, "other document")}` : "", " cannot be read, or not all of it. What can be read is shown. ",
    key === null ? "Nothing is overwritten: what you do there is kept in this window only. Export it before you close the page."
      : "All of it was kept in the storage of this browser under the name ", ...(key === null ? [] : [el("code", {}, key), "."]),
    " If you have an export, import it.");
}
