// The question before an import replaces work: what is here, and what is in the file.
import { counted, el, named } from "./elements.js";

/** @typedef {{name: string, here: string, file: string}} ReplacedWork   (what there is, in words) */

/** Ask whether to replace work. The safe answer has the focus; Escape is the same.
 * @param {ReplacedWork[]} lost documents whose work would be replaced
 * @param {number} others how many documents of the file replace nothing
 * @param {{all: () => void, others: () => void}} take what to do then */
export function askToReplace(lost, others, take) {
  const back = document.activeElement;
  /** @param {string} words @param {string} look @param {(() => void)|null} act */
  const answer = (words, look, act) => {
    const button = el("button", { type: "button", class: look }, words);
    button.addEventListener("click", () => {
      box.close();
      act?.();
    });
    return button;
  };
  const cancel = answer("Cancel", "primary", null);
  const box = /** @type {HTMLDialogElement} */ (el("dialog", { id: "ask-replace", "aria-labelledby": "ask-replace-heading" },
    el("h2", { id: "ask-replace-heading" }, "Replace what is here?"),
    el("p", {}, `The file has other work on ${counted(lost.length, "document")} than there is here. You can undo the import.`),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What would be replaced" },
      el("table", {}, el("thead", {}, el("tr", {}, ...["document", "here", "in the file"].map((one) =>
        el("th", { scope: "col" }, one)))),
      el("tbody", {}, ...lost.map((one) => el("tr", {}, el("th", { scope: "row" }, named(one.name, 40)),
        el("td", {}, one.here), el("td", {}, one.file)))))),
    el("p", { class: "answers" }, cancel,
      ...(others ? [answer(`Import only the other${others === 1 ? "" : ` ${others}`}`, "", take.others)] : []),
      answer("Replace", "", take.all))));
  box.addEventListener("close", () => {
    box.remove();
    if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
  });
  document.body.append(box);
  box.showModal();
  cancel.focus();
}
