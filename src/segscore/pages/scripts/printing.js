// Print: the documents that were chosen, or the open one, with all their text.

import { documentView } from "./document_view.js";
import { byId, el } from "./elements.js";
import { openOne } from "./report_state.js";

/** @import { State } from "./report_state.js" */

/** @param {State} state */
export function printChosen(state) {
  /** What was shut before. @type {Element[]} */
  const opened = [];
  window.addEventListener("beforeprint", () => {
    const box = byId("print");
    if (!box) return;
    for (const one of document.querySelectorAll("details:not([open])")) {
      one.setAttribute("open", "");
      opened.push(one);
    }
    const chosen = state.toPrint.size ? state.data.documents.filter((doc) => state.toPrint.has(doc.name))
      : [openOne(state)];
    box.replaceChildren(...chosen.flatMap((doc) =>
      (doc ? [el("article", {}, ...documentView(state, doc, true).parts)] : [])));
    box.hidden = false;
  });
  window.addEventListener("afterprint", () => {
    for (const one of opened.splice(0)) one.removeAttribute("open");
    const box = byId("print");
    box?.replaceChildren();
    if (box) box.hidden = true;
  });
}
