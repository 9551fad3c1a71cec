// The question before an import replaces work: what is here, and what is in the file.
import { askWhich } from "./dialogs.js";
import { counted, el, named } from "./elements.js";

/** @typedef {{name: string, here: string, file: string}} ReplacedWork   (what there is, in words) */

/** Ask whether to replace work. The safe answer has the focus; Escape is the same.
 * @param {ReplacedWork[]} lost documents whose work would be replaced
 * @param {number} others how many documents of the file replace nothing
 * @param {{all: () => void, others: () => void}} take what to do then */
export function askToReplace(lost, others, take) {
  const cells = lost.map((one) => el("tr", {}, el("th", { scope: "row" }, named(one.name, 40)),
    el("td", {}, one.here), el("td", {}, one.file)));
  const heads = ["document", "here", "in the file"].map((one) => el("th", { scope: "col" }, one));
  const table = el("div", { class: "scroll replaced", tabindex: "0", role: "region", "aria-label": "What would be replaced" },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...cells)));
  const words = `The file has other work on ${counted(lost.length, "document")} than there is here. ` +
    "You can undo the import until you close the page.";
  askWhich("Replace what is here?", [el("p", {}, words), table], [
    { words: "Replace", act: take.all },
    ...(others ? [{ words: `Import only the ${others === 1 ? "other" : `${others} others`}`, act: take.others }] : []),
  ], "Cancel");
}
