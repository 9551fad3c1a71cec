// The kinds of boundaries, and how each is shown: by a sign and a word, never by colour alone.

import { el } from "./elements.js";

/** What a boundary can be: sign and word. The style sheet has a colour and a line for each. */
export const STATUS = /** @type {Record<string, [string, string]>} */ ({
  match: ["●", "match"],
  near: ["◐", "near miss"],
  missed: ["○", "missed"],
  extra: ["✚", "extra"],
  differs: ["≠", "type differs"],
  marks: ["●", "marks it"],
  without: ["·", "does not"],
  reference: ["■", "reference"],
  waits: ["?", "not decided"],
});
export const JUDGED = ["match", "near", "missed", "extra", "differs"];

/** @param {string} status */
export function sign(status) {
  return el("span", { class: `sign ${status}`, "aria-hidden": "true" }, STATUS[status][0]);
}
