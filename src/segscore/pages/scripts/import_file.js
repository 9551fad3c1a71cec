// Files that a person chooses, read with errors in words.
import { el } from "./elements.js";

const LARGEST_IMPORT = 200_000_000; // bytes

/** Let the person choose a file. @param {string} accept suffixes, with commas between them
 * @param {(file: File) => void} chosen */
export function askForFile(accept, chosen) {
  const box = /** @type {HTMLInputElement} */ (el("input", { type: "file", accept }));
  box.addEventListener("change", () => {
    const file = box.files?.[0];
    if (file) chosen(file);
  });
  box.click();
}

/** The text of a file. @param {File} file @returns {Promise<string>} fails with words for people */
export async function textOfFile(file) {
  const called = `“${file.name}”`;
  if (file.size > LARGEST_IMPORT) {
    throw new Error(`${called} has ${Math.round(file.size / 1e6)} MB: expected an export of this page.`);
  }
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    throw new Error(`${called} cannot be read (${error}). Was it moved or changed?`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // drops a byte order mark
  } catch {
    throw new Error(`${called} is not text in UTF-8: expected an export of this page.`);
  }
}

/** The objects of a file in JSON Lines. @param {string} text @param {string} called the file
 * @returns {Record<string, any>[]} fails with words that name the line */
export function rowsOfLines(text, called) {
  const rows = text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    let row;
    try {
      row = JSON.parse(line);
    } catch {
      row = null;
    }
    if (row === null || typeof row !== "object" || Array.isArray(row)) {
      throw new Error(`Line ${i + 1} of “${called}” is not a JSON object: expected the JSON Lines ` +
        "that this page exports.");
    }
    return [row];
  });
  if (!rows.length) throw new Error(`“${called}” is empty: expected an export of this page.`);
  return rows;
}
