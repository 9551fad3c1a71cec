// Files that a page offers, written in the browser.
import { el } from "./elements.js";

/** Offer a file. @param {string} name @param {string} text @param {string} type */
export function offerFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = /** @type {HTMLAnchorElement} */ (el("a", { href: url, download: name }));
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file on every system: what is no letter, digit, dot or dash becomes `_`.
 * @param {string} name without its suffix @param {string} suffix with its dot */
export function safeFileName(name, suffix) {
  const kept = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_").replace(/^[.]+|[.]+$/g, "");
  const short = [...kept].slice(0, 80).join("");
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
  return `${short.replace(device, "$1_") || "_"}${suffix}`;
}

/** Objects as lines of JSON. @param {object[]} rows */
export function jsonLines(rows) {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** A table as CSV: a row of names, then the others. Where a spreadsheet would take a text for a
 * formula, an apostrophe stands before it, as in the tables that Python writes
 * (basics/spreadsheet_cells.py). @param {(string|number|boolean|null)[][]} rows */
export function csvOf(rows) {
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

/** @param {string|number|boolean|null} value */
function csvCell(value) {
  if (value === null) return "";
  const formula = typeof value === "string" && /^'*[=+\-@\t\r]/.test(value) &&
    !/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(value);
  const text = formula ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
}
